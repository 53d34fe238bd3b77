import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { createStorage, type Storage } from "unstorage";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Change, encodeChange, readSegment } from "../../../src/runtime/change.ts";
import { Engine } from "../../../src/runtime/engine.ts";
import { NoJournal } from "../../../src/runtime/journal.ts";
import { machineWall } from "../../../src/runtime/ports.ts";
import { keyFiles } from "../../../src/storage/file/state/key-files.ts";
import {
  readCheckpoint,
  storeCheckpoint,
} from "../../../src/storage/file/timeline/checkpoint-files.ts";
import { manifests } from "../../../src/storage/file/timeline/checkpoint-manifest.ts";
import { partsOfWorld } from "../../../src/storage/format/checkpoint.ts";
import { openWorld } from "../../../src/storage/open-world.ts";
import { act, imageOf, type Step, stepOf, turns } from "../../runtime/setup/random-world.ts";
import { runsOf } from "../../setup/campaign.ts";
import { fakeHostTimers, realHostTimers } from "../../setup/host-timers.ts";
import { inFirstLine } from "../setup/places.ts";

/** Writes a checkpoint of the world while it continues. */
const written = (storage: Storage, engine: Engine) => {
  const { state, generation } = engine;
  const parts = partsOfWorld({ engine, state, generation });
  return storeCheckpoint(storage, parts, { seq: state.seq, segment: "1-1" });
};

/** A journal that keeps its lines for replay. */
class KeptJournal extends NoJournal {
  readonly lines: string[] = [];
  override buffer(change: Change) {
    super.buffer(change);
    this.lines.push(encodeChange(change));
  }
}

const engineWith = (journal: KeptJournal) => {
  const clock = { mode: "manual", offsetMs: 0, instantMs: 1_000_000 } as const;
  const engine = new Engine({ wall: machineWall, journal, clock });
  engine.open(() => {}, { world: "w", seed: "s", branch: 1 }, clock);
  return engine;
};

test("a checkpoint written while commits continue, and the journal after it, are the live world", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(stepOf, { maxLength: 8 }),
      fc.array(stepOf, { maxLength: 8 }),
      async (before, during) => {
        const journal = new KeptJournal();
        const engine = engineWith(journal);
        const cause = { cause: "test", by: "test" };
        for (const step of before) engine.commit(act, step, cause);
        const storage = createStorage();
        const writing = written(storage, engine);
        for (const step of during) {
          await turns(step.waits);
          engine.commit(act, step, cause);
        }
        await writing;
        const { state, manifest } = await readCheckpoint(storage);
        const rest = Buffer.from(journal.lines.slice(manifest?.from).join(""));
        const expects = { seq: (manifest?.from ?? 0) + 1, isLast: true };
        readSegment({ file: "test", bytes: rest }, expects, (change) => state.apply(change));
        expect(imageOf(state)).toEqual(imageOf(engine.state));
        engine.close();
      },
    ),
    { numRuns: runsOf(3000) },
  );
});

/** Five events of 3 MiB: two of them fill a checkpoint file. */
const large = (at: number) => ({ id: `Event:${at}`, body: `${at}`.repeat(3 * 1024 * 1024) });

test("its files name the records they hold, and are parsed when one of those is asked for", async () => {
  const engine = engineWith(new KeptJournal());
  const events = [1, 2, 3, 4, 5].map(large);
  engine.commit(
    (draft) => {
      for (const event of events) draft.put("Event", event);
    },
    undefined,
    { cause: "test", by: "test" },
  );
  const storage = createStorage();
  const { chunks } = await written(storage, engine);
  expect(chunks.map(({ kind, holds }) => ({ kind, holds }))).toEqual([
    { kind: "Event", holds: { first: "Event:1", last: "Event:2", count: 2 } },
    { kind: "Event", holds: { first: "Event:3", last: "Event:4", count: 2 } },
    { kind: "Event", holds: { first: "Event:5", last: "Event:5", count: 1 } },
  ]);
  const parse = vi.spyOn(JSON, "parse");
  onTestFinished(() => void parse.mockRestore());
  const { state } = await readCheckpoint(storage);
  const parsed = () => parse.mock.calls.filter(([text]) => text.length > 1024 * 1024).length;
  expect([parsed(), state.count("Event")]).toEqual([0, 5]);
  expect(state.get("Event", "Event:4")).toEqual(events[3]);
  expect(parsed()).toBe(1);
  expect(state.ids("Event", "all", "")).toEqual(events.map(({ id }) => id));
  expect(parsed()).toBe(3);
  engine.close();
});

