import { expect, test } from "vitest";
import { cursorAt, windowOf } from "../../src/tui/window.ts";

const ids = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `r${from + at}`);

test("without a cursor a list follows: its first row is chosen, whatever comes", () => {
  expect(windowOf(ids(9), undefined, 3)).toEqual({ top: 0, chosen: 0, newCount: 0 });
  expect(windowOf([], undefined, 3)).toEqual({ top: 0, chosen: -1, newCount: 0 });
});

test("new rows above leave the chosen row on its line, and are counted", () => {
  const cursor = cursorAt(ids(9), 4, { from: undefined, height: 3 });
  expect(cursor).toEqual({ id: "r4", anchor: 2, index: 4, first: "r0" });
  expect(windowOf(ids(9), cursor, 3)).toEqual({ top: 2, chosen: 4, newCount: 0 });
  const withNew = ["n2", "n1", ...ids(9)];
  expect(windowOf(withNew, cursor, 3)).toEqual({ top: 4, chosen: 6, newCount: 2 });
});

test("a row that is gone leaves the cursor to the one that took its place", () => {
  const cursor = cursorAt(ids(3), 1, { from: undefined, height: 3 });
  expect(windowOf(["r0", "r2"], cursor, 3).chosen).toBe(1);
  expect(windowOf(["r0"], cursor, 3).chosen).toBe(0);
  expect(windowOf([], cursor, 3).chosen).toBe(-1);
});

test("moving keeps to the list, and moves the window no further than it must", () => {
  let cursor = cursorAt(ids(9), 0, { from: undefined, height: 3 });
  for (const index of [1, 2, 3]) cursor = cursorAt(ids(9), index, { from: cursor, height: 3 });
  expect(windowOf(ids(9), cursor, 3)).toMatchObject({ top: 1, chosen: 3 });
  cursor = cursorAt(ids(9), 2, { from: cursor, height: 3 });
  expect(windowOf(ids(9), cursor, 3)).toMatchObject({ top: 1, chosen: 2 });
  expect(cursorAt(ids(9), 99, { from: cursor, height: 3 })).toMatchObject({ id: "r8" });
  expect(cursorAt(ids(9), -5, { from: cursor, height: 3 })).toMatchObject({ id: "r0" });
  expect(cursorAt([], 0, { from: cursor, height: 3 })).toBeUndefined();
});

test("a lower window still shows the chosen row", () => {
  const cursor = cursorAt(ids(20), 15, { from: undefined, height: 10 });
  const { top, chosen } = windowOf(ids(20), cursor, 2);
  expect(chosen).toBe(15);
  expect(top).toBeLessThanOrEqual(15);
  expect(top + 2).toBeGreaterThan(15);
});
