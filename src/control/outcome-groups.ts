import {
  BENEFICIARY_VERIFICATION_OUTCOMES,
  type OutcomeStep,
  type PaymentOutcome,
  QUOTED_PAYMENT_OUTCOMES,
} from "../domain/outcomes.ts";
import { TIMERS } from "../domain/timers.ts";

/** One thing that happens, `atMs` of simulated time after the call that set it off. */
interface Happening {
  atMs: number;
  timer?: string;
  then: string;
  failureReason?: string;
  refundReason?: string;
}

interface OutcomeRow {
  /** The ending, or `otherwise`. */
  match: string;
  /** The product document's words. */
  says: string;
  ends: string;
  afterMs: number;
  timeline: Happening[];
}

/** The rows of one trigger. */
export interface OutcomeGroup {
  group: string;
  title: string;
  reads: string;
  rows: OutcomeRow[];
}

const paymentRow = (match: string, { says, steps }: PaymentOutcome): OutcomeRow => {
  let atMs = 0;
  const timeline = steps.map((step: OutcomeStep) => {
    atMs += step.afterMs;
    const { failureReason, refundReason, timer } = step;
    return {
      atMs,
      timer,
      then: TIMERS[timer].leadsTo,
      ...(failureReason !== undefined && { failureReason }),
      ...(refundReason !== undefined && { refundReason }),
    };
  });
  const ending = timeline.findLast(({ timer }) => timer.startsWith("payment."));
  return { match, says, ends: ending?.then ?? "PROCESSING", afterMs: ending?.atMs ?? 0, timeline };
};

const REPORTS_WORDS = {
  submitted: "the name is reported as submitted",
  initial: "the name is reported with its last word as an initial",
  other: "another name is reported",
  nothing: "no name is reported",
} as const;

const verificationRow = ([match, { status, reports }]: [
  string,
  (typeof BENEFICIARY_VERIFICATION_OUTCOMES)[keyof typeof BENEFICIARY_VERIFICATION_OUTCOMES],
]): OutcomeRow => {
  const ends = status === "REFUSED" ? "400 INVALID_BANK_ACCOUNT" : status;
  return {
    match,
    says: REPORTS_WORDS[reports],
    ends,
    afterMs: 0,
    timeline: [{ atMs: 0, then: ends }],
  };
};

/** Every magic value, read from the tables the rules read. */
export const outcomeGroups = (): OutcomeGroup[] => [
  {
    group: "quotedPayment",
    title: "QUOTED PAYMENT",
    reads: "the last 3 characters of the destination's number, IBAN or address",
    rows: Object.entries(QUOTED_PAYMENT_OUTCOMES).map(([match, row]) => paymentRow(match, row)),
  },
  {
    group: "beneficiaryVerification",
    title: "BENEFICIARY VERIFICATION",
    reads: "the last 3 characters of a new external account's number, IBAN or address",
    rows: Object.entries(BENEFICIARY_VERIFICATION_OUTCOMES).map(verificationRow),
  },
];
