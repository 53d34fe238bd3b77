import type { RefundStatus } from "../contract/payments/transactions.ts";
import { decideUnasked } from "./agents/agent-approvals.ts";
import { confirmPull } from "./cards/card-transactions.ts";
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

const refund = (status: RefundStatus, undone: string): TimerRow => ({
  undone,
  leadsTo: `refund ${status}`,
  fire: firePaymentStep,
});

/** The step of each timer; it does nothing if the record has moved on (spec/clock.md#timers). */
export const TIMERS: Record<TimerName, TimerRow> = {
  "quote.expire": {
    leadsTo: targetOf(quoteLifecycle, "expire"),
    undone: "nothing will expire it",
    fire: expireQuote,
  },
  "payment.collect": {
    leadsTo: "COLLECTED",
    undone: "nothing will collect its money",
    fire: firePaymentStep,
  },
  "payment.start": outgoing("start", "nothing will start it"),
  "payment.settle": outgoing("settle", "nothing will complete it"),
  "payment.fail": outgoing("fail", "nothing will fail it"),
  "payment.refuse": outgoing("refuse", "nothing will fail it"),
  "payment.return": outgoing("return", "the bank will not return it"),
  "refund.start": refund(refundLifecycle.starts, "nothing will refund it"),
  "refund.settle": refund(targetOf(refundLifecycle, "settle"), "nothing will complete its refund"),
  "refund.fail": refund(targetOf(refundLifecycle, "fail"), "nothing will fail its refund"),
  "incoming.start": incoming("start", "nothing will start it"),
  "incoming.settle": incoming("settle", "nothing will credit it"),
  "incoming.fail": incoming("fail", "nothing will fail it"),
  "incoming.refuse": incoming("refuse", "nothing will fail it"),
  "incoming.refund": incoming("refund", "nothing will return it to its sender"),
  "incoming.lapse": {
    ...incoming("refuse", "only a call will approve or reject it"),
    fire: lapseApproval,
  },
  "approval.decide": {
    leadsTo: "decided",
    undone: "only a person will decide it",
    fire: decideUnasked,
  },
  "bulk.import": {
    leadsTo: "imported",
    undone: "nothing will import its other rows",
    fire: importNextRows,
  },
  "card.activate": {
    leadsTo: targetOf(cardLifecycle, "activate"),
    undone: "nothing will provision it",
    fire: activateCard,
  },
  "card.reject": {
    leadsTo: targetOf(cardLifecycle, "reject"),
    undone: "nothing will reject it",
    fire: rejectCard,
  },
  "card.confirm": {
    leadsTo: "pull confirmed",
    undone: "nothing will confirm its pull",
    fire: confirmPull,
  },
  "webhook.retry": {
    leadsTo: "sent again",
    undone: "only webhooks resend will send it again",
    fire: readyForRetry,
  },
};
