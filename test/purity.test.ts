import { expect, test } from "vitest";
import { files, inLayer, layerOf, linesWith, textOf } from "./setup/source-files.ts";

const IMPURE = [
  { what: "looks at the machine's clock", pattern: /Date\.now|new Date\(\)|performance\./ },
  { what: "rolls a die", pattern: /Math\.random|randomBytes|randomUUID|getRandomValues/ },
  { what: "waits", pattern: /\basync\b|\bawait\b|\bPromise\b/ },
  { what: "sets a timer of the machine's", pattern: /setTimeout|setInterval|setImmediate/ },
  { what: "touches the process, files or the network", pattern: /\bprocess\.|"node:|\bfetch\(/ },
];

test.each(IMPURE)("no rule $what", ({ pattern }) => {
  expect(linesWith(pattern, inLayer("domain"))).toEqual([]);
});

/** The files that take the machine's time; every other file of the library asks them. */
const TAKES_TIME = ["machine/host-time.ts", "machine/host-globals.ts", "machine/faked-timers.ts"];

/** Time and chance that tests fake, unless they come from `hostTime`. */
const PAST_HOST_TIME = new RegExp(
  [
    String.raw`(?<![.\w])(?:globalThis\.)?(?:set|clear)(?:Timeout|Interval|Immediate)\b`,
    String.raw`\bDate\.now\b|\bnew Date\(\)|(?<!new )\bDate\(\)|\bperformance\.|node:perf_hooks`,
    String.raw`(?<!["\w])(?:nextTick|queueMicrotask)\b|\bhrtime\b|\bAbortSignal\.timeout\b`,
    String.raw`node:timers|\bMath\.random\b`,
  ].join("|"),
);

const reachesPastHostTime = (line: string) =>
  !/^\s*(?:\/\/|\/?\*)/.test(line) && PAST_HOST_TIME.test(line);

test("the library takes time and timers from one place, which faked timers do not reach", () => {
  const library = files.filter(
    (file) =>
      !["cli", "tui", "rows", "console"].includes(layerOf(file)) && !TAKES_TIME.includes(file),
  );
  const broken = library.flatMap((file) =>
    textOf(file)
      .split("\n")
      .filter(reachesPastHostTime)
      .map((line) => `${file} ${line.trim()}`),
  );
  expect(broken).toEqual([]);
});

test.each([
  "const nowMs = Date.now();",
  "const now = new Date();",
  "const text = Date();",
  'import { performance } from "node:perf_hooks";',
  "const startedMs = performance.now();",
  "const timer = setTimeout(run, 5);",
  "const pause = promisify(setTimeout);",
  "globalThis.setInterval(run, 5);",
  "clearInterval(timer);",
  "new Promise((resolve) => setImmediate(resolve));",
  "clearImmediate(waiting);",
  "process.nextTick(run);",
  "queueMicrotask(run);",
  "const startedNs = process.hrtime.bigint();",
  "const signal = AbortSignal.timeout(5000);",
  'import { setTimeout as pause } from "node:timers/promises";',
  "const share = Math.random();",
])("reaching past it is noticed: %s", (line) => {
  expect(reachesPastHostTime(line)).toBe(true);
});

test.each([
  "hostTime.setTimeout(run, 5);",
  "const nowMs = hostTime.nowMs();",
  "const text = new Date(atMs).toISOString();",
  "sent.setTimeout(timeoutMs, () => sent.destroy());",
  "/** Longest delay that `setTimeout` accepts. */",
])("keeping to it is not: %s", (line) => {
  expect(reachesPastHostTime(line)).toBe(false);
});

test("nothing in the sources points at the machine they were written on, or is left undone", () => {
  expect(linesWith(/\/work\/|\/root\b|\/home\//)).toEqual([]);
  expect(linesWith(/\bTODO\b|\bFIXME\b|\bXXX\b/)).toEqual([]);
});

/**
 * Places that read the environment: by default `connect` takes an address from it, and a variable
 * names the folder for the counts of every process of a run, libraries included. Two read variables
 * of Node.js itself: its proxies, and authorities that it trusts.
 */
const TALKS_TO_PROCESS = [
  "cli",
  "console",
  "runners",
  "library/connect.ts",
  "coverage/coverage-file.ts",
  "client/direct-fetch.ts",
  "webhooks/receiver-trust.ts",
];

test("only the command line talks to the process that runs it", () => {
  const others = files.filter(
    (file) => ![file, layerOf(file)].some((one) => TALKS_TO_PROCESS.includes(one)),
  );
  expect(
    linesWith(
      /process\.(exit|argv|env|stdout|stderr|stdin)\b|(?<![\w/-])console\.(?!md|ts)/,
      others,
    ),
  ).toEqual([]);
});
