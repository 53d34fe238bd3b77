import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "../../../machine/make-folders.ts";

/** A state directory holds secrets and changes with every call: git leaves all of it out. */
const IGNORES_ALL = "*\n";

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

/** Entries that belong to worlds; the last ones are of the format before. */
const PARTS = ["worlds", "journal", "checkpoint", "identity.json"];

/** A state on its way into the directory, where the start that converted it was killed. */
export const FINISHED = /^old-[0-9]+\.new$/;

/** Whether a folder looks like a state directory, whole or damaged. */
export const isStateDirectory = (directory: string) => {
  try {
    return readdirSync(directory).some((name) => PARTS.includes(name) || FINISHED.test(name));
  } catch {
    return false;
  }
};
