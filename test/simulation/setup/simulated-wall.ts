import type { Wall } from "../../../src/runtime/ports.ts";

/** A system clock that only the history moves. */
export class SimulatedWall implements Wall {
  private atMs = 1_800_000_000_000;
  private alarms: { dueMs: number; run: () => void }[] = [];

  nowMs() {
    return this.atMs;
  }

  after(delayMs: number, run: () => void) {
    const alarm = { dueMs: this.atMs + Math.max(0, delayMs), run };
    this.alarms.push(alarm);
    return () => {
      this.alarms = this.alarms.filter((one) => one !== alarm);
    };
  }

  /** Drops every alarm: the process that set them has ended. */
  forget() {
    this.alarms = [];
  }

  /** Lets time pass and runs what is due, earliest first. */
  pass(spanMs: number) {
    const untilMs = this.atMs + spanMs;
    for (;;) {
      const [next] = this.alarms
        .filter(({ dueMs }) => dueMs <= untilMs)
        .sort((a, b) => a.dueMs - b.dueMs);
      if (!next) break;
      this.alarms = this.alarms.filter((one) => one !== next);
      this.atMs = next.dueMs;
      next.run();
    }
    this.atMs = untilMs;
  }
}
