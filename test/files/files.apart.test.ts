import { afterAll, beforeAll, expect, test } from "vitest";
import { isCampaign, numberGiven, runsOf } from "../setup/campaign.ts";
import { Counter, type HandedOver } from "./setup/counter.ts";
import { playFile, playHuge } from "./setup/file-campaign.ts";
import { handedOver } from "./setup/handed-over.ts";
import { hugeChangesOf } from "./setup/mutations.ts";

const SEED = numberGiven("FILES_SEED") ?? 1;
/** Changed files of each kind. */
const RUNS = runsOf(500, 4);
const HUGE_BYTES = isCampaign ? 8 * 1024 * 1024 : 256 * 1024;
/** Longest answer to a huge file, as a multiple of the time of a good one, or by its size. */
const MAX_RATIO = 20;
const ALLOWED_MS = Math.max(3_000, 1_000 * (HUGE_BYTES / 1_048_576));

let counter: Counter;
let files: HandedOver[];

beforeAll(async () => {
  counter = await Counter.open();
  files = await handedOver(counter);
});

afterAll(async () => {
  const { alarms } = counter.world;
  await counter.close();
  expect(alarms).toEqual([]);
});

test("each kind of file is told apart by its name", () => {
  expect(new Set(files.map(({ name }) => name)).size).toBe(22);
});

// spec/promises.md#files
test("a damaged file is answered with a sentence", { timeout: 3_600_000 }, async () => {
  const findings = [];
  for (const file of files) findings.push(...(await playFile(file, { from: SEED, runs: RUNS })));
  expect(findings).toEqual([]);
});

test("a huge file is answered in a time that its size explains", {
  timeout: 3_600_000,
}, async () => {
  const slow = [];
  for (const [at, file] of files.entries()) {
    const changes = hugeChangesOf(at, isCampaign ? 100 : 3);
    const { findings, figures } = await playHuge(file, { bytes: HUGE_BYTES, seed: SEED, changes });
    slow.push(...findings);
    slow.push(...figures.filter(({ ms, ratio }) => ms > ALLOWED_MS && ratio > MAX_RATIO));
  }
  expect(slow).toEqual([]);
});
