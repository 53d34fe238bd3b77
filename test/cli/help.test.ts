import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SERVICE_SIM, Workplace } from "../setup/cli.ts";
import { placePerTest } from "./place-per-test.ts";

const place = placePerTest();

const helpOf = (...command: string[]) =>
  execFileSync(process.execPath, [SERVICE_SIM, ...command, "--help"], { encoding: "utf8" });

/** Names in front of the summaries, which go on further to the right. */
const COMMANDS = [...helpOf().matchAll(/^ {2}([a-z]+) \[options\]/gm)].map(([, name]) => `${name}`);

const examplesIn = (help: string) =>
  help
    .slice(help.indexOf("\nExamples:\n") + "\nExamples:\n".length)
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

test("the help lists every command, also when nothing was asked for", async () => {
  for (const words of ["--help", "-h", ""]) {
    const { code, stdout, stderr } = await place().run(words);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: helpOf(), stderr: "" });
  }
  expect(COMMANDS).toEqual(
    expect.arrayContaining([
      "start",
      "stop",
      "status",
      "wait",
      "exec",
      "env",
      "advance",
      "clock",
      "timers",
      "outcomes",
      "openapi",
      "demo",
    ]),
  );
});

test("--version prints the version alone", async () => {
  expect(await place().run("--version")).toMatchObject({ code: 0, stdout: "0.1.0\n", stderr: "" });
});

/** Makes the folder what the examples expect: a simulator at nine, a project with tests. */
const prepare = async (at: Workplace) => {
  const { ready } = await at.start("--now 2026-01-05T09:00:00Z");
  const scripts = { test: "exit 0" };
  writeFileSync(at.file("package.json"), JSON.stringify({ name: "shop", scripts }));
  writeFileSync(at.file("e2e.sh"), "#!/bin/sh\n", { mode: 0o755 });
  return ready.port;
};

describe.each(COMMANDS)("%s --help", (name) => {
  const examples = examplesIn(helpOf(name));

  test("shows an example", () => {
    expect(examples.length).toBeGreaterThan(0);
    for (const line of examples) expect(line).toContain(`service-sim ${name}`);
  });
});

describe("an example of start works as printed", () => {
  test.each(examplesIn(helpOf("start")))("%s", async (line) => {
    const words = line.replace(/^service-sim /, "");
    const started = place().command(words, { env: { SERVICE_SIM_PORT: "0" } });
    expect(await started.firstLine()).toBeDefined();
    expect(await started.kill()).toMatchObject({ code: 0 });
  });
});

describe.each(COMMANDS.filter((name) => name !== "start"))("an example of %s", (name) => {
  let shared: Workplace;
  let port: number;

  beforeAll(async () => {
    shared = new Workplace();
    port = await prepare(shared);
  });

  afterAll(() => shared.close());

  test.each(examplesIn(helpOf(name)))("is understood as printed: %s", async (line) => {
    const { code, stderr } = await shared.shell(line.replace(":4747", `:${port}`));
    expect(code, stderr).not.toBe(2);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });
});
