import { expect, test } from "vitest";
import { MAX_REMOVED_NAMES, RemovedWorlds } from "../../src/worlds/removed-worlds.ts";

let nowMs = 0;

const removedWorlds = () => {
  nowMs = 5_000;
  return new RemovedWorlds(() => nowMs);
};

// spec/worlds.md#removal
test("a name is remembered for an hour of the machine's monotonic clock", () => {
  const removed = removedWorlds();
  removed.note("a");
  nowMs += 3_599_999;
  expect(() => removed.requireNone("a")).toThrow("WORLD_REMOVED");
  expect(removed.names()).toEqual(["a"]);
  nowMs += 1;
  removed.requireNone("a");
  expect(removed.names()).toEqual([]);
});

test("a second removal counts from its own instant", () => {
  const removed = removedWorlds();
  removed.note("a");
  nowMs += 3_000_000;
  removed.note("a");
  nowMs += 3_000_000;
  expect(() => removed.requireNone("a")).toThrow("WORLD_REMOVED");
});

test("of more names than are remembered the oldest is forgotten", () => {
  const removed = removedWorlds();
  for (let at = 0; at <= MAX_REMOVED_NAMES; at += 1) removed.note(`world-${at}`);
  removed.requireNone("world-0");
  expect(() => removed.requireNone("world-1")).toThrow("WORLD_REMOVED");
  expect(removed.names().length).toBe(10_000);
});
