import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import type { RestorePoints } from "../../src/runtime/past/restore-points.ts";
import { UntilPoint } from "../../src/runtime/past/until-point.ts";
import { JournalDirectory } from "../../src/storage/file/journal/journal-directory.ts";
import { FolderPoints } from "../../src/storage/file/state/folder-points.ts";
import { FolderSession } from "../../src/storage/file/state/folder-session.ts";
import { type FolderCalls, machineFolders } from "../../src/storage/file/timeline/folder-calls.ts";
import { TimelineLinks } from "../../src/storage/file/timeline/timeline-links.ts";
import type { OpenWorld } from "../../src/storage/open-world.ts";
import type { StoredFiles } from "../../src/storage/port/session.ts";
import { FileStore } from "../../src/storage/world/file-store.ts";
import { imageOf, turns } from "../runtime/setup/random-world.ts";
import {
  abandon,
  CAUSE,
  change,
  directoryFor,
  openDisk,
  stepsOf,
  turned,
} from "./setup/disk-world.ts";
import { inFirstLine, inFirstWorld } from "./setup/places.ts";

afterEach(() => vi.restoreAllMocks());

const pointsOf = ({ points }: OpenWorld) => points as RestorePoints;

/** A torn record after the journal that a kept state links. */
const torn = async () => {
  const directory = directoryFor("planted-torn-");
  const world = await openDisk(directory);
  await change(world, stepsOf(6));
  await pointsOf(world).save("a");
  const then = imageOf(world.engine.state);
  await abandon(world, directory);
  const journal = inFirstLine(directory, "journal");
  const [name = "", empty = ""] = readdirSync(journal).sort();
  rmSync(join(journal, empty));
  const linked = inFirstWorld(directory, "snapshots", "a~1", "origin", "journal", "0");
  const whole = readFileSync(linked);
  // As after a power cut: the last record is incomplete for everyone who links it.
  writeFileSync(join(journal, name), whole.subarray(0, -5));
  const again = await openDisk(directory);
  expect(readFileSync(linked)).toEqual(whole.subarray(0, -5));
  expect(imageOf(again.engine.state).meta.seq).toBe(then.meta.seq - 1);
  await again.close();
};

/** A rewind to a point within a segment, read again. */
const rewound = async () => {
  const directory = directoryFor("planted-rewind-");
  const world = await openDisk(directory);
  await change(world, stepsOf(9));
  const state = await pointsOf(world).earlier({ seq: 5 });
  if (!state) throw new Error("not reached");
  await pointsOf(world).switchTo(turned(world, state));
  const then = imageOf(world.engine.state);
  expect(then.meta.seq).toBe(5);
  await world.close();
  const again = await openDisk(directory);
  expect(imageOf(again.engine.state)).toEqual(then);
  await again.close();
};

/** A kill right after the answer to an act. */
const answered = async (folders: FolderCalls) => {
  const directory = directoryFor("planted-answer-");
  const world = await openDisk(directory, { folders });
  await change(world, stepsOf(4));
  await pointsOf(world).save("a");
  expect(existsSync(inFirstWorld(directory, "snapshots", "a~1"))).toBe(true);
  await pointsOf(world).switchTo(turned(world, world.engine.state.fork()));
  expect(existsSync(inFirstWorld(directory, "line-1", "line.json"))).toBe(true);
  await abandon(world, directory);
};

/** A kill at each call of a snapshot over another: one of both is always there. */
const replaced = async (folders: FolderCalls) => {
  for (let at = 0; at < 12; at += 1) {
    const directory = directoryFor("planted-replace-");
    let made = 0;
    let isArmed = false;
    const cut: FolderCalls = { ...folders };
    for (const name of ["rename", "remove", "write", "link"] as const)
      Object.assign(cut, {
        [name]: (...args: [string, never]) => {
          if (isArmed) made += 1;
          if (made > at) throw new Error("killed");
          return (folders[name] as (...all: typeof args) => unknown)(...args);
        },
      });
    const world = await openDisk(directory, { folders: cut });
    await change(world, stepsOf(2));
    await pointsOf(world).save("a");
    await change(world, stepsOf(2));
    isArmed = true;
    await pointsOf(world)
      .save("a")
      .catch(() => {});
    await abandon(world, directory);
    const again = await openDisk(directory);
    expect(pointsOf(again).list()).toMatchObject([{ name: "a" }]);
    await again.close();
  }
};

