import { execFile } from "node:child_process";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./build.ts";
import type { Figure } from "./figure.ts";
import type { Workplace } from "./workplace.ts";

const run = promisify(execFile);
const LIMIT_MS = 60_000;
const BYTES_PER_MB = 1_000_000;
const TARBALL_LIMIT_MB = 1.8;
const INSTALLED_LIMIT_MB = 8;

const npm = async (args: readonly string[], cwd: string): Promise<void> => {
  await run("npm", [...args, "--silent", "--no-audit", "--no-fund"], { cwd, timeout: LIMIT_MS });
};

/** Packs the project, or another package, as it would be published. */
export const pack = async (workplace: Workplace, packed = ROOT): Promise<string> => {
  const folder = workplace.directory();
  await npm(["pack", packed, "--ignore-scripts"], folder);
  const [tarball = ""] = readdirSync(folder);
  return join(folder, tarball);
};

const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

/** Bytes of everything that an installation of the package puts into a project. */
const installedBytes = async (workplace: Workplace): Promise<number> => {
  const tarball = await pack(workplace);
  const project = workplace.directory();
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "shop", private: true }));
  await npm(["install", tarball, "--offline", "--ignore-scripts"], project);
  return bytesBelow(join(project, "node_modules"));
};

const sizeFigure = (
  name: string,
  limitMb: number,
  bytesOf: (workplace: Workplace) => Promise<number>,
): Figure => ({
  name,
  floor: `${limitMb} MB`,
  unit: "MB",
  target: { atMost: 1 },
  from: "short",
  measure: async (workplace) => [
    { measured: (await bytesOf(workplace)) / BYTES_PER_MB, floor: limitMb },
  ],
});

/** Sizes of the package. */
export const packageSizeFigures: readonly Figure[] = [
  sizeFigure("the package's tarball", TARBALL_LIMIT_MB, async (workplace) => {
    const tarball = await pack(workplace);
    return statSync(tarball).size;
  }),
  sizeFigure("the installed package", INSTALLED_LIMIT_MB, installedBytes),
];
