import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** A state directory holds secrets and changes with every call: git leaves all of it out. */
const IGNORES_ALL = "*\n";

const isFolder = (path: string) =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Makes one folder; another process may be faster. */
const makeFolder = (path: string, mode: number) => {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !isFolder(path)) throw error;
  }
};

/** Folders that are made for one path. */
export const MAX_MADE_FOLDERS = 32;

const tooDeep = () =>
  Object.assign(
    new Error(`Expected at most ${MAX_MADE_FOLDERS} folders to be missing but found more`),
    { code: "TOO_DEEP" },
  );

/**
 * Makes a folder and the missing ones above it, one by one. The recursive call of Node.js never
 * returns where a file system takes no folders, such as `/proc`.
 * @returns the outermost folder that was made
 */
export const makeFolders = (path: string, mode = 0o700): string | undefined => {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) {
    if (missing.length === MAX_MADE_FOLDERS) throw tooDeep();
    missing.unshift(at);
  }
  if (missing.length === 0) makeFolder(resolve(path), mode);
  for (const folder of missing) makeFolder(folder, mode);
  return missing[0];
};

/**
 * Makes a state directory. A new one gets a `.gitignore` of its own; one that exists may hold
 * files of a project and gets none.
 * @returns the outermost folder that was made
 */
export const makeStateDirectory = (directory: string): string | undefined => {
  const made = makeFolders(directory);
  if (made !== undefined) ignoreInGit(directory);
  return made;
};

const ignoreInGit = (directory: string) => {
  try {
    writeFileSync(join(directory, ".gitignore"), IGNORES_ALL, { mode: 0o600, flag: "wx" });
  } catch {
    // Another start was faster, or the disk is full; state does not depend on the file.
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
