import { expect, test } from "vitest";
import { ENGINE_CASES } from "./engine-contract.ts";
import { ENGINE_PLANTS, type EnginePlant } from "./engine-plants.ts";
import { openSimulated } from "./open-simulated.ts";
import { runCase } from "./scene.ts";

/** The case of the contract that is there for each bug; others may break too. */
const FOUND_BY: Record<EnginePlant, string> = {
  "append without the fence": "a fence that the same process has raised refuses the one before",
  "fence checked in an earlier statement": "of 20 appends of the same changes at once, one is in",
  "owner not compared": "a process cannot append to another's world, even with its fence",
  "timeline not compared": "an append that comes in after a rewind to its start is refused",
  "a write leaves the fence as it is":
    "each write raises the fence by 1, so that the same one is refused when it comes in late",
  "expiry by the process's clock":
    "a lease ends by the engine's clock, although its process's clock was ahead or behind",
  "a sweep drops a fork's pin": "a fork's changes and parts outlive its origin",
  "caller index after the append":
    "a caller's world is known once the append that made the caller has returned",
  "an upload is swept before its commit":
    "a part that was stored just now outlives a sweep, before anybody holds it",
  "half a group is written": "an append that was cut off is there whole, or not at all",
  "a renewal after another's take":
    "a lease that ended is over for good once another process has taken a world of it",
  "a take that frees nothing ends a lease": "a take that changes no owner ends no lease",
  "a take reads before its fence rises":
    "of a take and an append at once, the taker knows what was acknowledged",
  "write without the fence":
    "a write (keep) with another owner, fence, timeline or seq is refused, and changes nothing",
};

test.each(ENGINE_PLANTS)("is found by its case: %s", async (plant) => {
  const found = ENGINE_CASES.filter(({ name }) => name === FOUND_BY[plant]);
  expect(found).toHaveLength(1);
  await runCase(found[0]!, await openSimulated());
  await expect(runCase(found[0]!, await openSimulated(plant))).rejects.toThrow();
});
