import { hostTime } from "../machine/host-time.ts";

/** Longest span of work in one turn of the event loop, wall milliseconds. */
const STRETCH_MS = 5;

/** A monotonic clock for measuring spans. */
export type SpanClock = () => number;

const machineSpans: SpanClock = () => hostTime.monotonicMs();

/**
 * Time budget for work in one turn of the event loop (decisions/due-work-in-slices.md). Remaining
 * work waits for another turn, so that calls are served meanwhile. The budget decides when work is
 * done, never in which order.
 */
export class TimeSlice {
  private readonly nowMs: SpanClock;
  private endsAtMs: number | undefined;

  constructor(nowMs = machineSpans) {
    this.nowMs = nowMs;
  }

  /** Whether this turn has time for another piece of work; the first piece always has. */
  hasTime(): boolean {
    const nowMs = this.nowMs();
    if (this.endsAtMs === undefined) {
      this.endsAtMs = nowMs + STRETCH_MS;
      hostTime.setImmediate(() => {
        this.endsAtMs = undefined;
      });
      return true;
    }
    return nowMs < this.endsAtMs;
  }
}
