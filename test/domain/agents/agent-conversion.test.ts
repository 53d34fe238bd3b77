import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CurrencyCode } from "../../../src/contract/money/currencies.ts";
import {
  convertedUp,
  type JudgedAction,
  judgeAction,
} from "../../../src/domain/agents/agent-policy.ts";
import { UNITS_PER_USD } from "../../../src/domain/money/rates.ts";
import { agentWith, type Differing } from "../setup/judged-agent.ts";
import { PUBLISHED_CODES, PUBLISHED_RATES } from "../setup/published-rates.ts";

const MAX_MINOR = 9_000_000_000_000_000n;

/**
 * The referee's own arithmetic from the published rates (spec/agent-policy.md#amounts). An amount
 * is worth `n / d` smallest units of the other currency for each of its own.
 */
const worth = (from: CurrencyCode, to: CurrencyCode) => {
  const source = PUBLISHED_RATES[from];
  const target = PUBLISHED_RATES[to];
  return {
    n: target.units * source.per * 10n ** BigInt(target.decimals),
    d: target.per * source.units * 10n ** BigInt(source.decimals),
  };
};

/** The smallest whole amount that is not worth less (spec/agent-policy.md#amounts). */
const referee = (minor: bigint, from: CurrencyCode, to: CurrencyCode) => {
  const { n, d } = worth(from, to);
  return (minor * n + d - 1n) / d;
};

const up = (minor: bigint, from: CurrencyCode, to: CurrencyCode) =>
  convertedUp({ minor: Number(minor), currency: from }, to, UNITS_PER_USD);

const moving = (minor: bigint, currency: CurrencyCode): JudgedAction => ({
  needs: ["CREATE_TRANSFERS"],
  initiates: true,
  amount: { minor: Number(minor), currency },
});

const NO_LIMIT = { perTransactionLimit: Number(MAX_MINOR) };

/** The decision about an amount under these limits, after part of them was used. */
const under = (
  { minor, of }: { minor: bigint; of: CurrencyCode },
  limits: Differing["limits"],
  spent = 0,
) => {
  const used = { dailySpendMinor: spent, monthlySpendMinor: spent };
  return judgeAction(agentWith({ limits: { ...NO_LIMIT, ...limits }, used }), moving(minor, of));
};

/** The value that the row of the single transaction found. */
const found = (minor: number, of: CurrencyCode, limits: Differing["limits"]) =>
  judgeAction(agentWith({ limits: { ...NO_LIMIT, ...limits } }), {
    ...moving(0n, of),
    amount: { minor, currency: of },
  }).checks.find(({ name }) => name === "perTransactionLimit")?.value;

describe("an explanation shows an amount to its last digit:", () => {
  test.each([
    { minor: 9_007_199_254_740_991, of: "USD", limits: "USD", value: 9_007_199_254_740_991 },
    { minor: 9_007_199_254_740_992, of: "USD", limits: "USD", value: "9007199254740992" },
    { minor: 1e17, of: "USD", limits: "USD", value: "100000000000000000" },
    // At 17.25 pesos a dollar; a number would round it to 155249999999999970.
    { minor: 8_999_999_999_999_999, of: "USD", limits: "MXN", value: "155249999999999983" },
  ] as const)("$minor of $of, limits in $limits", ({ minor, of, limits, value }) => {
    expect(found(minor, of, { currency: limits })).toBe(value);
  });
});

/**
 * Amounts in their own smallest units, with values worked out by hand
 * (spec/exchange-rates.md#rate-table).
 */
