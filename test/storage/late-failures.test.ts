import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { directoryEntries } from "../../src/machine/directory-entries.ts";
import { machineWall } from "../../src/runtime/ports.ts";
import { FolderWorld } from "../../src/storage/file/state/folder-world.ts";
import { type FolderCalls, machineFolders } from "../../src/storage/file/timeline/folder-calls.ts";
import { type OpenWorld, openWorld } from "../../src/storage/open-world.ts";
import { DurableWorld } from "../../src/storage/world/durable-world.ts";
import type { OtherWorlds } from "../../src/storage/world/world-handle.ts";
import { change, directoryFor, openDisk, stepsOf } from "./setup/disk-world.ts";
import { inFirstWorld } from "./setup/places.ts";

afterEach(() => vi.restoreAllMocks());

const EIO = Object.assign(new Error("EIO: i/o error"), { code: "EIO" });

const birthOf = (name: string) => ({ name, clientId: `sandbox+${name}` });

const othersOf = ({ others }: OpenWorld) => others as OtherWorlds;

const listed = async (world: OpenWorld) =>
  (await othersOf(world).list()).worlds.map(({ name }) => name);

/** Alarms of a world from now on. */
const alarmsOf = ({ engine }: OpenWorld) => {
  const alarms: string[] = [];
  engine.listeners.add({ alarm: (message) => alarms.push(message) });
  return alarms;
};

/** Failures of an open, and what makes them go away. */
const LATE = [
  {
    what: "its snapshots cannot be listed",
    strike: (folder: string) => {
      writeFileSync(join(folder, "snapshots"), "");
      return () => rmSync(join(folder, "snapshots"));
    },
  },
  {
    what: "its journal cannot be opened",
    strike: () => {
      const opening = vi.spyOn(FolderWorld.prototype, "journal").mockImplementation(() => {
        throw EIO;
      });
      return () => opening.mockRestore();
    },
  },
];

/** Engines that were opened meanwhile and still act. */
const acting = async (work: () => Promise<unknown>) => {
  const open = vi.spyOn(DurableWorld.prototype, "open");
  await expect(work()).rejects.toThrow();
  const results = open.mock.results.map(({ value }) => value as Promise<OpenWorld["engine"]>);
  open.mockRestore();
  const engines = await Promise.allSettled(results);
  return engines
    .flatMap((one) => (one.status === "fulfilled" ? one.value : []))
    .filter(({ isWritable }) => isWritable);
};

test.each(LATE)("a start that fails because $what leaves no engine", async ({ strike }) => {
  const directory = directoryFor("late-first-");
  const world = await openDisk(directory);
  await change(world, stepsOf(3));
  await world.close();
  const mend = strike(inFirstWorld(directory));
  expect(await acting(() => openDisk(directory))).toEqual([]);
  mend();
  const again = await openDisk(directory);
  expect(again.engine.state.seq).toBe(world.engine.state.seq);
  await again.close();
});

test.each(LATE)("a fork that is not opened because $what leaves no engine", async ({ strike }) => {
  const directory = directoryFor("late-fork-");
  const world = await openDisk(directory);
  const fork = await world.fork(birthOf("one"));
  await change(fork, stepsOf(3));
  await fork.close();
  const mend = strike(join(directory, "worlds", "one"));
  expect(await acting(() => othersOf(world).open("one"))).toEqual([]);
  mend();
  const again = await othersOf(world).open("one");
  expect(again?.engine.state.seq).toBe(fork.engine.state.seq);
  await again?.close();
  await world.close();
});

/** A world whose folder calls fail on demand. */
const failing = async (fails: Partial<FolderCalls> = {}, { fsync = false } = {}) => {
  const directory = directoryFor("late-refused-");
  const folders = { ...machineFolders };
  const world = await openDisk(directory, { folders, fsync });
  await change(world, stepsOf(3));
  Object.assign(folders, fails);
  return {
    directory,
    world,
    alarms: alarmsOf(world),
    mend: () => void Object.assign(folders, machineFolders),
  };
};

/** Gives a fork its name, and puts a file where its journal would be. */
const withoutJournal = async (from: string, to: string) => {
  await machineFolders.rename(from, to);
  if (to.endsWith("one")) writeFileSync(join(to, "line-0", "journal"), "");
};

