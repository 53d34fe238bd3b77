import { completeBusiness } from "./later-outcomes.ts";
import { operationExercise, SIGNED_EXERCISES } from "./operations.ts";
import { outcomeExercise } from "./outcomes.ts";
import {
  ACTION_PATH,
  agentWith,
  approvalAnswered,
  bank,
  bulkFile,
  business,
  CARD,
  CUSTOMER,
  clearedBy,
  decidedBy,
  FUND,
  OUT,
  OWNED_CARD,
  PAYER,
  purchase,
  quoted,
  RETURN,
  USD,
  WAITING_ACTION,
  waitingAction,
} from "./parts.ts";
import { advance, byAgent, call, receiver, repeated, type Steps, signedOrDone } from "./steps.ts";

type Exercises = Readonly<Record<string, Steps>>;

/** Lets what was just made be sent. */
const sent = (steps: Steps) => [...steps, advance("1s")];

const setStatus = (of: string, status: object) =>
  call(`PATCH /_sim/customers/\${${of}.id}`, status);

const BULK_CSV = [
  "umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country",
  "$bulk-${random}@pay.example,bulk-${random},INDIVIDUAL,Lena Ortiz,1991-11-02,Av. Norte 12,Puebla,PUE,72000,MX",
  "",
].join("\n");

/** Has an example of a type sent, as no rule sends one. */
const example = (type: string): Steps => [
  ...receiver(),
  call("POST /_sim/webhooks/trigger", { type }),
];

/** An active card with a receiver, and steps with it. */
const onCard = (...steps: Steps): Steps => sent([...receiver(), ...CARD, advance("1s"), ...steps]);

/** Verified with an owner whose KYC is open. */
const verifiedWith = (number: string): Steps => [
  business(number),
  ...outcomeExercise("verification.otherwise").slice(1),
  advance("1s"),
];

/** Steps after which the receiver has accepted a webhook of each type. */
export const WEBHOOK_EXERCISES: Exercises = {
  "OUTGOING_PAYMENT.PENDING": sent(quoted()),
  "OUTGOING_PAYMENT.PROCESSING": outcomeExercise("quotedPayment.otherwise"),
  "OUTGOING_PAYMENT.COMPLETED": outcomeExercise("quotedPayment.otherwise"),
  "OUTGOING_PAYMENT.FAILED": outcomeExercise("quotedPayment.004"),
  "OUTGOING_PAYMENT.EXPIRED": [...quoted(), advance("10m")],
  "OUTGOING_PAYMENT.REFUND_PENDING": outcomeExercise("quotedPayment.004"),
  "OUTGOING_PAYMENT.REFUND_COMPLETED": outcomeExercise("quotedPayment.004"),
  "OUTGOING_PAYMENT.REFUND_FAILED": outcomeExercise("quotedPayment.007"),
  "INCOMING_PAYMENT.PENDING": approvalAnswered(200),
  "INCOMING_PAYMENT.COMPLETED": outcomeExercise("transferIn.otherwise"),
  "INCOMING_PAYMENT.FAILED": outcomeExercise("transferIn.004"),
  "AGENT_ACTION.PENDING_APPROVAL": sent(WAITING_ACTION),
  "CUSTOMER.KYC_PENDING": sent([CUSTOMER, setStatus("customer", { kycStatus: "PENDING" })]),
  "CUSTOMER.KYC_APPROVED": sent([
    CUSTOMER,
    setStatus("customer", { kycStatus: "PENDING" }),
    setStatus("customer", { kycStatus: "APPROVED" }),
  ]),
  "CUSTOMER.KYC_REJECTED": sent([CUSTOMER, setStatus("customer", { kycStatus: "REJECTED" })]),
  "CUSTOMER.KYB_PENDING": sent(completeBusiness("001")),
  "CUSTOMER.KYB_APPROVED": verifiedWith("88-999"),
  "CUSTOMER.KYB_REJECTED": verifiedWith("88-002"),
  "VERIFICATION.APPROVED": verifiedWith("88-999"),
  "VERIFICATION.REJECTED": verifiedWith("88-002"),
  // No case has it in every revision.
  "VERIFICATION.RESOLVE_ERRORS": example("VERIFICATION.RESOLVE_ERRORS"),
  "VERIFICATION.IN_PROGRESS": sent(completeBusiness("001")),
  "VERIFICATION.PENDING_MANUAL_REVIEW": example("VERIFICATION.PENDING_MANUAL_REVIEW"),
  "INTERNAL_ACCOUNT.BALANCE_UPDATED": sent(PAYER),
  "INTERNAL_ACCOUNT.STATUS_UPDATED": sent([
    CUSTOMER,
    USD,
    call("PATCH /_sim/internal-accounts/${usd.data.0.id}", { status: "FROZEN" }),
  ]),
  "INVITATION.CLAIMED": sent(operationExercise("claimInvitation")),
  "BULK_UPLOAD.COMPLETED": sent([bulkFile(BULK_CSV)]),
  "BULK_UPLOAD.FAILED": sent([bulkFile("umaAddress\n")]),
  "card.state_change": sent(CARD),
  "card.funding_source_change": [
    ...OWNED_CARD,
    advance("1s"),
    call("second = POST /_sim/internal-accounts", {
      customerId: "${customer.id}",
      currency: "USD",
    }),
    ...signedOrDone("PATCH /cards/${card.id}", { fundingSources: ["${second.id}"] }),
    advance("1s"),
  ],
  TEST: operationExercise("sendTestWebhook"),
  "INCOMING_PAYMENT.REFUND_PENDING": outcomeExercise("umaDeposit.005"),
  "INCOMING_PAYMENT.REFUND_COMPLETED": outcomeExercise("umaDeposit.005"),
  "CARD_TRANSACTION.AUTHORIZED": onCard(purchase()),
  "CARD_TRANSACTION.PARTIALLY_SETTLED": onCard(purchase(), ...clearedBy(500)),
  "CARD_TRANSACTION.SETTLED": onCard(purchase(), ...clearedBy(2_000)),
  "CARD_TRANSACTION.REFUNDED": onCard(purchase(), ...clearedBy(2_000), RETURN),
  "CARD_TRANSACTION.EXCEPTION": onCard(purchase("NORTH PIER 002")),
  "EXTERNAL_ACCOUNT.STATUS_UPDATED": sent([
    ...receiver(),
    CUSTOMER,
    bank("100"),
    call("PATCH /_sim/external-accounts/${bank.id}", { status: "INACTIVE" }),
  ]),
  "INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED": sent([
    ...receiver(),
    CUSTOMER,
    USD,
    call("PATCH /_sim/internal-accounts/${usd.data.0.id}", { fundingPaymentInstructions: [] }),
  ]),
};