const directoryOf = () => {
  const directory = mkdtempSync(join(tmpdir(), "checkpoint-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
};

const openAt = (directory: string, checkpointAfterBytes = 2_000) =>
  openWorld({
    storage: { kind: "file", directory },
    wall: machineWall,
    fsync: false,
    identity: { clockMode: "manual" },
    checkpointAfterBytes,
  });

/** A world that was changed until it wrote two checkpoints. */
const fill = async (directory: string) => {
  const world = await openAt(directory);
  if (world.isNew) world.reset();
  const storage = keyFiles(inFirstLine(directory));
  for (let at = 0; at < 5000 && (await manifests(storage)).length < 2; at += 1) {
    const step: Step = { slot: at % 13, act: at % 2 === 0 ? "put" : "post", waits: 0 };
    const { seq } = world.engine.commit(act, step, { cause: "test", by: "test" });
    await world.engine.journal.reached(seq);
    await turns(1);
  }
  return world;
};

test("a world with checkpoints starts again as it was, from a short journal", async () => {
  const directory = directoryOf();
  const world = await fill(directory);
  await world.close();
  const before = imageOf(world.engine.state);
  const storage = keyFiles(inFirstLine(directory));
  expect((await manifests(storage)).length).toBe(2);

  const again = await openAt(directory);

  expect(again.recovery.records).toBe(before.meta.seq);
  expect(imageOf(again.engine.state)).toEqual(before);
  expect(again.recovery.readBytes).toBeLessThan(200_000);
  await again.close();
});

test("unread parts are read after the first second", async () => {
  const directory = directoryOf();
  await (await fill(directory)).close();
  fakeHostTimers(["setTimeout"]);
  onTestFinished(() => void realHostTimers());
  const { engine, close } = await openAt(directory);
  const isRead = vi.spyOn(engine.state, "readPart");
  vi.advanceTimersByTime(999);
  await turns(10);
  expect(isRead).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  await turns(10);
  expect(isRead.mock.results.map(({ value }) => value)).toEqual(
    expect.arrayContaining([true, false]),
  );
  await close();
});

test("a newest checkpoint that is damaged is passed over for the one before", async () => {
  const directory = directoryOf();
  const world = await fill(directory);
  await world.close();
  const before = imageOf(world.engine.state);
  const storage = keyFiles(inFirstLine(directory));
  const newest = (await manifests(storage)).at(-1);
  const [folder, name] = (newest?.chunks[0]?.key ?? "").split(":").slice(1);
  writeFileSync(inFirstLine(directory, "checkpoint", folder as string, `${name}.json`), "[]");

  const again = await openAt(directory);

  expect(imageOf(again.engine.state)).toEqual(before);
  await again.close();
});

test("a checkpoint without its manifest does not count, and is taken away by the next one", async () => {
  const directory = directoryOf();
  const opened = await openAt(directory);
  opened.reset();
  await opened.close();
  const storage = keyFiles(inFirstLine(directory));
  await storage.setItemRaw("checkpoint:000000000001-dead:0", "[{}]");

  const world = await fill(directory);

  await world.close();
  const kept = await storage.getKeys("checkpoint");
  expect(kept.filter((key) => key.startsWith("checkpoint:000000000001-dead"))).toEqual([]);
});