test("a fork whose journal has no folder is refused and is not there", async () => {
  const { world, alarms, mend } = await failing({ rename: withoutJournal });
  await expect(world.fork(birthOf("one"))).rejects.toMatchObject({
    name: "JournalFailure",
    message: expect.stringContaining("EEXIST"),
  });
  expect(await listed(world)).toEqual([]);
  mend();
  await (await world.fork(birthOf("one"))).close();
  expect(alarms).toEqual([]);
  await world.close();
});

test.each([
  {
    what: "could not be opened",
    fsync: false,
    fails: {
      rename: (from: string, to: string) =>
        from.endsWith("one") ? Promise.reject(EIO) : withoutJournal(from, to),
    },
  },
  {
    what: "could not be synced",
    fsync: true,
    fails: {
      rename: (from: string, to: string) =>
        from.endsWith("one") ? Promise.reject(EIO) : machineFolders.rename(from, to),
      syncName: (path: string) =>
        path.endsWith("one") ? Promise.reject(EIO) : machineFolders.syncName(path),
    },
  },
])("leftovers of a fork that $what are told, and make room for a later one", async (row) => {
  const { fsync, fails } = row;
  const { directory, world, alarms, mend } = await failing(fails, { fsync });
  await expect(world.fork(birthOf("one"))).rejects.toMatchObject({ name: "JournalFailure" });
  expect(alarms).toEqual([
    "the world one was refused and could not be deleted: storage failed: EIO: i/o error; " +
      "it is there after a restart, unless the name is used again before",
  ]);
  expect(existsSync(join(directory, "worlds", "one"))).toBe(true);
  await expect(world.fork(birthOf("one"))).rejects.toMatchObject({ name: "JournalFailure" });
  mend();
  const fork = await world.fork(birthOf("one"));
  await change(fork, stepsOf(2));
  const { seq } = fork.engine.state;
  await fork.close();
  await world.close();
  const again = await openDisk(directory);
  expect((await othersOf(again).open("one"))?.engine.state.seq).toBe(seq);
  await again.close();
});

test.each([false, true])(
  "with fsync %s a world whose files cannot all be deleted is gone all the same",
  async (fsync) => {
    const remove = (path: string) =>
      path.includes(".gone-") ? Promise.reject(EIO) : machineFolders.remove(path);
    const { world } = await failing({ remove }, { fsync });
    const fork = await world.fork(birthOf("one"));
    await fork.remove?.();
    expect(await listed(world)).toEqual([]);
    await othersOf(world).remove("one");
    await (await world.fork(birthOf("one"))).close();
    await world.close();
  },
);

test("a fork whose last facts cannot be written is closed all the same", async () => {
  const { directory, world } = await failing();
  const fork = await world.fork(birthOf("one"));
  await change(fork, stepsOf(2));
  const summary = join(directory, "worlds", "one", "summary.json");
  mkdirSync(join(summary, "x"), { recursive: true });
  await expect(fork.close()).rejects.toThrow("summary.json");
  rmSync(summary, { recursive: true });
  const again = await othersOf(world).open("one");
  expect(again?.engine.state.seq).toBe(fork.engine.state.seq);
  await again?.close();
  await world.close();
});

// spec/promises.md#durability
test("with fsync the facts of a closed world are gone before it continues", async () => {
  const synced: string[] = [];
  const syncName = async (path: string) => void synced.push(path);
  const { directory, world } = await failing({ syncName }, { fsync: true });
  await (await world.fork(birthOf("one"))).close();
  synced.length = 0;
  const fork = await othersOf(world).open("one");
  expect(synced).toEqual([join(directory, "worlds", "one", "summary.json")]);
  await fork?.close();
  await world.close();
});

test("a fresh start whose move aside cannot be synced has moved nothing", async () => {
  const directory = directoryFor("late-fresh-");
  const world = await openDisk(directory, { fsync: true });
  await change(world, stepsOf(3));
  await world.close();
  const keepNow = vi.spyOn(directoryEntries, "keepNow").mockImplementation((path) => {
    if (path.includes("old-1")) throw EIO;
  });
  const storage = { kind: "file", directory } as const;
  const options = { storage, wall: machineWall, fsync: true, identity: {}, fresh: true };
  await expect(openWorld(options)).rejects.toBe(EIO);
  keepNow.mockRestore();
  expect(existsSync(join(directory, "old-1"))).toBe(false);
  const again = await openDisk(directory);
  expect(again.engine.state.seq).toBe(world.engine.state.seq);
  await again.close();
});
