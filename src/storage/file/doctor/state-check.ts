import { existsSync } from "node:fs";
import { FORMAT_BEFORE, JournalDamage, OtherFormat } from "../../../runtime/change.ts";
import { StateDamage } from "../../../runtime/damage.ts";
import { WorldState } from "../../../runtime/world-state.ts";
import type { Items } from "../../port/items.ts";
import type { SkippedFile } from "../../port/recovery.ts";
import { identityDamage, readIdentity } from "../../world/identity.ts";
import { readFixture } from "../../world/kept-fixture.ts";
import { damageOfRequests } from "../../world/kept-requests.ts";
import { reportEnding } from "../../world/recovery-report.ts";
import { FIRST_WORLD } from "../../world/start-state.ts";
import { earlierStateIn } from "../convert/convert-format.ts";
import { isPlacing } from "../convert/placed-state.ts";
import { RecordsMissing } from "../journal/journal-end.ts";
import { isOwned } from "../lock/state-lock.ts";
import { folderItems } from "../state/folder-items.ts";
import { worldFileNamed, worldFolderOf } from "../state/world-files.ts";
import { readState, type StateAsRead, type StateFiles } from "../timeline/read-state.ts";
import { openTimeline } from "../timeline/timeline-folders.ts";
import { checkFolders, type DamagedFolder, type ReportedFolder, wrongIn } from "./folder-check.ts";

/** Result of inspecting a state directory; nothing was changed. */
export interface StateReport {
  /** Number of whole changes, those in a checkpoint included. */
  records: number;
  /** Bytes of an unfinished last record; the next start cuts them off. */
  tornBytes: number;
  /** One line about a last run that did not stop cleanly; nothing while a simulator runs. */
  ending?: string;
  damage?: { file: string; offset: number; wholeRecords: number; found: string };
  /** A file that cannot be replaced; no start is possible without it. */
  lost?: StateDamage;
  /** The first invariant of the state that does not hold, though a start opens it. */
  wrong?: string;
  /** Damaged checkpoint files that others replace. */
  passedOver: readonly SkippedFile[];
  /** The request log of earlier runs, if it cannot be read; nothing else needs it. */
  damagedRequests?: SkippedFile;
  /** Forked worlds and kept states that cannot be read; the others can. */
  damagedFolders: readonly DamagedFolder[];
  /** Forked worlds whose last run did not stop cleanly. */
  toldFolders: readonly ReportedFolder[];
  /** Set where it is of a format that this version does not read. */
  otherFormat?: OtherFormat;
  /** Set where it is of the format before, which a start converts; its contents were not read. */
  isConvertible?: true;
}

/** Folder of the first world of a state directory. */
export const firstFolderOf = (root: string) => worldFolderOf(root, FIRST_WORLD);

/** Files of the timeline of the first world that counts. */
export const openStateFiles = (root: string): StateFiles => {
  worldFileNamed(root, FIRST_WORLD);
  return openTimeline(firstFolderOf(root));
};

/** First lost item beside a world's records; a new world has none to lose. */
const lostBeside = async (
  items: Items,
  { state }: Pick<StateAsRead, "state">,
): Promise<StateDamage | undefined> => {
  const identity = await readIdentity(items);
  if (state.seq > 0 && !(identity && "body" in identity))
    return identityDamage(items, identity?.found ?? "no file");
  try {
    await readFixture(items);
    return undefined;
  } catch (error) {
    if (error instanceof StateDamage) return error;
    throw error;
  }
};

/** The first world as it is read; an empty one where there is none yet. */
const readFirst = async (
  root: string,
): Promise<Pick<StateAsRead, "state" | "recovery" | "passedOver">> =>
  existsSync(firstFolderOf(root))
    ? readState(openStateFiles(root), { isLookOnly: true })
    : {
        state: new WorldState(),
        recovery: { records: 0, tornBytes: 0, readBytes: 0 },
        passedOver: [],
      };

const NOTHING_READ = {
  records: 0,
  tornBytes: 0,
  passedOver: [],
  damagedFolders: [],
  toldFolders: [],
};

/**
 * Worlds and kept states; a journal is not closed while a simulator runs, so no end is told then.
 */
const foldersOf = async (directory: string) => {
  const { damaged, reported } = await checkFolders(directory);
  return { damagedFolders: damaged, toldFolders: isOwned(directory) ? [] : reported };
};

/** The part of a report about the default world that cannot be read. */
const damageIn = (error: unknown): Pick<StateReport, "records" | "lost" | "damage"> | undefined => {
  if (error instanceof RecordsMissing) return { records: error.records, lost: error };
  if (error instanceof StateDamage) return { records: 0, lost: error };
  if (!(error instanceof JournalDamage)) return undefined;
  const { file, offset, wholeRecords, found } = error;
  return { records: wholeRecords, damage: { file, offset, wholeRecords, found } };
};

/** Inspects a state directory without changing it, also while a simulator owns it. */
export const checkState = async (directory: string): Promise<StateReport> => {
  const items = folderItems(firstFolderOf(directory));
  const earlier = earlierStateIn(directory);
  if (isPlacing(directory) || earlier?.version === FORMAT_BEFORE)
    return { ...NOTHING_READ, isConvertible: true };
  if (earlier)
    return { ...NOTHING_READ, otherFormat: new OtherFormat(earlier.file, earlier.version) };
  try {
    const read = await readFirst(directory);
    const { state, recovery, passedOver } = read;
    const wrong = wrongIn(state, directory);
    const lost = await lostBeside(items, read);
    const damagedRequests = await damageOfRequests(items);
    const ending = isOwned(directory) ? undefined : reportEnding(recovery);
    return {
      records: Math.max(recovery.records, state.seq),
      tornBytes: recovery.tornBytes,
      passedOver,
      ...(await foldersOf(directory)),
      ...(lost && { lost }),
      ...(wrong !== undefined && { wrong }),
      ...(damagedRequests && { damagedRequests }),
      ...(ending !== undefined && { ending }),
    };
  } catch (error) {
    if (error instanceof OtherFormat) return { ...NOTHING_READ, otherFormat: error };
    const read = damageIn(error);
    if (!read) throw error;
    // A repair continues to the worlds and snapshots, so they are named beside the first damage.
    const damagedRequests = await damageOfRequests(items);
    const folders = await foldersOf(directory);
    return { ...NOTHING_READ, ...read, ...folders, ...(damagedRequests && { damagedRequests }) };
  }
};
