import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Workplace } from "../setup/cli.ts";
import { copyInstalled, copyPacked } from "../setup/installed.ts";
import { installWith, managerEnvironment, ours, TARBALL } from "../setup/packed.ts";
import { type Block, blocksOf, blockWith } from "./setup/doc-blocks.ts";
import {
  expectFirstMinute,
  firstMinute,
  PAGE,
  PROJECT,
  testProject,
} from "./setup/readme-project.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

let place: Workplace;

beforeAll(async () => {
  place = new Workplace();
  await copyPacked(place);
});

afterAll(() => place.close());

type Kind = "done" | "output" | "vitest" | "shell";

/** Blocks that are not lines of shell to run, by a text they hold. */
const KINDS: readonly { holds: string; kind: Kind }[] = [
  // The installation of these tests does what they say.
  { holds: "npm ci && npx service-sim start", kind: "done" },
  { holds: "npm install --save-dev ../service-sim", kind: "done" },
  { holds: "$ npx service-sim demo", kind: "output" },
  { holds: "// vitest.config.ts", kind: "vitest" },
  { holds: 'from "service-sim/vitest"', kind: "vitest" },
  { holds: "$ npx vitest run", kind: "output" },
];

const kindOf = ({ language, text }: Block): Kind | undefined =>
  KINDS.find(({ holds }) => text.includes(holds))?.kind ??
  (language === "sh" ? "shell" : undefined);

const shellBlocks = () => blocksOf(PAGE).filter((block) => kindOf(block) === "shell");

test("the README has no block that these tests leave out", () => {
  expect(blocksOf(PAGE).filter((block) => kindOf(block) === undefined)).toEqual([]);
  for (const { holds } of KINDS) expect(blockWith(PAGE, holds)).toContain(holds);
});

/** Files that `npm ci` reads before it installs anything. */
const MANIFESTS = ["package.json", "package-lock.json", "test/foreign/package.json"];

test("npm ci, the first line, finds the lock file complete", async () => {
  for (const name of MANIFESTS) cpSync(`${ROOT}${name}`, place.file("locked", name));
  const words = [
    "npm",
    "ci",
    "--dry-run",
    "--offline",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
  ];
  const env = managerEnvironment(place);
  const { code, stderr } = await place.spawn(words, { folder: "locked", env }).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

// Otherwise npm asks a newcomer to review them. These packages work without their scripts.
test("npm ci has no script of a package to ask about", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const { allowScripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const asking = Object.entries(packages as Record<string, { hasInstallScript?: true }>)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([folder]) => folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length));
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(asking)].sort());
});

/** Texts that a run of every line of shell prints, in any order. */
const PRINTED = ["e2e 200"];

describe("in a project of npm", () => {
  beforeAll(() => copyInstalled(place, PROJECT));

  testProject(() => ({ place, folder: "npm", npx: "program" }), {
    lines: [firstMinute(), ...shellBlocks().map(({ text }) => text)],
    prints: PRINTED,
    libraries: ["library.mjs", "library.ts"],
  });
});

test("five typed lines lead from a checkout to the first accepted webhook", async () => {
  const lines = firstMinute().trim().split("\n");
  expect(lines).toHaveLength(5);
  // The folder of the package stands for a checkout after `npm ci`, which CI itself runs.
  mkdirSync(place.file("checkout"));
  const unpack = ["tar", "-xzf", TARBALL, "--strip-components", "1"];
  expect(await place.spawn(unpack, { folder: "checkout" }).ended).toMatchObject({ code: 0 });
  await expectFirstMinute({ place, folder: "checkout", npx: "npm" }, lines);
});

// pnpm links packages in its own way, which is the same for each command: the lines that start a
// simulator stand for the others.
describe("in a project of pnpm", () => {
  beforeAll(() => installWith(place, "pnpm", { name: "shop", private: true, ...PROJECT }));

  testProject(() => ({ place, folder: "pnpm", npx: "npm" }), {
    lines: [firstMinute()],
    prints: [],
    libraries: ["library.mjs"],
  });

  test("the test runs with its configuration, and prints what the page shows", async () => {
    const link = place.file("pnpm", "node_modules", "vitest");
    symlinkSync(dirname(ours("vitest", "package.json")), link);
    const write = (name: string, text: string) => writeFileSync(place.file("pnpm", name), text);
    write("vitest.config.ts", blockWith(PAGE, "// vitest.config.ts"));
    const shown = blockWith(PAGE, 'from "service-sim/vitest"');
    expect(shown.trim().split("\n")).toHaveLength(8);
    write("payout.test.ts", shown);
    const command = [process.execPath, "node_modules/vitest/vitest.mjs", "run"];
    const { code, stdout, stderr } = await place.spawn(command, { folder: "pnpm" }).ended;
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
    const withoutTimes = (text: string) => text.replace(/\d+ms/g, "…");
    for (const line of blockWith(PAGE, "$ npx vitest run").split("\n").slice(1).filter(Boolean))
      expect(withoutTimes(stdout)).toContain(withoutTimes(line));
  });
});
