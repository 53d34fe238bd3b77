/** State of a payment at one instant of 2026-01-05. */
export interface Moment {
  at: string;
  payment: string;
  refund?: string;
  /** Absent for a payment without a quote. */
  quote?: string;
  /** Balance of the internal account that pays or is paid. */
  balance: number;
  /** The ledger's own accounts that are not zero, where a case states them. */
  ledger?: Record<string, number>;
}

/** One webhook about the payment: instant, event, and its status. */
export type Told = readonly [at: string, event: string, status: string, refund?: string];

export interface OutcomeCase {
  /** The row: an ending, or another value that chooses it. */
  suffix: string;
  says: string;
  moments: Moment[];
  events: Told[];
  balances: (readonly [at: string, amount: number])[];
  /** Fields of the payment at its end, besides its status. */
  ends: { failureReason?: string; settledAt?: string };
  refund?: { status: string; reason: string; initiatedAt: string; settledAt?: string };
  /** The ledger's own accounts that are not zero at the end. */
  ledger: Record<string, number>;
}

/** Quoted at 09:00:00, executed at 09:00:10: 25000 cents of which 86 are fees. */
const BEGINS: Told[] = [
  ["09:00:00.000", "PENDING", "PENDING"],
  ["09:00:10.000", "PROCESSING", "PROCESSING"],
];

const DELIVERED = {
  "Ledger:funding USD": -1_000_000,
  "Ledger:fees USD": 86,
  "Ledger:exchange USD": 24_914,
  "Ledger:exchange MXN": -429_766,
  "Ledger:payouts MXN": 429_766,
};

const UNTOUCHED = { "Ledger:funding USD": -1_000_000 };

const FAILED = { payment: "FAILED", quote: "FAILED" };

/** Fails at 09:00:10 and is refunded a second later. */
export const REFUNDED_AT_ONCE = {
  moments: [
    { at: "09:00:10.000", ...FAILED, refund: "PENDING", balance: 975_000 },
    { at: "09:00:10.999", ...FAILED, refund: "PENDING", balance: 975_000 },
    { at: "09:00:11.000", ...FAILED, refund: "COMPLETED", balance: 1_000_000 },
  ],
  events: [
    ...BEGINS,
    ["09:00:10.000", "FAILED", "FAILED"],
    ["09:00:10.000", "REFUND_PENDING", "FAILED", "PENDING"],
    ["09:00:11.000", "REFUND_COMPLETED", "FAILED", "COMPLETED"],
  ],
  balances: [
    ["09:00:10.000", 975_000],
    ["09:00:11.000", 1_000_000],
  ],
  refund: {
    status: "COMPLETED",
    reason: "TRANSACTION_FAILED",
    initiatedAt: "2026-01-05T09:00:10.000Z",
    settledAt: "2026-01-05T09:00:11.000Z",
  },
} satisfies Partial<OutcomeCase>;

/** Arrives six minutes after its execution. */
export const ARRIVES_LATE = {
  moments: [
    { at: "09:00:10.000", payment: "PROCESSING", quote: "PROCESSING", balance: 975_000 },
    { at: "09:05:00.000", payment: "PROCESSING", quote: "PROCESSING", balance: 975_000 },
    { at: "09:06:09.999", payment: "PROCESSING", quote: "PROCESSING", balance: 975_000 },
    { at: "09:06:10.000", payment: "COMPLETED", quote: "COMPLETED", balance: 975_000 },
  ],
  events: [...BEGINS, ["09:06:10.000", "COMPLETED", "COMPLETED"]],
  balances: [["09:00:10.000", 975_000]],
  ends: { settledAt: "2026-01-05T09:06:10.000Z" },
} satisfies Partial<OutcomeCase>;

/**
 * The rows of quoted payments (spec/quotes.md#quoted-payments). The payer's account holds 1000000
 * before.
 */
