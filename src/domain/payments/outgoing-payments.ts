import { defined } from "../../contract/core/defined.ts";
import type { OutgoingFailureReason } from "../../contract/payments/transactions.ts";
import { announceBalance } from "../accounts/internal-accounts.ts";
import type { Draft, Moment, View } from "../core/draft.ts";
import { emit } from "../core/events.ts";
import type { TimerEffect } from "../core/schedule.ts";
import { findMove, moveOf } from "../lifecycles/lifecycle.ts";
import { type OutgoingTrigger, outgoingPaymentLifecycle } from "../lifecycles/outgoing-payment.ts";
import { quoteLifecycle } from "../lifecycles/quote.ts";
import type { RefundTrigger } from "../lifecycles/refund.ts";
import { LEDGER_ACCOUNTS, postMovement, requireRoom } from "../money/ledger.ts";
import type { OutcomeStep } from "../outcomes/outcomes.ts";
import type { OutgoingRecord } from "../records/records.ts";
import type { OutgoingTimerName } from "../records/timer-names.ts";
import { failActionOf } from "./agent-failures.ts";
import { feeAccount } from "./fee-account.ts";
import {
  fireStep,
  rowsThatApply,
  runSteps,
  type StepEffects,
  type StepRow,
} from "./outcome-steps.ts";
import { collection, delivery, reversed } from "./payment-postings.ts";
import { endRefund, startRefund } from "./refunds.ts";
import { showOutgoing } from "./transactions.ts";

/** Stores a new payment and sends its event. */
export const startPayment = (draft: Draft, transaction: OutgoingRecord, moment: Moment) => {
  draft.put("Transaction", transaction);
  const { startEmits } = outgoingPaymentLifecycle;
  if (startEmits) emit(draft, moment, { type: startEmits, data: showOutgoing(draft, transaction) });
};

/** Moves a payment and the quote it came from; sends the event of the move. */
export const movePayment = (
  draft: Draft,
  transaction: OutgoingRecord,
  { on, moment, set = {} }: { on: OutgoingTrigger; moment: Moment; set?: Partial<OutgoingRecord> },
): OutgoingRecord => {
  const move = moveOf(outgoingPaymentLifecycle, transaction.status, on);
  const moved = { ...transaction, ...set, status: move.to, updatedAtMs: moment.atMs };
  draft.put("Transaction", moved);
  const { quoteId } = transaction;
  const quote = quoteId === undefined ? undefined : draft.get("Quote", quoteId);
  if (quote) {
    const { to } = moveOf(quoteLifecycle, quote.status, on);
    draft.put("Quote", { ...quote, status: to, updatedAtMs: moment.atMs });
  }
  if (move.to === "FAILED" && transaction.status !== "COMPLETED")
    failActionOf(draft, transaction, moment);
  if (move.emits) emit(draft, moment, { type: move.emits, data: showOutgoing(draft, moved) });
  return moved;
};

/** Refuses an amount that its payee could not be credited with. */
export const requirePayeeRoom = (view: View, transaction: OutgoingRecord) =>
  requireRoom(
    view,
    {
      account: transaction.creditsAccountId ?? LEDGER_ACCOUNTS.payouts,
      currency: transaction.receivingCurrency,
      amountMinor: BigInt(transaction.receivedMinor),
    },
    "destination.accountId",
  );

/** Names the account that earns the platform's fee on a payment that is paid in full. */
const withFeeAccount = (
  view: View,
  transaction: OutgoingRecord,
  collectedMinor: number,
): OutgoingRecord => {
  if (!transaction.platformFeesMinor || collectedMinor !== transaction.sentMinor)
    return transaction;
  const account = feeAccount(view, transaction);
  return account ? { ...transaction, feeAccountId: account.id } : transaction;
};

/** The rows of a payment; one whose fee the platform has no account for fails. */
const rowsFor = (
  view: View,
  transaction: OutgoingRecord,
  { rows, collectedMinor = transaction.sentMinor }: Funding,
): readonly string[] => {
  const { platformFeesMinor, sentMinor } = transaction;
  const isCharged = platformFeesMinor !== undefined && platformFeesMinor > 0;
  if (!isCharged || collectedMinor !== sentMinor || feeAccount(view, transaction)) return rows;
  return [...rows.slice(0, -1), "platformFee.noAccount"];
};

/** Takes the payer's money: posts it, and sends the event of the new balance. */
export const collect = (
  draft: Draft,
  transaction: OutgoingRecord,
  { amountMinor, moment }: { amountMinor: number; moment: Moment },
): OutgoingRecord => {
  const charged = withFeeAccount(draft, transaction, amountMinor);
  postMovement(draft, collection(charged, amountMinor));
  const { debitsAccountId, feeAccountId } = charged;
  if (debitsAccountId !== undefined) announceBalance(draft, debitsAccountId, moment);
  if (feeAccountId !== undefined) announceBalance(draft, feeAccountId, moment);
  return { ...charged, collectedMinor: amountMinor };
};

