import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ended, Workplace } from "../setup/cli.ts";
import { installWith, managerEnvironment, ours, pack, TARBALL } from "../setup/packed.ts";
import { type Block, blocksOf, blockWith } from "./setup/doc-blocks.ts";
import { freePort, prelude, TEST_PROGRAM } from "./setup/page-script.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const PAGE = "README.md";

let place: Workplace;

beforeAll(async () => {
  place = new Workplace();
  await pack(place);
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

/** Runs lines as they are printed: `npx` is npm's. Stops the simulator whatever came of them. */
const type = async (folder: string, lines: readonly string[]): Promise<Ended> => {
  const port = await freePort();
  const env = terminal(port);
  const script = [prelude("command npx"), ...lines].join("\n").replaceAll("3000", String(port));
  writeFileSync(place.file(folder, "script.sh"), script);
  const ended = await place.spawn(["bash", "-euo", "pipefail", "script.sh"], { folder, env }).ended;
  await place.spawn(["npx", "service-sim", "stop"], { folder, env }).ended;
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

describe.each(["npm", "pnpm"] as const)("in a project of %s", (manager) => {
  beforeAll(async () => {
    const scripts = { test: "node test.mjs" };
    await installWith(place, manager, { name: "shop", private: true, type: "module", scripts });
    writeFileSync(place.file(manager, "test.mjs"), TEST_PROGRAM);
  });

  const node = (...args: string[]) =>
    place.spawn([process.execPath, ...args], { folder: manager }).ended;

  test("every line of shell runs as printed", async () => {
    const { code, stdout, stderr } = await type(manager, [
      ...shellBlocks().map(({ text }) => text),
      "npx service-sim webhooks list",
    ]);
    expect({ code, stderr: withoutCoverage(stderr) }, stdout).toEqual({
      code: 0,
      stderr: DETACHED,
    });
    expect(stdout).toMatch(TRIGGERED);
    expect(stdout).toMatch(LISTED);
    for (const text of ['"fullName":"Ada Byron"', "/customers", "003", "+6m", "e2e 200"])
      expect(stdout).toContain(text);
  });

  test("the demo prints what the README shows", async () => {
    const [command = "", ...shown] = blockWith(PAGE, "$ npx service-sim demo").split("\n");
    const words = command.replace("$ ", "").split(" ");
    const ended = await place.spawn(words, { folder: manager, env: terminal(0) }).ended;
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(withoutChance(ended.stdout)).toBe(withoutChance(shown.join("\n")));
  });

  test.each(["library.mjs", "library.ts"])("the library runs in %s", async (name) => {
    const block = blockWith(PAGE, "const reply = await sim.fetch");
    writeFileSync(place.file(manager, name), `${block}console.log(reply.status);\n`);
    const loader = name.endsWith(".ts") ? [ours("tsx", "dist", "cli.mjs")] : [];
    expect(await node(...loader, name)).toMatchObject({ code: 0, stdout: "200\n", stderr: "" });
  });

  test("the set-up for vitest has one simulator for the run", async () => {
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
