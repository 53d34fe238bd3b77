import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeStateDirectory } from "../storage/file/state/state-folder.ts";

/** Folder of a workspace that has the capsules of failed tests, below that of the state. */
const [OUTER, INNER] = [".service-sim", "failures"];

/** Capsules that are kept; the oldest go (spec/capsules.md#failed-tests). */
export const MOST_FAILURES = 50;

const CAPSULE = /^t-[0-9a-f]+(-r[0-9]+)?\.capsule$/;

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
  const folder = join(workspace, OUTER, INNER);
  // One that is new leaves itself out of version control.
  for (const one of [join(workspace, OUTER), folder]) makeStateDirectory(one);
  const name = `${world}.capsule`;
  // Whoever reads it meanwhile sees the earlier one or this one, and no half.
  const part = join(folder, `.${name}.${process.pid}.part`);
  writeFileSync(part, capsule, { mode: 0o600 });
  renameSync(part, join(folder, name));
  bound(folder);
  return [OUTER, INNER, name].join("/");
};