const CASES = [
  { minor: 12_345n, from: "USD", to: "USD", is: 12_345n },
  { minor: 10_000n, from: "USD", to: "EUR", is: 9_200n },
  { minor: 10_001n, from: "USD", to: "EUR", is: 9_201n },
  { minor: 9_200n, from: "EUR", to: "USD", is: 10_000n },
  { minor: 9_201n, from: "EUR", to: "USD", is: 10_002n },
  { minor: 1n, from: "EUR", to: "USD", is: 2n },
  { minor: 1_725n, from: "MXN", to: "USD", is: 100n },
  { minor: 1_726n, from: "MXN", to: "USD", is: 101n },
  { minor: 1_725n, from: "MXN", to: "EUR", is: 92n },
  { minor: 1_726n, from: "MXN", to: "EUR", is: 93n },
  { minor: 3n, from: "USD", to: "BTC", is: 25n },
  { minor: 1n, from: "USD", to: "BTC", is: 9n },
  { minor: 12_000_000n, from: "USD", to: "BTC", is: 100_000_000n },
  { minor: 25n, from: "BTC", to: "USD", is: 3n },
  { minor: 26n, from: "BTC", to: "USD", is: 4n },
  { minor: 1n, from: "BTC", to: "USD", is: 1n },
  { minor: 245n, from: "VND", to: "USD", is: 1n },
  { minor: 246n, from: "VND", to: "USD", is: 2n },
  { minor: 1n, from: "VND", to: "USD", is: 1n },
  { minor: 1n, from: "USD", to: "VND", is: 245n },
  { minor: 73_500n, from: "VND", to: "BTC", is: 2_500n },
  { minor: 73_501n, from: "VND", to: "BTC", is: 2_501n },
  { minor: 10_000n, from: "USDC", to: "USD", is: 1n },
  { minor: 10_001n, from: "USDC", to: "USD", is: 2n },
  { minor: 9_999n, from: "USDC", to: "USD", is: 1n },
  { minor: 1n, from: "USDC", to: "USD", is: 1n },
  { minor: 1n, from: "USD", to: "USDC", is: 10_000n },
  { minor: 37n, from: "UGX", to: "USD", is: 1n },
  { minor: 38n, from: "UGX", to: "USD", is: 2n },
  { minor: 1n, from: "USD", to: "UGX", is: 37n },
  { minor: 7n, from: "XOF", to: "XAF", is: 7n },
  { minor: MAX_MINOR, from: "BTC", to: "VND", is: 264_600_000_000_000_000n },
] as const;

describe("an amount in another currency", () => {
  test.each(CASES)("$minor $from are $is $to", ({ minor, from, to, is }) => {
    expect(up(minor, from, to)).toBe(is);
  });

  test("has the same worth for the referee", () => {
    for (const { minor, from, to, is } of CASES) expect(referee(minor, from, to)).toBe(is);
  });

  test("is converted at the given rates, not at those of the table", () => {
    const rates = { ...UNITS_PER_USD, EUR: "0.5" };
    expect(convertedUp({ minor: 101, currency: "USD" }, "EUR", rates)).toBe(51n);
    expect(convertedUp({ minor: 51, currency: "EUR" }, "USD", rates)).toBe(102n);
  });
});

/** Limits that an amount just reaches, and limits one smallest unit below it. */
const BOUNDARIES = CASES.filter(({ is }) => is > 1n && is < MAX_MINOR).map((one) => ({
  ...one,
  reached: Number(one.is),
  missed: Number(one.is) - 1,
}));

describe.each(BOUNDARIES)("$minor $from, against bounds in $to", (row) => {
  const { minor, from: of, to: currency, reached, missed } = row;

  test("reach a limit for one transaction, and pass; one unit less denies", () => {
    const reaching = under({ minor, of }, { currency, perTransactionLimit: reached });
    expect(reaching.decision).toBe("allow");
    const above = under({ minor, of }, { currency, perTransactionLimit: missed });
    expect(above).toMatchObject({ decision: "deny", decidedBy: "perTransactionLimit" });
    expect(above.checks).toContainEqual({
      name: "perTransactionLimit",
      passed: false,
      limit: missed,
      value: reached,
      currency,
    });
  });

  test.each(["dailyLimit", "monthlyLimit"] as const)("are added to the use of %s", (name) => {
    const reaching = under({ minor, of }, { currency, [name]: reached + 500 }, 500);
    expect(reaching.decision).toBe("allow");
    const above = under({ minor, of }, { currency, [name]: missed + 500 }, 500);
    expect(above).toMatchObject({ decision: "deny", decidedBy: name });
  });

  test("do not exceed a threshold that they reach; one unit less asks", () => {
    const decide = (amount: number) => {
      const policy = { approvalThresholds: { currency, amount } };
      return judgeAction(agentWith({ policy, limits: NO_LIMIT }), moving(minor, of));
    };
    expect(decide(reached).decision).toBe("allow");
    expect(decide(missed)).toMatchObject({ decision: "ask", decidedBy: "approvalThreshold" });
    expect(decide(missed).checks).toContainEqual({
      name: "approvalThreshold",
      passed: false,
      limit: missed,
      value: reached,
      currency,
    });
  });
});

