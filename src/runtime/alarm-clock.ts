import { hostTime } from "./host-time.ts";

/** Longest delay that `setTimeout` accepts. */
const LONGEST_MS = 2 ** 31 - 1;

/** A single `setTimeout` for the earliest timer, which keeps no process alive. */
export class AlarmClock {
  private readonly ring: () => void;
  private waiting: NodeJS.Timeout | undefined;

  constructor(ring: () => void) {
    this.ring = ring;
  }

  /** Rings after a wall-clock delay, or early. A new delay replaces the one before. */
  ringIn(delayMs: number) {
    this.stop();
    this.waiting = hostTime.setTimeout(this.ring, Math.min(Math.max(0, delayMs), LONGEST_MS));
    this.waiting.unref();
  }

  stop() {
    if (this.waiting) hostTime.clearTimeout(this.waiting);
    this.waiting = undefined;
  }
}
