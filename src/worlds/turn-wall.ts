import { STEP_BOUNDS } from "../runtime/clock-steps.ts";
import { hostTime } from "../runtime/host-time.ts";
import { machineWall, type Wall } from "../runtime/ports.ts";

/**
 * The system clock while calls are recorded: read once in each turn of the event loop, so that all
 * of one stretch of work has one reading (spec/clock.md#determinism).
 */
export class TurnWall implements Wall {
  private reading: { wallMs: number; monotonicMs: number | undefined } | undefined;
  private isHeld: boolean;
  readonly after = machineWall.after;

  /** @param options.isHeld time stands until it is released */
  constructor({ isHeld = false } = {}) {
    this.isHeld = isHeld;
  }

  nowMs() {
    return this.read().wallMs;
  }

  monotonicMs() {
    return this.read().monotonicMs;
  }

  /** Lets time go on: the start is over, which has one reading as a whole. */
  release() {
    this.isHeld = false;
    this.forgetAfterTurn();
  }

  /** Both clocks at one moment; the system clock alone when the process was held up between them. */
  private read() {
    if (this.reading === undefined) {
      const beforeMs = hostTime.monotonicMs();
      const wallMs = machineWall.nowMs();
      const isOneMoment = hostTime.monotonicMs() - beforeMs < STEP_BOUNDS.toleratedMs;
      this.reading = { wallMs, monotonicMs: isOneMoment ? beforeMs : undefined };
      if (!this.isHeld) this.forgetAfterTurn();
    }
    return this.reading;
  }

  private forgetAfterTurn() {
    hostTime.setImmediate(() => {
      this.reading = undefined;
    });
  }
}
