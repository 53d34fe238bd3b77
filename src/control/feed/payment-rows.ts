import type {
  ApprovalRow,
  OpenTimer,
  PaymentRow,
  TimerRow,
} from "../../contract/control/feed-rows.ts";
import { defined } from "../../contract/core/defined.ts";
import { find, instant } from "../../domain/core/draft.ts";
import type { AgentActionRecord } from "../../domain/records/agent-records.ts";
import type { TimerRecord, TransactionRecord } from "../../domain/records/records.ts";
import { isPending } from "../../runtime/timer-queue.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { actionFacts } from "../why/action-facts.ts";
import { factsOf } from "../why/why-facts.ts";
import { timerFacts } from "./timer-facts.ts";

/** A timer as watchers see it. */
export const timerRow = (state: WorldState, timer: TimerRecord): TimerRow => ({
  id: timer.id,
  order: timer.order,
  ...timerFacts(state, timer),
});

const timersOf = (state: WorldState, subject: string) =>
  find(state, "Timer", ["bySubject", subject]).filter(isPending);

/** The first thing that a quote or its payment waits for. */
const openTimer = (state: WorldState, ids: readonly string[], setAtMs: number) => {
  const [first] = ids
    .flatMap((id) => timersOf(state, id))
    .sort((a, b) => a.dueAtMs - b.dueAtMs || a.order - b.order);
  if (!first) return undefined;
  const { dueAt, timer, then, rule } = timerRow(state, first);
  const setAt = instant(Math.min(setAtMs, first.dueAtMs));
  return { dueAt, setAt, timer, then, ...defined({ rule }) } satisfies OpenTimer;
};

const outcomeOf = ({ course, settledAtMs, failureReason, ...rest }: TransactionRecord) => {
  return defined({
    memo: rest.description,
    rule: course?.rows.at(-1),
    settledAt: settledAtMs === undefined ? undefined : instant(settledAtMs),
    reason: failureReason,
    refund: rest.type === "OUTGOING" ? rest.refund?.status : undefined,
  });
};

const amountsOf = (state: WorldState, id: string) => {
  const { sends, receives, payee } = factsOf(state, id);
  return { ...(sends && { sends }), ...(receives && { receives }), ...(payee && { to: payee }) };
};

/** A quote with the payment made from it. */
export const quoteRow = (state: WorldState, id: string): PaymentRow | undefined => {
  const quote = state.get("Quote", id);
  if (!quote) return undefined;
  const payment = state.get("Transaction", quote.transactionId);
  const timer = openTimer(state, [id, quote.transactionId], quote.updatedAtMs);
  return {
    id,
    version: state.seq,
    kind: "QUOTE",
    ...(payment && { transactionId: payment.id }),
    status: quote.status,
    ...amountsOf(state, id),
    createdAt: instant(quote.createdAtMs),
    changedAt: instant(quote.updatedAtMs),
    ...(payment && outcomeOf(payment)),
    ...(timer && { timer }),
  };
};

/** A payment of its own, or the row of the quote it was made from. */
export const paymentRow = (state: WorldState, id: string): PaymentRow | undefined => {
  const payment = state.get("Transaction", id);
  if (payment?.type === "OUTGOING" && payment.quoteId !== undefined)
    return quoteRow(state, payment.quoteId);
  if (!payment) return undefined;
  const timer = openTimer(state, [id], payment.updatedAtMs);
  return {
    id,
    version: state.seq,
    kind: payment.type === "OUTGOING" ? "TRANSFER" : "INCOMING",
    transactionId: id,
    status: payment.status,
    ...amountsOf(state, id),
    createdAt: instant(payment.createdAtMs),
    changedAt: instant(payment.updatedAtMs),
    ...outcomeOf(payment),
    ...(timer && { timer }),
  };
};

/** The internal account that an action would debit. */
export const payerOf = (state: WorldState, { request }: AgentActionRecord) => {
  if (request.type !== "EXECUTE_QUOTE") return request.sourceAccountId;
  const source = state.get("Quote", request.quoteId)?.source;
  return source?.sourceType === "ACCOUNT" ? source.accountId : undefined;
};

/** An agent's action as watchers see it. */
export const approvalRow = (state: WorldState, id: string): ApprovalRow | undefined => {
  const record = state.get("AgentAction", id);
  if (!record) return undefined;
  const isWaiting = record.status === "PENDING_APPROVAL";
  const payer = isWaiting && state.get("InternalAccount", payerOf(state, record) ?? "");
  const reason = record.failedBecause?.says ?? record.rejectionReason;
  return {
    id,
    version: state.seq,
    ...actionFacts(state, record),
    createdAt: instant(record.createdAtMs),
    ...(payer && {
      from: {
        id: payer.id,
        amount: Number(state.balanceMinor(payer.id, payer.currency)),
        currency: payer.currency,
      },
    }),
    ...defined({ reason }),
  };
};
