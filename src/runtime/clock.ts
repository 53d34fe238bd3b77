import type { Wall } from "./ports.ts";

/**
 * The clock's state in the journal (spec/clock.md#modes). `real`: simulated time is the system
 * clock plus the offset; `manual`: it stays at the instant.
 */
export interface ClockState {
  mode: "real" | "manual";
  offsetMs: number;
  instantMs: number;
}

/**
 * Simulated time, the one clock of the simulator; it never goes back
 * (spec/clock.md#simulated-time).
 */
export class Clock {
  private state: ClockState;
  private lastMs: number;
  /** The newest reading of the system clock; none while the clock stands still. */
  latestWallMs: number | undefined;
  private stepMs: number | undefined;
  /** The caller's name for the advance that moved the clock. */
  movedBy: string | undefined;
  private readonly wall: Wall;

  /** @param notBeforeMs the newest stamp already used */
  constructor(wall: Wall, state: ClockState, notBeforeMs: number) {
    this.wall = wall;
    this.state = state;
    this.lastMs = notBeforeMs;
  }

  /** Simulated epoch milliseconds. */
  now(): number {
    if (this.state.mode === "real") this.latestWallMs = this.wall.nowMs();
    return this.at(this.latestWallMs ?? 0);
  }

  /** Simulated time at a reading of the system clock. */
  private at(wallMs: number): number {
    const { mode, offsetMs, instantMs } = this.state;
    const runningMs = mode === "real" ? wallMs + offsetMs : instantMs;
    this.lastMs = Math.max(this.lastMs, this.stepMs ?? runningMs);
    return this.lastMs;
  }

  /** The newest instant that was read: of the stretch of work that goes on. */
  get latestMs() {
    return this.lastMs;
  }

  get mode() {
    return this.state.mode;
  }

  /** Milliseconds that simulated time is ahead of the system clock. */
  aheadMs() {
    const wallMs = this.wall.nowMs();
    return this.at(wallMs) - wallMs;
  }

  /** Holds time at an instant during an advance. */
  stepTo(atMs: number, movedBy?: string) {
    this.stepMs = atMs;
    this.movedBy = movedBy;
  }

  get isStepping() {
    return this.stepMs !== undefined;
  }

  /** The state from which simulated time continues now. */
  stateFromNow(mode = this.state.mode): ClockState {
    const wallMs = this.wall.nowMs();
    const nowMs = this.at(wallMs);
    // A stopped clock has no offset: the same history must give the same bytes on any day.
    const offsetMs = mode === "real" ? nowMs - wallMs : 0;
    return { mode, offsetMs, instantMs: nowMs };
  }

  /** Keeps time from going back behind an instant that was reached elsewhere. */
  notBefore(atMs: number) {
    this.lastMs = Math.max(this.lastMs, atMs);
  }

  /** Restores a state from the journal. */
  resume(state: ClockState) {
    this.state = state;
    this.stepMs = undefined;
    this.movedBy = undefined;
  }
}