const failsFirst = (...answers: (500 | "drop")[]): Steps => [
  ...receiver({ "INTERNAL_ACCOUNT.BALANCE_UPDATED": answers }),
  CUSTOMER,
  USD,
  FUND,
  advance("1m"),
];

export const RETRY_EXERCISES: Exercises = {
  "after an error": failsFirst(500),
  // The first one may meet a kept connection, where a lost answer is no attempt.
  "after no answer": failsFirst("drop", "drop"),
};

export const DUPLICATE_EXERCISES: Exercises = {
  resent: [
    ...receiver(),
    CUSTOMER,
    USD,
    FUND,
    advance("1s"),
    call("webhooks = GET /_sim/webhooks?limit=1"),
    call("POST /_sim/webhooks/${webhooks.data.0.id}/resend", {}),
  ],
  "sent twice": [...receiver(), call("POST /_sim/webhooks/vectors", { vector: "duplicate" })],
};

/** Has the simulator decide in a person's place. */
const DECIDED_BY_ITSELF: Steps = [...waitingAction("approve"), advance("1m")];

export const TIMER_EXERCISES: Exercises = {
  "quote.expire": [...quoted(), advance("10m")],
  "payment.collect": outcomeExercise("pull.otherwise"),
  "payment.start": outcomeExercise("transferOut.otherwise"),
  "payment.settle": outcomeExercise("quotedPayment.003"),
  "payment.fail": outcomeExercise("quotedPayment.004"),
  "payment.refuse": outcomeExercise("transferOut.005"),
  "payment.return": outcomeExercise("quotedPayment.005"),
  "refund.start": outcomeExercise("quotedPayment.006"),
  "refund.settle": outcomeExercise("quotedPayment.004"),
  "refund.fail": outcomeExercise("quotedPayment.007"),
  "incoming.start": outcomeExercise("transferIn.otherwise"),
  "incoming.settle": outcomeExercise("transferIn.otherwise"),
  "incoming.fail": outcomeExercise("transferIn.004"),
  "incoming.refuse": outcomeExercise("transferIn.005"),
  "incoming.refund": outcomeExercise("umaDeposit.005"),
  "incoming.lapse": outcomeExercise("approval.silence"),
  "approval.decide": DECIDED_BY_ITSELF,
  "bulk.import": sent([bulkFile(BULK_CSV)]),
  "card.activate": outcomeExercise("cardIssue.otherwise"),
  "card.reject": outcomeExercise("cardIssue.002"),
  "card.confirm": outcomeExercise("cardAuthorization.005"),
  "webhook.retry": failsFirst(500),
};

/** A call of an operation, made twice under one key. */
export const replayExercise = (operationId: string) => repeated(operationExercise(operationId));

/** The two calls of an operation whose change its owner has to sign. */
export const signedExercise = (operationId: string): Steps =>
  SIGNED_EXERCISES[operationId] ?? operationExercise(operationId);

export const APPROVAL_EXERCISES: Exercises = {
  "agent action approved": [...WAITING_ACTION, call(`POST ${ACTION_PATH}/approve`)],
  "agent action rejected": [...WAITING_ACTION, call(`POST ${ACTION_PATH}/reject`)],
  "agent action failed at approval": [
    ...PAYER,
    bank("999"),
    ...agentWith({
      permissions: ["CREATE_TRANSFERS"],
      defaultExecutionMode: "APPROVAL_REQUIRED",
      spendingLimits: { currency: "USD", perTransactionLimit: 40_000 },
    }),
    decidedBy("ask"),
    byAgent("action = POST /agents/me/transfer-out", OUT),
    call("DELETE /customers/external-accounts/${bank.id}"),
    call(`POST ${ACTION_PATH}/approve`),
  ],
  "incoming payment approved": approvalAnswered(200),
  "incoming payment rejected": approvalAnswered(403),
  "incoming payment refused": approvalAnswered(422),
  "incoming payment expired": outcomeExercise("approval.silence"),
};
