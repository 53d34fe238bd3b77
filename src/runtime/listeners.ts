import type { TimerEffect } from "../domain/core/schedule.ts";
import type { Change } from "./change.ts";
import type { WorldState } from "./world-state.ts";

/** One timer that fired, as an advance reports it. */
export interface FiredTimer extends TimerEffect {
  atMs: number;
  timer: string;
  subject: string;
  rule?: string;
}

/** Reason why a world stopped taking calls. */
export interface Stop {
  why: string;
  by: string;
  values: Record<string, unknown>;
}

/** Whether a state that a world may go back to passes a test. */
export const isRemembered = (
  listeners: Iterable<EngineListeners>,
  passes: (state: WorldState) => boolean,
): boolean => [...listeners].some((listener) => listener.remembers?.(passes) ?? false);

/** The world as it was after a change; nothing when nobody remembers it. */
export const rememberedState = (
  listeners: Iterable<EngineListeners>,
  seq: number,
): WorldState | undefined => {
  for (const listener of listeners) {
    const state = listener.stateAt?.(seq);
    if (state) return state;
  }
  return undefined;
};

/** Callbacks for the work of an engine. */
export interface EngineListeners {
  /** A change is about to be applied. */
  changing?(change: Change): void;
  /** Another state took the place of the world; nothing of the former is under way. */
  loaded?(): void;
  /** A change was applied; it is not durable yet. */
  changed?(change: Change): void;
  fired?(timer: FiredTimer): void;
  /** The world stopped taking calls. */
  stopped?(stop: Stop): void;
  /** The work of a turn is done and durable. */
  pumped?(): void;
  /** Whether a state that the world may go back to passes a test. */
  remembers?(passes: (state: WorldState) => boolean): boolean;
  /** The world as it was after a change, of the caller's own; nothing when that is out of reach. */
  stateAt?(seq: number): WorldState | undefined;
  /** Takes the milliseconds that the system clock was set back by; simulated time continued. */
  wentBack?(byMs: number): void;
  /** A problem that the operator should read about. */
  alarm?(message: string): void;
}
