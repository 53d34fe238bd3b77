import type { Wall } from "./ports.ts";

/** Bounds of what is no step of the system clock (spec/clock.md#system-clock). */
export const STEP_BOUNDS = {
  /** Milliseconds that two readings may lie apart otherwise than the monotonic clock's. */
  toleratedMs: 100,
  /** Share of the time between them that the system clock may be slowed down by, to correct it. */
  slowed: 0.001,
  /** Milliseconds of the system clock between two comparisons. */
  everyMs: 100,
} as const;

interface Reading {
  wallMs: number;
  monotonicMs: number;
}

/**
 * Finds out that the system clock was set back, by comparing it with the monotonic clock. A step
 * forward is none: after a suspend the monotonic clock has lost time, and the system clock is right.
 */
export class ClockSteps {
  private readonly wall: Wall;
  private last: Reading | undefined;

  constructor(wall: Wall) {
    this.wall = wall;
  }

  /** Whether there is a monotonic clock beside it: readings from a file may come in any order. */
  get isWatching() {
    return this.last !== undefined;
  }

  /**
   * Compares a reading of the system clock that was just made.
   * @returns milliseconds that it was set back by since the last one
   */
  backMs(wallMs: number): number {
    const { last } = this;
    if (last && wallMs >= last.wallMs && wallMs < last.wallMs + STEP_BOUNDS.everyMs) return 0;
    const reading = this.read();
    this.last = reading;
    if (!last || !reading) return 0;
    const spanMs = reading.monotonicMs - last.monotonicMs;
    const missingMs = spanMs - (reading.wallMs - last.wallMs);
    return missingMs > STEP_BOUNDS.toleratedMs + spanMs * STEP_BOUNDS.slowed
      ? Math.round(missingMs)
      : 0;
  }

  /** Both clocks at one moment; none when the process was held up between the two. */
  private read(): Reading | undefined {
    const beforeMs = this.wall.monotonicMs?.();
    const wallMs = this.wall.nowMs();
    const monotonicMs = this.wall.monotonicMs?.();
    if (beforeMs === undefined || monotonicMs === undefined) return undefined;
    return monotonicMs - beforeMs < STEP_BOUNDS.toleratedMs ? { wallMs, monotonicMs } : undefined;
  }
}
