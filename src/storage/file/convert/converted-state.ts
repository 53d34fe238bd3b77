import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { WorldState } from "../../../runtime/world-state.ts";
import type { Item } from "../../port/items.ts";
import { FIRST_WORLD } from "../../world/start-state.ts";
import { pathOfKey } from "../state/key-files.ts";
import {
  encodeWorld,
  snapshotsOf,
  startOf,
  summaryFileOf,
  worldFileOf,
  worldFolderOf,
  worldNames,
} from "../state/world-files.ts";
import { timelineFolder, timelineNumbers } from "../timeline/timeline-folders.ts";
import { type Folders, TimelineLinks } from "../timeline/timeline-links.ts";
import { ConvertedFiles } from "./converted-files.ts";

const ITEMS: readonly Item[] = ["identity", "fixture", "requests"];

/**
 * Writes the state of a directory of the format before into a folder, in this format. The lines that
 * a world has left stay behind; a start would delete them.
 */
export const writeConverted = async (root: string, made: string, folders: Folders) => {
  const files = new ConvertedFiles(folders);
  await firstWorld(root, made, { files, folders });
  for (const name of worldNames(root))
    await forkedWorld(worldFolderOf(root, name), worldFolderOf(made, name), files);
  await files.linkAll(join(root, "files"), join(made, "files"));
  if (folders.fsync) await syncNames(made, folders);
};

/** The first world stood in the state directory itself, and so did its line 0. */
const firstWorld = async (
  root: string,
  made: string,
  { files, folders }: { files: ConvertedFiles; folders: Folders },
) => {
  const world = worldFolderOf(made, FIRST_WORLD);
  await besideLines(root, world, files);
  await folders.calls.write(worldFileOf(world), encodeWorld({ name: FIRST_WORLD, order: 0 }));
  const newest = timelineNumbers(root).at(-1) ?? 0;
  const line = timelineFolder(world, newest);
  if (newest > 0) return files.line(timelineFolder(root, newest), line);
  await new TimelineLinks(folders).ofNothing(new WorldState(), line);
  return files.records(root, line);
};

const forkedWorld = async (from: string, to: string, files: ConvertedFiles) => {
  await besideLines(from, to, files);
  for (const path of [worldFileOf, summaryFileOf]) await files.image(path(from), path(to));
  if (existsSync(startOf(from))) await files.kept(startOf(from), startOf(to));
  const newest = timelineNumbers(from).at(-1);
  if (newest !== undefined)
    await files.line(timelineFolder(from, newest), timelineFolder(to, newest));
};

const besideLines = async (from: string, to: string, files: ConvertedFiles) => {
  files.folder(to);
  for (const item of ITEMS) await files.image(pathOfKey(from, item), pathOfKey(to, item));
  const snapshots = snapshotsOf(from);
  if (!existsSync(snapshots)) return;
  for (const entry of readdirSync(snapshots))
    if (statSync(join(snapshots, entry)).isDirectory())
      await files.kept(join(snapshots, entry), join(snapshotsOf(to), entry));
};

/** Makes the names of all files below a folder survive a power cut. */
const syncNames = async (folder: string, { calls }: Pick<Folders, "calls">) => {
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.filter((one) => one.isDirectory()))
    await syncNames(join(folder, entry.name), { calls });
  const [first] = entries;
  if (first) await calls.syncName(join(folder, first.name));
};
