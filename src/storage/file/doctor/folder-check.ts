import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { factsProblem } from "../../../domain/state-facts.ts";
import { stateProblem } from "../../../domain/state-invariants.ts";
import { WrongState } from "../../../runtime/damage.ts";
import type { WorldState } from "../../../runtime/world-state.ts";
import { keptIdentity } from "../../world/identity.ts";
import { reportUnloaded } from "../../world/recovery-report.ts";
import { FIRST_WORLD } from "../../world/start-state.ts";
import { RecordsMissing } from "../journal/journal-end.ts";
import { folderItems } from "../state/folder-items.ts";
import {
  readSummary,
  readWorldFile,
  snapshotsOf,
  worldFolderOf,
  worldNames,
} from "../state/world-files.ts";
import { readState } from "../timeline/read-state.ts";
import { timelineDamage, timelineFileOf } from "../timeline/timeline-file.ts";
import { openTimeline } from "../timeline/timeline-folders.ts";
import { keptOriginIn, readOrigin } from "../timeline/timeline-origin.ts";

/** A forked world or a kept state that cannot be read. */
export interface DamagedFolder {
  /** `world x`, `snapshot a`, or `snapshot a of world x`. */
  what: string;
  directory: string;
  found: string;
  /** Set when the end of its journal is missing and everything before it can be read. */
  missing?: RecordsMissing;
  /** Set where it can be opened, and an invariant of its state does not hold. */
  isOpenable?: true;
}

/** A forked world with sentences about the end of its journal. */
export interface ReportedFolder {
  /** `world x`. */
  what: string;
  warnings: readonly string[];
}

/**
 * The first invariant of a state that does not hold, though it can be opened
 * (spec/snapshots.md#invariants).
 * @throws WrongState where it cannot
 */
export const wrongIn = (state: WorldState, directory: string): string | undefined => {
  if (state.seq === 0) return undefined;
  const problem = factsProblem(state);
  if (problem !== undefined) throw new WrongState(directory, problem);
  return stateProblem(state);
};

const requireWorld = async (directory: string) => {
  readWorldFile(directory);
  readSummary(directory);
  await keptIdentity(folderItems(directory));
  const files = openTimeline(directory);
  const { state, recovery } = await readState(files, { isLookOnly: true });
  return { warnings: reportUnloaded(recovery), wrong: wrongIn(state, directory) };
};

const requireKept = async (directory: string) => {
  const kept = keptOriginIn(directory);
  if (!kept) throw timelineDamage(timelineFileOf(directory), "no file");
  const { state } = await readOrigin(kept);
  return { wrong: wrongIn(state, directory) };
};

/** Inspects the worlds that were forked and all kept states; nothing is changed. */
export const checkFolders = async (
  root: string,
): Promise<{ damaged: DamagedFolder[]; reported: ReportedFolder[] }> => {
  const damaged: DamagedFolder[] = [];
  const reported: ReportedFolder[] = [];
  const check = async <Seen extends { wrong: string | undefined }>(
    what: string,
    directory: string,
    look: (at: string) => Promise<Seen>,
  ) => {
    try {
      const seen = await look(directory);
      const { wrong: problem } = seen;
      if (problem !== undefined)
        damaged.push({ what, directory, found: problem, isOpenable: true });
      return seen;
    } catch (error) {
      const message = (error as Error).message;
      const missing = error instanceof RecordsMissing ? { missing: error } : {};
      // A simulator that runs may have deleted it meanwhile.
      if (existsSync(directory)) damaged.push({ what, directory, found: message, ...missing });
      return undefined;
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
  await checkKept(worldFolderOf(root, FIRST_WORLD), "");
  for (const name of worldNames(root).filter((one) => one !== FIRST_WORLD)) {
    const directory = worldFolderOf(root, name);
    const what = `world ${name}`;
    const seen = await check(what, directory, requireWorld);
    if (!seen) continue;
    if (seen.warnings.length > 0) reported.push({ what, warnings: seen.warnings });
    await checkKept(directory, ` of world ${name}`);
  }
  return { damaged, reported };
};
