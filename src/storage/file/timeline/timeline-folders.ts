import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Storage } from "unstorage";
import { JournalDirectory } from "../journal/journal-directory.ts";
import { keyFiles } from "../state/key-files.ts";
import type { FolderCalls } from "./folder-calls.ts";
import type { StateFiles } from "./read-state.ts";
import { timelineDamage, timelineFileOf } from "./timeline-file.ts";
import { keptOriginIn } from "./timeline-origin.ts";

const LINE = /^line-([1-9][0-9]{0,8}|0)$/;
const LEFTOVER = /^\.(new|gone)-/;

/** A folder for something unfinished; a start deletes what is left of it. */
export const unfinishedIn = (root: string) => join(root, `.new-${randomBytes(6).toString("hex")}`);

/** A name for something that is being deleted; a start deletes the rest. */
export const goneIn = (root: string) => join(root, `.gone-${randomBytes(6).toString("hex")}`);

/** Deletes what an earlier process left unfinished. Only the owner of the directory may call it. */
export const removeLeftovers = async (root: string, calls: FolderCalls) => {
  for (const name of readdirSync(root).filter((one) => LEFTOVER.test(one)))
    await calls.remove(join(root, name));
};

/** Numbers of the lines in the folder of a world, ascending. */
export const timelineNumbers = (directory: string) =>
  readdirSync(directory)
    .map((name) => LINE.exec(name)?.[1])
    .filter((text) => text !== undefined)
    .map(Number)
    .sort((a, b) => a - b);

/** Folder of a line. */
export const timelineFolder = (directory: string, number: number) =>
  join(directory, `line-${number}`);

/** Number of the line that counts: the newest. Each came to its name whole, by one rename. */
export const timelineNumberOf = (directory: string): number => {
  const number = timelineNumbers(directory).at(-1);
  if (number === undefined) throw timelineDamage(timelineFolder(directory, 0), "no folder");
  return number;
};

/** Number of the line that comes next: the first, where a folder has lost all of them. */
export const nextTimelineNumber = (directory: string): number =>
  (timelineNumbers(directory).at(-1) ?? -1) + 1;

/**
 * Files of the line that counts, in the folder of a world.
 * @throws StateDamage when its beginning cannot be read: an older line holds another state
 */
export const openTimeline = (
  world: string,
  storageOf: (directory: string) => Storage = keyFiles,
): StateFiles => {
  const directory = timelineFolder(world, timelineNumberOf(world));
  const origin = keptOriginIn(directory);
  if (!origin) throw timelineDamage(timelineFileOf(directory), "no file");
  return {
    directory,
    storage: storageOf(directory),
    journals: new JournalDirectory(join(directory, "journal")),
    // A line that begins with its journal has no other beginning.
    ...(origin.image.meta.seq > 0 && { origin }),
  };
};

/** Deletes the lines that a world has left. What is left of them after a kill is deleted later. */
export const removeOldTimelines = async (
  root: string,
  world: string,
  calls: FolderCalls,
): Promise<void> => {
  const newest = timelineNumberOf(world);
  for (const number of timelineNumbers(world).filter((one) => one < newest))
    await removeFolder(root, timelineFolder(world, number), { calls, fsync: false });
};

/**
 * Deletes a folder that may be large: first its name, then its files. With `fsync` a power cut does
 * not bring it back; where that cannot be had, it keeps its name.
 */
export const removeFolder = async (
  root: string,
  path: string,
  { calls, fsync }: { calls: FolderCalls; fsync: boolean },
) => {
  const gone = goneIn(root);
  await calls.rename(path, gone);
  try {
    if (fsync) await calls.syncName(path);
  } catch (error) {
    await calls.rename(gone, path);
    // Otherwise a power cut could keep the first name alone, which a start deletes.
    for (const name of [path, gone]) await calls.syncName(name);
    throw error;
  }
  // It is gone already: a start deletes what stays of it.
  await calls.remove(gone).catch(() => {});
};
