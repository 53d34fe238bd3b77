import type { RefundStatus } from "../contract/payments/transactions.ts";
import { decideUnasked } from "./agents/agent-approvals.ts";
import { confirmPull } from "./cards/card-pulls.ts";
import { activateCard, rejectCard } from "./cards/cards.ts";
import type { Draft, Moment } from "./core/draft.ts";
import type { TimerEffect } from "./core/schedule.ts";
import { importNextRows } from "./customers/bulk-imports.ts";
import { cardLifecycle } from "./lifecycles/card.ts";
import { type IncomingTrigger, incomingPaymentLifecycle } from "./lifecycles/incoming-payment.ts";
import { targetOf } from "./lifecycles/lifecycle.ts";
import { type OutgoingTrigger, outgoingPaymentLifecycle } from "./lifecycles/outgoing-payment.ts";
import { quoteLifecycle } from "./lifecycles/quote.ts";
import { refundLifecycle } from "./lifecycles/refund.ts";
import { lapseApproval } from "./payments/incoming-approval.ts";
import { fireIncomingStep } from "./payments/incoming-payments.ts";
import { firePaymentStep } from "./payments/outgoing-payments.ts";
import { expireQuote } from "./payments/quotes.ts";
import type { TimerName } from "./records/timer-names.ts";
import { readyForRetry } from "./webhooks/deliveries.ts";

interface TimerRow {
  /** Expected state of its subject, if nothing changes it earlier. */
  leadsTo: string;
  /** Words for a tester who cancels it: the step that never happens, or what else there is. */
  undone: string;
  /** Runs as a change of its own, stamped with the due instant (spec/clock.md#timer-order). */
  fire(draft: Draft, subject: string, moment: Moment): TimerEffect;
}

const outgoing = (on: OutgoingTrigger, undone: string): TimerRow => ({
  undone,
  leadsTo: targetOf(outgoingPaymentLifecycle, on),
  fire: firePaymentStep,
});

const incoming = (on: IncomingTrigger, undone: string): TimerRow => ({
  undone,
  leadsTo: targetOf(incomingPaymentLifecycle, on),
  fire: fireIncomingStep,
});

const fireRefundStep: TimerRow["fire"] = (draft, subject, moment) =>
  draft.get("Transaction", subject)?.type === "INCOMING"
    ? fireIncomingStep(draft, subject, moment)
    : firePaymentStep(draft, subject, moment);

const refund = (status: RefundStatus, undone: string): TimerRow => ({
  undone,
  leadsTo: `refund ${status}`,
  fire: fireRefundStep,
});

/** The step of each timer; it does nothing if the record has moved on (spec/clock.md#timers). */
export const TIMERS: Record<TimerName, TimerRow> = {
  "quote.expire": {
    leadsTo: targetOf(quoteLifecycle, "expire"),
    undone: "it will not expire",
    fire: expireQuote,
  },
  "payment.collect": {
    leadsTo: "COLLECTED",
    undone: "its money will not be collected",
    fire: firePaymentStep,
  },
  "payment.start": outgoing("start", "it will not start"),
  "payment.settle": outgoing("settle", "it will not complete"),
  "payment.fail": outgoing("fail", "it will not fail"),
  "payment.refuse": outgoing("refuse", "it will not fail"),
  "payment.return": outgoing("return", "the bank will not return it"),
  "refund.start": refund(refundLifecycle.starts, "it will not be refunded"),
  "refund.settle": refund(targetOf(refundLifecycle, "settle"), "its refund will not complete"),
  "refund.fail": refund(targetOf(refundLifecycle, "fail"), "its refund will not fail"),
  "incoming.start": incoming("start", "it will not start"),
  "incoming.settle": incoming("settle", "it will not be credited"),
  "incoming.fail": incoming("fail", "it will not fail"),
  "incoming.refuse": incoming("refuse", "it will not fail"),
  "incoming.refund": incoming("refund", "it will not be returned to its sender"),
  "incoming.lapse": {
    ...incoming("refuse", "it waits for a call that approves or rejects it"),
    fire: lapseApproval,
  },
  "approval.decide": {
    leadsTo: "decided",
    undone: "it waits for a person's decision",
    fire: decideUnasked,
  },
  "bulk.import": {
    leadsTo: "imported",
    undone: "its other rows will not be imported",
    fire: importNextRows,
  },
  "card.activate": {
    leadsTo: targetOf(cardLifecycle, "activate"),
    undone: "it will not be provisioned",
    fire: activateCard,
  },
  "card.reject": {
    leadsTo: targetOf(cardLifecycle, "reject"),
    undone: "it will not be rejected",
    fire: rejectCard,
  },
  "card.confirm": {
    leadsTo: "pull confirmed",
    undone: "its pull will not be confirmed",
    fire: confirmPull,
  },
  "webhook.retry": {
    leadsTo: "sent again",
    undone: "it is sent again only with webhooks resend",
    fire: readyForRetry,
  },
};