test("limits and threshold each have their own currency", () => {
  const who = agentWith({
    limits: { currency: "EUR", perTransactionLimit: 9_200 },
    policy: { approvalThresholds: { currency: "VND", amount: 2_449_999 } },
  });
  const { decision, checks } = judgeAction(who, moving(10_000n, "USD"));
  expect(decision).toBe("ask");
  expect(checks.filter(({ currency }) => currency !== undefined)).toEqual([
    { name: "perTransactionLimit", passed: true, limit: 9_200, value: 9_200, currency: "EUR" },
    { name: "dailyLimit", passed: true, value: 9_200, currency: "EUR" },
    { name: "monthlyLimit", passed: true, value: 9_200, currency: "EUR" },
    {
      name: "approvalThreshold",
      passed: false,
      limit: 2_449_999,
      value: 2_450_000,
      currency: "VND",
    },
  ]);
});

const RUNS = { numRuns: 1_000, seed: 20_260_105 };
const currency = fc.constantFrom(...PUBLISHED_CODES);
/** Makes every order of magnitude equally likely. */
const amount = fc
  .integer({ min: 0, max: 52 })
  .chain((bits) => fc.bigInt({ min: 2n ** BigInt(bits), max: 2n ** BigInt(bits + 1) }))
  .map((minor) => (minor > MAX_MINOR ? MAX_MINOR : minor));
const conversion = fc.record({ minor: amount, from: currency, to: currency });

describe("for any two currencies", () => {
  test("the referee knows all 1681 pairs, and every pair agrees with it", () => {
    const pairs = PUBLISHED_CODES.flatMap((from) => PUBLISHED_CODES.map((to) => ({ from, to })));
    expect(pairs.length).toBe(1_681);
    for (const { from, to } of pairs)
      for (const minor of [1n, 2n, 99n, 12_345n, 1_000_000_007n, MAX_MINOR])
        expect(up(minor, from, to), `${minor} ${from} in ${to}`).toBe(referee(minor, from, to));
  });

  test("and any amount, the conversion agrees with the referee", () => {
    fc.assert(
      fc.property(conversion, ({ minor, from, to }) => {
        expect(up(minor, from, to)).toBe(referee(minor, from, to));
      }),
      RUNS,
    );
  });

  test("rounding up is never less than the exact worth, and less than one unit above it", () => {
    fc.assert(
      fc.property(conversion, ({ minor, from, to }) => {
        const { n, d } = worth(from, to);
        const found = up(minor, from, to);
        expect(found * d >= minor * n).toBe(true);
        expect((found - 1n) * d < minor * n).toBe(true);
      }),
      RUNS,
    );
  });

  test("an amount passes a limit exactly when its worth is within it", () => {
    const near = fc.record({ minor: amount, from: currency, to: currency, off: fc.nat(2) });
    fc.assert(
      fc.property(near, ({ minor, from, to, off }) => {
        const { n, d } = worth(from, to);
        const limit = (minor * n) / d + BigInt(off) - 1n;
        fc.pre(limit > 0n && limit < MAX_MINOR);
        const bound = { currency: to, perTransactionLimit: Number(limit) };
        const isWorthNoMore = minor * n <= limit * d;
        const { decision } = under({ minor, of: from }, bound);
        expect(decision).toBe(isWorthNoMore ? "allow" : "deny");
      }),
      RUNS,
    );
  });

  test("many small amounts cannot exceed a day's limit", () => {
    const parts = fc.array(amount, { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(parts, currency, currency, (amounts, from, to) => {
        const { n, d } = worth(from, to);
        const counted = amounts.reduce((sum, minor) => sum + up(minor, from, to), 0n);
        const moved = amounts.reduce((sum, minor) => sum + minor, 0n);
        expect(counted * d >= moved * n).toBe(true);
      }),
      { ...RUNS, numRuns: 500 },
    );
  });
});
