import { expect, test } from "vitest";
import { isMet, median, ratiosOf } from "./ratios.ts";

test.each([
  { values: [3], middle: 3 },
  { values: [9, 1, 2], middle: 2 },
  { values: [4, 1, 3, 2], middle: 2.5 },
])("the median of $values is $middle", ({ values, middle }) => {
  expect(median(values)).toBe(middle);
});

test("the ratios of pairs are told by their median and their ends", () => {
  const pairs = [
    { measured: 30, floor: 10 },
    { measured: 10, floor: 10 },
    { measured: 20, floor: 10 },
  ];
  expect(ratiosOf(pairs)).toEqual({ median: 2, min: 1, max: 3 });
});

test.each([
  { sentence: "no pair", pairs: [] },
  { sentence: "a floor of nothing", pairs: [{ measured: 1, floor: 0 }] },
  { sentence: "a measurement of nothing", pairs: [{ measured: 0, floor: 1 }] },
])("$sentence is no measurement", ({ pairs }) => {
  expect(() => ratiosOf(pairs)).toThrow("Expected pairs above zero");
});

test.each([
  { target: { atMost: 2.5 }, median: 2.5, holds: true },
  { target: { atMost: 2.5 }, median: 2.51, holds: false },
  { target: { atLeast: 0.25 }, median: 0.25, holds: true },
  { target: { atLeast: 0.25 }, median: 0.24, holds: false },
])("a median of $median against $target: $holds", ({ target, median, holds }) => {
  expect(isMet(target, { median, min: 0, max: 9 })).toBe(holds);
});
