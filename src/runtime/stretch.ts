/** How long the work of one turn may hold the event loop, wall milliseconds. */
const STRETCH_MS = 5;

/** A clock of which only spans are read: it never goes back. */
export type SpanClock = () => number;

const machineSpans: SpanClock = () => performance.now();

/**
 * The time that work may take in one turn of the event loop, whoever asks for it: what is left
 * waits for another turn, so that calls are taken in meanwhile. Only when work is done depends on
 * it, never in which order.
 */
export class Stretch {
  private readonly nowMs: SpanClock;
  private endsAtMs: number | undefined;

  constructor(nowMs = machineSpans) {
    this.nowMs = nowMs;
  }

  /** Whether this turn has time for one more piece of work; the first always has. */
  hasTime(): boolean {
    const nowMs = this.nowMs();
    if (this.endsAtMs === undefined) {
      this.endsAtMs = nowMs + STRETCH_MS;
      setImmediate(() => {
        this.endsAtMs = undefined;
      });
      return true;
    }
    return nowMs < this.endsAtMs;
  }
}
