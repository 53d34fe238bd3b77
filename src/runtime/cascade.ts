import type { TimerRecord } from "../domain/records/records.ts";
import { lastOrderOf } from "./ids.ts";
import type { Stop } from "./listeners.ts";

/** More firings than this at one instant are a bug (MECHANISMS 5). */
const CASCADE_LIMIT = 10_000;

/**
 * A cascade is what timers set off while nothing else gets its turn: timers that were there
 * before do not count, however many are due at one instant, nor does what requests cause.
 */
export class Cascade {
  private atMs = 0;
  private setBefore = 0;
  private count = 0;

  /** Something other than a timer had its turn; `seq` is the newest change. */
  restart(seq: number) {
    this.setBefore = lastOrderOf(seq);
    this.count = 0;
  }

  /** Counts a timer that is about to fire; true when the cascade is too long to end. */
  isEndless({ order, dueAtMs }: TimerRecord, seq: number): boolean {
    if (dueAtMs !== this.atMs) {
      this.atMs = dueAtMs;
      this.restart(seq);
    }
    if (order > this.setBefore) this.count += 1;
    return this.count > CASCADE_LIMIT;
  }
}

/** Why a world stops whose cascade does not end. */
export const endless = ({ name, dueAtMs }: TimerRecord): Stop => ({
  why: `over ${CASCADE_LIMIT} timers set off one another at one instant, the last a ${name}`,
  by: name,
  values: { atMs: dueAtMs },
});
