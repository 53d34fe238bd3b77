import { decideUnasked } from "./agents/agent-approvals.ts";
import { confirmPull } from "./cards/card-transactions.ts";
import { activateCard, rejectCard } from "./cards/cards.ts";
import type { Draft, Moment } from "./core/draft.ts";
import type { Fired } from "./core/schedule.ts";
import { importNextRows } from "./customers/bulk-imports.ts";
import { lapseApproval } from "./payments/incoming-approval.ts";
import { fireIncomingStep } from "./payments/incoming-payments.ts";
import { firePaymentStep } from "./payments/outgoing-payments.ts";
import { expireQuote } from "./payments/quotes.ts";
import type { TimerName } from "./records/timer-names.ts";
import { readyForRetry } from "./webhooks/deliveries.ts";

interface TimerRow {
  /** The state its subject will be in, unless something comes in between. */
  leadsTo: string;
  /** Runs as a change of its own, stamped with the instant it was due at. */
  fire(draft: Draft, subject: string, moment: Moment): Fired;
}

/** What happens when a timer is due. Where the record has moved on meanwhile it does nothing. */
export const TIMERS: Record<TimerName, TimerRow> = {
  "quote.expire": { leadsTo: "EXPIRED", fire: expireQuote },
  "payment.collect": { leadsTo: "COLLECTED", fire: firePaymentStep },
  "payment.start": { leadsTo: "PROCESSING", fire: firePaymentStep },
  "payment.settle": { leadsTo: "COMPLETED", fire: firePaymentStep },
  "payment.fail": { leadsTo: "FAILED", fire: firePaymentStep },
  "payment.refuse": { leadsTo: "FAILED", fire: firePaymentStep },
  "payment.return": { leadsTo: "FAILED", fire: firePaymentStep },
  "refund.start": { leadsTo: "refund PENDING", fire: firePaymentStep },
  "refund.settle": { leadsTo: "refund COMPLETED", fire: firePaymentStep },
  "refund.fail": { leadsTo: "refund FAILED", fire: firePaymentStep },
  "incoming.start": { leadsTo: "PROCESSING", fire: fireIncomingStep },
  "incoming.settle": { leadsTo: "COMPLETED", fire: fireIncomingStep },
  "incoming.fail": { leadsTo: "FAILED", fire: fireIncomingStep },
  "incoming.refuse": { leadsTo: "FAILED", fire: fireIncomingStep },
  "incoming.refund": { leadsTo: "REFUNDED", fire: fireIncomingStep },
  "incoming.lapse": { leadsTo: "FAILED", fire: lapseApproval },
  "approval.decide": { leadsTo: "decided", fire: decideUnasked },
  "bulk.import": { leadsTo: "imported", fire: importNextRows },
  "card.activate": { leadsTo: "ACTIVE", fire: activateCard },
  "card.reject": { leadsTo: "CLOSED", fire: rejectCard },
  "card.confirm": { leadsTo: "pull confirmed", fire: confirmPull },
  "webhook.retry": { leadsTo: "sent again", fire: readyForRetry },
};
