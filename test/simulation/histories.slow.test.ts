import { expect, test } from "vitest";
import { isCampaign, runsOf } from "../setup/campaign.ts";
import { FAILED_SEEDS } from "./seeds.ts";
import { playAll, seedsFrom } from "./setup/histories.ts";

/** `npm run simulate -- --runs 100000` for more; CI plays 2,000. */
const HISTORIES = runsOf(20_000, 12);

// spec/promises.md#durability, spec/promises.md#order, spec/promises.md#delivery,
// spec/promises.md#isolation and spec/promises.md#money: each history is compared with a model.

test("no history breaks a rule", async () => {
  const counts = await playAll([...FAILED_SEEDS, ...seedsFrom(1, HISTORIES)]);
  // Few histories call some operations seldom, and meet some faults never; `simulate` plays many.
  expect(["kills", "power cuts", "reset done"].filter((what) => counts.of(what) === 0)).toEqual([]);
  const never = [...counts.neverMet(), ...counts.neverCalled(), ...counts.neverDone()];
  if (isCampaign) expect(never).toEqual([]);
}, 7_200_000);

// spec/promises.md#determinism
test("the same seed plays the same history", async () => {
  const seeds = seedsFrom(1, 3);
  const [first, second] = [await playAll(seeds), await playAll(seeds)];
  expect(second.lines()).toEqual(first.lines());
  expect(second.trace).toBe(first.trace);
});
