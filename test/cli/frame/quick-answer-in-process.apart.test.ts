import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { HELP_TABLE_FILE, quickAnswer } from "../../../src/cli/frame/quick-answer.ts";
import { helpTable } from "../../../src/cli/help-table.ts";
import { runInProcess } from "../setup/in-process.ts";
import { onTerminal } from "../setup/styles.ts";

const folder = mkdtempSync(join(tmpdir(), "service-sim-help-"));
const table = await helpTable();
writeFileSync(join(folder, HELP_TABLE_FILE), JSON.stringify(table));

afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

/** Standard output of this process as a terminal of some columns, or as a pipe. */
const standardOutputOf = (columns: number | undefined) => ({
  isTTY: columns !== undefined,
  columns: columns ?? 0,
});

const printedOn = (columns: number | undefined, args: readonly string[]) =>
  columns === undefined ? runInProcess(args) : onTerminal(columns, () => runInProcess(args));

const names = Object.keys(table.texts);

test("all help is in the table", () => {
  expect(names).toEqual(expect.arrayContaining(["", "start", "webhooks", "webhooks list"]));
  expect(names.length).toBeGreaterThan(90);
});

test.each([
  { on: "a pipe", columns: undefined },
  { on: "60 columns", columns: 60 },
  { on: "80 columns", columns: 80 },
  { on: "100 columns", columns: 100 },
  { on: "200 columns", columns: 200 },
  { on: "a terminal without columns", columns: 0 },
])("every help is printed quickly as the commands print it, on $on", async ({ columns }) => {
  for (const name of names) {
    const args = [...name.split(" ").filter(Boolean), "--help"];
    const quick = quickAnswer(args, folder, () => standardOutputOf(columns));
    expect({ code: 0, stdout: quick, stderr: "" }, name).toEqual(await printedOn(columns, args));
  }
});

test.each([
  { args: [] },
  { args: ["-h"] },
  { args: ["help"] },
  { args: ["help", "timers"] },
  { args: ["help", "webhooks", "list"] },
  { args: ["webhooks", "list", "-h"] },
  { args: ["--version"] },
  { args: ["-v"] },
  { args: ["-V"] },
  { args: ["version"] },
])("$args is answered quickly, as the commands answer it", async ({ args }) => {
  const quick = quickAnswer(args, folder, () => standardOutputOf(undefined));
  expect({ code: 0, stdout: quick, stderr: "" }).toEqual(await runInProcess(args));
});

test.each([
  { args: ["status"] },
  { args: ["help", "help"] },
  { args: ["help", "statsu"] },
  { args: ["--json", "--help"] },
  { args: ["--json", "version"] },
  { args: ["exec", "--", "curl", "--help"] },
  { args: ["start", "--port", "--help"] },
  { args: ["toString", "--help"] },
])("$args is left to the commands", ({ args }) => {
  expect(quickAnswer(args, folder)).toBeUndefined();
});

test("a switch that is on by a variable is named in the help, so the commands print it", async () => {
  vi.stubEnv("SERVICE_SIM_FSYNC", "1");
  expect((await runInProcess(["start", "--help"])).stdout).toContain("SERVICE_SIM_FSYNC");
  expect(quickAnswer(["start", "--help"], folder)).toBeUndefined();
});

test("without a table the commands print the help", () => {
  expect(quickAnswer(["--help"], join(folder, "none"))).toBeUndefined();
});
