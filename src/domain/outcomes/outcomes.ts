import type { AccountTypeName } from "../../contract/accounts/external-account-types.ts";
import type { VerificationStatus } from "../../contract/accounts/external-accounts.ts";
import type {
  IncomingFailureReason,
  LaterIncomingReason,
  LaterOutgoingReason,
  OutgoingFailureReason,
  RefundReason,
} from "../../contract/payments/transactions.ts";
import { minutes, seconds } from "../core/durations.ts";
import type { PaymentTimerName } from "../records/timer-names.ts";

/**
 * One step of a payment, `afterMs` of simulated time after the step before
 * (spec/clock.md#zero-delay).
 */
export interface OutcomeStep {
  timer: PaymentTimerName;
  afterMs: number;
  /** The step happens within the call, so the reply shows its result. */
  isInCall?: true;
  failureReason?: OutgoingFailureReason | IncomingFailureReason;
  /** Failure reasons of destination types that have one of their own. */
  failureReasonFor?: Partial<Record<AccountTypeName, OutgoingFailureReason>>;
  /** The reason in revisions with `failureReasons`, where it is another one. */
  laterReason?: OutgoingFailureReason | LaterOutgoingReason | LaterIncomingReason;
  refundReason?: RefundReason;
}

export interface PaymentOutcome {
  /** Description of the row, for listings. */
  says: string;
  steps: readonly OutcomeStep[];
  /** Delay added to the steps of the rows that follow. */
  holdsMs?: number;
  /** The row of the sandbox's tables that it stands for, where it is in none. */
  rule?: string;
  /** The payment ends with this row; rows that would follow are skipped. */
  isEnd?: true;
}

export const REFUND_SETTLES_AFTER_MS = seconds(1);
export const BANK_RETURNS_AFTER_MS = seconds(5);
const SLOW_FAILURE_MS = seconds(30);
const SLOW_SUCCESS_MS = minutes(6);

const refund = (
  refundReason: RefundReason,
  ends: "refund.settle" | "refund.fail",
): OutcomeStep[] => [
  { timer: "refund.start", afterMs: 0, refundReason },
  { timer: ends, afterMs: REFUND_SETTLES_AFTER_MS },
];

/** The refund of a failed payment. */
export const FAILED_AND_REFUNDED = refund("TRANSACTION_FAILED", "refund.settle");

/**
 * Fate of a quoted payment to an external account, by the destination's suffix
 * (spec/quotes.md#quoted-payments).
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
        laterReason: "QUOTE_EXECUTION_FAILED",
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
      {
        timer: "payment.fail",
        afterMs: 0,
        failureReason: "COUNTERPARTY_POST_TX_FAILED",
        laterReason: "ACCOUNT_CANNOT_RECEIVE",
      },
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
        laterReason: "PAYOUT_RETURNED",
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

const refusedOutgoing = (later: Pick<OutcomeStep, "laterReason"> = {}): OutcomeStep[] => [
  {
    timer: "payment.refuse",
    afterMs: 0,
    isInCall: true,
    failureReason: "QUOTE_EXECUTION_FAILED",
    ...later,
  },
  { timer: "refund.start", afterMs: 0, isInCall: true, refundReason: "TRANSACTION_FAILED" },
  { timer: "refund.settle", afterMs: REFUND_SETTLES_AFTER_MS },
];

/**
 * Fate of a transfer out, by the destination's suffix (spec/transfers.md#transfer-out-outcomes).
 */
