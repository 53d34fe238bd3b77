import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

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
