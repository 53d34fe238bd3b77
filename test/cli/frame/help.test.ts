import { readdirSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Workplace } from "../../setup/cli.ts";
import { placePerTest } from "../setup/place-per-test.ts";

const place = placePerTest();

/** Folder for the helps that are read while tests are collected. */
const helps = new Workplace();
afterAll(() => helps.close());

const helpOf = async (words = "") => {
  const { code, stdout, stderr } = await helps.run(`${words} --help`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
};

const commandsOf = (help: string) =>
  help.slice(help.indexOf("\nCommands:\n")).split("\nExamples:\n")[0] ?? "";

/** Names in front of the summaries of a help, each with whether it is a group. */
const namesIn = (help: string) =>
  [...commandsOf(help).matchAll(/^ {2}([a-z]+) (\[options\])?/gm)].map(([, name, options]) => ({
    name: `${name}`,
    isGroup: options === undefined,
  }));

const examplesIn = (help: string) =>
  help
    .slice(help.indexOf("\nExamples:\n") + "\nExamples:\n".length)
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

const TOP = await helpOf();
const TOP_NAMES = namesIn(TOP);
const GROUPS = await Promise.all(
  TOP_NAMES.filter(({ isGroup }) => isGroup).map(async ({ name }) => {
    const help = await helpOf(name);
    return { name, help, below: namesIn(help).map((one) => one.name) };
  }),
);

/** Words of every command that can be run, including those of groups. */
const COMMANDS = [
  ...TOP_NAMES.filter(({ isGroup }) => !isGroup).map(({ name }) => name),
  ...GROUPS.flatMap(({ name, below }) => below.map((word) => `${name} ${word}`)),
];

const HELPS = await Promise.all(
  COMMANDS.map(async (words) => ({ words, examples: examplesIn(await helpOf(words)) })),
);

/** The commands by their files, groups as folders. */
const commandFiles = () => {
  const files = readdirSync("src/cli/commands", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => name.replace(/\.ts$/, "").replace(/[\\/]/, " "));
  return files.filter((name) => !files.some((other) => other.startsWith(`${name} `)));
};

test("the help lists every command, also when nothing was asked for", async () => {
  for (const words of ["--help", "-h", ""]) {
    const { code, stdout, stderr } = await place().run(words);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: TOP, stderr: "" });
  }
  expect(GROUPS.map(({ name }) => name)).toEqual([
    "webhooks",
    "approvals",
    "policy",
    "faults",
    "oidc",
    "keys",
    "passkey",
  ]);
  expect(COMMANDS).toContain("webhooks wait");
  expect([...COMMANDS].sort()).toEqual(commandFiles().sort());
});

test.each(GROUPS)("the word $name alone prints its help, with every example", async (group) => {
  const { name, help } = group;
  for (const words of [name, `${name} -h`]) {
    const { code, stdout, stderr } = await place().run(words);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: help, stderr: "" });
  }
  const below = HELPS.filter(({ words }) => words.startsWith(`${name} `));
  expect(examplesIn(help)).toEqual(below.flatMap(({ examples }) => examples));
});

test("--version prints the version alone", async () => {
  expect(await place().run("--version")).toMatchObject({ code: 0, stdout: "0.1.0\n", stderr: "" });
});

test.each(HELPS)("$words --help shows an example", ({ words, examples }) => {
  expect(examples.length).toBeGreaterThan(0);
  for (const line of examples) expect(line).toMatch(new RegExp(`\\bservice-sim ${words}\\b`));
});

/** Values of the variables in examples. */
const VARIABLES = { BUNDLE: "a bundle", ENVELOPE: "an envelope" };

/** Prepares the folder for the examples: a simulator at nine, a project with tests, a key. */
const prepare = async (at: Workplace) => {
  const { ready } = await at.start("--now 2026-01-05T09:00:00Z");
  await at.run("keys create --out client.json");
  const scripts = { test: "exit 0" };
  writeFileSync(at.file("package.json"), JSON.stringify({ name: "shop", scripts }));
  writeFileSync(at.file("got.json"), "{}");
  writeFileSync(at.file("e2e.sh"), "#!/bin/sh\n", { mode: 0o755 });
  return ready.port;
};

/** Commands that run until they are told to stop. */
const RUNNING = ["webhooks listen", "webhooks receive"];

const isStart = ({ words }: { words: string }) => words === "start";
const isRunning = ({ words }: { words: string }) => RUNNING.includes(words);

describe("an example of start works as printed", () => {
  test.each(HELPS.filter(isStart).flatMap(({ examples }) => examples))("%s", async (line) => {
    const words = line.replace(/^service-sim /, "");
    const started = place().command(words, { env: { SERVICE_SIM_PORT: "0" } });
    expect(await started.firstLine()).toBeDefined();
    expect(await started.kill()).toMatchObject({ code: 0 });
  });
});

describe("an example of what runs on works as printed", () => {
  test.each(HELPS.filter(isRunning).flatMap(({ examples }) => examples))("%s", async (line) => {
    await prepare(place());
    const words = line.replace(/^service-sim /, "").replace("--port 3000", "--port 0");
    const started = place().command(words);
    expect(await started.firstLine()).toBeDefined();
    expect(await started.kill()).toMatchObject({ code: 0 });
  });
});

const OTHERS = HELPS.filter((one) => !isStart(one) && !isRunning(one));

describe.each(OTHERS)("an example of $words", ({ examples }) => {
  let shared: Workplace;
  let port: number;

  beforeAll(async () => {
    shared = new Workplace();
    port = await prepare(shared);
  });

  afterAll(() => shared.close());

  test.each(examples)("is understood as printed: %s", async (line) => {
    const { code, stderr } = await shared.shell(line.replace(":4747", `:${port}`), {
      env: VARIABLES,
    });
    // Commands that draw report the missing terminal, which proves that their words were
    // understood.
    if (!stderr.startsWith("error  no screen ")) expect(code, stderr).not.toBe(2);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });
});
