import type { TimerRecord } from "../domain/records/records.ts";
import { lastOrderOf } from "./ids.ts";
import type { Stop } from "./listeners.ts";

/** More timers than this in one timer chain are a bug (spec/clock.md#timer-order). */
export const TIMER_CHAIN_LIMIT = 10_000;

/**
 * A chain of timers that set each other for one instant, with nothing else in between. Timers that
 * were set earlier do not count, however many are due; nor do those that requests set.
 */
export class TimerChain {
  private atMs = 0;
  private setBefore = 0;
  private count = 0;

  /** Starts a new timer chain after something other than a timer; `seq` is the newest change. */
  restart(seq: number) {
    this.setBefore = lastOrderOf(seq);
    this.count = 0;
  }

  /** Counts a timer that is about to fire; true when the timer chain is too long to ever end. */
  isEndless({ order, dueAtMs }: TimerRecord, seq: number): boolean {
    if (dueAtMs !== this.atMs) {
      this.atMs = dueAtMs;
      this.restart(seq);
    }
    if (order > this.setBefore) this.count += 1;
    return this.count > TIMER_CHAIN_LIMIT;
  }
}

/** Reason given when a world stops because its timer chain does not end. */
export const endless = ({ name, dueAtMs }: TimerRecord): Stop => ({
  why: `over ${TIMER_CHAIN_LIMIT} timers set off one another at one instant, the last a ${name}`,
  by: name,
  values: { atMs: dueAtMs },
});
