import { linkSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { removeQuietly } from "../../../machine/remove-quietly.ts";
import { type LockOwner, ownerOf, textOf, UNKNOWN_OWNER } from "./lock-owner.ts";

const LOCK_NAME = /^lock\.([1-9][0-9]{0,14})$/;
/** Temporary files of locks; their owner deletes them, unless it was killed. */
const TEMPORARY_NAME = /^lock\.(?:[0-9]+\.)?tmp-/;

/** Looks at the newest lock before an unreadable name counts as a lock. */
const MAX_LOOKS = 100;

/** The file of a lock; with `fsync` its bytes survive a power cut, as its name does. */
export interface WrittenLock {
  path: string;
  fsync: boolean;
}

/**
 * Links a lock file for an owner.
 * @returns false when the lock exists
 */
export const linkOwner = (owner: LockOwner, { path, fsync }: WrittenLock): boolean => {
  const temporary = join(dirname(path), `lock.tmp-${owner.nonce}`);
  try {
    writeFileSync(temporary, textOf(owner), { mode: 0o600, flush: fsync });
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    removeQuietly(temporary);
  }
};

/** Numbers of the locks in a folder, ascending. */
export const numbersIn = (directory: string): number[] =>
  readdirSync(directory)
    .map((name) => Number(LOCK_NAME.exec(name)?.[1] ?? 0))
    .filter((number) => number > 0)
    .sort((a, b) => a - b);

/** Files of locks before the newest two, the oldest first, and halves of locks. */
export const supersededIn = (directory: string, newest: number) => ({
  locks: numbersIn(directory)
    .filter((number) => number < newest - 1)
    .map((number) => join(directory, `lock.${number}`)),
  halves: readdirSync(directory)
    .filter((name) => TEMPORARY_NAME.test(name))
    .map((name) => join(directory, name)),
});

/** A lock of a directory. */
export interface FoundLock {
  number: number;
  owner: LockOwner;
}

/** The lock that counts; nothing when there is none. */
export const newestLock = (directory: string): FoundLock | undefined => {
  let number = numbersIn(directory).at(-1);
  for (let look = 1; number !== undefined; look += 1) {
    const owner = ownerOf(join(directory, `lock.${number}`));
    // A name without a file, like a broken link, may belong to any process.
    if (owner || look === MAX_LOOKS) return { number, owner: owner ?? UNKNOWN_OWNER };
    // The folder changed since it was read: look again.
    number = numbersIn(directory).at(-1);
  }
  return undefined;
};

/** A lock file as its owner last touched it; nothing when it is gone. */
export const signOfLife = (path: string): string | undefined => {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino} ${stats.mtimeMs}`;
};
