import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import type { RestorePoints } from "../../../../src/runtime/past/restore-points.ts";
import {
  type FolderCalls,
  machineFolders,
} from "../../../../src/storage/file/timeline/folder-calls.ts";
import type { OpenWorld } from "../../../../src/storage/open-world.ts";
import { imageOf } from "../../../runtime/setup/random-world.ts";
import {
  abandon,
  change,
  directoryFor,
  openDisk,
  stepsOf,
  turned,
} from "../../setup/disk-world.ts";

const EIO = Object.assign(new Error("EIO: i/o error"), { code: "EIO" });

const isLine = (path: string) => /^line-[0-9]+$/.test(basename(path));

const turn = (world: OpenWorld) =>
  (world.points as RestorePoints).switchTo(turned(world, world.engine.state.fork()));

/** The machine's calls, of which some fail. */
const failing = (fails: Partial<FolderCalls>): FolderCalls => ({ ...machineFolders, ...fails });

/** Fails to sync the first name of a finished folder. */
const failsOnce = (isStruck: (path: string) => boolean) => {
  let isOver = false;
  return async (path: string) => {
    if (isStruck(path) && !isOver) {
      isOver = true;
      throw EIO;
    }
    await machineFolders.syncName(path);
  };
};

test("a line whose name cannot be synced is taken back: later changes are there after a kill", async () => {
  const directory = directoryFor("turn-unsynced-");
  const folders = failing({ syncName: failsOnce(isLine) });
  const world = await openDisk(directory, { folders, fsync: true });
  await change(world, stepsOf(4));
  await expect(turn(world)).rejects.toMatchObject({ name: "JournalFailure" });
  expect(readdirSync(directory).filter((name) => /^line-|^\.new-/.test(name))).toEqual([]);
  await change(world, stepsOf(3, 4));
  const before = imageOf(world.engine.state);
  await abandon(world, directory);
  const again = await openDisk(directory);
  expect(imageOf(again.engine.state)).toEqual(before);
  await again.close();
});

test("a line that cannot be taken back stops the world: nothing is acknowledged on the old one", async () => {
  const directory = directoryFor("turn-in-place-");
  const rename = async (from: string, to: string) => {
    if (isLine(from)) throw EIO;
    await machineFolders.rename(from, to);
  };
  const folders = failing({ syncName: failsOnce(isLine), rename });
  const world = await openDisk(directory, { folders, fsync: true });
  await change(world, stepsOf(4));
  const { seq } = world.engine.state;
  await expect(turn(world)).rejects.toMatchObject({ name: "JournalFailure" });
  expect(world.engine.isWritable).toBe(false);
  await expect(change(world, stepsOf(1, 4))).rejects.toThrow();
  await abandon(world, directory);
  const again = await openDisk(directory);
  expect(again.engine.state.seq).toBe(seq);
  expect(again.engine.state.branch).toBe(2);
  await again.close();
});

test("a snapshot that was refused replaces no earlier one, also after a start", async () => {
  const directory = directoryFor("save-unsynced-");
  const isSecond = (path: string) => basename(path) === "a~2";
  const folders = failing({ syncName: failsOnce(isSecond) });
  const world = await openDisk(directory, { folders, fsync: true });
  const points = world.points as RestorePoints;
  await change(world, stepsOf(2));
  await points.save("a");
  const kept = imageOf(world.engine.state);
  await change(world, stepsOf(3, 2));
  await expect(points.save("a")).rejects.toMatchObject({ name: "JournalFailure" });
  await world.close();
  const again = await openDisk(directory);
  const loaded = await (again.points as RestorePoints).load("a");
  expect(loaded && imageOf(loaded)).toEqual(kept);
  await again.close();
});

test("a world whose fork was refused does not exist, and can be forked again", async () => {
  const directory = directoryFor("fork-unsynced-");
  const isFork = (path: string) => basename(path) === "side";
  const folders = failing({ syncName: failsOnce(isFork) });
  const world = await openDisk(directory, { folders, fsync: true });
  await change(world, stepsOf(2));
  const birth = { name: "side", clientId: "side" };
  await expect(world.fork(birth)).rejects.toMatchObject({ name: "JournalFailure" });
  expect((await world.others?.list())?.worlds).toEqual([]);
  const side = await world.fork(birth);
  await side.close();
  expect((await world.others?.list())?.worlds).toMatchObject([{ name: "side" }]);
  await world.close();
});
