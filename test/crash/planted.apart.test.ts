import { expect, test } from "vitest";
import { smallState } from "./bits/small-state.ts";
import { sweepState } from "./bits/sweep.ts";
import { FAULT_KINDS } from "./faults/fault-layer.ts";
import { callsOf, runFault } from "./faults/fault-run.ts";
import {
  failedWriteIsDone,
  shortWriteIsWhole,
  withoutByteSync,
  withoutNameSync,
} from "./plants/planted-layers.ts";
import {
  endAtDamage,
  withoutChecksums,
  withoutEndings,
  withoutNotedEnd,
} from "./plants/planted-looks.ts";

const NONE = Number.MAX_SAFE_INTEGER;
/** Segments of the default world. */
const SEGMENTS = /^worlds[/\\]sandbox[/\\]line-0[/\\]journal[/\\][0-9]/;

test.each([
  { plant: "a checksum that is not compared", look: withoutChecksums },
  { plant: "a damaged record taken for an unfinished one", look: endAtDamage },
])("flipped bits notice $plant", async ({ look }) => {
  const state = await smallState("killed");
  try {
    const plan = {
      bitsEach: 31,
      cutsEach: NONE,
      openedEach: NONE,
      offset: 1,
      look,
      only: SEGMENTS,
    };
    const { wrong } = await sweepState(state, plan);
    expect(wrong.join("\n")).toContain("is served differently");
  } finally {
    state.remove();
  }
});

test.each([
  {
    plant: "the noted end of a journal that is not compared",
    kind: "forked",
    look: withoutNotedEnd,
    only: SEGMENTS,
  },
  {
    plant: "a run that did not stop cleanly and is not told",
    kind: "killed",
    look: withoutEndings,
    only: /^worlds[/\\]side[/\\]line-0[/\\]journal[/\\]/,
  },
] as const)("cuts notice $plant", async ({ kind, look, only }) => {
  const state = await smallState(kind);
  try {
    const plan = { bitsEach: NONE, cutsEach: NONE, openedEach: NONE, offset: 1, look, only };
    const { wrong } = await sweepState(state, plan);
    expect(wrong.join("\n")).toContain("is served differently");
  } finally {
    state.remove();
  }
});

test("a sweep tells of an answer that never comes, with the calls under way", async () => {
  const state = await smallState("killed");
  // Only the file's being emptied is left of all damages.
  const none = { bitsEach: NONE, cutsEach: NONE, openedEach: NONE, offset: NONE - 9 };
  const plan = { ...none, answerSeconds: 1 };
  const look = () => new Promise<never>(() => {});
  try {
    const { wrong } = await sweepState(state, {
      ...plan,
      look,
      only: /^worlds.sandbox.identity.json$/,
    });
    expect(wrong.join("\n")).toMatch(
      /^cut at 0 of worlds.sandbox.identity.json gives no answer in 1 s\n {2}calls under way: none\n {2}resources: /,
    );
  } finally {
    state.remove();
  }
});

const kindOf = (name: string) => {
  const kind = FAULT_KINDS.find((one) => one.name === name);
  if (!kind) throw new Error(`Expected a kind of fault but found ${name}`);
  return kind;
};

test.each([
  {
    plant: "a rename that is not synced",
    fault: "a power cut after the act",
    layer: withoutNameSync,
    seen: /was acknowledged and is lost/,
  },
  {
    plant: "bytes that are not synced",
    fault: "a power cut after a write",
    layer: withoutByteSync,
    seen: /was acknowledged and is lost/,
  },
  {
    plant: "a failed write taken for done",
    fault: "a full disk for one call",
    layer: failedWriteIsDone,
    seen: /was acknowledged and is lost|was refused and is there|damage was left/,
  },
  {
    plant: "a short write taken for a whole one",
    fault: "a short write",
    layer: shortWriteIsWhole,
    seen: /was acknowledged and is lost|was refused and is there|damage was left/,
  },
])("faults notice $plant", async ({ fault, layer, seen }) => {
  const kind = kindOf(fault);
  const calls = await callsOf(kind);
  const wrong: string[] = [];
  for (let at = 1; at <= calls && wrong.length === 0; at += 1)
    wrong.push(...(await runFault(kind, at, layer(kind, at))).wrong);
  expect(wrong.join("\n")).toMatch(seen);
});
