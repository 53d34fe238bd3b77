import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Skipped } from "../figure.ts";

const run = promisify(execFile);
const LIMIT_MS = 240_000;

/**
 * Installs packages of npm into a folder, without running their scripts.
 * @throws Skipped when npm cannot
 */
export const installInto = async (folder: string, packages: readonly string[]): Promise<void> => {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--silent"];
  try {
    await run("npm", ["install", ...quiet, ...packages], { cwd: folder, timeout: LIMIT_MS });
  } catch (error) {
    throw new Skipped(`npm cannot install ${packages.join(" ")}: ${(error as Error).message}`);
  }
};

/** @throws Skipped when a program is not on this machine */
export const requireProgram = async (program: string): Promise<void> => {
  try {
    await run(program, ["-version"], { timeout: LIMIT_MS });
  } catch {
    throw new Skipped(`${program} is not installed`);
  }
};
