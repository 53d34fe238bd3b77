import { ClockSteps } from "../runtime/clock-steps.ts";
import { hostTime } from "../runtime/host-time.ts";
import { machineWall, type Wall } from "../runtime/ports.ts";

/**
 * The system clock while a capsule is recorded. Where it is set back, readings go on at its pace, so
 * that a replay needs no other clock (spec/clock.md#system-clock). It is read once in each turn of
 * the event loop, so that all of one stretch of work has one reading (spec/clock.md#determinism).
 */
export class RecordedWall implements Wall {
  private readingMs: number | undefined;
  private isHeld = true;
  private readonly steps = new ClockSteps(machineWall);
  /** Milliseconds that the system clock was set back by. */
  private wentBackMs = 0;
  readonly after = machineWall.after;

  nowMs() {
    if (this.readingMs === undefined) {
      const wallMs = machineWall.nowMs();
      this.wentBackMs += this.steps.backMs(wallMs);
      this.readingMs = wallMs + this.wentBackMs;
      if (!this.isHeld) this.forgetAfterTurn();
    }
    return this.readingMs;
  }

  /** Lets time go on: the start is over, which has one reading as a whole. */
  release() {
    this.isHeld = false;
    this.forgetAfterTurn();
  }

  private forgetAfterTurn() {
    hostTime.setImmediate(() => {
      this.readingMs = undefined;
    });
  }
}

/** The system clock of a replay: it stands where the capsule says. */
export class ReplayWall implements Wall {
  private ms: number;
  private liveSinceMs: number | undefined;
  readonly after = machineWall.after;

  constructor(ms: number) {
    this.ms = ms;
  }

  nowMs() {
    if (this.liveSinceMs === undefined) return this.ms;
    return this.ms + machineWall.nowMs() - this.liveSinceMs;
  }

  stand(ms: number) {
    this.ms = ms;
  }

  /** Goes on with the machine's time, from where it stands. */
  goLive() {
    this.liveSinceMs = machineWall.nowMs();
  }
}
