import type { Fired } from "../domain/core/schedule.ts";
import type { Change } from "./change.ts";

/** One timer that fired, as an advance reports it. */
export interface FiredTimer extends Fired {
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

/** Callbacks for the work of an engine. */
export interface EngineListeners {
  /** A change was applied; it is not durable yet. */
  changed?(change: Change): void;
  fired?(timer: FiredTimer): void;
  /** The world stopped taking calls. */
  stopped?(stop: Stop): void;
  /** The work of a turn is done and durable. */
  pumped?(): void;
  /** A problem that the operator should read about. */
  alarm?(message: string): void;
}
