import { expect, test } from "vitest";
import type { Measurement } from "./measurement.ts";
import { markdownOf, numberText, tableOf } from "./report.ts";

test.each([
  { value: 0.0136, text: "0.014" },
  { value: 0.999, text: "0.999" },
  { value: 4.806, text: "4.81" },
  { value: 27.44, text: "27.4" },
  { value: 183.4, text: "183" },
  { value: 43_600.2, text: "43,600" },
  { value: 1_234_567, text: "1,234,567" },
])("$value reads $text", ({ value, text }) => {
  expect(numberText(value)).toBe(text);
});

const figure = { name: "a start", floor: "node -e ''", unit: "ms", target: { atMost: 4 } } as const;

const measured: Measurement = {
  ...figure,
  state: "MEASURED",
  ratios: { median: 5, min: 4.5, max: 6 },
  holds: false,
  isFarOff: false,
  found: { pairs: [{ measured: 125, floor: 25 }], notes: ["the first of two"] },
};

const skipped: Measurement = { ...figure, state: "SKIPPED", why: "there is no such program" };

test("a table has a row for each figure, and their notes below it", () => {
  expect(tableOf([measured, skipped])).toEqual([
    "FIGURE   FLOOR       OURS    BASE     RATIO  MIN–MAX    GOAL  HOLDS",
    "a start  node -e ''  125 ms  25.0 ms  5.00   4.50–6.00  <= 4  no",
    "a start  node -e ''  -       -        -      -          <= 4  skipped",
    "a start: the first of two",
    "a start: skipped: there is no such program",
  ]);
});

test("a table in Markdown marks the figures that miss their goal", () => {
  expect(markdownOf([measured, skipped])).toEqual([
    "| Figure | Floor | Ours | Floor's | Ratio | Goal | Holds |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    "| a start | node -e '' | 125 ms | 25.0 ms | 5.00 | ≤ 4 | **no** |",
    "| a start | node -e '' | - | - | - | ≤ 4 | skipped |",
  ]);
});
