import { expect, test } from "vitest";
import { closestTo } from "../../../src/contract/core/closest.ts";

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
