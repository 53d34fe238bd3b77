import { type AccountTypeName, accountTypeRow } from "../contract/external-account-types.ts";
import type { AccountInfo, VerificationStatus } from "../contract/external-accounts.ts";
import type { OutgoingFailureReason, RefundReason } from "../contract/transactions.ts";
import { minutes, seconds } from "./durations.ts";

/** One thing that happens to a payment, `afterMs` of simulated time after the one before. */
export interface OutcomeStep {
  timer:
    | "payment.settle"
    | "payment.fail"
    | "payment.return"
    | "refund.start"
    | "refund.settle"
    | "refund.fail";
  afterMs: number;
  failureReason?: OutgoingFailureReason;
  /** Where a destination type has a failure word of its own (payments O-63). */
  failureReasonFor?: Partial<Record<AccountTypeName, OutgoingFailureReason>>;
  refundReason?: RefundReason;
}

export interface PaymentOutcome {
  /** The product document's words for it. */
  says: string;
  steps: readonly OutcomeStep[];
}

const REFUND_SETTLES_AFTER_MS = seconds(1);
const BANK_RETURNS_AFTER_MS = seconds(5);

const refund = (
  refundReason: RefundReason,
  ends: "refund.settle" | "refund.fail",
): OutcomeStep[] => [
  { timer: "refund.start", afterMs: 0, refundReason },
  { timer: ends, afterMs: REFUND_SETTLES_AFTER_MS },
];

const FAILED_AND_REFUNDED = refund("TRANSACTION_FAILED", "refund.settle");

/**
 * Fate of a quoted payment to an external account, by the last three characters of the
 * destination's primary identifier (contract 0-service, Sandbox outcome rules; payments 14.4).
 */
export const QUOTED_PAYMENT_OUTCOMES = {
  "002": {
    says: "quote execution failed",
    steps: [
      {
        timer: "payment.fail",
        afterMs: 0,
        failureReason: "QUOTE_EXECUTION_FAILED",
        failureReasonFor: { LIGHTNING: "LIGHTNING_PAYMENT_FAILED" },
      },
      ...FAILED_AND_REFUNDED,
    ],
  },
  "003": {
    says: "completes after about 6 minutes",
    steps: [{ timer: "payment.settle", afterMs: minutes(6) }],
  },
  "004": {
    says: "counterparty delivery failed",
    steps: [
      { timer: "payment.fail", afterMs: 0, failureReason: "COUNTERPARTY_POST_TX_FAILED" },
      ...FAILED_AND_REFUNDED,
    ],
  },
  "005": {
    says: "receiving bank returned the payment",
    steps: [
      { timer: "payment.settle", afterMs: 0 },
      {
        timer: "payment.return",
        afterMs: BANK_RETURNS_AFTER_MS,
        failureReason: "COUNTERPARTY_POST_TX_FAILED",
      },
      ...FAILED_AND_REFUNDED,
    ],
  },
  "006": {
    says: "user cancellation",
    steps: [
      ...refund("USER_CANCELLATION", "refund.settle"),
      { timer: "payment.settle", afterMs: 0 },
    ],
  },
  "007": {
    says: "payout and refund failed",
    steps: [
      { timer: "payment.fail", afterMs: 0, failureReason: "QUOTE_EXECUTION_FAILED" },
      ...refund("TRANSACTION_FAILED", "refund.fail"),
    ],
  },
  otherwise: {
    says: "successful payment",
    steps: [{ timer: "payment.settle", afterMs: 0 }],
  },
} as const satisfies Record<string, PaymentOutcome>;

/** What beneficiary name verification finds at creation (payments 14.2). */
export interface VerificationOutcome {
  status: VerificationStatus | "REFUSED";
  /** The name the rail reports: as submitted, cut to an initial, or somebody else's (O-15). */
  reports: "submitted" | "initial" | "other" | "nothing";
}

export const BENEFICIARY_VERIFICATION_OUTCOMES = {
  "102": { status: "NOT_MATCHED", reports: "other" },
  "103": { status: "PARTIAL_MATCH", reports: "initial" },
  "104": { status: "PENDING", reports: "nothing" },
  "105": { status: "REFUSED", reports: "nothing" },
  "106": { status: "UNSUPPORTED", reports: "nothing" },
  "107": { status: "CHECKED_BY_RECEIVING_FI", reports: "nothing" },
  otherwise: { status: "MATCHED", reports: "submitted" },
} as const satisfies Record<string, VerificationOutcome>;

/** Name reported for an account that is somebody else's (payments O-15). */
export const OTHER_HOLDER_NAME = "Other Holder";

type OutcomeTable<Outcome> = Record<string, Outcome> & { otherwise: Outcome };

/** The row an identifier ending chooses, with its name. */
export const outcomeFor = <Outcome>(
  table: OutcomeTable<Outcome>,
  suffix: string | undefined,
): { row: string; outcome: Outcome } => {
  const row = suffix !== undefined && Object.hasOwn(table, suffix) ? suffix : "otherwise";
  return { row, outcome: table[row] as Outcome };
};

/** The identifier of an account: the first member its type is identified by (payments 6.4). */
export const primaryIdentifier = (info: AccountInfo): { field: string; value: string } => {
  const { identifiedBy } = accountTypeRow(info.accountType);
  const field = identifiedBy.find((member) => info[member] !== undefined) ?? identifiedBy[0] ?? "";
  return { field, value: String(info[field] ?? "") };
};

/**
 * The three digits that choose a scenario, or nothing. A domain part is cut off first; spaces
 * and dashes do not count (payments 14.1, O-60).
 */
export const scenarioSuffix = (info: AccountInfo): string | undefined => {
  const [local = ""] = primaryIdentifier(info).value.split("@");
  return /[0-9]{3}$/.exec(local.replace(/[\s-]/g, ""))?.[0];
};
