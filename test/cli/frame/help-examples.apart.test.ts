import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rootCertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plainEnvironment, SERVICE_SIM } from "../../setup/cli.ts";
import { readHelps } from "../setup/helps.ts";
import { startInProcess } from "../setup/in-process.ts";
import { benchPerTest } from "../setup/place-per-test.ts";
import { Workbench } from "../setup/workbench.ts";

const place = benchPerTest();

const { top, groups, commands } = await readHelps();

test.each([
  { words: "", help: top },
  { words: "--help", help: top },
  { words: "webhooks", help: groups.find(({ name }) => name === "webhooks")?.help },
])("the installed program prints the same help: $words", async ({ words, help }) => {
  const { code, stdout, stderr } = await place().command(words).ended;
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: help, stderr: "" });
});

test("the installed program prints its version", async () => {
  expect(await place().command("--version").ended).toMatchObject({
    code: 0,
    stdout: "0.1.0\n",
    stderr: "",
  });
});

/** Values of the variables in examples; keys are where the tests put them. */
const VARIABLES: Record<string, string> = {
  BUNDLE: "a bundle",
  ENVELOPE: "an envelope",
  KEYS: ".",
};

/** A call of another service, as a browser keeps it. */
const CONFIG_READ = {
  request: { method: "GET", url: "https://sandbox.example.test/2025-10-13/config" },
  response: { status: 401, content: { text: '{"status":401,"code":"UNAUTHORIZED"}' } },
};

const CERTIFICATE = rootCertificates[0] ?? "";

/** Makes the folder what the examples expect: a simulator at nine, a project with tests, a key. */
const prepare = async (at: Workbench) => {
  const { ready } = await at.startProcess("--now 2026-01-05T09:00:00Z");
  for (const name of ["client", "session"]) await at.run(`keys create --out ${name}.json`);
  const scripts = { test: "exit 0" };
  writeFileSync(at.file("package.json"), JSON.stringify({ name: "shop", scripts }));
  writeFileSync(at.file("got.json"), "{}");
  writeFileSync(at.file("receiver.pem"), CERTIFICATE);
  writeFileSync(at.file("openapi.json"), (await at.run("openapi")).stdout);
  writeFileSync(at.file("session.har"), JSON.stringify({ log: { entries: [CONFIG_READ] } }));
  writeFileSync(at.file("e2e.sh"), "#!/bin/sh\n", { mode: 0o755 });
  return ready.port;
};

/** They run until they are told to stop, but not longer than a command of theirs. */
const RUNNING = ["capture", "record", "webhooks listen", "webhooks receive"];

const isStart = ({ words }: { words: string }) => words === "start";
const runsOn = ({ words, line }: { words: string; line: string }) =>
  RUNNING.includes(words) && !line.includes(" -- ");

const EXAMPLES = commands.flatMap(({ words, examples }) =>
  examples.map((line) => ({ words, line })),
);

const wordsOf = (line: string) =>
  [...line.replace(/^service-sim /, "").matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replace(/['"]/g, "").replace(/\$(\w+)/g, (_, name) => VARIABLES[name] ?? ""),
  );

const endsAfterFirstLine = async (line: string, folder = ".") => {
  mkdirSync(place().file(folder), { recursive: true });
  const env = { ...plainEnvironment(), SERVICE_SIM_PORT: "0" };
  const started = await startInProcess(wordsOf(line), { folder: place().file(folder), env });
  expect(started.firstLine, line).toBeDefined();
  expect(await started.stop(), line).toMatchObject({ code: 0 });
};

test("each example of start works as printed", async () => {
  for (const [at, { line }] of EXAMPLES.filter(isStart).entries())
    await endsAfterFirstLine(line, `start-${at}`);
});

test("each example of what runs on works as printed", async () => {
  await place().start("--now 2026-01-05T09:00:00Z");
  writeFileSync(place().file("receiver.pem"), CERTIFICATE);
  for (const { line } of EXAMPLES.filter(runsOn))
    await endsAfterFirstLine(line.replace("--port 3000", "--port 0"));
});

/** A whole sweep, which the guide to real clients runs too. */
const isSweep = ({ line }: { line: string }) => line.includes("--sweep");

const OTHERS = EXAMPLES.filter((one) => !isStart(one) && !runsOn(one) && !isSweep(one));

/** The simulator of the others is not there behind it. */
const isStop = ({ words }: { words: string }) => words === "stop";

const LINES = [...OTHERS.filter((one) => !isStop(one)), ...OTHERS.filter(isStop)];

/** Fewer records and a shorter wait than in the line: what it prints is the same. */
const fewer = (line: string) =>
  line
    .replace("customers=500,quotes=2000", "customers=5,quotes=20")
    .replace("--timeout 1s", "--timeout 20ms");

/** A line that only a shell understands; `npm` is run by a shell too. */
const NEEDS_SHELL = /\$\(|[|<&;]| npm | -- /;

test("no example writes a key into the folder in which it is typed", () => {
  const keyFiles = commands
    .flatMap(({ examples }) => examples)
    .join("\n")
    .match(/\S+\.json"?/g);
  const bare = (keyFiles ?? []).filter((one) => /^"?(client|session)\.json/.test(one));
  expect(bare).toEqual([]);
});

describe("an example of what ends is understood as printed", () => {
  let shared: Workbench;
  let port: number;

  beforeAll(async () => {
    shared = new Workbench();
    port = await prepare(shared);
  });

  afterAll(() => shared.close());

  const runHere = async (line: string) => {
    const [command = "", file] = line.split(" > ");
    const ended = await shared.run(wordsOf(command), { env: VARIABLES });
    if (file !== undefined) writeFileSync(shared.file(file), ended.stdout);
    return ended;
  };

  const problemOf = async (printed: string) => {
    const line = fewer(printed.replace(":4747", `:${port}`));
    const { code, stderr } = NEEDS_SHELL.test(line)
      ? await shared.shell(line, { env: VARIABLES })
      : await runHere(line);
    // What draws says that it has no terminal here: its words were understood.
    const isRefused = code === 2 && !stderr.startsWith("error  no screen ");
    return isRefused || /^ {4}at /m.test(stderr) ? [`${line}: ${code} ${stderr}`] : [];
  };

  test("each of them", async () => {
    const problems: string[] = [];
    for (const { line } of LINES) problems.push(...(await problemOf(line)));
    expect(problems).toEqual([]);
    expect(LINES.length).toBeGreaterThan(150);
  });
});

test("every part of the installed program can be loaded", async () => {
  const chunks = join(dirname(dirname(SERVICE_SIM)), "dist", "chunks");
  const files = readdirSync(chunks).filter((name) => name.endsWith(".cjs"));
  expect(files.length).toBeGreaterThan(50);
  const script = `for (const file of process.argv.slice(1)) require(file); process.exit(0);`;
  const paths = files.map((name) => join(chunks, name));
  const { code, stderr } = await place().spawn([process.execPath, "-e", script, ...paths]).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});
