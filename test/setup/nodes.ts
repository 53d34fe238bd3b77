import { execFile } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Time for a download; past it the registry counts as unreachable. */
const DOWNLOAD_MS = 60_000;

/** Downloads are kept from run to run, one folder a version. */
const folderOf = (major: number) => join(tmpdir(), `service-sim-test-node-${major}`);

/**
 * The newest Node.js of a major version, downloaded with its npm package `node`.
 * @returns its program, or why there is none
 */
export const nodeOf = async (major: number): Promise<{ program: string } | { why: string }> => {
  const folder = folderOf(major);
  const program = join(folder, "node_modules", "node", "bin", "node");
  if (existsSync(program)) return { program };
  mkdirSync(folder, { recursive: true });
  const quiet = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--silent"];
  try {
    await run("npm", ["install", ...quiet, "--prefix", folder, `node@${major}`], {
      cwd: folder,
      timeout: DOWNLOAD_MS,
    });
  } catch (error) {
    return { why: `node@${major} cannot be downloaded: ${(error as Error).message}` };
  }
  return existsSync(program)
    ? { program }
    : { why: `node@${major} has no program for this system` };
};
