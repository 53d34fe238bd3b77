import { expect, test } from "vitest";
import { distance } from "../../../src/contract/core/edit-distance.ts";

test.each([
  { from: "", to: "", edits: 0 },
  { from: "", to: "abc", edits: 3 },
  { from: "kitten", to: "sitting", edits: 3 },
  { from: "quote", to: "quotes", edits: 1 },
  { from: "ab", to: "ba", edits: 1 },
  { from: "abc", to: "cab", edits: 2 },
  { from: "x".repeat(1_000), to: "x".repeat(900), edits: 0 },
])("'$from' is $edits edits away from '$to'", ({ from, to, edits }) => {
  expect(distance(from, to)).toBe(edits);
  expect(distance(to, from)).toBe(edits);
});
