import { expect, test } from "vitest";
import { parseRational } from "../../../src/domain/core/rational.ts";
import { feesOn, feeTermsOf } from "../../../src/domain/money/fee-arithmetic.ts";
import { quoteAmounts } from "../../../src/domain/money/quote-arithmetic.ts";

// spec/later-payments.md#platform-fees
test("10.00 dollars with 30 bps and 0.50, and 100 bps of the service: 53 and 10", () => {
  const platform = feeTermsOf({ fixedMinor: 50, variableBps: 30 });
  const service = { fixedMinor: 0n, rate: parseRational("0.01") };
  // 950 remain: 2.85 rounds to 3, 9.5 to 10.
  expect(feesOn(1_000n, { platform, service })).toEqual({ platformMinor: 53n, serviceMinor: 10n });
});

// spec/later-payments.md#platform-fees
test("a locked receiving side needs the smallest amount that a locked sending side delivers it of", () => {
  for (const platformFee of [
    { fixedMinor: 50, variableBps: 30 },
    { fixedMinor: 0, variableBps: 9_900 },
    { fixedMinor: 7, variableBps: 0 },
  ])
    for (const lockedMinor of [1, 99, 862, 12_345]) {
      const pair = { sending: "USD", receiving: "EUR", platformFee } as const;
      const asked = quoteAmounts({ ...pair, lockedSide: "RECEIVING", lockedMinor });
      const deliveredOf = (sendingMinor: number) =>
        quoteAmounts({ ...pair, lockedSide: "SENDING", lockedMinor: sendingMinor });
      const same = deliveredOf(asked.totalSendingMinor);
      expect(same.totalReceivingMinor).toBeGreaterThanOrEqual(lockedMinor);
      expect(same.platformFeesMinor).toBe(asked.platformFeesMinor);
      const less = deliveredOf(asked.totalSendingMinor - 1);
      expect(less.totalReceivingMinor).toBeLessThan(lockedMinor);
    }
});

// spec/later-payments.md#platform-fees
test("a fee that takes all of each further cent leaves nothing to deliver", () => {
  const platformFee = { fixedMinor: 0, variableBps: 10_000 };
  const pair = { sending: "USD", receiving: "EUR", platformFee } as const;
  const { totalReceivingMinor } = quoteAmounts({
    ...pair,
    lockedSide: "RECEIVING",
    lockedMinor: 5,
  });
  expect(totalReceivingMinor).toBeLessThanOrEqual(0);
});
