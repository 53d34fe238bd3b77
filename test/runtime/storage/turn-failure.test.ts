import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { type FolderCalls, machineFolders } from "../../../src/runtime/storage/folder-calls.ts";
import type { KeptPoints } from "../../../src/runtime/storage/kept-points.ts";
import type { OpenWorld } from "../../../src/runtime/storage/open-world.ts";
import { abandon, change, directoryFor, openDisk, stepsOf, turned } from "../setup/disk-world.ts";
import { imageOf } from "../setup/random-world.ts";

const EIO = Object.assign(new Error("EIO: i/o error"), { code: "EIO" });

const isLine = (path: string) => /^line-[0-9]+$/.test(basename(path));

const turn = (world: OpenWorld) =>
  (world.points as KeptPoints).turnTo(turned(world, world.engine.state.fork()));

/** The machine's calls, of which some fail. */
const failing = (fails: Partial<FolderCalls>): FolderCalls => ({ ...machineFolders, ...fails });

/** The name of a new line that cannot be synced. */
const noSync = async (path: string) => {
  if (isLine(path)) throw EIO;
  await machineFolders.syncName(path);
};

test("a line whose name cannot be synced is taken back: later changes are there after a kill", async () => {
  const directory = directoryFor("turn-unsynced-");
  const folders = failing({ syncName: noSync });
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
  const folders = failing({ syncName: noSync, rename });
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
