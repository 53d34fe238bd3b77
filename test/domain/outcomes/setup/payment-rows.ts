import type { PaymentOutcome } from "../../../../src/domain/outcomes/outcomes.ts";

/**
 * Rows of the specification (spec/quotes.md#quoted-payments), with their steps written out. Tests of
 * the table compare it with these, and tests of the API expect what follows from them.
 */
export const PAYMENT_ROWS: {
  suffix: string;
  means: string;
  steps: PaymentOutcome["steps"];
}[] = [
  {
    suffix: "002",
    means: "fails at once and is refunded a second later",
    steps: [
      {
        timer: "payment.fail",
        afterMs: 0,
        failureReason: "QUOTE_EXECUTION_FAILED",
        failureReasonFor: { LIGHTNING: "LIGHTNING_PAYMENT_FAILED" },
        laterReason: "QUOTE_EXECUTION_FAILED",
      },
      { timer: "refund.start", afterMs: 0, refundReason: "TRANSACTION_FAILED" },
      { timer: "refund.settle", afterMs: 1_000 },
    ],
  },
  {
    suffix: "003",
    means: "arrives after six minutes",
    steps: [{ timer: "payment.settle", afterMs: 360_000 }],
  },
  {
    suffix: "004",
    means: "is refused by the counterparty and refunded a second later",
    steps: [
      {
        timer: "payment.fail",
        afterMs: 0,
        failureReason: "COUNTERPARTY_POST_TX_FAILED",
        laterReason: "ACCOUNT_CANNOT_RECEIVE",
      },
      { timer: "refund.start", afterMs: 0, refundReason: "TRANSACTION_FAILED" },
      { timer: "refund.settle", afterMs: 1_000 },
    ],
  },
  {
    suffix: "005",
    means: "arrives, comes back after five seconds, and is refunded a second later",
    steps: [
      { timer: "payment.settle", afterMs: 0 },
      {
        timer: "payment.return",
        afterMs: 5_000,
        failureReason: "COUNTERPARTY_POST_TX_FAILED",
        laterReason: "PAYOUT_RETURNED",
      },
      { timer: "refund.start", afterMs: 0, refundReason: "TRANSACTION_FAILED" },
      { timer: "refund.settle", afterMs: 1_000 },
    ],
  },
  {
    suffix: "006",
    means: "is canceled by the payer and refunded, and still arrives",
    steps: [
      { timer: "refund.start", afterMs: 0, refundReason: "USER_CANCELLATION" },
      { timer: "refund.settle", afterMs: 1_000 },
      { timer: "payment.settle", afterMs: 0 },
    ],
  },
  {
    suffix: "007",
    means: "fails at once, and so does its refund a second later",
    steps: [
      { timer: "payment.fail", afterMs: 0, failureReason: "QUOTE_EXECUTION_FAILED" },
      { timer: "refund.start", afterMs: 0, refundReason: "TRANSACTION_FAILED" },
      { timer: "refund.fail", afterMs: 1_000 },
    ],
  },
  {
    suffix: "otherwise",
    means: "arrives at once",
    steps: [{ timer: "payment.settle", afterMs: 0 }],
  },
];
