import { readdirSync } from "node:fs";
import { join } from "node:path";
import { JournalDamage, NewerFormat } from "../change.ts";
import { identityDamage, readIdentity } from "./identity.ts";
import { StateDamage } from "./image.ts";
import { JournalDirectory } from "./journal-directory.ts";
import { readFixture } from "./kept-fixture.ts";
import { damageOfRequests } from "./kept-requests.ts";
import { type PassedOver, readState, type StateAsRead, type StateFiles } from "./read-state.ts";
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
  /** Version name, if a newer version of this program wrote it. */
  newerFormat?: string;
}

const JOURNAL = "journal";

export const openStateFiles = (directory: string): StateFiles => ({
  directory,
  storage: openKeyValue({ kind: "file", directory }),
  journals: new JournalDirectory(join(directory, JOURNAL)),
});

/** First lost file beside a world's records; a new world has none to lose. */
const lostBeside = async (
  { directory, storage, journals }: StateFiles,
  { state }: StateAsRead,
): Promise<StateDamage | undefined> => {
  const takesPlain = !journals.isSealed();
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

const NOTHING_READ = { records: 0, tornBytes: 0, passedOver: [] };

/** Inspects a state directory without changing it, also while a simulator owns it. */
export const checkState = async (directory: string): Promise<StateReport> => {
  try {
    const files = openStateFiles(directory);
    const read = await readState(files, { isLookOnly: true });
    const { state, recovery, passedOver } = read;
    const lost = await lostBeside(files, read);
    const damagedRequests = damageOfRequests(directory);
    return {
      records: Math.max(recovery.records, state.seq),
      tornBytes: recovery.tornBytes,
      passedOver,
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

const PARTS = [JOURNAL, "checkpoint", "identity.json"];

/** Whether a folder looks like a state directory, whole or damaged. */
export const isStateDirectory = (directory: string) => {
  try {
    return readdirSync(directory).some((name) => PARTS.includes(name));
  } catch {
    return false;
  }
};
