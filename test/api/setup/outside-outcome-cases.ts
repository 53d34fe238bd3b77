import { OUTCOME_CASES, type OutcomeCase, type Told } from "./outcome-cases.ts";

/** The ledger after each row, for 25000 cents from outside, of which 86 are fees. */
const LEDGERS: Record<string, Record<string, number>> = {
  "002": {},
  "003": {
    "Ledger:funding USD": -25_000,
    "Ledger:fees USD": 86,
    "Ledger:exchange USD": 24_914,
    "Ledger:exchange MXN": -429_766,
    "Ledger:payouts MXN": 429_766,
  },
  "004": {},
  "005": {},
  "006": {
    "Ledger:losses USD": -25_000,
    "Ledger:fees USD": 86,
    "Ledger:exchange USD": 24_914,
    "Ledger:exchange MXN": -429_766,
    "Ledger:payouts MXN": 429_766,
  },
  "007": { "Ledger:funding USD": -25_000, "Ledger:unrefunded USD": 25_000 },
  "999": {
    "Ledger:funding USD": -25_000,
    "Ledger:fees USD": 86,
    "Ledger:exchange USD": 24_914,
    "Ledger:exchange MXN": -429_766,
    "Ledger:payouts MXN": 429_766,
  },
};

const ledgerAfter = (suffix: string) => {
  const ledger = LEDGERS[suffix];
  if (!ledger) throw new Error(`Expected a ledger after ${suffix}: add it to LEDGERS of this file`);
  return ledger;
};

/**
 * The rows of quoted payments, for money from outside (spec/quotes.md#quoted-payments). The payer's
 * internal account is empty and stays empty (spec/transactions.md#refund-amount).
 */
export const FROM_OUTSIDE_CASES: OutcomeCase[] = OUTCOME_CASES.map((row) => ({
  ...row,
  moments: row.moments.map((moment) => ({ ...moment, balance: 0 })),
  balances: [],
  ledger: ledgerAfter(row.suffix),
}));

const BEGINS: Told[] = [
  ["09:00:00.000", "PENDING", "PENDING"],
  ["09:00:10.000", "PROCESSING", "PROCESSING"],
];

const pullFailedAtOnce = (suffix: string, says: string): OutcomeCase => ({
  suffix,
  says,
  moments: [{ at: "09:00:10.000", payment: "FAILED", quote: "FAILED", balance: 0, ledger: {} }],
  events: [...BEGINS, ["09:00:10.000", "FAILED", "FAILED"]],
  balances: [],
  ends: { failureReason: "QUOTE_EXECUTION_FAILED" },
  ledger: {},
});

/**
 * Pulls that fail, by the ending of the source (spec/quotes.md#pull-rows). Nothing was collected,
 * so nothing is refunded or paid.
 */
export const PULL_REFUSED_CASES: OutcomeCase[] = [
  pullFailedAtOnce("002", "fails at once for want of funds"),
  pullFailedAtOnce("003", "fails at once at a closed account"),
  pullFailedAtOnce("004", "is rejected by the bank at once"),
  {
    suffix: "005",
    says: "is PROCESSING for thirty seconds and fails",
    moments: [
      { at: "09:00:10.000", payment: "PROCESSING", quote: "PROCESSING", balance: 0, ledger: {} },
      { at: "09:00:39.999", payment: "PROCESSING", quote: "PROCESSING", balance: 0, ledger: {} },
      { at: "09:00:40.000", payment: "FAILED", quote: "FAILED", balance: 0, ledger: {} },
    ],
    events: [...BEGINS, ["09:00:40.000", "FAILED", "FAILED"]],
    balances: [],
    ends: { failureReason: "QUOTE_EXECUTION_FAILED" },
    ledger: {},
  },
];

/**
 * Another amount than the quote's 25000 arrives, and all of it goes back
 * (spec/sandbox.md#sending-funds).
 */
const mismatch = (amount: number): OutcomeCase & { amount: number } => ({
  suffix: "mismatch",
  amount,
  says: `fails, and ${amount} are sent back a second later`,
  moments: [
    {
      at: "09:00:10.000",
      payment: "FAILED",
      refund: "PENDING",
      quote: "FAILED",
      balance: 0,
      ledger: { "Ledger:funding USD": -amount, "Ledger:clearing USD": amount },
    },
    { at: "09:00:10.999", payment: "FAILED", refund: "PENDING", quote: "FAILED", balance: 0 },
    { at: "09:00:11.000", payment: "FAILED", refund: "COMPLETED", quote: "FAILED", balance: 0 },
  ],
  events: [
    ...BEGINS,
    ["09:00:10.000", "FAILED", "FAILED"],
    ["09:00:10.000", "REFUND_PENDING", "FAILED", "PENDING"],
    ["09:00:11.000", "REFUND_COMPLETED", "FAILED", "COMPLETED"],
  ],
  balances: [],
  ends: { failureReason: "FUNDING_AMOUNT_MISMATCH" },
  refund: {
    status: "COMPLETED",
    reason: "TRANSACTION_FAILED",
    initiatedAt: "2026-01-05T09:00:10.000Z",
    settledAt: "2026-01-05T09:00:11.000Z",
  },
  ledger: {},
});

export const MISMATCH_CASES = [1, 24_999, 25_001, 9_000_000_000_000_000].map(mismatch);
