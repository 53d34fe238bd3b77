import type { OutcomeCase, Told } from "./outcome-cases.ts";

const FUNDED = { "Ledger:funding USD": -1_000_000 };

const REFUNDED = {
  status: "COMPLETED",
  reason: "TRANSACTION_FAILED",
  initiatedAt: "2026-01-05T09:00:10.000Z",
  settledAt: "2026-01-05T09:00:11.000Z",
};

/**
 * A transfer refused within the call: it is never PROCESSING
 * (spec/transfers.md#transfer-out-outcomes).
 */
const refusedOutgoing = (suffix: string, says: string): OutcomeCase => ({
  suffix,
  says,
  moments: [
    {
      at: "09:00:10.000",
      payment: "FAILED",
      refund: "PENDING",
      balance: 975_000,
      ledger: { ...FUNDED, "Ledger:clearing USD": 25_000 },
    },
    { at: "09:00:10.999", payment: "FAILED", refund: "PENDING", balance: 975_000 },
    { at: "09:00:11.000", payment: "FAILED", refund: "COMPLETED", balance: 1_000_000 },
  ],
  events: [
    ["09:00:10.000", "PENDING", "PENDING"],
    ["09:00:10.000", "FAILED", "FAILED"],
    ["09:00:10.000", "REFUND_PENDING", "FAILED", "PENDING"],
    ["09:00:11.000", "REFUND_COMPLETED", "FAILED", "COMPLETED"],
  ],
  balances: [
    ["09:00:10.000", 975_000],
    ["09:00:11.000", 1_000_000],
  ],
  ends: { failureReason: "QUOTE_EXECUTION_FAILED" },
  refund: REFUNDED,
  ledger: FUNDED,
});

/** A case with the fields that its 201 shows. */
export interface TransferCase extends OutcomeCase {
  replies: { status: string; refund?: string };
}

/**
 * Rows of a transfer out of 25000 cents at 09:00:10 (spec/transfers.md#transfer-out-outcomes). The
 * account that pays holds 1000000 before.
 */
export const TRANSFER_OUT_CASES: TransferCase[] = [
  {
    ...refusedOutgoing("002", "fails in the reply for want of funds, and is refunded"),
    replies: { status: "FAILED", refund: "PENDING" },
  },
  {
    ...refusedOutgoing("003", "fails in the reply at a closed account, and is refunded"),
    replies: { status: "FAILED", refund: "PENDING" },
  },
  {
    suffix: "004",
    says: "is rejected by the bank right after the reply, and refunded",
    replies: { status: "PENDING" },
    moments: [
      { at: "09:00:10.000", payment: "FAILED", refund: "PENDING", balance: 975_000 },
      { at: "09:00:10.999", payment: "FAILED", refund: "PENDING", balance: 975_000 },
      { at: "09:00:11.000", payment: "FAILED", refund: "COMPLETED", balance: 1_000_000 },
    ],
    events: [
      ["09:00:10.000", "PENDING", "PENDING"],
      ["09:00:10.000", "PROCESSING", "PROCESSING"],
      ["09:00:10.000", "FAILED", "FAILED"],
      ["09:00:10.000", "REFUND_PENDING", "FAILED", "PENDING"],
      ["09:00:11.000", "REFUND_COMPLETED", "FAILED", "COMPLETED"],
    ],
    balances: [
      ["09:00:10.000", 975_000],
      ["09:00:11.000", 1_000_000],
    ],
    ends: { failureReason: "QUOTE_EXECUTION_FAILED" },
    refund: REFUNDED,
    ledger: FUNDED,
  },
  {
    suffix: "005",
    says: "is pending for thirty seconds, fails, and is refunded a second later",
    replies: { status: "PENDING" },
    moments: [
      {
        at: "09:00:10.000",
        payment: "PENDING",
        balance: 975_000,
        ledger: { ...FUNDED, "Ledger:clearing USD": 25_000 },
      },
      { at: "09:00:39.999", payment: "PENDING", balance: 975_000 },
      { at: "09:00:40.000", payment: "FAILED", refund: "PENDING", balance: 975_000 },
      { at: "09:00:40.999", payment: "FAILED", refund: "PENDING", balance: 975_000 },
      { at: "09:00:41.000", payment: "FAILED", refund: "COMPLETED", balance: 1_000_000 },
    ],
    events: [
      ["09:00:10.000", "PENDING", "PENDING"],
      ["09:00:40.000", "FAILED", "FAILED"],
      ["09:00:40.000", "REFUND_PENDING", "FAILED", "PENDING"],
      ["09:00:41.000", "REFUND_COMPLETED", "FAILED", "COMPLETED"],
    ],
    balances: [
      ["09:00:10.000", 975_000],
      ["09:00:41.000", 1_000_000],
    ],
    ends: { failureReason: "QUOTE_EXECUTION_FAILED" },
    refund: {
      status: "COMPLETED",
      reason: "TIMEOUT",
      initiatedAt: "2026-01-05T09:00:40.000Z",
      settledAt: "2026-01-05T09:00:41.000Z",
    },
    ledger: FUNDED,
  },
  {
    suffix: "999",
    says: "arrives right after the reply",
    replies: { status: "PENDING" },
    moments: [{ at: "09:00:10.000", payment: "COMPLETED", balance: 975_000 }],
    events: [
      ["09:00:10.000", "PENDING", "PENDING"],
      ["09:00:10.000", "PROCESSING", "PROCESSING"],
      ["09:00:10.000", "COMPLETED", "COMPLETED"],
    ],
    balances: [["09:00:10.000", 975_000]],
    ends: { settledAt: "2026-01-05T09:00:10.000Z" },
    ledger: { ...FUNDED, "Ledger:payouts USD": 25_000 },
  },
];

