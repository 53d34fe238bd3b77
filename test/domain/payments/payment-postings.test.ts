import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CurrencyCode } from "../../../src/contract/money/currencies.ts";
import type { Posting } from "../../../src/domain/core/draft.ts";
import {
  collection,
  delivery,
  receipt,
  refunding,
  reversed,
} from "../../../src/domain/payments/payment-postings.ts";
import type {
  IncomingRecord,
  OutgoingRecord,
  RefundRecord,
} from "../../../src/domain/records/records.ts";

const PAYER = "InternalAccount:payer";
const PAYEE = "InternalAccount:payee";

interface Terms {
  sending: CurrencyCode;
  receiving: CurrencyCode;
  sent: number;
  received: number;
  fees: number;
  fromInside: boolean;
  toInside: boolean;
}

const stamped = { id: "Transaction:1", createdAtMs: 0, updatedAtMs: 0 };
const parties = {
  destination: { destinationType: "ACCOUNT", accountId: "x" },
  source: { sourceType: "ACCOUNT", accountId: "y" },
  customerId: "c",
  platformCustomerId: "p",
  reference: "REF-1",
} as const;

const outgoing = (terms: Terms, refund?: RefundRecord["status"]): OutgoingRecord => ({
  ...stamped,
  ...parties,
  type: "OUTGOING",
  status: "PROCESSING",
  sendingCurrency: terms.sending,
  receivingCurrency: terms.receiving,
  sentMinor: terms.sent,
  receivedMinor: terms.received,
  feesMinor: terms.fees,
  ...(terms.fromInside && { debitsAccountId: PAYER }),
  ...(terms.toInside && { creditsAccountId: PAYEE }),
  collectedMinor: terms.sent,
  ...(refund && {
    refund: { reference: "r", initiatedAtMs: 0, status: refund, reason: "USER_CANCELLATION" },
  }),
});

const incoming = (terms: Terms): IncomingRecord => ({
  ...stamped,
  ...parties,
  type: "INCOMING",
  status: "PROCESSING",
  receivingCurrency: terms.receiving,
  receivedMinor: terms.received,
  feesMinor: terms.fees,
  ...(terms.toInside && { creditsAccountId: PAYEE }),
});

const sums = (postings: readonly Posting[]) => {
  const totals: Record<string, bigint> = {};
  for (const { currency, amountMinor } of postings)
    totals[currency] = (totals[currency] ?? 0n) + amountMinor;
  return Object.values(totals).filter((total) => total !== 0n);
};

/** The change of each account by some movements, without those at zero. */
const left = (...movements: (readonly Posting[])[]) => {
  const balances: Record<string, bigint> = {};
  for (const { account, currency, amountMinor } of movements.flat()) {
    const key = `${account} ${currency}`;
    balances[key] = (balances[key] ?? 0n) + amountMinor;
  }
  return Object.fromEntries(Object.entries(balances).filter(([, balance]) => balance !== 0n));
};

const amount = fc.integer({ min: 1, max: 9_000_000_000_000_000 });
const termsOf = fc
  .record({
    sending: fc.constantFrom<CurrencyCode>("USD", "MXN", "BTC"),
    receiving: fc.constantFrom<CurrencyCode>("USD", "MXN", "EUR"),
    sent: amount,
    received: amount,
    fees: fc.nat({ max: 1_000_000 }),
    fromInside: fc.boolean(),
    toInside: fc.boolean(),
  })
  .map((terms): Terms => ({ ...terms, fees: Math.min(terms.fees, terms.sent - 1) }));

const prop = (holds: (terms: Terms) => void) => fc.assert(fc.property(termsOf, holds));

describe("for any terms", () => {
  test("every movement sums to zero, names each account once, and has no zero posting", () =>
    prop((terms) => {
      const payment = outgoing(terms);
      const movements = [
        collection(payment, terms.sent),
        delivery(payment),
        delivery(outgoing(terms, "COMPLETED")),
        reversed(delivery(payment)),
        refunding(payment, { on: "settle", feeFrom: undefined }),
        refunding(payment, { on: "fail", feeFrom: undefined }),
        receipt(incoming(terms)),
      ];
      for (const movement of movements) {
        expect(sums(movement)).toEqual([]);
        const keys = movement.map(({ account, currency }) => `${account} ${currency}`);
        expect(new Set(keys).size).toBe(keys.length);
        for (const { amountMinor } of movement) expect(amountMinor).not.toBe(0n);
      }
    }));

  // spec/ledger.md#collection, spec/ledger.md#refund
  test("a collection and its refund leave nothing", () =>
    prop((terms) => {
      const payment = outgoing(terms);
      expect(
        left(
          collection(payment, terms.sent),
          refunding(payment, { on: "settle", feeFrom: undefined }),
        ),
      ).toEqual({});
    }));

  // spec/ledger.md#reversal
  test("collection, delivery, return and refund leave nothing", () =>
    prop((terms) => {
      const payment = outgoing(terms);
      const all = [collection(payment, terms.sent), delivery(payment)];
      const back = [
        reversed(delivery(payment)),
        refunding(payment, { on: "settle", feeFrom: undefined }),
      ];
      expect(left(...all, ...back)).toEqual({});
    }));

  // spec/ledger.md#delivery
  test("a delivery leaves nothing in between: payer and payee have their amounts", () =>
    prop((terms) => {
      const payment = outgoing(terms);
      const balances = left(collection(payment, terms.sent), delivery(payment));
      expect(balances).not.toHaveProperty(`Ledger:clearing ${terms.sending}`);
      if (terms.fromInside) expect(balances[`${PAYER} ${terms.sending}`]).toBe(-BigInt(terms.sent));
      if (terms.toInside)
        expect(balances[`${PAYEE} ${terms.receiving}`]).toBe(BigInt(terms.received));
    }));

  test("a delivery after the refund is the operator's loss", () =>
    prop((terms) => {
      const movements = [
        collection(outgoing(terms), terms.sent),
        refunding(outgoing(terms), { on: "settle", feeFrom: undefined }),
        delivery(outgoing(terms, "COMPLETED")),
      ];
      const balances = left(...movements);
      expect(balances[`Ledger:losses ${terms.sending}`]).toBe(-BigInt(terms.sent));
      expect(balances).not.toHaveProperty(`${PAYER} ${terms.sending}`);
      expect(balances).not.toHaveProperty(`Ledger:clearing ${terms.sending}`);
    }));
});

test("a refund returns the collected amount, not the requested one", () => {
  const terms: Terms = {
    sending: "USD",
    receiving: "MXN",
    sent: 25_000,
    received: 429_766,
    fees: 86,
    fromInside: false,
    toInside: false,
  };
  const payment = { ...outgoing(terms), collectedMinor: 7 };
  expect(refunding(payment, { on: "settle", feeFrom: undefined })).toEqual([
    { account: "Ledger:clearing", currency: "USD", amountMinor: -7n },
    { account: "Ledger:funding", currency: "USD", amountMinor: 7n },
  ]);
  expect(refunding(payment, { on: "fail", feeFrom: undefined })[1]).toEqual({
    account: "Ledger:unrefunded",
    currency: "USD",
    amountMinor: 7n,
  });
});