/** The money of a payment, and the outcome rows that then apply. */
export interface Funding {
  rows: readonly string[];
  /** The amount that arrives now; undefined when it is still to be pulled. */
  collectedMinor?: number;
}

/**
 * Starts a quoted payment: PROCESSING, its money taken unless it is still to be pulled, its first
 * step scheduled (spec/quotes.md#execution).
 */
export const fundPayment = (
  draft: Draft,
  pending: OutgoingRecord,
  { moment, ...funding }: Funding & { moment: Moment },
): OutgoingRecord => {
  requirePayeeRoom(draft, pending);
  const { collectedMinor } = funding;
  const rows = rowsFor(draft, pending, funding);
  const funded = movePayment(draft, pending, {
    on: "fund",
    moment,
    set: { course: { rows, step: 0 } },
  });
  const [row, ...further] = rowsThatApply(rows);
  if (row !== undefined) draft.decidedBy(row, ...further);
  return runSteps(
    draft,
    collectedMinor === undefined
      ? funded
      : collect(draft, funded, { amountMinor: collectedMinor, moment }),
    { effects: OUTGOING_EFFECTS, moment },
  );
};

type StepEffect = StepRow<OutgoingRecord, OutgoingTrigger>["run"];

const failureOf = (draft: Draft, { destination }: OutgoingRecord, step: OutcomeStep) => {
  const payee =
    destination.destinationType === "ACCOUNT"
      ? draft.get("ExternalAccount", destination.accountId)
      : undefined;
  const own = payee && step.failureReasonFor?.[payee.accountInfo.accountType];
  const failureReason = own ?? (step.failureReason as OutgoingFailureReason | undefined);
  return defined({ failureReason });
};

const settle: StepEffect = (draft, transaction, { moment }) => {
  postMovement(draft, delivery(transaction));
  const settled = movePayment(draft, transaction, {
    on: "settle",
    moment,
    set: { settledAtMs: moment.atMs },
  });
  const { creditsAccountId } = transaction;
  if (creditsAccountId !== undefined) announceBalance(draft, creditsAccountId, moment);
  return settled;
};

const failing = (on: "fail" | "refuse"): StepRow<OutgoingRecord, OutgoingTrigger> => ({
  on,
  run: (draft, transaction, { step, moment }) =>
    movePayment(draft, transaction, { on, moment, set: failureOf(draft, transaction, step) }),
});

const bankReturn: StepEffect = (draft, transaction, { step, moment }) => {
  postMovement(draft, reversed(delivery(transaction)));
  const set = failureOf(draft, transaction, step);
  return movePayment(draft, transaction, { on: "return", moment, set });
};

const endingRefund = (wanted: RefundTrigger): StepRow<OutgoingRecord, OutgoingTrigger> => ({
  run: (draft, transaction, { moment }) => endRefund(draft, transaction, { wanted, moment }),
});

const STEPS: Record<OutgoingTimerName, StepRow<OutgoingRecord, OutgoingTrigger>> = {
  "payment.collect": {
    run: (draft, transaction, { moment }) =>
      collect(draft, transaction, { amountMinor: transaction.sentMinor, moment }),
  },
  "payment.start": {
    on: "start",
    run: (draft, transaction, { moment }) =>
      movePayment(draft, transaction, { on: "start", moment }),
  },
  "payment.settle": { on: "settle", run: settle },
  "payment.fail": failing("fail"),
  "payment.refuse": failing("refuse"),
  "payment.return": { on: "return", run: bankReturn },
  "refund.start": {
    run: (draft, transaction, { step, moment }) => {
      const { refundReason: reason = "TRANSACTION_FAILED" } = step;
      return startRefund(draft, transaction, { reason, moment });
    },
  },
  "refund.settle": endingRefund("settle"),
  "refund.fail": endingRefund("fail"),
};

/** The steps of an outgoing payment. */
export const OUTGOING_EFFECTS: StepEffects<OutgoingRecord> = {
  fits: ({ status }, { timer }) => {
    const { on } = STEPS[timer as OutgoingTimerName];
    return on === undefined || findMove(outgoingPaymentLifecycle, status, on) !== undefined;
  },
  run: (draft, transaction, now) =>
    STEPS[now.step.timer as OutgoingTimerName].run(draft, transaction, now),
  shows: ({ status, refund }, { timer }) =>
    timer.startsWith("refund.") ? (refund?.status ?? "NONE") : status,
};

/** Runs the next step of an outgoing payment. */
export const firePaymentStep = (draft: Draft, subject: string, moment: Moment): TimerEffect => {
  const transaction = draft.get("Transaction", subject);
  if (transaction?.type !== "OUTGOING") return {};
  return fireStep(draft, transaction, { effects: OUTGOING_EFFECTS, moment });
};
