import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { Workplace, waitUntil } from "./cli.ts";
import { installWith, pack } from "./packed.ts";

/** Takes a name that one worker of a run has; the others are refused. */
const isFirst = (folder: string) => {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
};

/** Packs the project and installs the package with npm, for all workers of this run. */
const makeShared = async (shared: string) => {
  const place = new Workplace();
  try {
    await pack(place);
    await installWith(place, "npm");
    for (const name of ["packed", "npm"]) renameSync(place.file(name), join(shared, name));
    writeFileSync(join(shared, "installed"), "");
  } catch (error) {
    writeFileSync(join(shared, "installed"), (error as Error).message);
  } finally {
    await place.close();
  }
};

/** The folder of this run with `packed`, and with the project `npm` that has the package. */
const sharedInstall = async (): Promise<string> => {
  const shared = inject("sharedFolder");
  const done = join(shared, "installed");
  if (isFirst(join(shared, "installing"))) await makeShared(shared);
  await waitUntil("a package that npm installed", () => existsSync(done));
  const problem = readFileSync(done, "utf8");
  if (problem !== "") throw new Error(problem);
  return shared;
};

/** Copies the packed package into `packed`. */
export const copyPacked = async (place: Workplace) =>
  cpSync(join(await sharedInstall(), "packed"), place.file("packed"), { recursive: true });

/**
 * Copies a project that npm installed the package in into the folder `npm`. Each run of the tests
 * packs and installs once.
 * @param project further members of its package.json
 */
export const copyInstalled = async (place: Workplace, project: object = {}) => {
  const from = join(await sharedInstall(), "npm");
  cpSync(from, place.file("npm"), { recursive: true, verbatimSymlinks: true });
  const name = place.file("npm", "package.json");
  const installed = JSON.parse(readFileSync(name, "utf8"));
  writeFileSync(name, JSON.stringify({ ...installed, ...project }));
};
