import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { keptIdentity } from "./identity.ts";
import { openLine } from "./line-folders.ts";
import { lineDamage, lineFileOf } from "./line-image.ts";
import { keptOriginIn, readOrigin } from "./line-origin.ts";
import { readState } from "./read-state.ts";
import { openKeyValue, pathOfKey } from "./storage.ts";
import {
  readSummary,
  readWorldImage,
  snapshotsOf,
  worldFolderOf,
  worldNames,
} from "./world-files.ts";

/** A forked world or a kept state that cannot be read. */
export interface DamagedFolder {
  /** `world x`, `snapshot a`, or `snapshot a of world x`. */
  what: string;
  directory: string;
  found: string;
}

const requireWorld = async (directory: string) => {
  readWorldImage(directory);
  readSummary(directory);
  const storage = openKeyValue({ kind: "file", directory });
  await keptIdentity(storage, { file: pathOfKey(directory, "identity"), takesPlain: false });
  await readState(openLine({ directory, isFirst: false }), { isLookOnly: true });
};

const requireKept = async (directory: string) => {
  const kept = keptOriginIn(directory);
  if (!kept) throw lineDamage(lineFileOf(directory), "no file");
  await readOrigin(kept);
};

/** Inspects the worlds that were forked and all kept states; nothing is changed. */
export const damagedFolders = async (root: string): Promise<DamagedFolder[]> => {
  const damaged: DamagedFolder[] = [];
  const check = async (what: string, directory: string, look: (at: string) => Promise<void>) => {
    try {
      await look(directory);
      return true;
    } catch (error) {
      // A simulator that runs may have deleted it meanwhile.
      if (existsSync(directory)) damaged.push({ what, directory, found: (error as Error).message });
      return false;
    }
  };
  const checkKept = async (directory: string, ofWorld: string) => {
    const snapshots = snapshotsOf(directory);
    if (!existsSync(snapshots)) return;
    for (const entry of readdirSync(snapshots)) {
      const what = `snapshot ${entry.replace(/~[0-9]+$/, "")}${ofWorld}`;
      await check(what, join(snapshots, entry), requireKept);
    }
  };
  await checkKept(root, "");
  for (const name of worldNames(root)) {
    const directory = worldFolderOf(root, name);
    if (await check(`world ${name}`, directory, requireWorld))
      await checkKept(directory, ` of world ${name}`);
  }
  return damaged;
};
