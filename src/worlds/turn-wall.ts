import { hostTime } from "../runtime/host-time.ts";
import { machineWall, type Wall } from "../runtime/ports.ts";

/**
 * The system clock while calls are recorded: read once in each turn of the event loop, so that all
 * of one stretch of work has one reading (spec/clock.md#determinism).
 */
export class TurnWall implements Wall {
  private readingMs: number | undefined;
  private isHeld: boolean;
  readonly after = machineWall.after;

  /** @param options.isHeld time stands until it is released */
  constructor({ isHeld = false } = {}) {
    this.isHeld = isHeld;
  }

  nowMs() {
    if (this.readingMs === undefined) {
      this.readingMs = machineWall.nowMs();
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
