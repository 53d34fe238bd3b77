import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Parts of an installation, and the compiled code that the build of a checkout keeps. */
const PARTS = ["package.json", "bin", "dist", "fixtures", ".cache/code"];

/** Files that a run measures: the program as it is installed. */
export interface Build {
  /** The command line. */
  serviceSim: string;
  /** The library. */
  library: string;
}

const buildIn = (directory: string): Build => ({
  serviceSim: join(directory, "bin", "service-sim.js"),
  library: join(directory, "dist", "simulator.mjs"),
});

/** Advice when there is nothing to measure; undefined when there is. */
export const missingBuild = (): string | undefined =>
  existsSync(join(ROOT, "dist", "cli.cjs")) && existsSync(buildIn(ROOT).library)
    ? undefined
    : `Expected a build in ${join(ROOT, "dist")} but found none: run npm run build first`;

/** Copies the build, so that all figures of a run measure the same one. */
export const copyBuild = (directory: string): Build => {
  for (const part of PARTS.filter((one) => existsSync(join(ROOT, one))))
    cpSync(join(ROOT, part), join(directory, part), { recursive: true, force: false });
  return buildIn(directory);
};
