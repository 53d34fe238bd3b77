import type { Wall } from "./ports.ts";

/**
 * What the journal keeps of the clock. `real`: simulated time is the wall's plus the offset;
 * `manual`: it stands at the instant.
 */
export interface ClockState {
  mode: "real" | "manual";
  offsetMs: number;
  instantMs: number;
}

/** The one clock everything reads (contract decisions; it never goes back). */
export class Clock {
  private state: ClockState;
  private lastMs: number;
  private stepMs: number | undefined;
  /** What an advance that moved it is called by whoever asked for it. */
  movedBy: string | undefined;
  private readonly wall: Wall;

  /** @param notBeforeMs the newest stamp already given out */
  constructor(wall: Wall, state: ClockState, notBeforeMs: number) {
    this.wall = wall;
    this.state = state;
    this.lastMs = notBeforeMs;
  }

  /** Simulated epoch milliseconds. */
  now(): number {
    const { mode, offsetMs, instantMs } = this.state;
    const runningMs = mode === "real" ? this.wall.nowMs() + offsetMs : instantMs;
    this.lastMs = Math.max(this.lastMs, this.stepMs ?? runningMs);
    return this.lastMs;
  }

  get mode() {
    return this.state.mode;
  }

  /** How far simulated time is ahead of the wall's. */
  aheadMs() {
    return this.now() - this.wall.nowMs();
  }

  /** Holds time at an instant while an advance is there. */
  stepTo(atMs: number, movedBy?: string) {
    this.stepMs = atMs;
    this.movedBy = movedBy;
  }

  get isStepping() {
    return this.stepMs !== undefined;
  }

  /** The state that goes on from where time is now. */
  stateFromNow(mode = this.state.mode): ClockState {
    const nowMs = this.now();
    // A standing clock has no offset: the same history must give the same bytes on any day.
    const offsetMs = mode === "real" ? nowMs - this.wall.nowMs() : 0;
    return { mode, offsetMs, instantMs: nowMs };
  }

  /** It has been that late already, wherever that was. */
  notBefore(atMs: number) {
    this.lastMs = Math.max(this.lastMs, atMs);
  }

  /** Takes over a state that the journal has. */
  resume(state: ClockState) {
    this.state = state;
    this.stepMs = undefined;
    this.movedBy = undefined;
  }
}
