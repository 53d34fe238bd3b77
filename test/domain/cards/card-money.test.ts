import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CURRENCIES, type CurrencyCode } from "../../../src/contract/money/currencies.ts";
import { isPayable, sourceMinor } from "../../../src/domain/cards/card-money.ts";
import { Refusal } from "../../../src/domain/core/refusal.ts";

describe("an amount in the merchant's currency, converted to the card's", () => {
  test.each([
    { amount: 0, currency: "USD", sourceCurrency: "USDB", takes: 0 },
    { amount: 1, currency: "USD", sourceCurrency: "USDB", takes: 10_000 },
    { amount: 2_000, currency: "USD", sourceCurrency: "USDB", takes: 20_000_000 },
    { amount: 1_999, currency: "USD", sourceCurrency: "USD", takes: 1_999 },
    { amount: 1_999, currency: "USDC", sourceCurrency: "USDB", takes: 1_999 },
    { amount: 0, currency: "USDB", sourceCurrency: "USD", takes: 0 },
    { amount: 1, currency: "USDB", sourceCurrency: "USD", takes: 1 },
    { amount: 9_999, currency: "USDB", sourceCurrency: "USD", takes: 1 },
    { amount: 10_000, currency: "USDB", sourceCurrency: "USD", takes: 1 },
    { amount: 10_001, currency: "USDB", sourceCurrency: "USD", takes: 2 },
    {
      amount: 9_000_000_000_000_000,
      currency: "USDC",
      sourceCurrency: "USD",
      takes: 900_000_000_000,
    },
    {
      amount: 900_000_000_000,
      currency: "USD",
      sourceCurrency: "USDB",
      takes: 9_000_000_000_000_000,
    },
  ] as const)("$amount $currency: $takes $sourceCurrency", ({ amount, takes, ...pair }) => {
    expect(sourceMinor(amount, pair)).toBe(takes);
  });

  test("is refused when it is too large", () => {
    const pair = { currency: "USD", sourceCurrency: "USDB" } as const;
    expect(() => sourceMinor(900_000_000_001, pair)).toThrow(Refusal);
  });

  test("grows with the amount, and covers it within one unit", () => {
    const code = fc.constantFrom<CurrencyCode>("USD", "USDB", "USDC");
    const amount = fc.integer({ min: 0, max: 900_000_000_000 });
    fc.assert(
      fc.property(amount, code, code, (minor, currency, sourceCurrency) => {
        const pair = { currency, sourceCurrency };
        const takes = BigInt(sourceMinor(minor, pair));
        expect(sourceMinor(Math.max(0, minor - 1), pair)).toBeLessThanOrEqual(Number(takes));
        // Both sides in millionths of a dollar.
        const micro = (value: bigint, one: CurrencyCode) =>
          value * 10n ** BigInt(6 - CURRENCIES[one].decimals);
        const over = micro(takes, sourceCurrency) - micro(BigInt(minor), currency);
        expect(over >= 0n && over < micro(1n, sourceCurrency)).toBe(true);
      }),
    );
  });
});

test.each([
  { merchant: "USD", source: "USDB", payable: true },
  { merchant: "USDB", source: "USD", payable: true },
  { merchant: "USDC", source: "USD", payable: true },
  { merchant: "USDT", source: "USDB", payable: true },
  { merchant: "USD", source: "USD", payable: true },
  { merchant: "EUR", source: "USD", payable: false },
  { merchant: "BTC", source: "USDB", payable: false },
  { merchant: "MXN", source: "USDB", payable: false },
] as const)("a merchant's $merchant is paid from $source: $payable", (row) => {
  expect(isPayable(row.merchant, row.source)).toBe(row.payable);
});
