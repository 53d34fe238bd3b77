import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CurrencyCode } from "../../../src/contract/money/currencies.ts";
import type { Rounded } from "../../../src/domain/core/rational.ts";
import { Refusal } from "../../../src/domain/core/refusal.ts";
import {
  type QuotedAmounts,
  type QuoteTerms,
  quoteAmounts,
  requireInRange,
} from "../../../src/domain/money/quote-arithmetic.ts";
import { quoteSteps } from "../../../src/domain/money/quote-steps.ts";
import { PUBLISHED_CODES, PUBLISHED_RATES } from "../setup/published-rates.ts";

/**
 * A second formulation of the arithmetic, as inequalities between whole numbers
 * (spec/exchange-rates.md#exact-arithmetic). It computes no result; it states conditions. The rate
 * is `n` receiving smallest units for `d` sending ones.
 */
const MAX = 9_000_000_000_000_000n;
const RUNS = { numRuns: 1_000, seed: 20_260_105 };

const ratioOf = (sending: CurrencyCode, receiving: CurrencyCode) => {
  const from = PUBLISHED_RATES[sending];
  const to = PUBLISHED_RATES[receiving];
  return {
    n: to.units * from.per * 10n ** BigInt(to.decimals),
    d: to.per * from.units * 10n ** BigInt(from.decimals),
  };
};

/** The smallest whole x with `x * by >= reach`, found by halving. */
const smallest = (by: bigint, reach: bigint) => {
  let low = 0n;
  let high = 1n;
  while (high * by < reach) high *= 2n;
  while (low < high) {
    const middle = (low + high) / 2n;
    if (middle * by >= reach) high = middle;
    else low = middle + 1n;
  }
  return low;
};

interface Expected {
  sending: bigint;
  receiving: bigint;
  fees: bigint;
  variable: bigint;
}

/**
 * The conditions on amounts, as «the smallest that…» and «the largest that…»
 * (spec/quotes.md#locked-side).
 */
const expectedOf = ({ sending, receiving, lockedSide, lockedMinor }: QuoteTerms): Expected => {
  const { n, d } = ratioOf(sending, receiving);
  const locked = BigInt(lockedMinor);
  const counterparty = smallest(n, 10n * d);
  if (lockedSide === "SENDING") {
    const variable = smallest(2000n, 6n * locked - 999n > 0n ? 6n * locked - 999n : 0n);
    const fees = 10n + variable + counterparty;
    const kept = locked - fees;
    const arrives = kept <= 0n ? 0n : smallest(d, kept * n + 1n) - 1n;
    return { sending: locked, receiving: arrives, fees, variable };
  }
  const base = smallest(n, locked * d);
  const total = smallest(997n, 1000n * (base + 10n + counterparty));
  return {
    sending: total,
    receiving: locked,
    fees: total - base,
    variable: total - base - 10n - counterparty,
  };
};

const isRefused = ({ sending, receiving, fees }: Expected) =>
  receiving <= 0n || sending - fees <= 0n || sending > MAX || receiving > MAX;

const attempt = (terms: QuoteTerms): QuotedAmounts | "AMOUNT_OUT_OF_RANGE" => {
  try {
    const amounts = quoteAmounts(terms);
    requireInRange(amounts, terms);
    return amounts;
  } catch (error) {
    if (error instanceof Refusal && error.word === "AMOUNT_OUT_OF_RANGE") return error.word;
    throw error;
  }
};

const currency = fc.constantFrom(...PUBLISHED_CODES);
/** Every order of magnitude is equally likely. */
const amount = fc
  .integer({ min: 0, max: 52 })
  .chain((bits) => fc.bigInt({ min: 2n ** BigInt(bits), max: 2n ** BigInt(bits + 1) }))
  .map((minor) => Number(minor > MAX ? MAX : minor));
const terms = fc.record({
  sending: currency,
  receiving: currency,
  lockedSide: fc.constantFrom("SENDING" as const, "RECEIVING" as const),
  lockedMinor: amount,
});

/** A published number as digits and exponent, for an exact comparison. */
const decimalOf = (value: number) => {
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const [whole = "", decimals = ""] = mantissa.split(".");
  return {
    digits: BigInt(whole + decimals),
    length: (whole + decimals).length,
    exponent: Number(exponent),
  };
};

/**
 * Whether `value` is `n/d` rounded half up to ten significant digits: no other ten digits are
 * nearer.
 */
const isNearest = (value: number, n: bigint, d: bigint) => {
  const { digits, length, exponent } = decimalOf(value);
  if (length > 10) return false;
  const shift = exponent - 9;
  const ten = digits * 10n ** BigInt(10 - length);
  const up = shift >= 0 ? 10n ** BigInt(shift) : 1n;
  const down = shift >= 0 ? 1n : 10n ** BigInt(-shift);
  const distance = 2n * (n * down - ten * up * d);
  const halfStep = up * d;
  const below = ten === 10n ** 9n ? halfStep / 10n : halfStep;
  return distance < halfStep && distance >= -below;
};

