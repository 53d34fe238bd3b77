import { describe, expect, test } from "vitest";
import { Refusal } from "../../../src/domain/core/refusal.ts";
import {
  type QuoteTerms,
  quoteAmounts,
  requireInRange,
} from "../../../src/domain/money/quote-arithmetic.ts";
import { UNITS_PER_USD } from "../../../src/domain/money/rates.ts";

const MAX = 9_000_000_000_000_000;

/** Word and details of a refusal. */
const refusalOf = (terms: QuoteTerms) => {
  try {
    requireInRange(quoteAmounts(terms), terms);
  } catch (error) {
    if (error instanceof Refusal) return { word: error.word, ...error.details };
    throw error;
  }
  return undefined;
};

// spec/exchange-rates.md#locked-sending-side, spec/exchange-rates.md#locked-receiving-side
describe("the examples of the specification", () => {
  test("25000 US cents to Mexico: 86 in fees, 429766 arrive", () => {
    const quoted = quoteAmounts({
      sending: "USD",
      receiving: "MXN",
      lockedSide: "SENDING",
      lockedMinor: 25_000,
    });
    expect(quoted).toEqual({
      totalSendingMinor: 25_000,
      totalReceivingMinor: 429_766,
      feesMinor: 86,
      platformFeesMinor: 0,
      exchangeRate: 0.05797101449,
      rateDetails: {
        counterpartyMultiplier: 0.00207,
        counterpartyFixedFee: 10,
        serviceApiMultiplier: 8308.333333,
        serviceApiFixedFee: 10,
        serviceApiVariableFeeRate: 0.003,
        serviceApiVariableFeeAmount: 75,
      },
    });
  });

  test("50000 euro cents from the United States: 54533 must be sent", () => {
    const quoted = quoteAmounts({
      sending: "USD",
      receiving: "EUR",
      lockedSide: "RECEIVING",
      lockedMinor: 50_000,
    });
    expect(quoted).toEqual({
      totalSendingMinor: 54_533,
      totalReceivingMinor: 50_000,
      feesMinor: 185,
      platformFeesMinor: 0,
      exchangeRate: 1.086956522,
      rateDetails: {
        counterpartyMultiplier: 0.0001104,
        counterpartyFixedFee: 10,
        serviceApiMultiplier: 8308.333333,
        serviceApiFixedFee: 10,
        serviceApiVariableFeeRate: 0.003,
        serviceApiVariableFeeAmount: 164,
      },
    });
  });
});

/**
 * Worked out by hand (spec/exchange-rates.md#locked-sending-side,
 * spec/exchange-rates.md#locked-receiving-side).
 */
describe("amounts between currencies of different decimals", () => {
  test.each([
    {
      says: "100 USDC to dollars: 0.300000 + 10 + 100000 in fees, 9959 cents arrive",
      terms: {
        sending: "USDC",
        receiving: "USD",
        lockedSide: "SENDING",
        lockedMinor: 100_000_000,
      },
      totals: { totalReceivingMinor: 9959, feesMinor: 400_010, exchangeRate: 1 },
    },
    {
      says: "100 dollars to USDC: 30 + 10 + 1 cents in fees, 99.59 USDC arrive",
      terms: { sending: "USD", receiving: "USDC", lockedSide: "SENDING", lockedMinor: 10_000 },
      totals: { totalReceivingMinor: 99_590_000, feesMinor: 41, exchangeRate: 1 },
    },
    {
      says: "1200 dollars to bitcoin: 360 + 10 + 2 cents in fees, 996900 satoshi arrive",
      terms: { sending: "USD", receiving: "BTC", lockedSide: "SENDING", lockedMinor: 120_000 },
      totals: { totalReceivingMinor: 996_900, feesMinor: 372, exchangeRate: 120_000 },
    },
    {
      says: "2450000 dong from dollars: 10000 + 10 + 1 cents over 0.997",
      terms: {
        sending: "USD",
        receiving: "VND",
        lockedSide: "RECEIVING",
        lockedMinor: 2_450_000,
      },
      totals: { totalSendingMinor: 10_042, feesMinor: 42, exchangeRate: 0.00004081632653 },
    },
    {
      says: "dollars to dollars: 30 + 10 + 10 cents in fees",
      terms: { sending: "USD", receiving: "USD", lockedSide: "SENDING", lockedMinor: 10_000 },
      totals: { totalReceivingMinor: 9950, feesMinor: 50, exchangeRate: 1 },
    },
  ] as const)("$says", ({ terms, totals }) => {
    expect(quoteAmounts(terms)).toMatchObject(totals);
  });
});

