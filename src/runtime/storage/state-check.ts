import { readdirSync } from "node:fs";
import { JournalDamage, NewerFormat } from "../change.ts";
import { type DamagedFolder, damagedFolders } from "./folder-check.ts";
import { identityDamage, readIdentity } from "./identity.ts";
import { StateDamage } from "./image.ts";
import { readFixture } from "./kept-fixture.ts";
import { damageOfRequests } from "./kept-requests.ts";
import { openLine } from "./line-folders.ts";
import {
  type PassedOver,
  readState,
  type StateAsRead,
  type StateFiles,
  takesPlainImages,
} from "./read-state.ts";
import { openKeyValue, pathOfKey } from "./storage.ts";

/** Result of inspecting a state directory; nothing was changed. */
export interface StateReport {
  /** Number of whole changes, those in a checkpoint included. */
  records: number;
  /** Bytes of an unfinished last record; the next start cuts them off. */
  tornBytes: number;
  damage?: { file: string; offset: number; wholeRecords: number; found: string };
  /** A file that cannot be replaced; no start is possible without it. */
  lost?: StateDamage;
  /** Damaged checkpoint files that others replace. */
  passedOver: readonly PassedOver[];
  /** The request log of earlier runs, if it cannot be read; nothing else needs it. */
  damagedRequests?: PassedOver;
  /** Forked worlds and kept states that cannot be read; the others can. */
  damagedFolders: readonly DamagedFolder[];
  /** Version name, if a newer version of this program wrote it. */
  newerFormat?: string;
}

/** Files of the line of the first world that counts. */
export const openStateFiles = (directory: string): StateFiles =>
  openLine({ directory, isFirst: true });

/** First lost file beside a world's records; a new world has none to lose. */
const lostBeside = async (
  directory: string,
  { state }: StateAsRead,
  { takesPlain }: { takesPlain: boolean },
): Promise<StateDamage | undefined> => {
  const storage = openKeyValue({ kind: "file", directory });
  const file = pathOfKey(directory, "identity");
  const identity = await readIdentity(storage, { takesPlain });
  if (state.seq > 0 && !(identity && "body" in identity))
    return identityDamage(file, identity?.found ?? "no file");
  try {
    await readFixture(storage, { file: pathOfKey(directory, "fixture"), takesPlain });
    return undefined;
  } catch (error) {
    if (error instanceof StateDamage) return error;
    throw error;
  }
};

const NOTHING_READ = { records: 0, tornBytes: 0, passedOver: [], damagedFolders: [] };

/** Inspects a state directory without changing it, also while a simulator owns it. */
export const checkState = async (directory: string): Promise<StateReport> => {
  try {
    const files = openStateFiles(directory);
    const read = await readState(files, { isLookOnly: true });
    const { state, recovery, passedOver } = read;
    const lost = await lostBeside(directory, read, { takesPlain: takesPlainImages(files) });
    const damagedRequests = damageOfRequests(directory);
    return {
      records: Math.max(recovery.records, state.seq),
      tornBytes: recovery.tornBytes,
      passedOver,
      damagedFolders: await damagedFolders(directory),
      ...(lost && { lost }),
      ...(damagedRequests && { damagedRequests }),
    };
  } catch (error) {
    if (error instanceof NewerFormat) return { ...NOTHING_READ, newerFormat: error.message };
    if (error instanceof StateDamage) return { ...NOTHING_READ, lost: error };
    if (!(error instanceof JournalDamage)) throw error;
    const { file, offset, wholeRecords, found } = error;
    const damage = { file, offset, wholeRecords, found };
    return { ...NOTHING_READ, records: wholeRecords, damage };
  }
};

const PARTS = ["journal", "checkpoint", "identity.json"];

/** Whether a folder looks like a state directory, whole or damaged. */
export const isStateDirectory = (directory: string) => {
  try {
    return readdirSync(directory).some((name) => PARTS.includes(name));
  } catch {
    return false;
  }
};
