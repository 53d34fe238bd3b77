import { expect, test } from "vitest";
import { byLength, isAsLongAs, type RunLength, sizeText } from "./run-length.ts";

const SIZES = { short: 20_000, usual: 200_000, full: 1_000_000 };

test.each<{ length: RunLength; size: number; text: string }>([
  { length: "short", size: 20_000, text: "20,000" },
  { length: "usual", size: 200_000, text: "200,000" },
  { length: "full", size: 1_000_000, text: "1,000,000" },
])("a $length run takes $text", ({ length, size, text }) => {
  expect(byLength(length, SIZES)).toBe(size);
  expect(sizeText(length, SIZES)).toBe(text);
});

test("a full run takes the usual size when it has none of its own", () => {
  expect(byLength("full", { short: 2, usual: 3 })).toBe(3);
});

test.each<{ length: RunLength; other: RunLength; is: boolean }>([
  { length: "short", other: "short", is: true },
  { length: "short", other: "usual", is: false },
  { length: "usual", other: "short", is: true },
  { length: "usual", other: "full", is: false },
  { length: "full", other: "usual", is: true },
])("a $length run is as long as a $other one: $is", ({ length, other, is }) => {
  expect(isAsLongAs(length, other)).toBe(is);
});
