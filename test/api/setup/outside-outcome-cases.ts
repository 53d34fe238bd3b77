import { BEGINS, type OutcomeCase } from "./outcome-cases.ts";

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
