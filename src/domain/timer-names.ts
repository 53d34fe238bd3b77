/** Everything that can be due. What each one does stands in `timers.ts`. */
export const TIMER_NAMES = [
  "quote.expire",
  "payment.settle",
  "payment.fail",
  "payment.return",
  "refund.start",
  "refund.settle",
  "refund.fail",
  "webhook.retry",
] as const;

export type TimerName = (typeof TIMER_NAMES)[number];
