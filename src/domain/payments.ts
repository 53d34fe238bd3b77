import type { OutgoingTransaction } from "../contract/transactions.ts";
import { BASE32, type Draft, type Moment } from "./draft.ts";
import { emit } from "./events.ts";
import { announceBalance } from "./internal-accounts.ts";
import { hasRoom, LEDGER_ACCOUNTS, postMovement, requireRoom } from "./ledger.ts";
import { findMove, moveOf } from "./lifecycles/lifecycle.ts";
import { type OutgoingTrigger, outgoingPaymentLifecycle } from "./lifecycles/outgoing-payment.ts";
import { quoteLifecycle } from "./lifecycles/quote.ts";
import { refundLifecycle } from "./lifecycles/refund.ts";
import {
  type OutcomeStep,
  outcomeFor,
  type PaymentOutcome,
  QUOTED_PAYMENT_OUTCOMES,
  scenarioSuffix,
} from "./outcomes.ts";
import type { TransactionRecord } from "./records.ts";
import { type Fired, setTimer } from "./schedule.ts";
import { showTransaction } from "./transactions.ts";

const emitPayment = (
  draft: Draft,
  moment: Moment,
  { type, transaction }: { type: `OUTGOING_PAYMENT.${string}`; transaction: TransactionRecord },
) =>
  emit(draft, moment, {
    type: type as Parameters<typeof emit>[2]["type"],
    data: showTransaction(draft, transaction) satisfies OutgoingTransaction,
  });

/** Stores a payment that has just been born and tells of it. */
export const startPayment = (draft: Draft, transaction: TransactionRecord, moment: Moment) => {
  draft.put("Transaction", transaction);
  const { startEmits } = outgoingPaymentLifecycle;
  if (startEmits)
    emit(draft, moment, { type: startEmits, data: showTransaction(draft, transaction) });
};

/** Moves a payment and the quote it came from; sends the event of the move. */
export const movePayment = (
  draft: Draft,
  transaction: TransactionRecord,
  {
    on,
    moment,
    set = {},
  }: { on: OutgoingTrigger; moment: Moment; set?: Partial<TransactionRecord> },
): TransactionRecord => {
  const move = moveOf(outgoingPaymentLifecycle, transaction.status, on);
  const moved = { ...transaction, ...set, status: move.to, updatedAtMs: moment.atMs };
  draft.put("Transaction", moved);
  const quote = draft.get("Quote", transaction.quoteId);
  if (quote) {
    const { to } = moveOf(quoteLifecycle, quote.status, on);
    draft.put("Quote", { ...quote, status: to, updatedAtMs: moment.atMs });
  }
  if (move.emits) emit(draft, moment, { type: move.emits, data: showTransaction(draft, moved) });
  return moved;
};

/** The fate of a payment: read from the destination when it starts to move (payments O-60). */
const outcomeOf = (draft: Draft, { destinationAccountId }: TransactionRecord) => {
  const external = draft.get("ExternalAccount", destinationAccountId);
  return outcomeFor<PaymentOutcome>(
    QUOTED_PAYMENT_OUTCOMES,
    external && scenarioSuffix(external.accountInfo),
  );
};

const stepsOf = (row: string): readonly OutcomeStep[] =>
  (QUOTED_PAYMENT_OUTCOMES as Record<string, PaymentOutcome>)[row]?.steps ?? [];

const scheduleStep = (draft: Draft, transaction: TransactionRecord, moment: Moment) => {
  const { course } = transaction;
  const step = course && stepsOf(course.row)[course.step];
  if (step)
    setTimer(
      draft,
      { name: step.timer, subject: transaction.id, dueAtMs: moment.atMs + step.afterMs },
      moment,
    );
};

/**
 * Takes the money and sets the payment going: PROCESSING, the source debited by the whole sending
 * amount, the first step of its outcome scheduled (payments digest 9.6).
 */
