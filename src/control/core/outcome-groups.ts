import type * as outcomes from "../../contract/control/outcomes.ts";
import { defined } from "../../contract/core/defined.ts";
import { MAGIC_VALUES } from "../../contract/core/magic-values.ts";
import { FIRST_REVISION, type Revision } from "../../contract/core/revision-names.ts";
import { REFUSALS } from "../../contract/refusals.ts";
import { DURATIONS } from "../../domain/core/durations.ts";
import { cardLifecycle } from "../../domain/lifecycles/card.ts";
import { incomingPaymentLifecycle } from "../../domain/lifecycles/incoming-payment.ts";
import { findMove } from "../../domain/lifecycles/lifecycle.ts";
import {
  AGENT_APPROVAL_OUTCOMES,
  type AgentApprovalOutcome,
} from "../../domain/outcomes/agent-approval-outcomes.ts";
import {
  APPROVAL_ANSWERS,
  type ApprovalAnswer,
  type ApprovalRow,
} from "../../domain/outcomes/approval-answers.ts";
import {
  CARD_AUTHORIZATION_OUTCOMES,
  CARD_ISSUE_OUTCOMES,
  type CardIssueOutcome,
  FUNDING_SOURCE_OUTCOMES,
  type PullOutcome,
} from "../../domain/outcomes/card-outcomes.ts";
import {
  DOCUMENT_OUTCOMES,
  type DocumentOutcome,
} from "../../domain/outcomes/document-outcomes.ts";
import {
  BUSINESS_VERIFICATION_OUTCOMES,
  type FirstStatusOutcome,
  NEW_PERSON_OUTCOMES,
  PERSON_VERIFICATION_OUTCOMES,
} from "../../domain/outcomes/later-verification-outcomes.ts";
import { type LookupOutcome, UMA_LOOKUP_OUTCOMES } from "../../domain/outcomes/lookup-outcomes.ts";
import {
  BENEFICIARY_VERIFICATION_OUTCOMES,
  PAYMENT_OUTCOMES,
  type PaymentOutcome,
  type PaymentOutcomeTable,
} from "../../domain/outcomes/outcomes.ts";
import { isTableIn, type RuleTable, ruleName } from "../../domain/outcomes/rule-names.ts";
import {
  BENEFICIAL_OWNER_OUTCOMES,
  type CustomerVerificationOutcome,
  VERIFICATION_OUTCOMES,
} from "../../domain/outcomes/verification-outcomes.ts";
import { rowName, stepsAlong } from "../../domain/payments/outcome-steps.ts";
import { TIMERS } from "../../domain/timers.ts";

/** A row before it has its name, which follows from its group. */
type OutcomeRow = Omit<outcomes.OutcomeRow, "rule">;

type OutcomeGroup = Omit<outcomes.OutcomeGroup, "group" | "rows"> & {
  group: RuleTable;
  rows: OutcomeRow[];
};

interface PaymentGroup {
  title: string;
  reads: string;
  /** The row that decides what follows one that lets the money through. */
  followedBy?: string;
}

const LAST_3 = "the last 3 characters of";

/** Titles of the tables of payments. */
const PAYMENT_GROUPS: Record<PaymentOutcomeTable, PaymentGroup> = {
  quotedPayment: {
    title: "QUOTED PAYMENT",
    reads: `${LAST_3} the destination's number, IBAN or address`,
  },
  transferOut: {
    title: "TRANSFER OUT",
    reads: `${LAST_3} the destination's number, IBAN or address`,
  },
  transferIn: {
    title: "TRANSFER IN",
    reads: `${LAST_3} the source's number or IBAN`,
  },
  pull: {
    title: "QUOTE THAT PULLS ITS MONEY",
    reads: `${LAST_3} the source's number or IBAN`,
    followedBy: "quotedPayment.otherwise",
  },
  funding: {
    title: "QUOTE FUNDED JUST IN TIME",
    reads: "the currencyAmount of POST /sandbox/send",
    followedBy: "quotedPayment.otherwise",
  },
  umaPayment: {
    title: "PAYMENT TO A UMA ADDRESS",
    reads: "the name at the sandbox's UMA domain",
  },
  umaSender: {
    title: "APPROVED INCOMING PAYMENT",
    reads: "the sender's name at the sandbox's UMA domain",
    followedBy: "umaDeposit.otherwise",
  },
  umaDeposit: {
    title: "INCOMING DEPOSIT",
    reads: `${LAST_3} the customer's default deposit account`,
  },
};

const paymentRow = (
  table: PaymentOutcomeTable,
  [match, { says }]: [string, PaymentOutcome],
): OutcomeRow => {
  const { followedBy } = PAYMENT_GROUPS[table];
  const rows = [rowName(table, match), ...(followedBy === undefined ? [] : [followedBy])];
  let atMs = 0;
  const timeline = stepsAlong(rows).map(({ step }) => {
    atMs += step.afterMs;
    const { failureReason, refundReason, timer } = step;
    return {
      atMs,
      timer,
      then: TIMERS[timer].leadsTo,
      ...defined({ failureReason, refundReason }),
    };
  });
  const ending = timeline.findLast(({ timer }) => !timer.startsWith("refund."));
  return { match, says, ends: ending?.then ?? "PROCESSING", afterMs: ending?.atMs ?? 0, timeline };
};

