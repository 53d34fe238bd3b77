import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  scripts: Record<string, string>;
};

/** A campaign as its script runs it, with words behind it. */
const campaign = async (script: string, ...words: string[]) => {
  const [program = "", ...rest] = (scripts[script] ?? "").split(" ");
  const asked = run(program, [...rest, ...words]);
  return asked.then(
    ({ stdout }) => ({ code: 0, stdout, stderr: "" }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
};

test("npm run load tells its options", async () => {
  const { code, stdout, stderr } = await campaign("load", "--help");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("Usage: npm run load -- [options]");
  expect(stdout).toContain("  npm run load -- --seconds 10\n");
});

test.concurrent.each([
  { script: "simulate", words: ["--runs", "many"], wanted: "a whole number above 0" },
  { script: "crash", words: ["--only", "x"], wanted: "kills, faults, bits" },
  { script: "fuzz", words: ["--form", "x"], wanted: "plain" },
  { script: "load", words: ["--secs", "3"], wanted: "unknown option '--secs'" },
])("npm run $script -- $words is refused", async ({ script, words, wanted }) => {
  const { code, stdout, stderr } = await campaign(script, ...words);
  expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^error {2}/);
  expect(stderr).toContain(wanted);
  expect(stderr).toContain(`next   npm run ${script} -- --help`);
});
