import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Storage } from "unstorage";
import { encodeChange } from "../../../runtime/change.ts";
import { JournalDirectory } from "../journal/journal-directory.ts";
import { notesOf } from "../journal/journal-end.ts";
import { openKeyValue } from "../state/key-files.ts";
import type { FolderCalls } from "./folder-calls.ts";
import type { StateFiles } from "./read-state.ts";
import { timelineDamage, timelineFileOf } from "./timeline-file.ts";
import { keptOriginIn } from "./timeline-origin.ts";

const LINE = /^line-([1-9][0-9]{0,8}|0)$/;
const LEFTOVER = /^\.(new|gone)-/;

/** Version of the record that ends a line 0 which its world has left: no program reads it. */
const LEFT_VERSION = 1_000_000;
/** Cause of that record. */
const LEFT = { cause: "line", by: "line" } as const;

/** The lines of one world: `line-<n>` in its folder; line 0 of the default world is the folder. */
export interface WorldFolder {
  directory: string;
  isFirst: boolean;
}

/** A folder for something unfinished; a start deletes what is left of it. */
export const unfinishedIn = (root: string) => join(root, `.new-${randomBytes(6).toString("hex")}`);

/** A name for something that is being deleted; a start deletes the rest. */
export const goneIn = (root: string) => join(root, `.gone-${randomBytes(6).toString("hex")}`);

/** Deletes what an earlier process left unfinished. Only the owner of the directory may call it. */
export const removeLeftovers = async (root: string, calls: FolderCalls) => {
  for (const name of readdirSync(root).filter((one) => LEFTOVER.test(one)))
    await calls.remove(join(root, name));
};

/** Numbers of the lines in a folder, ascending. */
const timelineNumbers = ({ directory, isFirst }: WorldFolder) => {
  const numbers = readdirSync(directory)
    .map((name) => LINE.exec(name)?.[1])
    .filter((text) => text !== undefined)
    .map(Number);
  return [...(isFirst ? [0] : []), ...numbers].sort((a, b) => a - b);
};

/** Number of the line that counts: the newest. Each came to its name whole, by one rename. */
export const timelineNumberOf = (folder: WorldFolder): number => {
  const number = timelineNumbers(folder).at(-1);
  if (number === undefined) throw timelineDamage(join(folder.directory, "line-0"), "no folder");
  return number;
};

/** Number of the line that comes next: the first, where a folder has lost all of them. */
export const nextTimelineNumber = (folder: WorldFolder): number =>
  (timelineNumbers(folder).at(-1) ?? -1) + 1;

/** Folder of a line. */
export const timelineFolder = ({ directory, isFirst }: WorldFolder, number: number) =>
  isFirst && number === 0 ? directory : join(directory, `line-${number}`);

/**
 * Files of the line that counts.
 * @param more.firstStorage storage of line 0 of the default world
 * @param more.fsync whether names that are written there survive a power cut
 * @throws StateDamage when its beginning cannot be read: an older line holds another state
 */
export const openTimeline = (
  folder: WorldFolder,
  {
    firstStorage,
    fsync = false,
    requireHeld,
  }: { firstStorage?: Storage; fsync?: boolean; requireHeld?: () => void } = {},
): StateFiles => {
  const number = timelineNumberOf(folder);
  const directory = timelineFolder(folder, number);
  const isHome = folder.isFirst && number === 0;
  const origin = isHome ? undefined : keptOriginIn(directory);
  if (!isHome && !origin) throw timelineDamage(timelineFileOf(directory), "no file");
  const durability = { fsync, ...(requireHeld && { requireHeld }) };
  return {
    directory,
    storage: (isHome && firstStorage) || openKeyValue({ kind: "file", directory }, durability),
    journals: new JournalDirectory(join(directory, "journal")),
    ...(origin && { origin }),
  };
};

/** Deletes the lines that a world has left. What is left of them after a kill is deleted later. */
export const removeOldTimelines = async (
  root: string,
  folder: WorldFolder,
  calls: FolderCalls,
): Promise<void> => {
  const newest = timelineNumberOf(folder);
  for (const number of timelineNumbers(folder).filter((one) => one < newest))
    if (folder.isFirst && number === 0) await leaveFirstTimeline(root, folder.directory, calls);
    else await removeFolder(root, timelineFolder(folder, number), { calls, fsync: false });
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

/**
 * Ends line 0 of the default world with a record of a newer version, so that earlier versions of this
 * program refuse the directory. They would serve the past otherwise.
 */
const leaveFirstTimeline = async (root: string, directory: string, calls: FolderCalls) => {
  const journals = new JournalDirectory(join(directory, "journal"));
  const segment = journals.names().find((name) => journals.isLeft(name, LEFT_VERSION));
  if (segment === undefined) await writeLast(journals, calls);
  for (const name of journals.names())
    if (!journals.isLeft(name, LEFT_VERSION)) await calls.remove(join(journals.path, name));
  for (const note of notesOf(journals.path)) if (existsSync(note)) await calls.remove(note);
  const checkpoint = join(directory, "checkpoint");
  if (existsSync(checkpoint)) await removeFolder(root, checkpoint, { calls, fsync: false });
};

/** The record counts from 1, since it is the only one once the others are deleted. */
const writeLast = async (journals: JournalDirectory, calls: FolderCalls) => {
  const line = encodeChange({ v: LEFT_VERSION, seq: 1, at: 0, ...LEFT, n: 0 });
  const path = join(journals.path, journals.nameAfterAll(1));
  await calls.write(path, Buffer.from(line));
};
