/** What can be due in the course of an outgoing payment. */
export const OUTGOING_TIMER_NAMES = [
  "payment.collect",
  "payment.start",
  "payment.settle",
  "payment.fail",
  "payment.refuse",
  "payment.return",
  "refund.start",
  "refund.settle",
  "refund.fail",
] as const;
export type OutgoingTimerName = (typeof OUTGOING_TIMER_NAMES)[number];

/** The same for an incoming one. */
export const INCOMING_TIMER_NAMES = [
  "incoming.start",
  "incoming.settle",
  "incoming.fail",
  "incoming.refuse",
  "incoming.refund",
] as const;
export type IncomingTimerName = (typeof INCOMING_TIMER_NAMES)[number];

export type PaymentTimerName = OutgoingTimerName | IncomingTimerName;

/** Everything that can be due. What each one does stands in `timers.ts`. */
export const TIMER_NAMES = [
  "quote.expire",
  ...OUTGOING_TIMER_NAMES,
  ...INCOMING_TIMER_NAMES,
  "incoming.lapse",
  "approval.decide",
  "bulk.import",
  "card.activate",
  "card.reject",
  "card.confirm",
  "webhook.retry",
] as const;

export type TimerName = (typeof TIMER_NAMES)[number];
