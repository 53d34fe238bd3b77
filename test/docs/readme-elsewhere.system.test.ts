import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ended, Workplace } from "../setup/cli.ts";
import { copyInstalled, copyPacked } from "../setup/installed.ts";
import { installWith, managerEnvironment, ours, TARBALL } from "../setup/packed.ts";
import { type Block, blocksOf, blockWith } from "./setup/doc-blocks.ts";
import { freePort, prelude, TEST_PROGRAM } from "./setup/page-script.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const PAGE = "README.md";

let place: Workplace;

beforeAll(async () => {
  place = new Workplace();
  await copyPacked(place);
});

afterAll(() => place.close());

const FIRST_MINUTE = "service-sim webhooks trigger";

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

/** The environment of a person's terminal, with ports that nobody else has. */
const terminal = (port: number) => ({
  ...managerEnvironment(place),
  SERVICE_SIM_PORT: "0",
  RECEIVER_PORT: String(port),
});

/** What `npx` is in a run of lines: npm's own, or the program that it looks up. */
const NPX = {
  npm: "command npx",
  program: "from_project",
};

const FROM_PROJECT = 'from_project() { local name="$1"; shift; "node_modules/.bin/$name" "$@"; }';

/** Runs lines as they are printed. Stops the simulator whatever came of them. */
const type = async (
  folder: string,
  lines: readonly string[],
  npx: keyof typeof NPX = "npm",
): Promise<Ended> => {
  const port = await freePort();
  const env = terminal(port);
  const script = [FROM_PROJECT, prelude(NPX[npx]), ...lines]
    .join("\n")
    .replaceAll("3000", String(port));
  writeFileSync(place.file(folder, "script.sh"), script);
  const ended = await place.spawn(["bash", "-euo", "pipefail", "script.sh"], { folder, env }).ended;
  await place.run("stop", { folder, env });
  return ended;
};

/** The line of `exec` about coverage goes to stderr too. */
const withoutCoverage = (stderr: string) =>
  stderr.replace(/^note {3}coverage[\s\S]*?approvals \d+\/\d+\n/m, "");

const DETACHED = "note   logs: .service-sim/service-sim.log; stop it with npx service-sim stop\n";
const TRIGGERED = /OUTGOING_PAYMENT\.COMPLETED +✓ 200, verified/;
const LISTED = /^\S+ +Webhook:\S+ +OUTGOING_PAYMENT\.COMPLETED +✓ 200/m;

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

test("five typed lines lead from a checkout to the first accepted webhook", async () => {
  const lines = blockWith(PAGE, FIRST_MINUTE).trim().split("\n");
  expect(lines).toHaveLength(5);
  // The folder of the package stands for a checkout after `npm ci`, which CI itself runs.
  mkdirSync(place.file("checkout"));
  const unpack = ["tar", "-xzf", TARBALL, "--strip-components", "1"];
  expect(await place.spawn(unpack, { folder: "checkout" }).ended).toMatchObject({ code: 0 });
  const listing = "npx service-sim webhooks list";
  const { code, stdout, stderr } = await type("checkout", [...lines, listing]);
  expect({ code, stderr: withoutCoverage(stderr) }, stdout).toEqual({ code: 0, stderr: DETACHED });
  expect(stdout).toMatch(LISTED);
  expect(stdout).toMatch(TRIGGERED);
});

/** The ports and durations of a printed demo, which each run has for itself. */
const withoutChance = (text: string) =>
  text.replace(/127\.0\.0\.1:\d+/, "127.0.0.1:0").replace(/in \d+ ms/, "in 0 ms");

const VITEST = `
import { expect, test } from "vitest";
test("the simulator of the run answers", async () => {
  const { SERVICE_SIM_API_URL, SERVICE_SIM_AUTH } = process.env;
  const headers = { authorization: SERVICE_SIM_AUTH ?? "" };
  expect((await fetch(SERVICE_SIM_API_URL + "/config", { headers })).status).toBe(200);
});
`;

const PROJECT = { type: "module", scripts: { test: "node test.mjs" } };

/** Texts that a run of every line of shell prints, in any order. */
const PRINTED = ['"fullName":"Ada Byron"', "/customers", "003", "+6m", "e2e 200"];

/**
 * Runs by package manager. pnpm links packages in its own way, which is the same for each command:
 * the lines that start a simulator stand for the others there.
 */
const RUNS = [
  {
    manager: "npm",
    install: () => copyInstalled(place, PROJECT),
    lines: () => shellBlocks().map(({ text }) => text),
    npx: "program",
    prints: PRINTED,
    libraries: ["library.mjs", "library.ts"],
  },
  {
    manager: "pnpm",
    install: () => installWith(place, "pnpm", { name: "shop", private: true, ...PROJECT }),
    lines: () => [blockWith(PAGE, FIRST_MINUTE)],
    npx: "npm",
    prints: [],
    libraries: ["library.mjs"],
  },
] as const;

describe.each(RUNS)("in a project of $manager", (row) => {
  const { manager, install, lines, npx, prints, libraries } = row;

  beforeAll(async () => {
    await install();
    writeFileSync(place.file(manager, "test.mjs"), TEST_PROGRAM);
  });

  const node = (...args: string[]) =>
    place.spawn([process.execPath, ...args], { folder: manager }).ended;

  test("the lines of shell run as printed", async () => {
    const typed = [...lines(), "npx service-sim webhooks list"];
    const { code, stdout, stderr } = await type(manager, typed, npx);
    expect({ code, stderr: withoutCoverage(stderr) }, stdout).toEqual({
      code: 0,
      stderr: DETACHED,
    });
    expect(stdout).toMatch(TRIGGERED);
    expect(stdout).toMatch(LISTED);
    for (const text of prints) expect(stdout).toContain(text);
  });

  test("the demo prints what the README shows", async () => {
    const [command = "", ...shown] = blockWith(PAGE, "$ npx service-sim demo").split("\n");
    const words = command.replace("$ ", "").split(" ");
    const ended = await place.spawn(words, { folder: manager, env: terminal(0) }).ended;
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(withoutChance(ended.stdout)).toBe(withoutChance(shown.join("\n")));
  });

  test.each(libraries)("the library runs in %s", async (name) => {
    const block = blockWith(PAGE, "const reply = await sim.fetch");
    writeFileSync(place.file(manager, name), `${block}console.log(reply.status);\n`);
    const loader = name.endsWith(".ts") ? [ours("tsx", "dist", "cli.mjs")] : [];
    expect(await node(...loader, name)).toMatchObject({ code: 0, stdout: "200\n", stderr: "" });
  });

  // test/library/vitest-suite.system.test.ts has vitest in a project of npm.
  test.runIf(manager === "pnpm")("the set-up for vitest has one simulator", async () => {
    const link = place.file(manager, "node_modules", "vitest");
    symlinkSync(dirname(ours("vitest", "package.json")), link);
    for (const name of ["vitest.config.ts", "simulator.ts"])
      writeFileSync(place.file(manager, name), blockWith(PAGE, `// ${name}`));
    writeFileSync(place.file(manager, "shop.test.ts"), VITEST);
    const { code, stdout, stderr } = await node("node_modules/vitest/vitest.mjs", "run");
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/1 passed/);
  });
});
