import { closeSync, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { synced } from "./synced-file.ts";

/** Error codes of systems that cannot sync a directory, Windows above all. */
const CANNOT_SYNC = new Set(["EPERM", "EISDIR", "EINVAL", "ENOTSUP"]);

const unlessItCannot = (error: unknown) => {
  if (!CANNOT_SYNC.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
};

/**
 * The directories whose entries change when a file is written at a path.
 * @param firstMade the outermost directory that had to be made for it
 */
const changedFor = (path: string, firstMade: string | undefined): string[] => {
  const outermost = dirname(firstMade ?? path);
  const changed = [dirname(path)];
  for (let last = dirname(path); last !== outermost && last !== dirname(last); ) {
    last = dirname(last);
    changed.push(last);
  }
  return changed;
};

const syncNow = (directory: string) => {
  try {
    const fd = openSync(directory, "r");
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    unlessItCannot(error);
  }
};

const sync = async (directory: string) => {
  try {
    const opened = await open(directory, "r");
    try {
      await synced(opened);
    } finally {
      await opened.close();
    }
  } catch (error) {
    unlessItCannot(error);
  }
};

/**
 * Syncs the names of files: a power cut can lose a name although the file itself was synced. It is
 * an object, so that tests can observe the calls.
 */
export const directoryEntries = {
  /** Makes a file's name survive a power cut, and the names of directories made for it. */
  keepNow(path: string, firstMade?: string) {
    for (const directory of changedFor(path, firstMade)) syncNow(directory);
  },

  /** Makes the present bytes of a file survive a power cut, also those that another process wrote. */
  keepBytesNow(path: string) {
    const fd = openSync(path, "r+");
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  },

  async keep(path: string, firstMade?: string) {
    for (const directory of changedFor(path, firstMade)) await sync(directory);
  },
};
