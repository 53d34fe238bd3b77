import type { ClockMode } from "../contract/control/clock-modes.ts";
import { LATEST_NOW_MS } from "../domain/records/latest-instant.ts";
import { ClockSteps, STEP_BOUNDS } from "./clock-steps.ts";
import type { Wall } from "./ports.ts";

/** The way in which simulated time moves (spec/clock.md#modes). */
export interface ClockPace {
  mode: ClockMode;
  /** Simulated milliseconds in a millisecond of the system clock, in mode `real`; 1 by default. */
  speed?: number | undefined;
}

/**
 * The clock's state in the journal. `real`: simulated time is the system clock plus the offset;
 * with a speed, it runs from the instant, at which the system clock was behind by the offset.
 * `manual` and `auto`: it stays at the instant.
 */
export interface ClockState {
  mode: ClockMode;
  offsetMs: number;
  instantMs: number;
  speed?: number;
}

/** Instant of a clock at a reading of the system clock; a running one stops at the latest. */
export const runningAt = ({ mode, offsetMs, instantMs, speed }: ClockState, wallMs: number) => {
  if (mode !== "real") return instantMs;
  if (speed === undefined) return Math.min(wallMs + offsetMs, LATEST_NOW_MS);
  const atMs = instantMs + Math.floor((wallMs + offsetMs - instantMs) * speed);
  return Math.min(atMs, LATEST_NOW_MS);
};

/** The state of a clock that continues from an instant of its own now, at its pace. */
export const goingOn = ({ mode, speed, instantMs }: ClockState, wallMs: number): ClockState => {
  const offsetMs = mode === "real" ? instantMs - wallMs : 0;
  return { mode, offsetMs, instantMs, ...(speed !== undefined && { speed }) };
};

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
  /** Milliseconds that the system clock went back by, until the journal has the new offset. */
  wentBackMs = 0;
  private readonly wall: Wall;
  private readonly steps: ClockSteps;

  /** @param notBeforeMs the newest stamp already used */
  constructor(wall: Wall, state: ClockState, notBeforeMs: number) {
    this.wall = wall;
    this.steps = new ClockSteps(wall);
    this.state = state;
    this.lastMs = notBeforeMs;
  }

  /** Simulated epoch milliseconds. */
  now(): number {
    if (this.state.mode === "real") this.latestWallMs = this.wall.nowMs();
    return this.at(this.latestWallMs ?? 0);
  }

  /** Keeps simulated time at its pace where the system clock was set back. */
  private makeUpFor(wallMs: number) {
    if (this.state.mode !== "real") return;
    this.shift(this.steps.backMs(wallMs));
    if (this.stepMs !== undefined || !this.steps.isWatching) return;
    if (this.lastMs >= LATEST_NOW_MS) return;
    // It may have been set back while the simulator did not run.
    const behindMs = (this.lastMs - runningAt(this.state, wallMs)) / (this.state.speed ?? 1);
    if (behindMs > STEP_BOUNDS.toleratedMs) this.shift(Math.round(behindMs));
  }

  private shift(backMs: number) {
    if (backMs === 0) return;
    this.wentBackMs += backMs;
    this.state = { ...this.state, offsetMs: this.state.offsetMs + backMs };
  }

  /** Simulated time at a reading of the system clock. */
  private at(wallMs: number): number {
    this.makeUpFor(wallMs);
    this.lastMs = Math.max(this.lastMs, this.stepMs ?? runningAt(this.state, wallMs));
    return this.lastMs;
  }

  /** The newest instant that was read: of the time slice that continues. */
  get latestMs() {
    return this.lastMs;
  }

  get mode() {
    return this.state.mode;
  }

  /**
   * Simulated milliseconds in one of the system clock; absent where it is 1 or time stands still.
   */
  get speed() {
    return this.state.speed;
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

  /** The state from which simulated time continues now, at the same pace or at another one. */
  stateFromNow(pace: ClockMode | ClockPace = this.state): ClockState {
    const { mode, speed = 1 } = typeof pace === "string" ? { mode: pace } : pace;
    const wallMs = this.wall.nowMs();
    const nowMs = this.at(wallMs);
    // A stopped clock has no offset: the same history must give the same bytes on any day.
    const offsetMs = mode === "real" ? nowMs - wallMs : 0;
    const isScaled = mode === "real" && speed !== 1;
    return { mode, offsetMs, instantMs: nowMs, ...(isScaled && { speed }) };
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
