import { expect, test } from "vitest";
import { isFarOff, isMet, median, percentile, ratiosOf, sharesOf } from "./ratios.ts";

test.each([
  { values: [3], middle: 3 },
  { values: [9, 1, 2], middle: 2 },
  { values: [4, 1, 3, 2], middle: 2.5 },
])("the median of $values is $middle", ({ values, middle }) => {
  expect(median(values)).toBe(middle);
});

test.each([
  { values: [7], share: 0.99, found: 7 },
  { values: [4, 1, 3, 2], share: 0.5, found: 2 },
  { values: [4, 1, 3, 2], share: 0.51, found: 3 },
  { values: [4, 1, 3, 2], share: 1, found: 4 },
  { values: Array.from({ length: 200 }, (_, at) => at + 1), share: 0.99, found: 198 },
])("$share of the values do not exceed $found", ({ values, share, found }) => {
  expect(percentile(values, share)).toBe(found);
});

test("no values have no percentile", () => {
  expect(() => percentile([], 0.99)).toThrow("Expected values but found none");
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

test.each([
  { target: { atMost: 4 }, min: 8, max: 20, isFar: false },
  { target: { atMost: 4 }, min: 8.01, max: 20, isFar: true },
  { target: { atLeast: 0.6 }, min: 0.1, max: 0.3, isFar: false },
  { target: { atLeast: 0.6 }, min: 0.1, max: 0.29, isFar: true },
])("ratios of $min to $max against $target are far off: $isFar", ({ target, min, max, isFar }) => {
  expect(isFarOff(target, { median: (min + max) / 2, min, max })).toBe(isFar);
});

test("shares of parts add up to one", () => {
  expect(sharesOf({ execute: 30, settle: 10, webhooks: 60 })).toEqual({
    execute: 0.3,
    settle: 0.1,
    webhooks: 0.6,
  });
});
