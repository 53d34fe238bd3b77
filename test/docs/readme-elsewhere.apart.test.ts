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
  FIRST_MINUTE,
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

type Kind = "done" | "output" | "library" | "vitest" | "shell";

/** Blocks that are not lines of shell to run, by a text they hold. */
const KINDS: readonly { holds: string; kind: Kind }[] = [
  // The installation of these tests does what they say.
  { holds: "npm ci && npx service-sim start", kind: "done" },
  { holds: "npm install --save-dev ../service-sim", kind: "done" },
  { holds: "$ npx service-sim demo", kind: "output" },
  { holds: "const reply = await sim.fetch", kind: "library" },
  { holds: "// vitest.config.ts", kind: "vitest" },
  { holds: "// simulator.ts", kind: "vitest" },
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
const PRINTED = ['"fullName":"Ada Byron"', "/customers", "003", "+6m", "e2e 200"];

describe("in a project of npm", () => {
  beforeAll(() => copyInstalled(place, PROJECT));

  testProject(() => ({ place, folder: "npm", npx: "program" }), {
    lines: shellBlocks().map(({ text }) => text),
    prints: PRINTED,
    libraries: ["library.mjs", "library.ts"],
  });
});

test("five typed lines lead from a checkout to the first accepted webhook", async () => {
  const lines = blockWith(PAGE, FIRST_MINUTE).trim().split("\n");
  expect(lines).toHaveLength(5);
  // The folder of the package stands for a checkout after `npm ci`, which CI itself runs.
  mkdirSync(place.file("checkout"));
  const unpack = ["tar", "-xzf", TARBALL, "--strip-components", "1"];
  expect(await place.spawn(unpack, { folder: "checkout" }).ended).toMatchObject({ code: 0 });
  await expectFirstMinute({ place, folder: "checkout", npx: "npm" }, lines);
});

const VITEST = `
import { expect, test } from "vitest";
test("the simulator of the run answers", async () => {
  const { SERVICE_SIM_API_URL, SERVICE_SIM_AUTH } = process.env;
  const headers = { authorization: SERVICE_SIM_AUTH ?? "" };
  expect((await fetch(SERVICE_SIM_API_URL + "/config", { headers })).status).toBe(200);
});
`;

// pnpm links packages in its own way, which is the same for each command: the lines that start a
// simulator stand for the others.
describe("in a project of pnpm", () => {
  beforeAll(() => installWith(place, "pnpm", { name: "shop", private: true, ...PROJECT }));

  testProject(() => ({ place, folder: "pnpm", npx: "npm" }), {
    lines: [blockWith(PAGE, FIRST_MINUTE)],
    prints: [],
    libraries: ["library.mjs"],
  });

  // test/library/vitest-suite.system.test.ts has vitest in a project of npm.
  test("the set-up for vitest has one simulator", async () => {
    const link = place.file("pnpm", "node_modules", "vitest");
    symlinkSync(dirname(ours("vitest", "package.json")), link);
    for (const name of ["vitest.config.ts", "simulator.ts"])
      writeFileSync(place.file("pnpm", name), blockWith(PAGE, `// ${name}`));
    writeFileSync(place.file("pnpm", "shop.test.ts"), VITEST);
    const command = [process.execPath, "node_modules/vitest/vitest.mjs", "run"];
    const { code, stdout, stderr } = await place.spawn(command, { folder: "pnpm" }).ended;
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/1 passed/);
  });
});