describe("quoted amounts, against a second reading of the contract", () => {
  test("agree for any two currencies, either side and any amount", () => {
    fc.assert(
      fc.property(terms, (asked) => {
        const expected = expectedOf(asked);
        const quoted = attempt(asked);
        if (isRefused(expected)) expect(quoted).toBe("AMOUNT_OUT_OF_RANGE");
        else
          expect(quoted).toMatchObject({
            totalSendingMinor: Number(expected.sending),
            totalReceivingMinor: Number(expected.receiving),
            feesMinor: Number(expected.fees),
            rateDetails: { serviceApiVariableFeeAmount: Number(expected.variable) },
          });
      }),
      RUNS,
    );
  });

  test("keep the locked side, leave something after fees, and add up", () => {
    fc.assert(
      fc.property(terms, (asked) => {
        const quoted = attempt(asked);
        fc.pre(quoted !== "AMOUNT_OUT_OF_RANGE");
        const { totalSendingMinor, totalReceivingMinor, feesMinor, rateDetails } = quoted;
        const locked = asked.lockedSide === "SENDING" ? totalSendingMinor : totalReceivingMinor;
        expect(locked).toBe(asked.lockedMinor);
        expect(totalReceivingMinor).toBeGreaterThan(0);
        expect(totalSendingMinor - feesMinor).toBeGreaterThan(0);
        expect(totalSendingMinor).toBeLessThanOrEqual(9_000_000_000_000_000);
        expect(totalReceivingMinor).toBeLessThanOrEqual(9_000_000_000_000_000);
        const { n, d } = ratioOf(asked.sending, asked.receiving);
        const counterparty = smallest(n, 10n * d);
        const parts = 10n + BigInt(rateDetails.serviceApiVariableFeeAmount) + counterparty;
        expect(BigInt(feesMinor)).toBe(parts);
        const kept = BigInt(totalSendingMinor - feesMinor);
        expect(BigInt(totalReceivingMinor) * d <= kept * n).toBe(true);
      }),
      RUNS,
    );
  });

  // spec/exchange-rates.md#calculation
  test("are explained by steps that add up, each rounded by less than one unit, the way it says", () => {
    const isRounded = ({ exact: { n, d }, whole, how }: Rounded) => {
      const over = whole * d - n;
      if (how === "down") return over <= 0n && over > -d;
      return how === "up" ? over >= 0n && over < d : 2n * over > -d && 2n * over <= d;
    };
    fc.assert(
      fc.property(terms, (asked) => {
        fc.pre(attempt(asked) !== "AMOUNT_OUT_OF_RANGE");
        const steps = quoteSteps(asked);
        const { variable, counterparty, converted, serviceFixedMinor, feesMinor } = steps;
        expect([variable, counterparty, converted].filter((one) => !isRounded(one))).toEqual([]);
        expect(serviceFixedMinor + variable.whole + counterparty.whole).toBe(feesMinor);
        const computed =
          asked.lockedSide === "SENDING" ? steps.receivingMinor : steps.sendingMinor - feesMinor;
        expect(converted.whole).toBe(computed);
      }),
      RUNS,
    );
  });

  test("take no more than needed: one unit less would arrive one unit short", () => {
    fc.assert(
      fc.property(terms, (asked) => {
        fc.pre(asked.lockedSide === "RECEIVING");
        const quoted = attempt(asked);
        fc.pre(quoted !== "AMOUNT_OUT_OF_RANGE");
        const { n, d } = ratioOf(asked.sending, asked.receiving);
        const base = BigInt(quoted.totalSendingMinor - quoted.feesMinor);
        expect((base - 1n) * n < BigInt(asked.lockedMinor) * d).toBe(true);
      }),
      RUNS,
    );
  });
});

const PAIRS = PUBLISHED_CODES.flatMap((sending) =>
  PUBLISHED_CODES.map((receiving) => ({ sending, receiving })),
);
/** An amount large enough to leave something for every pair, and small enough to stay in range. */
const lockedFor = (sending: CurrencyCode) => {
  const { units, per, decimals } = PUBLISHED_RATES[sending];
  return Number((1000n * units * 10n ** BigInt(decimals)) / per);
};

describe("published rates, for every pair of currencies", () => {
  test("are 1681 pairs", () => {
    expect(PAIRS.length).toBe(1681);
  });

  test("tell the sending units of one receiving unit, to ten digits", () => {
    for (const { sending, receiving } of PAIRS) {
      const quoted = quoteAmounts({
        sending,
        receiving,
        lockedSide: "SENDING",
        lockedMinor: lockedFor(sending),
      });
      const from = PUBLISHED_RATES[sending];
      const to = PUBLISHED_RATES[receiving];
      const n = from.units * to.per;
      const d = from.per * to.units;
      expect(isNearest(quoted.exchangeRate, n, d), `${sending} to ${receiving}`).toBe(true);
    }
  });

  test("have multipliers by way of milli-satoshi, the variable fee inside the first", () => {
    for (const { sending, receiving } of PAIRS) {
      const { rateDetails } = quoteAmounts({
        sending,
        receiving,
        lockedSide: "SENDING",
        lockedMinor: lockedFor(sending),
      });
      const from = PUBLISHED_RATES[sending];
      const to = PUBLISHED_RATES[receiving];
      // One dollar is 100,000,000,000 / 120,000 milli-satoshi.
      const name = `${sending} to ${receiving}`;
      const inside = 997n * 10n ** 11n * from.per;
      const outside = 1000n * 120_000n * from.units * 10n ** BigInt(from.decimals);
      expect(isNearest(rateDetails.serviceApiMultiplier, inside, outside), name).toBe(true);
      const perMilliSatoshi = 120_000n * to.units * 10n ** BigInt(to.decimals);
      expect(
        isNearest(rateDetails.counterpartyMultiplier, perMilliSatoshi, 10n ** 11n * to.per),
        name,
      ).toBe(true);
    }
  });
});
