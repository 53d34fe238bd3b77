import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";

interface Row {
  script: string;
  words: readonly string[];
}

const HELPS = [
  { script: "bench", words: ["--help"], wanted: "  npm run bench -- --short\n" },
  { script: "crash", words: ["--help"], wanted: "  npm run crash -- --only bits\n" },
  { script: "entry", words: ["--help"], wanted: "  npm run entry -- --seed 7\n" },
  { script: "fuzz", words: ["--help"], wanted: "  npm run fuzz -- --requests 20000\n" },
  { script: "fuzz:patterns", words: ["--help"], wanted: "-h, --help" },
  { script: "load", words: ["--help"], wanted: "  npm run load -- --seconds 10\n" },
  { script: "simulate", words: ["--help"], wanted: "-- --mutants --bug lane\n" },
];

const REFUSED = [
  { script: "bench", words: ["--shrt"], wanted: "unknown option '--shrt'" },
  { script: "crash", words: ["--only", "x"], wanted: "kills, faults, bits" },
  { script: "entry", words: ["--seed", "x"], wanted: "a whole number" },
  { script: "fuzz", words: ["--form", "x"], wanted: "plain" },
  { script: "fuzz:patterns", words: ["--x"], wanted: "unknown option '--x'" },
  { script: "load", words: ["--secs", "3"], wanted: "unknown option '--secs'" },
  { script: "load", words: ["--only", "x"], wanted: 'no stage has "x" in its name; stages: 200 ' },
  { script: "simulate", words: ["--runs", "many"], wanted: "a whole number above 0" },
  { script: "simulate", words: ["--seed", "3", "--without", "0,x"], wanted: 'but found "0,x"' },
  { script: "simulate", words: ["--without", "3"], wanted: "--without needs --seed or --step" },
  { script: "simulate", words: ["--bug", "x"], wanted: "--bug needs --mutants" },
  {
    script: "simulate",
    words: ["--mutants", "--bug", "zzzz"],
    wanted: 'no planted bug has "zzzz" in its name',
  },
];

const lineOf = ({ script, words }: Row) => [script, ...words];

const ran = new Map<string, { code: number; stdout: string; stderr: string }>();

const runOf = (row: Row) => ran.get(lineOf(row).join(" "));

beforeAll(async () => {
  const lines = [...HELPS, ...REFUSED].map(lineOf);
  const words = ["--import", "tsx", "test/setup/option-runs.ts", JSON.stringify(lines)];
  const { stdout } = await promisify(execFile)(process.execPath, words, {
    timeout: 100_000,
  });
  const runs: { code: number; stdout: string; stderr: string }[] = JSON.parse(stdout);
  for (const [at, run] of runs.entries()) ran.set(lines[at]?.join(" ") ?? "", run);
});

test.each(HELPS)("npm run $script -- $words tells its options", ({ wanted, ...row }) => {
  expect(runOf(row)).toEqual({ code: 0, stdout: expect.stringContaining(wanted), stderr: "" });
  expect(runOf(row)?.stdout).toContain(`Usage: npm run ${row.script} -- [options]`);
});

test.each(REFUSED)("npm run $script -- $words is refused", ({ wanted, ...row }) => {
  expect(runOf(row)).toEqual({ code: 2, stdout: "", stderr: expect.stringContaining(wanted) });
  expect(runOf(row)?.stderr).toMatch(/^error {2}/);
  expect(runOf(row)?.stderr).toContain(`next   npm run ${row.script} -- --help`);
});
