import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Ended, Workplace } from "./cli.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The package, from a folder beside `packed`; npx takes an absolute path for a program. */
export const TARBALL = "../packed/service-sim-0.1.0.tgz";

/** A file of a package that is installed here for tests. */
export const ours = (...path: string[]) => {
  const [first = ""] = [
    join(ROOT, "test", "foreign", "node_modules", ...path),
    join(ROOT, "node_modules", ...path),
  ].filter(existsSync);
  return first;
};

/** Variables that keep caches of package managers, and the settings of this machine, out. */
export const managerEnvironment = (place: Workplace) => ({
  npm_config_cache: place.file("npm-cache"),
  npm_config_userconfig: place.file("npmrc"),
  npm_config_globalconfig: place.file("global-npmrc"),
  npm_config_update_notifier: "false",
});

/** All that the package is made of. */
export const PARTS = [
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "bin",
  "dist",
  "fixtures",
  "package.json",
];

/**
 * Packs the project into `packed` as a release does, from a copy: meanwhile its package.json is the
 * published one. The build is there: `test/setup/build.ts` keeps it fresh.
 */
export const pack = async (place: Workplace) => {
  for (const part of PARTS)
    cpSync(join(ROOT, part), place.file("sources", part), { recursive: true });
  const env = managerEnvironment(place);
  const manifest = [process.execPath, "bin/packed-manifest.js"];
  const command = ["npm", "pack", place.file("sources"), "--ignore-scripts"];
  for (const [words, folder] of [
    [manifest, "sources"],
    [command, "packed"],
  ] as const) {
    const { code, stderr } = await place.spawn(words, { folder, env }).ended;
    if (code !== 0) throw new Error(`Expected ${words.join(" ")} to end well but found ${stderr}`);
  }
};

const directoriesIn = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(node_modules$|\.)/.test(entry.name))
    .map(({ name }) => name.split("@")[0]);

/**
 * Package managers: how each adds the package without a registry, where it puts
 * packages, and its folders outside the project.
 */
export const MANAGERS = {
  npm: {
    add: ["npm", "install", "--save-dev", "--offline", TARBALL, "--no-audit", "--no-fund"],
    packages: ["node_modules"],
    folders: {},
  },
  pnpm: {
    add: [process.execPath, ours("pnpm", "bin", "pnpm.cjs"), "add", "-D", "--offline", TARBALL],
    packages: ["node_modules", ".pnpm"],
    folders: { store_dir: "pnpm-store", cache_dir: "pnpm-cache", state_dir: "pnpm-state" },
  },
};

export type Manager = keyof typeof MANAGERS;

/** Names of the packages that a manager installed in its project. */
export const installedBy = (place: Workplace, manager: Manager) =>
  directoriesIn(place.file(manager, ...MANAGERS[manager].packages));

/** Makes a project, in a folder named after the manager, that has the package. */
export const installWith = async (
  place: Workplace,
  manager: Manager,
  project: object = { name: "shop", private: true },
): Promise<Ended> => {
  mkdirSync(place.file(manager));
  writeFileSync(place.file(manager, "package.json"), JSON.stringify(project));
  const folders = Object.entries(MANAGERS[manager].folders).map(([name, folder]) => [
    `npm_config_${name}`,
    place.file(folder),
  ]);
  const env = { ...managerEnvironment(place), ...Object.fromEntries(folders) };
  const ended = await place.spawn(MANAGERS[manager].add, { folder: manager, env }).ended;
  if (ended.code !== 0) throw new Error(`${manager} failed: ${ended.stdout}${ended.stderr}`);
  return ended;
};