export const fundPayment = (draft: Draft, pending: TransactionRecord, moment: Moment) => {
  const { row } = outcomeOf(draft, pending);
  requireRoom(
    draft,
    {
      account: payeeOf(draft, pending),
      currency: pending.receivingCurrency,
      amountMinor: BigInt(pending.receivedMinor),
    },
    "destination.accountId",
  );
  const transaction = movePayment(draft, pending, {
    on: "fund",
    moment,
    set: { course: { row, step: 0 } },
  });
  collect(draft, transaction);
  announceBalance(draft, transaction.sourceAccountId, moment);
  draft.decidedBy(`quotedPayment.${row}`);
  scheduleStep(draft, transaction, moment);
};

const collect = (
  draft: Draft,
  { sourceAccountId, sendingCurrency, sentMinor }: TransactionRecord,
) =>
  postMovement(draft, [
    { account: sourceAccountId, currency: sendingCurrency, amountMinor: -BigInt(sentMinor) },
    {
      account: LEDGER_ACCOUNTS.clearing,
      currency: sendingCurrency,
      amountMinor: BigInt(sentMinor),
    },
  ]);

/** Postings of a delivery: fees earned, the rest converted, the payee paid. */
const delivery = (transaction: TransactionRecord, payee: string, paidFrom: string) => {
  const { sendingCurrency, receivingCurrency } = transaction;
  const sent = BigInt(transaction.sentMinor);
  const fees = BigInt(transaction.feesMinor);
  const received = BigInt(transaction.receivedMinor);
  return [
    { account: paidFrom, currency: sendingCurrency, amountMinor: -sent },
    { account: LEDGER_ACCOUNTS.fees, currency: sendingCurrency, amountMinor: fees },
    { account: LEDGER_ACCOUNTS.exchange, currency: sendingCurrency, amountMinor: sent - fees },
    { account: LEDGER_ACCOUNTS.exchange, currency: receivingCurrency, amountMinor: -received },
    { account: payee, currency: receivingCurrency, amountMinor: received },
  ];
};

const reversed = (postings: ReturnType<typeof delivery>) =>
  postings.map((posting) => ({ ...posting, amountMinor: -posting.amountMinor }));

const isInternal = (draft: Draft, accountId: string) =>
  draft.get("InternalAccount", accountId) !== undefined;

const payeeOf = (draft: Draft, { destinationAccountId }: TransactionRecord) =>
  isInternal(draft, destinationAccountId) ? destinationAccountId : LEDGER_ACCOUNTS.payouts;

type StepContext = { transaction: TransactionRecord; step: OutcomeStep; moment: Moment };
type StepEffect = (draft: Draft, context: StepContext) => TransactionRecord;

const failureReasonOf = (draft: Draft, { transaction, step }: StepContext) => {
  const type = draft.get("ExternalAccount", transaction.destinationAccountId)?.accountInfo
    .accountType;
  return (type && step.failureReasonFor?.[type]) ?? step.failureReason;
};

const settle: StepEffect = (draft, { transaction, moment }) => {
  // A payer who was refunded first (row 006) leaves the cost of the delivery to the operator.
  const paidFrom =
    transaction.refund?.status === "COMPLETED" ? LEDGER_ACCOUNTS.losses : LEDGER_ACCOUNTS.clearing;
  postMovement(draft, delivery(transaction, payeeOf(draft, transaction), paidFrom));
  const settled = movePayment(draft, transaction, {
    on: "settle",
    moment,
    set: { settledAtMs: moment.atMs },
  });
  announceBalance(draft, transaction.destinationAccountId, moment);
  return settled;
};

const fail: StepEffect = (draft, context) => {
  const failureReason = failureReasonOf(draft, context);
  return movePayment(draft, context.transaction, {
    on: "fail",
    moment: context.moment,
    set: failureReason === undefined ? {} : { failureReason },
  });
};

