import type { AccountTypeName } from "../../contract/accounts/external-account-types.ts";
import type { VerificationStatus } from "../../contract/accounts/external-accounts.ts";
import type {
  IncomingFailureReason,
  OutgoingFailureReason,
  RefundReason,
} from "../../contract/payments/transactions.ts";
import { minutes, seconds } from "../core/durations.ts";
import type { PaymentTimerName } from "../records/timer-names.ts";

/** One thing that happens to a payment, `afterMs` of simulated time after the one before. */
export interface OutcomeStep {
  timer: PaymentTimerName;
  afterMs: number;
  /** It happens within the call: the reply shows it already. */
  isInCall?: true;
  failureReason?: OutgoingFailureReason | IncomingFailureReason;
  /** Where a destination type has a failure word of its own (payments O-63). */
  failureReasonFor?: Partial<Record<AccountTypeName, OutgoingFailureReason>>;
  refundReason?: RefundReason;
}

export interface PaymentOutcome {
  /** The product document's words for it. */
  says: string;
  steps: readonly OutcomeStep[];
  /** Makes what follows it wait so much longer. */
  holdsMs?: number;
  /** The payment ends with it: what a later row would do does not happen. */
  isEnd?: true;
}

const REFUND_SETTLES_AFTER_MS = seconds(1);
const BANK_RETURNS_AFTER_MS = seconds(5);
const SLOW_FAILURE_MS = seconds(30);
const SLOW_SUCCESS_MS = minutes(6);

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
    steps: [{ timer: "payment.settle", afterMs: SLOW_SUCCESS_MS }],
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

const REFUSED_OUTGOING: readonly OutcomeStep[] = [
  {
    timer: "payment.refuse",
    afterMs: 0,
    isInCall: true,
    failureReason: "QUOTE_EXECUTION_FAILED",
  },
  { timer: "refund.start", afterMs: 0, isInCall: true, refundReason: "TRANSACTION_FAILED" },
  { timer: "refund.settle", afterMs: REFUND_SETTLES_AFTER_MS },
];

/**
 * Fate of a transfer out, by the destination's ending (contract 0-service, Sandbox outcome rules;
 * payments 14.3 with O-45 and O-62; decisions, Transfers).
 */
export const TRANSFER_OUT_OUTCOMES = {
  "002": { says: "insufficient funds, fails immediately", steps: REFUSED_OUTGOING },
  "003": { says: "account closed or invalid, fails immediately", steps: REFUSED_OUTGOING },
  "004": {
    says: "rejected by the bank",
    steps: [
      { timer: "payment.start", afterMs: 0 },
      { timer: "payment.fail", afterMs: 0, failureReason: "QUOTE_EXECUTION_FAILED" },
      ...FAILED_AND_REFUNDED,
    ],
  },
  "005": {
    says: "stays pending about 30 seconds, then fails",
    steps: [
      {
        timer: "payment.refuse",
        afterMs: SLOW_FAILURE_MS,
        failureReason: "QUOTE_EXECUTION_FAILED",
      },
      ...refund("TIMEOUT", "refund.settle"),
    ],
  },
  otherwise: {
    says: "success",
    steps: [
      { timer: "payment.start", afterMs: 0 },
      { timer: "payment.settle", afterMs: 0 },
    ],
  },
} as const satisfies Record<string, PaymentOutcome>;

const REFUSED_INCOMING: readonly OutcomeStep[] = [
  {
    timer: "incoming.refuse",
    afterMs: 0,
    isInCall: true,
    failureReason: "QUOTE_EXECUTION_FAILED",
  },
];

/** Fate of a transfer in, by the source's ending (payments 14.3); nothing is ever refunded. */
export const TRANSFER_IN_OUTCOMES = {
  "002": { says: "insufficient funds, fails immediately", steps: REFUSED_INCOMING },
  "003": { says: "account closed or invalid, fails immediately", steps: REFUSED_INCOMING },
  "004": {
    says: "rejected by the bank",
    steps: [
      { timer: "incoming.start", afterMs: 0 },
      { timer: "incoming.fail", afterMs: 0, failureReason: "QUOTE_EXECUTION_FAILED" },
    ],
  },
  "005": {
    says: "stays pending about 30 seconds, then fails",
    steps: [
      {
        timer: "incoming.refuse",
        afterMs: SLOW_FAILURE_MS,
        failureReason: "QUOTE_EXECUTION_FAILED",
      },
    ],
  },
  otherwise: {
    says: "success",
    steps: [
      { timer: "incoming.start", afterMs: 0 },
      { timer: "incoming.settle", afterMs: 0 },
    ],
  },
} as const satisfies Record<string, PaymentOutcome>;

const pullRefused = (says: string, afterMs = 0): PaymentOutcome => ({
  says,
  steps: [{ timer: "payment.fail", afterMs, failureReason: "QUOTE_EXECUTION_FAILED" }],
  isEnd: true,
});

/**
 * What comes of pulling a quote's money from an external account, by its ending; then the
 * destination's row applies (payments O-65). A refused pull has collected nothing to refund.
 */
