import { expect, test } from "vitest";
import { columns, counted, fullInstant, money, shortInstant } from "../../src/text/layout.ts";

test.each([
  { amountMinor: 0, code: "USD", shown: "0.00 USD" },
  { amountMinor: 7, code: "USD", shown: "0.07 USD" },
  { amountMinor: 96, code: "USD", shown: "0.96 USD" },
  { amountMinor: 22_911, code: "EUR", shown: "229.11 EUR" },
  { amountMinor: 123_456, code: "USD", shown: "1,234.56 USD" },
  { amountMinor: 100_000_000, code: "USD", shown: "1,000,000.00 USD" },
  { amountMinor: -25_000, code: "USD", shown: "-250.00 USD" },
  { amountMinor: -5, code: "USD", shown: "-0.05 USD" },
  { amountMinor: 24_500, code: "VND", shown: "24,500 VND" },
  { amountMinor: 999, code: "VND", shown: "999 VND" },
  { amountMinor: 12_500, code: "BTC", shown: "0.00012500 BTC" },
  { amountMinor: 1_234_567, code: "USDC", shown: "1.234567 USDC" },
  { amountMinor: 9_007_199_254_740_991, code: "USD", shown: "90,071,992,547,409.91 USD" },
  { amountMinor: 1234, code: "XYZ", shown: "1,234 XYZ" },
])("$amountMinor minor units of $code are $shown", ({ amountMinor, code, shown }) => {
  expect(money(amountMinor, code)).toBe(shown);
});

test.each([
  { count: 0, shown: "0 timers" },
  { count: 1, shown: "1 timer" },
  { count: 2, shown: "2 timers" },
  { count: 1204, shown: "1,204 timers" },
])("$count of a noun are $shown", ({ count, shown }) => {
  expect(counted(count, "timer")).toBe(shown);
});

test("a heading shows an instant with its day, to the second", () => {
  expect(fullInstant("2026-01-05T09:06:12.999Z")).toBe("2026-01-05 09:06:12Z");
});

test.each([
  { iso: "2026-01-05T23:59:59.999Z", shown: "23:59:59" },
  { iso: "2026-01-06T00:00:00.000Z", shown: "01-06 00:00:00" },
  { iso: "2025-01-05T09:06:12.000Z", shown: "2025-01-05 09:06:12" },
])("in a row about 2026-01-05 the instant $iso is $shown", ({ iso, shown }) => {
  expect(shortInstant(iso, "2026-01-05T09:00:00.000Z")).toBe(shown);
});

const CYAN = (text: string) => `\u001b[36m${text}\u001b[39m`;

test.each([
  { what: "no rows", rows: [], lines: [] },
  {
    what: "rows of different widths",
    rows: [
      ["a", "bb", "c"],
      ["aaa", "b", "a long last cell"],
    ],
    lines: ["a    bb  c", "aaa  b   a long last cell"],
  },
  {
    what: "rows that end empty",
    rows: [
      ["a", "b", ""],
      ["aa", "", ""],
    ],
    lines: ["a   b", "aa"],
  },
  {
    what: "cells in colour",
    rows: [
      [CYAN("a"), "b"],
      ["aaa", "b"],
    ],
    lines: [`${CYAN("a")}    b`, "aaa  b"],
  },
  {
    what: "letters beyond ASCII",
    rows: [
      ["…3c2e", "✓"],
      ["Zoë", "→"],
    ],
    lines: ["…3c2e  ✓", "Zoë    →"],
  },
])("$what become aligned columns", ({ rows, lines }) => {
  expect(columns(rows)).toEqual(lines);
});
