import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isCampaign } from "../setup/campaign.ts";
import { chanceOf, hugeChangesOf } from "./setup/mutations.ts";

const BYTES = isCampaign ? 16 * 1024 * 1024 : 4 * 1024 * 1024;
/** Most memory of a huge file, as a multiple of that of a good one of its size. */
const MAX_RATIO = 8;
/** Most time of a processor. */
const MAX_PROCESSOR_S = 60;
/** After which a process counts as hanging, on a machine that other work keeps busy. */
const LONGEST_MS = 600_000;

const folder = mkdtempSync(join(tmpdir(), "service-sim-memory-"));
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const BIN = resolve("bin/service-sim.js");

/** Notes the most memory that the process had, and the time of a processor that it took. */
writeFileSync(
  at("peak.mjs"),
  `import { writeFileSync } from "node:fs";
process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const processorS = (userCPUTime + systemCPUTime) / 1e6;
  writeFileSync(process.env.PEAK, JSON.stringify({ peakKib: maxRSS, processorS }));
});`,
);

const GOOD = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "x", version: "1" },
  paths: { "/a": { get: { responses: { 200: { description: "x" } } } } },
});

interface Hugely {
  name: string;
  good: string;
  /** Name of the file, where its reader looks for one. */
  file?: string;
  words: (file: string) => string[];
}

const COMMANDS: Hugely[] = [
  { name: "brand", good: '{"word":"acme"}', words: (file) => ["brand", file] },
  { name: "OpenAPI document", good: GOOD, words: (file) => ["conform", file] },
  {
    name: "config",
    good: '{"port":0}',
    file: "service-sim.config.json",
    words: () => ["status"],
  },
  { name: "key file", good: '{"privateKey":"x"}', words: (file) => ["sign", "x", "--key", file] },
  {
    name: "JWKS",
    good: '{"keys":[]}',
    words: (file) => ["exec", "--oidc-jwks", file, "--", process.execPath, "-e", "0"],
  },
];

const run = (text: string, { words, file = "file.json" }: Hugely) => {
  writeFileSync(at(file), text);
  const { status, signal, stderr } = spawnSync(
    process.execPath,
    ["--import", at("peak.mjs"), BIN, ...words(at(file))],
    { cwd: folder, env: { ...process.env, PEAK: at("peak") }, timeout: LONGEST_MS },
  );
  rmSync(at(file));
  const { peakKib, processorS } = JSON.parse(readFileSync(at("peak"), "utf8"));
  return { status, signal, says: `${stderr}`, peakKib, processorS };
};

test.each(
  COMMANDS.map((command, at) => ({ ...command, changes: hugeChangesOf(at, isCampaign ? 100 : 1) })),
)("a huge $name takes no more memory than its size explains", { timeout: 3_600_000 }, (command) => {
  const { good, changes } = command;
  const whole = run(good + " ".repeat(BYTES), command);
  for (const [change, make] of changes) {
    const huge = make(BYTES)(good, chanceOf(1));
    const { status, signal, says, peakKib, processorS } = run(huge, command);
    expect({ change, signal, isTold: !/heap|at .+:\d+:\d+/.test(says) }).toEqual({
      change,
      signal: null,
      isTold: true,
    });
    expect([0, 1, 2, 3]).toContain(status);
    expect(peakKib / whole.peakKib, `${change}: ${peakKib} KiB`).toBeLessThan(MAX_RATIO);
    expect(processorS, change).toBeLessThan(MAX_PROCESSOR_S);
  }
});
