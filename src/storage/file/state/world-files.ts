import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FORMAT_VERSION } from "../../../runtime/change.ts";
import { StateDamage } from "../../../runtime/damage.ts";
import {
  type CheckedKind,
  decodeChecked,
  encodeChecked,
  foundInPlace,
} from "../../format/checked-file.ts";
import type { StoppedWorld, WorldFacts } from "../../port/held-world.ts";
import { readTimelineFile } from "../timeline/timeline-file.ts";
import { folderNameOf, nameOfFolder } from "./folder-names.ts";

/** Contents of `world.json`: which world a folder holds. */
export interface WorldFile extends WorldFacts {
  format: number;
  /** Its place among the worlds of the directory: those made later have higher numbers. */
  order: number;
}

/** Contents of `summary.json`, which stands in for a world that was closed cleanly. */
export interface SummaryFile extends StoppedWorld {
  /** Hashes of the documents that its records name. */
  documents: string[];
}

const WORLDS = "worlds";
const SNAPSHOTS = "snapshots";

/** Folder of a world. */
export const worldFolderOf = (root: string, name: string) => join(root, WORLDS, folderNameOf(name));

/** Folder of the kept states of a world. */
export const snapshotsOf = (directory: string) => join(directory, SNAPSHOTS);

/** Names of the worlds in a state directory. */
export const worldNames = (root: string): string[] => {
  const directory = join(root, WORLDS);
  const folders = existsSync(directory) ? readdirSync(directory) : [];
  return folders.flatMap((folder) => nameOfFolder(folder) ?? []).sort();
};

/** Folder of the state that a fork was born with, which a reset goes back to. */
export const startOf = (directory: string) => join(directory, "start");

export const worldFileOf = (directory: string) => join(directory, "world.json");
export const summaryFileOf = (directory: string) => join(directory, "summary.json");

export const encodeWorld = (image: Omit<WorldFile, "format">): Buffer =>
  encodeChecked("world", { format: FORMAT_VERSION, ...image });

const read = <Body>(kind: CheckedKind, file: string): Body => {
  const damage = (found: string) =>
    new StateDamage(
      { part: "line", expected: `the ${kind} of this folder` },
      { file, found, why: "the folder does not say which world it is" },
    );
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw damage(foundInPlace(error));
  }
  const image = decodeChecked<Body>(kind, bytes);
  if ("found" in image) throw damage(image.found);
  return image.body;
};

/** @throws StateDamage, OtherFormat */
export const readWorldFile = (directory: string): WorldFile =>
  read<WorldFile>("world", worldFileOf(directory));

/**
 * The description of a world by its name.
 * @throws StateDamage where its folder holds another one, OtherFormat
 */
export const worldFileNamed = (root: string, name: string): WorldFile => {
  const directory = worldFolderOf(root, name);
  const image = readWorldFile(directory);
  if (image.name !== name)
    throw new StateDamage(
      { part: "line", expected: `the world ${name}` },
      { file: worldFileOf(directory), found: `the world ${image.name}`, why: "it was moved" },
    );
  return image;
};

/** Facts about a world that was closed cleanly; nothing about one that is open or was killed. */
export const readSummary = (directory: string): SummaryFile | undefined =>
  existsSync(summaryFileOf(directory))
    ? read<SummaryFile>("summary", summaryFileOf(directory))
    : undefined;

/**
 * Hashes of the documents that kept states and closed worlds name.
 * @param isOpen tells whether the records of a world are at hand
 * @returns nothing when a list cannot be read: then any document may be needed
 */
export const documentsElsewhere = (
  root: string,
  isOpen: (name: string) => boolean,
): ReadonlySet<string> | undefined => {
  const hashes = new Set<string>();
  const take = (list: { documents: string[] } | undefined) => {
    if (!list) throw new Error("no list");
    for (const sha256 of list.documents) hashes.add(sha256);
  };
  try {
    const closed = worldNames(root).filter((name) => !isOpen(name));
    for (const name of closed) take(readSummary(worldFolderOf(root, name)));
    const worlds = worldNames(root).map((name) => worldFolderOf(root, name));
    for (const start of worlds.map(startOf).filter((file) => existsSync(file)))
      take(readTimelineFile(start));
    for (const snapshots of worlds.map(snapshotsOf).filter((folder) => existsSync(folder)))
      for (const entry of readdirSync(snapshots)) take(readTimelineFile(join(snapshots, entry)));
    return hashes;
  } catch {
    return undefined;
  }
};
