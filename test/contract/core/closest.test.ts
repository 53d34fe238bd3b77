import { expect, test } from "vitest";
import { closestTo, distance } from "../../../src/contract/core/closest.ts";

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

const TYPES = ["US_ACCOUNT", "IBAN", "PIX", "SPARK_WALLET", "BASE_WALLET"];

test.each([
  { asked: "US_ACOUNT", closest: "US_ACCOUNT" },
  { asked: "us-account", closest: "US_ACCOUNT" },
  { asked: "pix", closest: "PIX" },
  { asked: "IBEN", closest: "IBAN" },
  { asked: "IPX", closest: "PIX" },
  { asked: "SPARKWALLET", closest: "SPARK_WALLET" },
  { asked: "PAPER", closest: undefined },
  { asked: "__proto__", closest: undefined },
  { asked: "", closest: undefined },
  { asked: "x".repeat(10_000), closest: undefined },
])("of some names '$asked' means $closest", ({ asked, closest }) => {
  expect(closestTo(asked, TYPES)).toBe(closest);
});

test("of no names none is close", () => {
  expect(closestTo("PIX", [])).toBeUndefined();
});
