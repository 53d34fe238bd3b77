import { defined } from "../../contract/core/defined.ts";
import { instant } from "../../domain/core/draft.ts";
import { nextStep } from "../../domain/payments/outcome-steps.ts";
import type { TimerRecord } from "../../domain/records/records.ts";
import { TIMERS } from "../../domain/timers.ts";
import type { WorldState } from "../../runtime/world-state.ts";

/** The row of an outcome table that set a timer of a payment. */
const outcomeRowOf = (state: WorldState, { name, subject }: TimerRecord) => {
  const next = nextStep(state.get("Transaction", subject)?.course);
  return next?.step.timer === name ? next.row : undefined;
};

/** The members of a pending timer that lists and the feed share. */
export const timerFacts = (state: WorldState, timer: TimerRecord) => ({
  dueAt: instant(timer.dueAtMs),
  timer: timer.name,
  subject: timer.subject,
  then: TIMERS[timer.name].leadsTo,
  ...defined({ rule: outcomeRowOf(state, timer), poisoned: timer.poisoned }),
});
