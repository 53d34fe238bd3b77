import { hostTime } from "../machine/host-time.ts";
import { ClockSteps, STEP_BOUNDS } from "../runtime/clock-steps.ts";
import { machineWall, type Wall } from "../runtime/ports.ts";

/**
 * The system clock while calls are recorded: read once in each turn of the event loop, so that all
 * of one time slice has one reading (spec/clock.md#determinism).
 */
export class SteadyWall implements Wall {
  private reading: { wallMs: number; monotonicMs: number | undefined } | undefined;
  private isHeld: boolean;
  private readonly steps: ClockSteps | undefined;
  /** Milliseconds that the system clock was set back by. */
  private wentBackMs = 0;
  readonly after = machineWall.after;

  /**
   * @param options.isHeld time stands until it is released
   * @param options.isSteady readings continue where the system clock is set back, so that a replay
   * needs no other clock (spec/clock.md#system-clock)
   */
  constructor({ isHeld = false, isSteady = false } = {}) {
    this.isHeld = isHeld;
    if (isSteady) this.steps = new ClockSteps(machineWall);
  }

  nowMs() {
    return this.read().wallMs;
  }

  monotonicMs() {
    return this.read().monotonicMs;
  }

  /** Lets time continue: the start is over, which has one reading as a whole. */
  release() {
    this.isHeld = false;
    this.forgetAfterTurn();
  }

  private read() {
    if (this.reading === undefined) {
      this.reading = this.steps ? this.steadyReading(this.steps) : readBoth();
      if (!this.isHeld) this.forgetAfterTurn();
    }
    return this.reading;
  }

  private steadyReading(steps: ClockSteps) {
    const wallMs = machineWall.nowMs();
    this.wentBackMs += steps.backMs(wallMs);
    return { wallMs: wallMs + this.wentBackMs, monotonicMs: undefined };
  }

  private forgetAfterTurn() {
    hostTime.setImmediate(() => {
      this.reading = undefined;
    });
  }
}

/** Both clocks at one moment; the system clock alone when the process was held up between them. */
const readBoth = () => {
  const beforeMs = hostTime.monotonicMs();
  const wallMs = machineWall.nowMs();
  const isOneMoment = hostTime.monotonicMs() - beforeMs < STEP_BOUNDS.toleratedMs;
  return { wallMs, monotonicMs: isOneMoment ? beforeMs : undefined };
};