describe("an amount is refused", () => {
  test.each([
    { says: "11 cents to Mexico, eaten by fees of 11", pair: ["USD", "MXN"], minor: 11 },
    { says: "1 cent to Mexico", pair: ["USD", "MXN"], minor: 1 },
    { says: "20 cents to dollars, eaten by fees of 20", pair: ["USD", "USD"], minor: 20 },
    { says: "1000 dong, under the 2450 that ten cents cost", pair: ["VND", "USD"], minor: 1000 },
    { says: "2568 dong, whose last 100 are not a whole cent", pair: ["VND", "USD"], minor: 2568 },
    { says: "100310 micro-USDC, all of them fees", pair: ["USDC", "USD"], minor: 100_310 },
  ] as const)("$says", ({ pair, minor }) => {
    const [sending, receiving] = pair;
    expect(
      refusalOf({ sending, receiving, lockedSide: "SENDING", lockedMinor: minor }),
    ).toMatchObject({ word: "AMOUNT_OUT_OF_RANGE", field: "lockedCurrencyAmount", value: minor });
  });

  test.each(["SENDING", "RECEIVING"] as const)("above 9000000000000000 on the %s side", (side) => {
    for (const lockedMinor of [MAX + 1, Number.MAX_SAFE_INTEGER, 1e20, Number.POSITIVE_INFINITY])
      expect(
        refusalOf({ sending: "USD", receiving: "USD", lockedSide: side, lockedMinor }),
      ).toEqual({
        word: "AMOUNT_OUT_OF_RANGE",
        field: "lockedCurrencyAmount",
        value: lockedMinor,
        max: MAX,
      });
  });

  test("when what must be sent for it is above 9000000000000000", () => {
    expect(
      refusalOf({ sending: "USD", receiving: "USD", lockedSide: "RECEIVING", lockedMinor: MAX }),
    ).toMatchObject({ word: "AMOUNT_OUT_OF_RANGE", field: "totalSendingAmount", max: MAX });
  });

  test("when what arrives is above 9000000000000000", () => {
    expect(
      refusalOf({ sending: "USD", receiving: "IDR", lockedSide: "SENDING", lockedMinor: 1e12 }),
    ).toMatchObject({ word: "AMOUNT_OUT_OF_RANGE", field: "totalReceivingAmount", max: MAX });
  });
});

describe("the smallest and largest amounts that pass", () => {
  test("12 cents to Mexico are one above their fees, and 17 centavos arrive", () => {
    const terms = { sending: "USD", receiving: "MXN", lockedSide: "SENDING", lockedMinor: 12 };
    expect(quoteAmounts(terms as QuoteTerms)).toMatchObject({
      feesMinor: 11,
      totalReceivingMinor: 17,
    });
  });

  test("9000000000000000 cents lose 27000000000020 in fees and nothing in precision", () => {
    const terms = { sending: "USD", receiving: "USD", lockedSide: "SENDING", lockedMinor: MAX };
    expect(quoteAmounts(terms as QuoteTerms)).toMatchObject({
      feesMinor: 27_000_000_000_020,
      totalReceivingMinor: 8_972_999_999_999_980,
    });
  });
});

test("each quote follows its own rates and fees, whatever was quoted before", () => {
  const cheaper = { ...UNITS_PER_USD, MXN: "20" };
  const toMexico = { sending: "USD", receiving: "MXN", lockedSide: "SENDING" } as const;
  const received = (rates: typeof cheaper | undefined) =>
    quoteAmounts({ ...toMexico, lockedMinor: 25_000, ...(rates && { rates }) }).totalReceivingMinor;
  expect([undefined, cheaper, undefined, cheaper].map(received)).toEqual([
    429_766, 498_280, 429_766, 498_280,
  ]);
  const toDollars = { sending: "USD", receiving: "USDB", lockedSide: "SENDING" } as const;
  const fees = (isInternal: boolean) =>
    quoteAmounts({ ...toDollars, lockedMinor: 25_000, isInternal }).feesMinor;
  expect([false, true, false, true].map(fees)).toEqual([86, 0, 86, 0]);
});
