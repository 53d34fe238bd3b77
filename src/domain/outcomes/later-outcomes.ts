import type { PaymentOutcome } from "./outcomes.ts";
import { BANK_RETURNS_AFTER_MS, FAILED_AND_REFUNDED, REFUND_SETTLES_AFTER_MS } from "./outcomes.ts";

/**
 * Courses of payments in later revisions that no identifier asks for. A payment stores the name of
 * its course, so that it ends as it began when its world changes the revision.
 */
export const LATER_OUTCOMES = {
  returnedDeposit: {
    "005": {
      says: "delivered, then returned: it fails and is refunded",
      rule: "umaDeposit.005",
      steps: [
        { timer: "incoming.settle", afterMs: 0 },
        {
          timer: "incoming.fail",
          afterMs: BANK_RETURNS_AFTER_MS,
          failureReason: "OFFRAMP_FAILED",
        },
        ...FAILED_AND_REFUNDED,
      ],
    },
  },
  cancellation: {
    outgoing: {
      says: "canceled: it fails and is refunded",
      steps: [
        {
          timer: "refund.start",
          afterMs: 0,
          isInCall: true,
          refundReason: "USER_CANCELLATION",
        },
        { timer: "refund.settle", afterMs: REFUND_SETTLES_AFTER_MS },
      ],
    },
    unpaid: { says: "canceled before its money was taken", steps: [] },
  },
  platformFee: {
    noAccount: {
      says: "the platform has no account for its fee",
      steps: [
        { timer: "payment.fail", afterMs: 0, failureReason: "QUOTE_EXECUTION_FAILED" },
        ...FAILED_AND_REFUNDED,
      ],
      isEnd: true,
    },
  },
} as const satisfies Record<string, Record<string, PaymentOutcome>>;