export const PULL_OUTCOMES = {
  "002": pullRefused("insufficient funds, the pull fails"),
  "003": pullRefused("account closed or invalid, the pull fails"),
  "004": pullRefused("the bank rejects the pull"),
  "005": pullRefused("the pull waits about 30 seconds, then fails", SLOW_FAILURE_MS),
  otherwise: { says: "the money is collected", steps: [{ timer: "payment.collect", afterMs: 0 }] },
} as const satisfies Record<string, PaymentOutcome>;

/** What comes of money that is sent for a quote just in time (payments O-57). */
export const FUNDING_OUTCOMES = {
  mismatch: {
    says: "another amount arrived than was asked for",
    steps: [
      { timer: "payment.fail", afterMs: 0, failureReason: "FUNDING_AMOUNT_MISMATCH" },
      ...FAILED_AND_REFUNDED,
    ],
    isEnd: true,
  },
  otherwise: { says: "the amount asked for arrived", steps: [] },
} as const satisfies Record<string, PaymentOutcome>;

/** The people at the sandbox's UMA domain (contract 0-service, UMA sandbox addresses). */
export const UMA_LOCAL_PARTS = [
  "$success.usd",
  "$success.eur",
  "$success.mxn",
  "$pending.long.usd",
  "$fail.compliance.usd",
] as const;
export type UmaLocalPart = (typeof UMA_LOCAL_PARTS)[number];

const UMA_SUCCESS: PaymentOutcome = {
  says: "payment succeeds",
  steps: [{ timer: "payment.settle", afterMs: 0 }],
};

/** Fate of a payment to one of them (payments 14.5, O-67). */
export const UMA_PAYMENT_OUTCOMES = {
  "$success.usd": UMA_SUCCESS,
  "$success.eur": UMA_SUCCESS,
  "$success.mxn": UMA_SUCCESS,
  "$pending.long.usd": {
    says: "long-pending",
    steps: [{ timer: "payment.settle", afterMs: SLOW_SUCCESS_MS }],
  },
  "$fail.compliance.usd": {
    says: "compliance failure",
    steps: [
      { timer: "payment.fail", afterMs: 0, failureReason: "COUNTERPARTY_POST_TX_FAILED" },
      ...FAILED_AND_REFUNDED,
    ],
  },
} as const satisfies Record<UmaLocalPart, PaymentOutcome>;

const UMA_SENDER_SUCCESS: PaymentOutcome = { says: "the money comes at once", steps: [] };

/** What comes of an approved payment from one of them (payments O-58). */
export const UMA_SENDER_OUTCOMES = {
  "$success.usd": UMA_SENDER_SUCCESS,
  "$success.eur": UMA_SENDER_SUCCESS,
  "$success.mxn": UMA_SENDER_SUCCESS,
  "$pending.long.usd": {
    says: "the money comes after about 6 minutes",
    steps: [],
    holdsMs: SLOW_SUCCESS_MS,
  },
  "$fail.compliance.usd": {
    says: "compliance failure",
    steps: [{ timer: "incoming.fail", afterMs: 0, failureReason: "PAY_REQUEST_FAILED" }],
    isEnd: true,
  },
} as const satisfies Record<UmaLocalPart, PaymentOutcome>;

const offRampFailed = (says: string): PaymentOutcome => ({
  says,
  steps: [{ timer: "incoming.fail", afterMs: 0, failureReason: "OFFRAMP_FAILED" }],
});

/**
 * Where an incoming payment ends up, by the ending of the customer's default deposit account; the
 * primary internal account is `otherwise` (payments 12; decisions, Default deposit account).
 */
export const UMA_DEPOSIT_OUTCOMES = {
  "002": offRampFailed("the payout fails"),
  "003": offRampFailed("the payout meets a closed account"),
  "004": offRampFailed("the bank rejects the payout"),
  "005": {
    says: "delivered, then returned to the sender",
    steps: [
      { timer: "incoming.settle", afterMs: 0 },
      { timer: "incoming.refund", afterMs: BANK_RETURNS_AFTER_MS },
    ],
  },
  otherwise: { says: "credited", steps: [{ timer: "incoming.settle", afterMs: 0 }] },
} as const satisfies Record<string, PaymentOutcome>;

/** The tables that decide what becomes of money, by the name their rows are quoted with. */
export const PAYMENT_OUTCOMES = {
  quotedPayment: QUOTED_PAYMENT_OUTCOMES,
  transferOut: TRANSFER_OUT_OUTCOMES,
  transferIn: TRANSFER_IN_OUTCOMES,
  pull: PULL_OUTCOMES,
  funding: FUNDING_OUTCOMES,
  umaPayment: UMA_PAYMENT_OUTCOMES,
  umaSender: UMA_SENDER_OUTCOMES,
  umaDeposit: UMA_DEPOSIT_OUTCOMES,
} as const satisfies Record<string, Record<string, PaymentOutcome>>;

export type PaymentOutcomeTable = keyof typeof PAYMENT_OUTCOMES;

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
