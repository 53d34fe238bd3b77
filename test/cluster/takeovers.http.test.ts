import { expect, test } from "vitest";
import { chanceOf } from "../simulation/setup/chance.ts";
import { faultsOf } from "./setup/faults.ts";
import { told } from "./setup/small-history.ts";
import { shareBelow, takeoverTimes } from "./setup/takeovers.ts";

const killAt = (beginMs: number) => ({
  ...{ what: "kill of process 1", beginMs, endMs: beginMs + 50, process: 1 },
});

test("a takeover ends with the first good answer to a call that began after the kill", () => {
  const calls = [
    told(90, { status: 200, endMs: 110 }),
    told(105, { status: 503, endMs: 106 }),
    told(108, { endMs: 109 }),
    told(120, { status: 200, endMs: 180 }),
    told(130, { status: 200, endMs: 140, world: "w" }),
    told(300, { status: 201, endMs: 305 }),
    told(520, { status: 404, endMs: 530 }),
  ];
  expect(takeoverTimes(calls, [killAt(100), killAt(500)])).toEqual([40, 80, 30]);
});

test("a world that no good answer came from before the next kill has no takeover", () => {
  expect(
    takeoverTimes([told(450, { status: 200, endMs: 510 })], [killAt(100), killAt(500)]),
  ).toEqual([]);
});

test("half of some times is below the one in the middle", () => {
  expect(shareBelow([5, 1, 4, 2, 3], 0.5)).toBe(3);
  expect(shareBelow([5, 1, 4, 2, 3], 0.99)).toBe(5);
  expect(shareBelow([], 0.5)).toBe(0);
});

test("the faults of a round are those that were asked for, in the order of its seed", () => {
  const counts = { kills: 3, pauses: 1, restarts: 0, cuts: 2 };
  const first = faultsOf(counts, chanceOf(7));
  expect(first.toSorted()).toEqual(["cuts", "cuts", "kills", "kills", "kills", "pauses"]);
  expect(faultsOf(counts, chanceOf(7))).toEqual(first);
  expect(faultsOf(counts, chanceOf(8))).not.toEqual(first);
});
