/** The longest that `setTimeout` can wait. */
const LONGEST_MS = 2 ** 31 - 1;

/** One `setTimeout` that waits for the earliest timer, and keeps no process alive. */
export class AlarmClock {
  private readonly ring: () => void;
  private waiting: NodeJS.Timeout | undefined;

  constructor(ring: () => void) {
    this.ring = ring;
  }

  /** Rings after so many milliseconds of the wall, or early; what it waited for before is off. */
  ringIn(delayMs: number) {
    this.stop();
    this.waiting = setTimeout(this.ring, Math.min(Math.max(0, delayMs), LONGEST_MS));
    this.waiting.unref();
  }

  stop() {
    if (this.waiting) clearTimeout(this.waiting);
    this.waiting = undefined;
  }
}