const bankReturn: StepEffect = (draft, context) => {
  const { transaction, moment } = context;
  const failureReason = failureReasonOf(draft, context);
  postMovement(
    draft,
    reversed(delivery(transaction, payeeOf(draft, transaction), LEDGER_ACCOUNTS.clearing)),
  );
  return movePayment(draft, transaction, {
    on: "return",
    moment,
    set: failureReason === undefined ? {} : { failureReason },
  });
};

const startRefund: StepEffect = (draft, { transaction, step, moment }) => {
  const refunding: TransactionRecord = {
    ...transaction,
    refund: {
      reference: `RFD-${moment.draw("refund-reference", 6, BASE32)}`,
      initiatedAtMs: moment.atMs,
      status: refundLifecycle.starts,
      reason: step.refundReason ?? "TRANSACTION_FAILED",
    },
    updatedAtMs: moment.atMs,
  };
  draft.put("Transaction", refunding);
  emitPayment(draft, moment, {
    type: "OUTGOING_PAYMENT.REFUND_PENDING",
    transaction: refunding,
  });
  return refunding;
};

const endRefund =
  (wanted: "settle" | "fail"): StepEffect =>
  (draft, { transaction, moment }) => {
    const { refund, sendingCurrency: currency, sourceAccountId, sentMinor } = transaction;
    if (!refund) return transaction;
    const credit = { account: sourceAccountId, currency, amountMinor: BigInt(sentMinor) };
    // Nobody is there to be refused: a payer who was filled to the brim meanwhile gets none.
    const on = hasRoom(draft, credit) ? wanted : "fail";
    const move = moveOf(refundLifecycle, refund.status, on);
    const ended: TransactionRecord = {
      ...transaction,
      refund: {
        ...refund,
        status: move.to,
        ...(on === "settle" && { settledAtMs: moment.atMs }),
      },
      updatedAtMs: moment.atMs,
    };
    draft.put("Transaction", ended);
    const owed = BigInt(sentMinor);
    const payee = on === "settle" ? sourceAccountId : LEDGER_ACCOUNTS.unrefunded;
    postMovement(draft, [
      { account: LEDGER_ACCOUNTS.clearing, currency, amountMinor: -owed },
      { account: payee, currency, amountMinor: owed },
    ]);
    if (move.emits) emit(draft, moment, { type: move.emits, data: showTransaction(draft, ended) });
    if (on === "settle") announceBalance(draft, sourceAccountId, moment);
    return ended;
  };

const STEP_EFFECTS: Record<OutcomeStep["timer"], StepEffect> = {
  "payment.settle": settle,
  "payment.fail": fail,
  "payment.return": bankReturn,
  "refund.start": startRefund,
  "refund.settle": endRefund("settle"),
  "refund.fail": endRefund("fail"),
};

const STEP_TRIGGERS: Partial<Record<OutcomeStep["timer"], OutgoingTrigger>> = {
  "payment.settle": "settle",
  "payment.fail": "fail",
  "payment.return": "return",
};

const fits = (step: OutcomeStep, { status }: TransactionRecord) => {
  const trigger = STEP_TRIGGERS[step.timer];
  return trigger === undefined || findMove(outgoingPaymentLifecycle, status, trigger) !== undefined;
};

const stateShown = ({ timer }: OutcomeStep, { status, refund }: TransactionRecord) =>
  timer.startsWith("refund.") ? (refund?.status ?? "NONE") : status;

/** The next thing in a payment's course happens, and the one after it is scheduled. */
export const firePaymentStep = (draft: Draft, subject: string, moment: Moment): Fired => {
  const transaction = draft.get("Transaction", subject);
  const course = transaction?.course;
  const step = course && stepsOf(course.row)[course.step];
  if (!transaction || !course || !step || !fits(step, transaction)) return {};
  draft.decidedBy(`quotedPayment.${course.row}`);
  const after = STEP_EFFECTS[step.timer](draft, { transaction, step, moment });
  const onward = { ...after, course: { ...course, step: course.step + 1 } };
  draft.put("Transaction", onward);
  scheduleStep(draft, onward, moment);
  return { from: stateShown(step, transaction), to: stateShown(step, after) };
};
