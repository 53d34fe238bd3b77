import { spawnSync } from "node:child_process";
import { cpSync, existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PARTS = ["package.json", "bin", "dist", "fixtures"];

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

/** Keeps compiled code beside the program, as the build of a checkout does. */
export const keepCode = ({ serviceSim }: Build) => {
  const { status } = spawnSync(process.execPath, [join(dirname(serviceSim), "keep-code.js")]);
  if (status !== 0) throw new Error("Expected the code of a first start to be kept");
};

/** Takes that code away again. */
export const dropCode = ({ serviceSim }: Build) =>
  rmSync(join(dirname(serviceSim), "..", ".cache"), { recursive: true, force: true });

/** Advice when there is nothing to measure; undefined when there is. */
export const missingBuild = (): string | undefined =>
  existsSync(join(ROOT, "dist", "cli.cjs")) && existsSync(buildIn(ROOT).library)
    ? undefined
    : `Expected a build in ${join(ROOT, "dist")} but found none: run npm run build first`;

/** Copies the build, so that all figures of a run measure the same one. */
export const copyBuild = (directory: string): Build => {
  for (const part of PARTS)
    cpSync(join(ROOT, part), join(directory, part), { recursive: true, force: false });
  return buildIn(directory);
};
