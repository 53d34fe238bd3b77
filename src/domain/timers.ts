import type { RefundStatus } from "../contract/payments/transactions.ts";
import { decideUnasked } from "./agents/agent-approvals.ts";
import { confirmPull } from "./cards/card-transactions.ts";
import { activateCard, rejectCard } from "./cards/cards.ts";
import type { Draft, Moment } from "./core/draft.ts";
import type { Fired } from "./core/schedule.ts";
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
  /** Runs as a change of its own, stamped with the due instant (spec/clock.md#timer-order). */
  fire(draft: Draft, subject: string, moment: Moment): Fired;
}

const outgoing = (on: OutgoingTrigger): TimerRow => ({
  leadsTo: targetOf(outgoingPaymentLifecycle, on),
  fire: firePaymentStep,
});

const incoming = (on: IncomingTrigger): TimerRow => ({
  leadsTo: targetOf(incomingPaymentLifecycle, on),
  fire: fireIncomingStep,
});

const refund = (status: RefundStatus): TimerRow => ({
  leadsTo: `refund ${status}`,
  fire: firePaymentStep,
});

/** The step of each timer; it does nothing if the record has moved on (spec/clock.md#timers). */
export const TIMERS: Record<TimerName, TimerRow> = {
  "quote.expire": { leadsTo: targetOf(quoteLifecycle, "expire"), fire: expireQuote },
  "payment.collect": { leadsTo: "COLLECTED", fire: firePaymentStep },
  "payment.start": outgoing("start"),
  "payment.settle": outgoing("settle"),
  "payment.fail": outgoing("fail"),
  "payment.refuse": outgoing("refuse"),
  "payment.return": outgoing("return"),
  "refund.start": refund(refundLifecycle.starts),
  "refund.settle": refund(targetOf(refundLifecycle, "settle")),
  "refund.fail": refund(targetOf(refundLifecycle, "fail")),
  "incoming.start": incoming("start"),
  "incoming.settle": incoming("settle"),
  "incoming.fail": incoming("fail"),
  "incoming.refuse": incoming("refuse"),
  "incoming.refund": incoming("refund"),
  "incoming.lapse": { ...incoming("refuse"), fire: lapseApproval },
  "approval.decide": { leadsTo: "decided", fire: decideUnasked },
  "bulk.import": { leadsTo: "imported", fire: importNextRows },
  "card.activate": { leadsTo: targetOf(cardLifecycle, "activate"), fire: activateCard },
  "card.reject": { leadsTo: targetOf(cardLifecycle, "reject"), fire: rejectCard },
  "card.confirm": { leadsTo: "pull confirmed", fire: confirmPull },
  "webhook.retry": { leadsTo: "sent again", fire: readyForRetry },
};
