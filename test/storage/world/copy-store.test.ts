import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { machineWall } from "../../../src/runtime/ports.ts";
import { copyStores } from "../../../src/storage/copy-stores.ts";
import { joinFolder } from "../../../src/storage/file/state/folder-session.ts";
import { openWorld } from "../../../src/storage/open-world.ts";
import type { HeldWorld } from "../../../src/storage/port/held-world.ts";
import type { Session } from "../../../src/storage/port/session.ts";
import { StoreCopy } from "../../../src/storage/world/copy-store.ts";
import { CAUSE, directoryFor } from "../setup/disk-world.ts";
import { contentsOfFolder } from "../setup/store-contents.ts";

const atFolder = (directory: string) =>
  openWorld({
    storage: { kind: "file", directory },
    wall: machineWall,
    fsync: false,
    identity: { clockMode: "manual" },
  });

/** A folder with a world, a fork, a restore point and a document. */
const fillFolder = async (directory: string) => {
  const world = await atFolder(directory);
  world.reset();
  const sha256 = await world.files.keepFor(Buffer.from("%PDF-"), (sha) => {
    const file = { sha256: sha, mediaType: "application/pdf" as const, sizeBytes: 5 };
    world.engine.commit(
      (draft) =>
        draft.put("Document", {
          id: "Document:1",
          documentHolder: "Customer:1",
          documentType: "PASSPORT",
          country: "US",
          fileName: "a.pdf",
          file,
          createdAtMs: 1,
          updatedAtMs: 1,
        }),
      undefined,
      CAUSE,
    );
    return sha;
  });
  await world.points.save("before");
  const fork = await world.fork({ name: "one", clientId: "sandbox+one" });
  await fork.close();
  await world.close();
  return sha256;
};

const folderAt = (directory: string) => ({ kind: "file", directory }) as const;

/** A session whose calls fail as rows say. */
const failing = <Of extends object>(of: Of, calls: Partial<Record<keyof Of, () => unknown>>): Of =>
  new Proxy(of, {
    get: (target, name) => {
      const call = calls[name as keyof Of];
      if (call) return call;
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });

const fail = async () => {
  throw new Error("the disk is gone");
};

/** Steps of a copy that fail, of the target. */
const BROKEN: { what: string; of: (target: Session) => Session }[] = [
  {
    what: "the first world's state",
    of: (target) =>
      failing(target, {
        create: async () => failing(await target.create("sandbox"), { switchTo: fail }),
      }),
  },
  {
    what: "the fork",
    of: (target) =>
      failing(target, {
        create: async () => failing(await target.create("sandbox"), { fork: fail }),
      }),
  },
  {
    what: "the snapshot",
    of: (target) =>
      failing(target, {
        create: async () => failing(await target.create("sandbox"), { savePoint: fail }),
      }),
  },
  {
    what: "the reading of the copy",
    of: (target) => failing(target, { take: fail }),
  },
];

const copying = async (from: string, to: string, of: (target: Session) => Session) => {
  const source = await joinFolder(from, { fsync: false });
  const target = await joinFolder(to, { fsync: false });
  try {
    return await new StoreCopy(source, of(target)).run();
  } finally {
    await source.leave();
    await target.leave();
  }
};

test.each(BROKEN)(
  "when $what fails, the target is empty and the copy can begin again",
  async (row) => {
    const root = directoryFor("service-sim-copy-");
    const from = join(root, "from");
    const to = join(root, "to");
    await fillFolder(from);
    const before = await contentsOfFolder(from);
    await expect(copying(from, to, row.of)).rejects.toThrow("the disk is gone");
    expect((await contentsOfFolder(to)).worlds).toEqual([]);
    expect(await contentsOfFolder(from)).toEqual(before);
    rmSync(to, { recursive: true });
    await copyStores(folderAt(from), folderAt(to), "0");
    expect(await contentsOfFolder(to)).toEqual(before);
  },
);

test("what cannot be deleted is told, no start continues with it, and another copy is refused", async () => {
  const root = directoryFor("service-sim-copy-");
  const from = join(root, "from");
  const to = join(root, "to");
  await fillFolder(from);
  const of = (target: Session) =>
    failing(target, {
      create: async () => failing(await target.create("sandbox"), { fork: fail }),
      remove: fail,
    });
  await expect(copying(from, to, of)).rejects.toThrow(
    `the disk is gone: an unfinished copy is left in ${to}, and is not started`,
  );
  await expect(atFolder(to)).rejects.toThrow(
    `Expected the secret and keys of this state in ${to}/worlds/sandbox/identity.json but found no header`,
  );
  await expect(copyStores(folderAt(from), folderAt(to), "0")).rejects.toThrow(
    `${to} has worlds already, of a simulator or of a copy that was not finished: nothing was changed`,
  );
});

test("a copy that reads back as another state is refused", async () => {
  const root = directoryFor("service-sim-copy-");
  const from = join(root, "from");
  const to = join(root, "to");
  await fillFolder(from);
  const other = async (held: HeldWorld) =>
    failing(held, {
      read: async () => {
        const stored = await held.read();
        stored.state.counter += 1;
        return stored;
      },
    });
  const of = (target: Session) =>
    failing(target, {
      take: (async (name: string) => {
        const held = await target.take(name);
        return held && other(held);
      }) as never,
    });
  await expect(copying(from, to, of)).rejects.toThrow(
    "Expected the copy of the world one to equal it but found another state (now)",
  );
  expect((await contentsOfFolder(to)).worlds).toEqual([]);
});

test("a document without its file is told, and nothing is left", async () => {
  const root = directoryFor("service-sim-copy-");
  const from = join(root, "from");
  const to = join(root, "to");
  const sha256 = await fillFolder(from);
  const file = join(from, "files", `${sha256}.bin`);
  expect(readFileSync(file, "utf8")).toBe("%PDF-");
  rmSync(file);
  await expect(copyStores(folderAt(from), folderAt(to), "0")).rejects.toThrow(
    `the file ${sha256} of ${from}, which a document names, is missing`,
  );
  expect(existsSync(to)).toBe(false);
});
