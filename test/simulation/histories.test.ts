import { expect, test } from "vitest";
import { isCampaign, runsOf } from "../setup/campaign.ts";
import { FAILED_SEEDS } from "./seeds.ts";
import { playAll, seedsFrom } from "./setup/histories.ts";

/** `npm run simulate -- --runs 100000` for more; CI plays 2,000. */
const HISTORIES = runsOf(20_000, 100);

// spec/promises.md#durability, spec/promises.md#order, spec/promises.md#delivery,
// spec/promises.md#isolation and spec/promises.md#money: each history is compared with a model.

/** Events that this many histories must have. */
const HAPPENS = [
  "kills",
  "power cuts",
  "starts cut off",
  "alarms of storage",
  "answers lost",
  "forks",
  "rewind done",
  "reset done",
  "restoreSnapshot done",
  "concurrent duplicates",
  "retries after a cut-off answer",
  "full outboxes",
  "worlds loaded again",
  "key sets changed",
  "receivers dripping",
  "receivers endless",
  "flipped bits refused",
  "flipped bits told",
  "flipped bits equal",
  "state folders taken away",
];

test("no history breaks a rule", async () => {
  const counts = await playAll([...FAILED_SEEDS, ...seedsFrom(1, HISTORIES)]);
  expect(HAPPENS.filter((what) => counts.of(what) === 0)).toEqual([]);
  // Few histories call some operations seldom; many call each, and each succeeds.
  if (isCampaign) expect([...counts.neverCalled(), ...counts.neverDone()]).toEqual([]);
}, 7_200_000);

// spec/promises.md#determinism
test("the same seed plays the same history", async () => {
  const seeds = seedsFrom(1, 6);
  const [first, second] = [await playAll(seeds), await playAll(seeds)];
  expect(second.lines()).toEqual(first.lines());
  expect(second.trace).toBe(first.trace);
});