export const TRANSFER_OUT_OUTCOMES = {
  "002": { says: "insufficient funds, fails immediately", steps: refusedOutgoing() },
  "003": {
    says: "account closed or invalid, fails immediately",
    steps: refusedOutgoing({ laterReason: "ACCOUNT_INVALID" }),
  },
  "004": {
    says: "rejected by the bank",
    steps: [
      { timer: "payment.start", afterMs: 0 },
      {
        timer: "payment.fail",
        afterMs: 0,
        failureReason: "QUOTE_EXECUTION_FAILED",
        laterReason: "ACCOUNT_CANNOT_RECEIVE",
      },
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

/**
 * Fate of a transfer in, by the source's suffix; nothing is ever refunded
 * (spec/transfers.md#transfer-in-outcomes).
 */
export const TRANSFER_IN_OUTCOMES = {
  "002": { says: "insufficient funds, fails immediately", steps: REFUSED_INCOMING },
  "003": { says: "account closed or invalid, fails immediately", steps: REFUSED_INCOMING },
  "004": {
    says: "rejected by the bank",
    steps: [
      { timer: "incoming.start", afterMs: 0 },
      {
        timer: "incoming.fail",
        afterMs: 0,
        failureReason: "QUOTE_EXECUTION_FAILED",
        laterReason: "COLLECTION_FAILED",
      },
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
 * Result of pulling a quote's money, by the source's suffix (spec/quotes.md#pull-rows). Then the
 * destination's row applies. A refused pull has collected nothing, so it has no refund.
 */
export const PULL_OUTCOMES = {
  "002": pullRefused("insufficient funds, the pull fails"),
  "003": pullRefused("account closed or invalid, the pull fails"),
  "004": pullRefused("the bank rejects the pull"),
  "005": pullRefused("the pull waits about 30 seconds, then fails", SLOW_FAILURE_MS),
  otherwise: { says: "the money is collected", steps: [{ timer: "payment.collect", afterMs: 0 }] },
} as const satisfies Record<string, PaymentOutcome>;

/** Result of money sent for a just-in-time quote (spec/sandbox.md#sending-funds). */
export const FUNDING_OUTCOMES = {
  mismatch: {
    says: "the amount received differs from the amount requested",
    steps: [
      { timer: "payment.fail", afterMs: 0, failureReason: "FUNDING_AMOUNT_MISMATCH" },
      ...FAILED_AND_REFUNDED,
    ],
    isEnd: true,
  },
  otherwise: { says: "the requested amount arrived", steps: [] },
} as const satisfies Record<string, PaymentOutcome>;

/** Local parts of the sandbox people's addresses (spec/lookups.md#sandbox-people). */
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

/** Fate of a payment to a sandbox person (spec/uma-payments.md#uma-receivers). */
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
      {
        timer: "payment.fail",
        afterMs: 0,
        failureReason: "COUNTERPARTY_POST_TX_FAILED",
        laterReason: "COMPLIANCE_REJECTED",
      },
      ...FAILED_AND_REFUNDED,
    ],
  },
} as const satisfies Record<UmaLocalPart, PaymentOutcome>;

const UMA_SENDER_SUCCESS: PaymentOutcome = { says: "the money comes at once", steps: [] };

/** Fate of an approved payment from a sandbox person (spec/uma-payments.md#uma-senders). */
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
 * Fate of an approved UMA payment, by the suffix of the customer's default deposit account
 * (spec/uma-payments.md#deposit-rows). The primary internal account is `otherwise`.
 */
export const UMA_DEPOSIT_OUTCOMES = {
  "002": offRampFailed("the payout fails"),
  "003": offRampFailed("the payout goes to a closed account"),
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

/**
 * The tables of payments, by the names under which their rows are listed
 * (spec/sandbox.md#magic-values).
 */
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

/** Result of beneficiary name verification (spec/external-accounts.md#name-verification). */
export interface VerificationOutcome {
  status: VerificationStatus | "REFUSED";
  /** The name that the rail reports: as submitted, cut to an initial, or another person's. */
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

/** Name reported for an account of another person (spec/external-accounts.md#name-verification). */
export const OTHER_HOLDER_NAME = "Other Holder";
type OutcomeTable<Outcome> = Record<string, Outcome> & { otherwise: Outcome };

/** The row that a suffix chooses, with its name. */
export const outcomeFor = <Outcome>(
  table: OutcomeTable<Outcome>,
  suffix: string | undefined,
): { row: string; outcome: Outcome } => {
  const row = suffix !== undefined && Object.hasOwn(table, suffix) ? suffix : "otherwise";
  return { row, outcome: table[row] as Outcome };
};
