import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { factsProblem } from "../../../domain/state-facts.ts";
import { FORMAT_BEFORE, OtherFormat } from "../../../runtime/change.ts";
import { WrongState } from "../../../runtime/damage.ts";
import { wholeImageOf } from "../../format/checked-file.ts";
import { keptIdentity } from "../../world/identity.ts";
import { FIRST_WORLD } from "../../world/start-state.ts";
import { JournalDirectory } from "../journal/journal-directory.ts";
import { folderItems } from "../state/folder-items.ts";
import { pathOfKey } from "../state/key-files.ts";
import { worldFileOf, worldFolderOf, worldNames } from "../state/world-files.ts";
import { readState } from "../timeline/read-state.ts";
import { timelineFileOf } from "../timeline/timeline-file.ts";
import {
  openTimeline,
  timelineFolder,
  timelineNumbers,
  unfinishedIn,
} from "../timeline/timeline-folders.ts";
import type { Folders } from "../timeline/timeline-links.ts";
import { writeConverted } from "./converted-state.ts";
import { type Placing, placeState } from "./placed-state.ts";

/** A state whose first world stands in the directory itself, as it did up to the format before. */
export interface EarlierState {
  version: number;
  /** The file that says so. */
  file: string;
}

/** The version that a checked file names; nothing where it is missing or damaged. */
const versionOf = (file: string): number | undefined => {
  if (!isFile(file)) return undefined;
  const image = wholeImageOf(readFileSync(file));
  return "found" in image ? undefined : image.version;
};

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
const isFolder = (path: string) =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Names of the folders of checkpoints; those of a user's own folder are others. */
const CHECKPOINT = /^[0-9]{12,15}-[0-9a-f]+$/;

/** Finds a state of an earlier format in a directory; nothing where it has none. */
export const earlierStateIn = (root: string): EarlierState | undefined => {
  if (!isFolder(root) || existsSync(worldFolderOf(root, FIRST_WORLD))) return undefined;
  const newest = timelineNumbers(root).at(-1) ?? 0;
  const line = timelineFileOf(timelineFolder(root, newest));
  const journal = join(root, "journal");
  const segments = isFolder(journal) ? new JournalDirectory(journal) : undefined;
  const identity = pathOfKey(root, "identity");
  const forks = worldNames(root).map((name) => worldFileOf(worldFolderOf(root, name)));
  const signs: [file: string, version: number | undefined][] = [
    newest > 0 ? [line, versionOf(line)] : [journal, segments?.firstRecord()?.v],
    ...[identity, ...forks].map((file): [string, number | undefined] => [file, versionOf(file)]),
  ];
  for (const [file, version] of signs) if (version !== undefined) return { file, version };
  // Its beginning is damaged, which the conversion tells.
  const checkpoint = join(root, "checkpoint");
  const hasParts =
    (segments?.names() ?? []).length > 0 ||
    (isFolder(checkpoint) && readdirSync(checkpoint).some((name) => CHECKPOINT.test(name)));
  return hasParts ? { file: root, version: FORMAT_BEFORE } : undefined;
};

/**
 * Converts a state of the format before (decisions/format-version.md). A kill leaves the old state
 * or the new one, and the next start completes what it has begun.
 * @param mode.isDamageKept converts a damaged state too, for a repair; the damage stays
 * @returns the folder that has the old state; nothing where there was none of an earlier format
 * @throws JournalDamage, StateDamage, OtherFormat; nothing was changed then
 */
export const convertState = async (
  root: string,
  folders: Folders & Placing,
  { isDamageKept = false } = {},
): Promise<string | undefined> => {
  const earlier = earlierStateIn(root);
  if (!earlier) return undefined;
  if (earlier.version !== FORMAT_BEFORE) throw new OtherFormat(earlier.file, earlier.version);
  const made = unfinishedIn(root);
  try {
    await writeConverted(root, made, folders);
    if (!isDamageKept) await requireReadable(root, made);
  } catch (error) {
    await folders.calls.remove(made).catch(() => {});
    throw error;
  }
  return placeState(root, made, folders);
};

/** Refuses what the format before refused at a start: the first world has to be read. */
const requireReadable = async (root: string, made: string) => {
  const world = worldFolderOf(made, FIRST_WORLD);
  try {
    const files = openTimeline(world);
    const { state } = await readState(files, { isLookOnly: true });
    if (state.seq === 0) return;
    const problem = factsProblem(state);
    if (problem !== undefined) throw new WrongState(files.directory, problem);
    await keptIdentity(folderItems(world));
  } catch (error) {
    const names = [timelineFolder(world, 0), world, made].map((path) => [path, root] as const);
    throw error instanceof Error ? namedAsBefore(error, names) : error;
  }
};

/** An error with the paths of the old state, in which the same bytes are damaged. */
const namedAsBefore = (error: Error, names: readonly (readonly [string, string])[]): Error => {
  const named = (text: string) =>
    names.reduce((all, [made, old]) => all.replaceAll(made, old), text);
  for (const [key, value] of [...Object.entries(error), ["message", error.message] as const])
    if (typeof value === "string") Object.assign(error, { [key]: named(value) });
  return error;
};
