import { expect, test } from "vitest";
import { runsOf } from "../setup/campaign.ts";
import { FAULT_KINDS } from "./faults/fault-layer.ts";
import { callsOf, runFault } from "./faults/fault-run.ts";

/** Calls that are struck for each kind of fault. */
const SAMPLES = runsOf(40, 2);

test.each(FAULT_KINDS)("after $name all that was acknowledged is there", async (kind) => {
  const calls = await callsOf(kind);
  expect(calls).toBeGreaterThan(0);
  const each = Math.max(1, Math.floor(calls / SAMPLES));
  const wrong: string[] = [];
  let struck = 0;
  for (let at = 1; at <= calls; at += each) {
    const report = await runFault(kind, at);
    struck += report.struck;
    wrong.push(...report.wrong);
  }
  expect(wrong).toEqual([]);
  expect(struck).toBeGreaterThan(0);
});
