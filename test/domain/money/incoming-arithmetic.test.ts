import { describe, expect, test } from "vitest";
import { incomingFees } from "../../../src/domain/money/incoming-arithmetic.ts";
import { UNITS_PER_USD } from "../../../src/domain/money/rates.ts";

const feesOf = (receivedMinor: number) =>
  incomingFees({ currency: "USD", receivedMinor }, UNITS_PER_USD);

/**
 * Worked out by hand: 10, and three thousandths rounded half up
 * (spec/uma-payments.md#incoming-fees).
 */
describe("the fees of an amount received", () => {
  test.each([
    { received: 1, variable: 0, fees: 10 },
    { received: 166, variable: 0, fees: 10 }, // 0.498
    { received: 167, variable: 1, fees: 11 }, // 0.501
    { received: 499, variable: 1, fees: 11 }, // 1.497
    { received: 500, variable: 2, fees: 12 }, // 1.5
    { received: 833, variable: 2, fees: 12 }, // 2.499
    { received: 834, variable: 3, fees: 13 }, // 2.502
    { received: 8_800, variable: 26, fees: 36 }, // 26.4
    { received: 25_000, variable: 75, fees: 85 },
    { received: 100_500, variable: 302, fees: 312 }, // 301.5
    { received: 9_000_000_000_000_000, variable: 27_000_000_000_000, fees: 27_000_000_000_010 },
    { received: 8_999_999_999_999_999, variable: 27_000_000_000_000, fees: 27_000_000_000_010 },
  ])("$received are $fees", ({ received, variable, fees }) => {
    expect(feesOf(received)).toEqual({
      feesMinor: fees,
      rateDetails: {
        serviceApiMultiplier: 0.00011964,
        serviceApiFixedFee: 10,
        serviceApiVariableFeeRate: 0.003,
        serviceApiVariableFeeAmount: variable,
      },
    });
  });
});

/**
 * 0.997 over the milli-satoshis in one smallest unit, 10 digits
 * (spec/uma-payments.md#incoming-fees).
 */
describe("the multiplier of a currency", () => {
  test.each([
    { currency: "USD", multiplier: 0.00011964 },
    { currency: "EUR", multiplier: 0.0001100688 },
    { currency: "MXN", multiplier: 0.00206379 },
    { currency: "VND", multiplier: 0.0293118 },
    { currency: "BTC", multiplier: 0.000997 },
    { currency: "USDC", multiplier: 1.1964 },
    { currency: "USDB", multiplier: 1.1964 },
    { currency: "AED", multiplier: 0.0004393779 },
  ] as const)("$currency is $multiplier", ({ currency, multiplier }) => {
    const { rateDetails } = incomingFees({ currency, receivedMinor: 100 }, UNITS_PER_USD);
    expect(rateDetails.serviceApiMultiplier).toBe(multiplier);
  });

  test("follows the rates of the world", () => {
    const rates = { ...UNITS_PER_USD, EUR: "0.5" };
    const { rateDetails } = incomingFees({ currency: "EUR", receivedMinor: 100 }, rates);
    expect(rateDetails.serviceApiMultiplier).toBe(0.00005982);
  });
});
