import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PARTS = ["package.json", "bin", "dist", "fixtures"];

/** What a run measures: the program as it is installed. */
export interface Build {
  /** The command line. */
  serviceSim: string;
  /** The library. */
  library: string;
}

const buildIn = (directory: string): Build => ({
  serviceSim: join(directory, "bin", "service-sim.js"),
  library: join(directory, "dist", "simulator.js"),
});

/** What to do when there is nothing to measure; nothing when there is. */
export const missingBuild = (): string | undefined =>
  existsSync(join(ROOT, "dist", "cli.cjs")) && existsSync(buildIn(ROOT).library)
    ? undefined
    : `Expected a build in ${join(ROOT, "dist")} but found none: run npm run build first`;

/** Copies the build, so that all figures of a run are of one build, whoever builds meanwhile. */
export const copyBuild = (directory: string): Build => {
  for (const part of PARTS)
    cpSync(join(ROOT, part), join(directory, part), { recursive: true, force: false });
  return buildIn(directory);
};
