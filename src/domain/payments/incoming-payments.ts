import type { IncomingFailureReason } from "../../contract/payments/transactions.ts";
import { announceBalance } from "../accounts/internal-accounts.ts";
import type { Draft, Moment } from "../core/draft.ts";
import { emit } from "../core/events.ts";
import type { TimerEffect } from "../core/schedule.ts";
import { type IncomingTrigger, incomingPaymentLifecycle } from "../lifecycles/incoming-payment.ts";
import { findMove, moveOf } from "../lifecycles/lifecycle.ts";
import type { RefundTrigger } from "../lifecycles/refund.ts";
import { hasRoom, postMovement } from "../money/ledger.ts";
import type { OutcomeStep } from "../outcomes/outcomes.ts";
import type { IncomingRecord } from "../records/records.ts";
import type { IncomingTimerName } from "../records/timer-names.ts";
import { failActionOf } from "./agent-failures.ts";
import { endIncomingRefund, startIncomingRefund } from "./incoming-refunds.ts";
import { fireStep, type StepContext, type StepEffects, type StepRow } from "./outcome-steps.ts";
import { coverOf, receipt, recovery, reversed } from "./payment-postings.ts";
import { showIncoming } from "./transactions.ts";

/** Moves an incoming payment; sends the event of the move. */
export const moveIncoming = (
  draft: Draft,
  transaction: IncomingRecord,
  { on, moment, set = {} }: { on: IncomingTrigger; moment: Moment; set?: Partial<IncomingRecord> },
): IncomingRecord => {
  const move = moveOf(incomingPaymentLifecycle, transaction.status, on);
  const moved = { ...transaction, ...set, status: move.to, updatedAtMs: moment.atMs };
  draft.put("Transaction", moved);
  if (move.to === "FAILED") failActionOf(draft, transaction, moment);
  if (move.emits) emit(draft, moment, { type: move.emits, data: showIncoming(draft, moved) });
  return moved;
};

type StepEffect = StepRow<IncomingRecord, IncomingTrigger>["run"];

const failureOf = ({ failureReason }: OutcomeStep) =>
  failureReason === undefined ? {} : { failureReason: failureReason as IncomingFailureReason };

const announceCredit = (
  draft: Draft,
  { creditsAccountId }: IncomingRecord,
  { moment }: StepContext,
) => {
  if (creditsAccountId !== undefined) announceBalance(draft, creditsAccountId, moment);
};

/** Whether the customer and its account are still usable. */
const canTake = (draft: Draft, { customerId, creditsAccountId }: IncomingRecord) => {
  const account =
    creditsAccountId === undefined ? undefined : draft.get("InternalAccount", creditsAccountId);
  const isUsable = account === undefined || account.status === "ACTIVE";
  return isUsable && draft.get("Customer", customerId)?.isDeleted !== true;
};

const settle: StepEffect = (draft, transaction, now) => {
  const { moment } = now;
  const postings = receipt(transaction);
  const hasPlace = postings.every((posting) => hasRoom(draft, posting));
  // A timer has no caller to refuse: an account that is full or blocked by now gets nothing.
  if (!hasPlace || !canTake(draft, transaction)) {
    const isInside = transaction.creditsAccountId !== undefined;
    const failureReason = isInside ? "QUOTE_EXECUTION_FAILED" : "OFFRAMP_FAILED";
    return moveIncoming(draft, transaction, { on: "fail", moment, set: { failureReason } });
  }
  postMovement(draft, postings);
  const set = { settledAtMs: moment.atMs };
  const settled = moveIncoming(draft, transaction, { on: "settle", moment, set });
  announceCredit(draft, transaction, now);
  return settled;
};

const refund: StepEffect = (draft, transaction, now) => {
  postMovement(draft, reversed(receipt(transaction)));
  const refunded = moveIncoming(draft, transaction, { on: "refund", moment: now.moment });
  announceCredit(draft, transaction, now);
  return refunded;
};

type IncomingStep = StepRow<IncomingRecord, IncomingTrigger>;

const endingRefund =
  (wanted: RefundTrigger): StepEffect =>
  (draft, transaction, { moment }) =>
    endIncomingRefund(draft, transaction, { wanted, moment });

const moving = (on: "start" | "refuse"): IncomingStep => ({
  on,
  run: (draft, transaction, { step, moment }) =>
    moveIncoming(draft, transaction, { on, moment, set: failureOf(step) }),
});

/** Fails a payment; one that was delivered takes its money back from where it went. */
const fail: StepEffect = (draft, transaction, now) => {
  const { step, moment } = now;
  const failed = moveIncoming(draft, transaction, { on: "fail", moment, set: failureOf(step) });
  if (transaction.settledAtMs === undefined) return failed;
  postMovement(draft, recovery(transaction, coverOf(draft, transaction)));
  announceCredit(draft, transaction, now);
  return failed;
};

type IncomingStepName = IncomingTimerName | "refund.start" | "refund.settle" | "refund.fail";

const STEPS: Record<IncomingStepName, IncomingStep> = {
  "incoming.start": moving("start"),
  "incoming.settle": { on: "settle", run: settle },
  "incoming.fail": { on: "fail", run: fail },
  "incoming.refuse": moving("refuse"),
  "incoming.refund": { on: "refund", run: refund },
  "refund.start": {
    run: (draft, transaction, { step, moment }) =>
      startIncomingRefund(draft, transaction, { reason: step.refundReason, moment }),
  },
  "refund.settle": { run: endingRefund("settle") },
  "refund.fail": { run: endingRefund("fail") },
};

const stepOf = ({ timer }: OutcomeStep): IncomingStep => STEPS[timer as IncomingStepName];

/** The steps of an incoming payment. */
export const INCOMING_EFFECTS: StepEffects<IncomingRecord> = {
  fits: ({ status }, step) => {
    const { on } = stepOf(step);
    return on === undefined || findMove(incomingPaymentLifecycle, status, on) !== undefined;
  },
  run: (draft, transaction, now) => stepOf(now.step).run(draft, transaction, now),
  shows: ({ status, refund }, { timer }) =>
    timer.startsWith("refund.") ? (refund?.status ?? "NONE") : status,
};

/** Runs the next step of an incoming payment. */
export const fireIncomingStep = (draft: Draft, subject: string, moment: Moment): TimerEffect => {
  const transaction = draft.get("Transaction", subject);
  if (transaction?.type !== "INCOMING") return {};
  return fireStep(draft, transaction, { effects: INCOMING_EFFECTS, moment });
};
