import { showDuration } from "../domain/core/durations.ts";

/** Tells the operator that the system clock was set back (spec/clock.md#system-clock). */
export const wentBackText = (byMs: number, aheadMs: number) =>
  `the system clock is ${showDuration(byMs)} behind where it was: simulated time continues at its ` +
  `pace, ${showDuration(Math.max(0, aheadMs))} ahead of the system clock`;