export const OUTCOME_CASES: OutcomeCase[] = [
  {
    suffix: "002",
    says: "fails at once and is refunded a second later",
    ...REFUNDED_AT_ONCE,
    ends: { failureReason: "QUOTE_EXECUTION_FAILED" },
    ledger: UNTOUCHED,
  },
  {
    suffix: "003",
    says: "arrives after six minutes, also past the quote's expiry",
    ...ARRIVES_LATE,
    ledger: DELIVERED,
  },
  {
    suffix: "004",
    says: "is refused by the counterparty and refunded a second later",
    ...REFUNDED_AT_ONCE,
    ends: { failureReason: "COUNTERPARTY_POST_TX_FAILED" },
    ledger: UNTOUCHED,
  },
  {
    // spec/transactions.md#bank-returns
    suffix: "005",
    says: "arrives, is returned by the bank after five seconds, and refunded a second later",
    moments: [
      { at: "09:00:10.000", payment: "COMPLETED", quote: "COMPLETED", balance: 975_000 },
      { at: "09:00:14.999", payment: "COMPLETED", quote: "COMPLETED", balance: 975_000 },
      { at: "09:00:15.000", ...FAILED, refund: "PENDING", balance: 975_000 },
      { at: "09:00:15.999", ...FAILED, refund: "PENDING", balance: 975_000 },
      { at: "09:00:16.000", ...FAILED, refund: "COMPLETED", balance: 1_000_000 },
    ],
    events: [
      ...BEGINS,
      ["09:00:10.000", "COMPLETED", "COMPLETED"],
      ["09:00:15.000", "FAILED", "FAILED"],
      ["09:00:15.000", "REFUND_PENDING", "FAILED", "PENDING"],
      ["09:00:16.000", "REFUND_COMPLETED", "FAILED", "COMPLETED"],
    ],
    balances: [
      ["09:00:10.000", 975_000],
      ["09:00:16.000", 1_000_000],
    ],
    ends: {
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
      settledAt: "2026-01-05T09:00:10.000Z",
    },
    refund: {
      status: "COMPLETED",
      reason: "TRANSACTION_FAILED",
      initiatedAt: "2026-01-05T09:00:15.000Z",
      settledAt: "2026-01-05T09:00:16.000Z",
    },
    ledger: UNTOUCHED,
  },
  {
    // spec/transactions.md#user-cancellation
    suffix: "006",
    says: "is canceled by the user and refunded, and still arrives",
    moments: [
      {
        at: "09:00:10.000",
        payment: "PROCESSING",
        refund: "PENDING",
        quote: "PROCESSING",
        balance: 975_000,
      },
      {
        at: "09:00:10.999",
        payment: "PROCESSING",
        refund: "PENDING",
        quote: "PROCESSING",
        balance: 975_000,
      },
      {
        at: "09:00:11.000",
        payment: "COMPLETED",
        refund: "COMPLETED",
        quote: "COMPLETED",
        balance: 1_000_000,
      },
    ],
    events: [
      ...BEGINS,
      ["09:00:10.000", "REFUND_PENDING", "PROCESSING", "PENDING"],
      ["09:00:11.000", "REFUND_COMPLETED", "PROCESSING", "COMPLETED"],
      ["09:00:11.000", "COMPLETED", "COMPLETED", "COMPLETED"],
    ],
    balances: [
      ["09:00:10.000", 975_000],
      ["09:00:11.000", 1_000_000],
    ],
    ends: { settledAt: "2026-01-05T09:00:11.000Z" },
    refund: {
      status: "COMPLETED",
      reason: "USER_CANCELLATION",
      initiatedAt: "2026-01-05T09:00:10.000Z",
      settledAt: "2026-01-05T09:00:11.000Z",
    },
    ledger: { ...DELIVERED, "Ledger:losses USD": -25_000 },
  },
  {
    suffix: "007",
    says: "fails at once, and so does its refund a second later",
    moments: [
      { at: "09:00:10.000", ...FAILED, refund: "PENDING", balance: 975_000 },
      { at: "09:00:10.999", ...FAILED, refund: "PENDING", balance: 975_000 },
      { at: "09:00:11.000", ...FAILED, refund: "FAILED", balance: 975_000 },
    ],
    events: [
      ...BEGINS,
      ["09:00:10.000", "FAILED", "FAILED"],
      ["09:00:10.000", "REFUND_PENDING", "FAILED", "PENDING"],
      ["09:00:11.000", "REFUND_FAILED", "FAILED", "FAILED"],
    ],
    balances: [["09:00:10.000", 975_000]],
    ends: { failureReason: "QUOTE_EXECUTION_FAILED" },
    refund: {
      status: "FAILED",
      reason: "TRANSACTION_FAILED",
      initiatedAt: "2026-01-05T09:00:10.000Z",
    },
    ledger: { ...UNTOUCHED, "Ledger:unrefunded USD": 25_000 },
  },
  {
    suffix: "999",
    says: "arrives at once",
    moments: [{ at: "09:00:10.000", payment: "COMPLETED", quote: "COMPLETED", balance: 975_000 }],
    events: [...BEGINS, ["09:00:10.000", "COMPLETED", "COMPLETED"]],
    balances: [["09:00:10.000", 975_000]],
    ends: { settledAt: "2026-01-05T09:00:10.000Z" },
    ledger: DELIVERED,
  },
];