const paymentGroup = (table: PaymentOutcomeTable): OutcomeGroup => {
  const { title, reads } = PAYMENT_GROUPS[table];
  const rows = Object.entries(PAYMENT_OUTCOMES[table]).map((entry) => paymentRow(table, entry));
  return { group: table, title, reads, rows };
};

/** The state that an approval answer leads to; only silence takes time. */
const approvalRow = ([match, answer]: [string, ApprovalAnswer]): OutcomeRow => {
  const { says, does, failureReason } = answer;
  const { starts } = incomingPaymentLifecycle;
  const move = does === "wait" ? undefined : findMove(incomingPaymentLifecycle, starts, does);
  const ends = move?.to ?? starts;
  const lapses = (match as ApprovalRow) === "silence";
  const afterMs = lapses ? DURATIONS.approvalLapseMs : 0;
  const happening = {
    atMs: afterMs,
    ...(lapses && { timer: "incoming.lapse" }),
    then: ends,
    ...defined({ failureReason }),
  };
  return { match, says, ends, afterMs, timeline: [happening] };
};

const REPORTS_WORDS = {
  submitted: "the name is reported as submitted",
  initial: "the name is reported with its last word as an initial",
  other: "another name is reported",
  nothing: "no name is reported",
} as const;

const beneficiaryRow = ([match, { status, reports }]: [
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

const cardIssueRow = ([match, { says, timer, afterMs }]: [
  string,
  CardIssueOutcome,
]): OutcomeRow => {
  const ends = timer === undefined ? cardLifecycle.starts : TIMERS[timer].leadsTo;
  const happening = { atMs: afterMs, ...(timer && { timer }), then: ends };
  return { match, says, ends, afterMs, timeline: [happening] };
};

const atOnce = (match: string, says: string, ends: string): OutcomeRow => ({
  match,
  says,
  ends,
  afterMs: 0,
  timeline: [{ atMs: 0, then: ends }],
});

const fundingSourceRow = ([match, { says, isEligible }]: [
  string,
  { says: string; isEligible: boolean },
]) => atOnce(match, says, isEligible ? "taken" : "400 FUNDING_SOURCE_INELIGIBLE");

const cardAuthorizationRow = ([match, { says, declines, fails, pendingMs }]: [
  string,
  PullOutcome,
]): OutcomeRow => {
  if (declines) return atOnce(match, says, "DECLINED");
  if (fails) return atOnce(match, says, "EXCEPTION");
  const row = atOnce(match, says, "AUTHORIZED");
  const timer = "card.confirm" as const;
  return pendingMs === undefined
    ? row
    : {
        ...row,
        timeline: [...row.timeline, { atMs: pendingMs, timer, then: TIMERS[timer].leadsTo }],
      };
};

/** The outcome of a document: refused in the call, or accepted. */
const documentRow = ([match, { says, refusal }]: [string, DocumentOutcome]): OutcomeRow =>
  atOnce(match, says, refusal === undefined ? "taken" : `400 ${refusal}`);

/** Outcomes of cards in the sandbox. */
const cardGroups = (): OutcomeGroup[] => [
  {
    group: "cardIssue",
    title: "NEW CARD",
    reads: `${LAST_3} its platformCardId, without one of its cardholderId`,
    rows: Object.entries<CardIssueOutcome>(CARD_ISSUE_OUTCOMES).map(cardIssueRow),
  },
  {
    group: "fundingSource",
    title: "FUNDING SOURCE OF A CARD",
    reads: `${LAST_3} the account's id`,
    rows: Object.entries(FUNDING_SOURCE_OUTCOMES).map(fundingSourceRow),
  },
  {
    group: "cardAuthorization",
    title: "CARD AUTHORIZATION",
    reads: `${LAST_3} the merchant's descriptor`,
    rows: Object.entries<PullOutcome>(CARD_AUTHORIZATION_OUTCOMES).map(cardAuthorizationRow),
  },
];

/** The final status of a customer, and the verification that shows it. */
const verificationRow = ([match, outcome]: [string, CustomerVerificationOutcome]): OutcomeRow => {
  const { says, verificationStatus, passes, leaves } = outcome;
  const steps = [passes, `verification ${verificationStatus}`, leaves];
  const timeline = steps.flatMap((then) => (then === undefined ? [] : [{ atMs: 0, then }]));
  return { match, says, ends: leaves ?? verificationStatus, afterMs: 0, timeline };
};

const ownerRow = ([match, { says, kycStatus }]: [
  string,
  (typeof BENEFICIAL_OWNER_OUTCOMES)[keyof typeof BENEFICIAL_OWNER_OUTCOMES],
]) => atOnce(match, says, kycStatus);

/** Outcomes of customers in later revisions. */
const laterGroups = (): OutcomeGroup[] => [
  {
    group: "newPerson",
    title: "NEW PERSON",
    reads: `${LAST_3} fullName`,
    rows: Object.entries<FirstStatusOutcome>(NEW_PERSON_OUTCOMES).map(
      ([match, { says, kycStatus }]) => atOnce(match, says, kycStatus),
    ),
  },
  {
    group: "personVerification",
    title: "VERIFICATION OF A PERSON",
    reads: `${LAST_3} fullName, of a person who lacks nothing`,
    rows: Object.entries(PERSON_VERIFICATION_OUTCOMES).map(verificationRow),
  },
  {
    group: "businessVerification",
    title: "VERIFICATION OF A BUSINESS",
    reads: "the last 3 digits of the business's registrationNumber",
    rows: Object.entries(BUSINESS_VERIFICATION_OUTCOMES).map(verificationRow),
  },
];

/** Magic values that stand for proofs; `--crypto` decides what else is accepted. */
const proofGroup = (): OutcomeGroup => ({
  group: "walletProof",
  title: "PROOF OF A WALLET'S OWNER",
  reads: "the proof itself; with --crypto strict these values are not accepted",
  rows: [
    atOnce(MAGIC_VALUES.otp, "otp of an EMAIL_OTP credential", "accepted"),
    atOnce(MAGIC_VALUES.oidcToken, "oidcToken of an OAUTH credential", "accepted"),
    atOnce(MAGIC_VALUES.passkeySignature, "assertion.signature of a PASSKEY", "accepted"),
    atOnce(MAGIC_VALUES.walletSignature, "Service-Wallet-Signature of any call", "accepted"),
    atOnce("otherwise", "accepted if genuine, never with --crypto magic-only", "verified"),
  ],
});

/** The result of looking a UMA address up. */
const lookupRow = ([match, { says, refusal }]: [string, LookupOutcome]) =>
  atOnce(
    match,
    says,
    refusal === undefined ? "found" : `${REFUSALS[refusal].status} ${REFUSALS[refusal].code}`,
  );

/** Groups of every revision. */
export const everyOutcomeGroup = (): outcomes.OutcomeGroup[] => namedGroups(unnamedGroups());

/** Every magic value, read from the tables the rules of a revision read, each row with its name. */
export const outcomeGroups = (revision: Revision = FIRST_REVISION): outcomes.OutcomeGroup[] =>
  namedGroups(unnamedGroups().filter(({ group }) => isTableIn(revision, group)));

const namedGroups = (groups: readonly OutcomeGroup[]): outcomes.OutcomeGroup[] =>
  groups.map(({ rows, ...group }) => ({
    ...group,
    rows: rows.map((row) => ({ rule: ruleName(group.group, row.match), ...row })),
  }));

const unnamedGroups = (): OutcomeGroup[] => [
  ...Object.keys(PAYMENT_GROUPS).map((table) => paymentGroup(table as PaymentOutcomeTable)),
  {
    group: "approval",
    title: "APPROVAL ANSWER",
    reads: "the status that answers INCOMING_PAYMENT.PENDING",
    rows: Object.entries(APPROVAL_ANSWERS).map(approvalRow),
  },
  {
    group: "agentApproval",
    title: "APPROVAL OF AN AGENT'S ACTION",
    reads: "the setting --approvals",
    rows: Object.entries<AgentApprovalOutcome>(AGENT_APPROVAL_OUTCOMES).map(
      ([match, { says, ends }]) => atOnce(match, says, ends),
    ),
  },
  {
    group: "beneficiaryVerification",
    title: "BENEFICIARY VERIFICATION",
    reads: "the last 3 characters of a new external account's number, IBAN or address",
    rows: Object.entries(BENEFICIARY_VERIFICATION_OUTCOMES).map(beneficiaryRow),
  },
  {
    group: "umaLookup",
    title: "LOOKUP OF A UMA ADDRESS",
    reads: "who has the address",
    rows: Object.entries<LookupOutcome>(UMA_LOOKUP_OUTCOMES).map(lookupRow),
  },
  {
    group: "verification",
    title: "VERIFICATION",
    reads: "the last 3 digits of the business's registrationNumber",
    rows: Object.entries(VERIFICATION_OUTCOMES).map(verificationRow),
  },
  ...laterGroups(),
  {
    group: "beneficialOwner",
    title: "BENEFICIAL OWNER",
    reads: `${LAST_3} personalInfo.lastName`,
    rows: Object.entries(BENEFICIAL_OWNER_OUTCOMES).map(ownerRow),
  },
  {
    group: "document",
    title: "DOCUMENT",
    reads: "the last 3 characters of the file's name before its extension",
    rows: Object.entries(DOCUMENT_OUTCOMES).map(documentRow),
  },
  ...cardGroups(),
  proofGroup(),
];
