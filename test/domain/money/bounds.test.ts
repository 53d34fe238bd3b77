import { expect, test } from "vitest";
import { Refusal } from "../../../src/domain/core/refusal.ts";
import { assertBalanced, LEDGER_ACCOUNTS, requireRoom } from "../../../src/domain/money/ledger.ts";
import {
  exactSendingMinor,
  type QuoteTerms,
  quoteAmounts,
  requireInRange,
} from "../../../src/domain/money/quote-arithmetic.ts";
import { RuleWorld } from "../setup/rule-world.ts";

const ANA = "InternalAccount:ana";
const posting = (account: string, currency: string, amountMinor: bigint) => ({
  account,
  currency,
  amountMinor,
});
// biome-ignore lint/suspicious/noExplicitAny: the tests look into whatever was thrown
const thrownBy = (act: () => unknown): any => {
  try {
    act();
  } catch (error) {
    return error;
  }
};

test("a balance below zero is named with its account and currency", () => {
  const movement = [posting(ANA, "USD", -1n), posting(LEDGER_ACCOUNTS.fees, "USD", 1n)];
  expect(thrownBy(() => assertBalanced(movement, () => -1n)).values).toEqual({
    account: ANA,
    currency: "USD",
    balance: "-1",
  });
});

test("a credit above the maximum is refused with its field, account and maximum", () => {
  const { state } = new RuleWorld();
  const credit = posting(ANA, "USD", 9_007_199_254_740_992n);
  expect(thrownBy(() => requireRoom(state, credit, "amount")).details).toEqual({
    field: "amount",
    accountId: ANA,
    max: 9_007_199_254_740_991,
  });
});

const refusalOf = (terms: QuoteTerms) => {
  const error = thrownBy(() => requireInRange(quoteAmounts(terms), terms));
  return error instanceof Refusal ? { word: error.word, ...error.details } : error;
};

test.each([
  { says: "12 cents to Mexico: one more than the fees of 11", pair: ["USD", "MXN"], min: 12 },
  { says: "21 cents to dollars: one more than the fees of 20", pair: ["USD", "USD"], min: 21 },
  { says: "2713 dong, of which a whole cent is left", pair: ["VND", "USD"], min: 2713 },
] as const)("the least that can be sent is $says", ({ pair, min }) => {
  const [sending, receiving] = pair;
  const terms = { sending, receiving, lockedSide: "SENDING" } as const;
  expect(refusalOf({ ...terms, lockedMinor: 1 })).toMatchObject({ min });
  expect(refusalOf({ ...terms, lockedMinor: min - 1 })).toMatchObject({ min });
  expect(refusalOf({ ...terms, lockedMinor: min })).toBeUndefined();
});

test.each([
  ["USD", "USD", "SENDING"],
  ["BTC", "IDR", "RECEIVING"],
] as const)(
  "9000000000000000 of %s to %s on the %s side is in range",
  (sending, receiving, lockedSide) => {
    expect(
      refusalOf({ sending, receiving, lockedSide, lockedMinor: 9_000_000_000_000_000 }),
    ).toBeUndefined();
  },
);

test("the exact amount sent is the one quoted", () => {
  const terms = {
    sending: "USD",
    receiving: "EUR",
    lockedSide: "RECEIVING",
    lockedMinor: 50_000,
  } as const;
  expect(exactSendingMinor(terms)).toBe(54_533n);
});
