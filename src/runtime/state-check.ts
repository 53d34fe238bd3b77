import { copyFileSync, mkdirSync, readdirSync, renameSync, truncateSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { JournalDamage, NewerFormat } from "./change.ts";
import { readCheckpoint } from "./checkpoint.ts";
import { JournalDirectory } from "./journal-directory.ts";
import { StateLock } from "./state-lock.ts";
import { openKeyValue } from "./storage.ts";

/** What a look at a state directory found; nothing was changed. */
export interface StateReport {
  /** Whole changes, those in a checkpoint included. */
  records: number;
  /** Bytes of an unfinished last record, which the next start cuts off. */
  tornBytes: number;
  damage?: { file: string; offset: number; wholeRecords: number; found: string };
  /** A newer version of this program wrote it. */
  newerFormat?: string;
}

const JOURNAL = "journal";
const SET_ASIDE = "damaged";

const read = async (directory: string): Promise<StateReport> => {
  const { state, manifest } = await readCheckpoint(openKeyValue({ kind: "file", directory }));
  const journals = new JournalDirectory(join(directory, JOURNAL));
  const from = { seq: state.seq, ...(manifest && { segment: manifest.segment }) };
  const { records, tornBytes } = journals.recover(() => {}, from, { isLookOnly: true });
  return { records: Math.max(records, state.seq), tornBytes };
};

/** Looks at a state directory without changing it, also while a simulator owns it. */
export const checkState = async (directory: string): Promise<StateReport> => {
  try {
    return await read(directory);
  } catch (error) {
    if (error instanceof NewerFormat)
      return { records: 0, tornBytes: 0, newerFormat: error.message };
    if (!(error instanceof JournalDamage)) throw error;
    const { file, offset, wholeRecords, found } = error;
    return { records: wholeRecords, tornBytes: 0, damage: { file, offset, wholeRecords, found } };
  }
};

/** What a repair did. */
export interface RepairReport {
  /** Whole changes that are kept. */
  kept: number;
  /** Lines from the damage on, which may have been changes. */
  givenUp: number;
  /** Folder with copies of what was cut off. */
  asideIn: string;
}

const linesFrom = (bytes: Buffer, offset: number) =>
  bytes.subarray(offset).toString("latin1").split("\n").filter(Boolean).length;

/**
 * Cuts the journal at its damage: the damaged segment is copied aside and cut, later ones are
 * moved aside whole. Nothing is thrown away.
 * @returns nothing when there was no damage
 * @throws StateLocked while a simulator owns the directory
 */
export const repairState = async (directory: string): Promise<RepairReport | undefined> => {
  const lock = StateLock.take(directory);
  try {
    const { damage } = await checkState(directory);
    if (!damage) return undefined;
    const aside = join(directory, SET_ASIDE, String(lock.number));
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    const journals = new JournalDirectory(dirname(damage.file));
    const names = journals.names();
    const later = names.slice(names.indexOf(basename(damage.file)) + 1);
    let givenUp = linesFrom(journals.bytesOf(basename(damage.file)), damage.offset);
    copyFileSync(damage.file, join(aside, basename(damage.file)));
    truncateSync(damage.file, damage.offset);
    for (const name of later) {
      givenUp += linesFrom(journals.bytesOf(name), 0);
      renameSync(join(journals.path, name), join(aside, name));
    }
    return { kept: damage.wholeRecords, givenUp, asideIn: aside };
  } finally {
    lock.release();
  }
};

/** Whether a folder looks like a state directory. */
export const isStateDirectory = (directory: string) => {
  try {
    return readdirSync(directory).includes(JOURNAL);
  } catch {
    return false;
  }
};
