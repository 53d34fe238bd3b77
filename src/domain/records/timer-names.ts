/** Timers of an outgoing payment (spec/clock.md#timers). */
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

/** Timers of an incoming payment. */
export const INCOMING_TIMER_NAMES = [
  "incoming.start",
  "incoming.settle",
  "incoming.fail",
  "incoming.refuse",
  "incoming.refund",
] as const;
export type IncomingTimerName = (typeof INCOMING_TIMER_NAMES)[number];

export type PaymentTimerName = OutgoingTimerName | IncomingTimerName;

/** Every timer. `timers.ts` has the step of each. */
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
