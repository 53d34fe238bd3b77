import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** Folder of a workspace that has the capsules of failed tests, below that of the state. */
const FOLDERS = [".service-sim", "failures"] as const;

/** Capsules that are kept; the oldest go (spec/capsules.md#failed-tests). */
export const MOST_FAILURES = 50;

const IGNORES_ALL = "*\n";
const CAPSULE = /^t-[0-9a-f]+(-r[0-9]+)?\.capsule$/;

/** Makes each folder by itself; one that is new leaves itself out of version control. */
const makeFolders = (workspace: string) => {
  let folder = workspace;
  for (const name of FOLDERS) {
    folder = join(folder, name);
    if (existsSync(folder)) continue;
    try {
      mkdirSync(folder, { mode: 0o700 });
      writeFileSync(join(folder, ".gitignore"), IGNORES_ALL, { mode: 0o600 });
    } catch (error) {
      // Another worker makes the same ones.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  return folder;
};

const ageOf = (file: string) => {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
};

/** Removes the oldest beyond the bound, which another worker may do meanwhile. */
const bound = (folder: string) => {
  const files = readdirSync(folder)
    .filter((name) => CAPSULE.test(name))
    .map((name) => join(folder, name));
  if (files.length <= MOST_FAILURES) return;
  const newestFirst = files
    .map((file) => ({ file, ageMs: ageOf(file) }))
    .sort((a, b) => b.ageMs - a.ageMs);
  for (const { file } of newestFirst.slice(MOST_FAILURES)) rmSync(file, { force: true });
};

/**
 * Keeps the capsule of a failed test's world in the workspace.
 * @returns its path, from the workspace
 * @throws Error when it cannot be written
 */
export const keepFailure = (workspace: string, world: string, capsule: string): string => {
  const folder = makeFolders(workspace);
  const name = `${world}.capsule`;
  // Whoever reads it meanwhile sees the earlier one or this one, and no half.
  const part = join(folder, `.${name}.${process.pid}.part`);
  writeFileSync(part, capsule, { mode: 0o600 });
  renameSync(part, join(folder, name));
  bound(folder);
  return [...FOLDERS, name].join("/");
};