/** A document that only a closed world names, when another one is deleted. */
const swept = async () => {
  const directory = directoryFor("planted-swept-");
  const world = await openDisk(directory);
  const fork = await world.fork({ name: "one", clientId: "one" });
  const upload = ({ engine, files }: OpenWorld, text: string) =>
    files.keepFor(Buffer.from(text), (sha256) => {
      const file = { sha256, mediaType: "application/pdf", sizeBytes: 1 } as const;
      const record = { id: `Document:${text}`, documentHolder: "Customer:1", file } as never;
      engine.commit((draft) => draft.put("Document", record), undefined, CAUSE);
      return sha256;
    });
  const files = join(directory, "files");
  const kept = await upload(fork, "kept");
  const dropped = await upload(world, "dropped");
  await fork.close();
  const sweep = vi.spyOn(FileStore.prototype as unknown as { sweep(): Promise<void> }, "sweep");
  world.engine.commit((draft) => draft.del("Document", "Document:dropped"), undefined, CAUSE);
  const isThere = () => readdirSync(files).includes(`${dropped}.bin`);
  for (let turn = 0; turn < 10_000 && isThere(); turn += 1) await turns(10);
  await Promise.all(sweep.mock.results.map(({ value }) => value));
  await world.close();
  expect(readdirSync(files)).toEqual([`${kept}.bin`]);
};

interface PlacedPoints {
  folders: { calls: FolderCalls };
  kept: Map<string, { directory: string }>;
}

/** Mistakes that would lose or mix up states; each must be seen. */
const PLANTED: readonly {
  what: string;
  check: (folders: FolderCalls) => Promise<void>;
  plant: () => FolderCalls;
}[] = [
  {
    what: "a recovery that truncates a linked segment",
    check: torn,
    plant: () => {
      type Cutting = { cutTail(file: string, wholeBytes: number): void };
      vi.spyOn(JournalDirectory.prototype as unknown as Cutting, "cutTail").mockImplementation(
        (file, wholeBytes) => truncateSync(file, wholeBytes),
      );
      return machineFolders;
    },
  },
  {
    what: "a redo that continues past the point",
    check: rewound,
    plant: () => {
      const whole = TimelineLinks.prototype.ofPoint;
      vi.spyOn(TimelineLinks.prototype, "ofPoint").mockImplementation(function (
        this: TimelineLinks,
        point,
        ...rest
      ) {
        const { seq } = point.state;
        Object.defineProperty(point.state, "seq", { value: 1_000, configurable: true });
        return whole.call(this, point, ...rest).finally(() => {
          Object.defineProperty(point.state, "seq", { value: seq, writable: true });
        });
      });
      return machineFolders;
    },
  },
  {
    what: "a reading that stops before the point",
    check: rewound,
    plant: () => {
      const whole = UntilPoint.prototype.take;
      vi.spyOn(UntilPoint.prototype, "take").mockImplementation(function (this: UntilPoint, one) {
        if (one.seq < 5) whole.call(this, one);
      });
      return machineFolders;
    },
  },
  {
    what: "an answer before the rename",
    check: answered,
    plant: () => ({
      ...machineFolders,
      rename: async (from, to) => {
        setTimeout(() => void machineFolders.rename(from, to).catch(() => {}), 50);
      },
    }),
  },
  {
    what: "a snapshot that is deleted before the new one has its name",
    check: replaced,
    plant: () => {
      const whole = FolderPoints.prototype.save;
      vi.spyOn(FolderPoints.prototype, "save").mockImplementation(async function (
        this: FolderPoints,
        ...args
      ) {
        const { folders, kept } = this as unknown as PlacedPoints;
        for (const { directory } of kept.values())
          if (existsSync(directory)) await folders.calls.remove(directory);
        return whole.apply(this, args);
      });
      return machineFolders;
    },
  },
  {
    what: "a document of an unloaded world that nobody asked about",
    check: swept,
    plant: () => {
      const session = FolderSession.prototype as unknown as Record<
        "storedFiles",
        () => StoredFiles
      >;
      const whole = session.storedFiles;
      vi.spyOn(session, "storedFiles").mockImplementation(function (this: unknown) {
        return { ...whole.call(this), namedAtRest: async () => new Set() };
      });
      return machineFolders;
    },
  },
];

test.each(PLANTED)("the check that finds $what passes on whole code", async ({ check }) => {
  await check(machineFolders);
});

test.each(PLANTED)("$what would be noticed", async ({ check, plant }) => {
  await expect(check(plant())).rejects.toThrow();
});