const FAILED_AT_ONCE: Told[] = [["09:00:10.000", "FAILED", "FAILED"]];

const failedIncoming = (suffix: string, says: string): Omit<TransferCase, "replies"> => ({
  suffix,
  says,
  moments: [{ at: "09:00:10.000", payment: "FAILED", balance: 1_000_000, ledger: FUNDED }],
  events: FAILED_AT_ONCE,
  balances: [],
  ends: { failureReason: "QUOTE_EXECUTION_FAILED" },
  ledger: FUNDED,
});

/**
 * Rows of a transfer in (spec/transfers.md#transfer-in-outcomes). An INCOMING transaction sends one
 * event, at its end (spec/transfers.md#transfer-events). Nothing is refunded, since nothing was
 * collected.
 */
export const TRANSFER_IN_CASES: TransferCase[] = [
  {
    ...failedIncoming("002", "fails in the reply for want of funds"),
    replies: { status: "FAILED" },
  },
  {
    ...failedIncoming("003", "fails in the reply at a closed account"),
    replies: { status: "FAILED" },
  },
  {
    ...failedIncoming("004", "is rejected by the bank right after the reply"),
    replies: { status: "PENDING" },
  },
  {
    suffix: "005",
    says: "is pending for thirty seconds and fails",
    replies: { status: "PENDING" },
    moments: [
      { at: "09:00:10.000", payment: "PENDING", balance: 1_000_000, ledger: FUNDED },
      { at: "09:00:39.999", payment: "PENDING", balance: 1_000_000 },
      { at: "09:00:40.000", payment: "FAILED", balance: 1_000_000 },
    ],
    events: [["09:00:40.000", "FAILED", "FAILED"]],
    balances: [],
    ends: { failureReason: "QUOTE_EXECUTION_FAILED" },
    ledger: FUNDED,
  },
  {
    suffix: "999",
    says: "is credited right after the reply",
    replies: { status: "PENDING" },
    moments: [{ at: "09:00:10.000", payment: "COMPLETED", balance: 1_025_000 }],
    events: [["09:00:10.000", "COMPLETED", "COMPLETED"]],
    balances: [["09:00:10.000", 1_025_000]],
    ends: { settledAt: "2026-01-05T09:00:10.000Z" },
    ledger: { "Ledger:funding USD": -1_025_000 },
  },
];
