import { cpSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Workplace } from "../setup/cli.ts";
import { copyInstalled } from "../setup/installed.ts";
import { managerEnvironment } from "../setup/packed.ts";
import { type Block, blocksOf, blockWith } from "./setup/doc-blocks.ts";
import { PAGE, PROJECT, testProject } from "./setup/readme-project.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

let place: Workplace;

beforeAll(() => {
  place = new Workplace();
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

// `readme-elsewhere.apart.test.ts` has a checkout, and a project of pnpm.
describe("in a project of npm", () => {
  beforeAll(() => copyInstalled(place, PROJECT));

  testProject(() => ({ place, folder: "npm", npx: "program" }), {
    lines: shellBlocks().map(({ text }) => text),
    prints: PRINTED,
    libraries: ["library.mjs", "library.ts"],
  });
});
