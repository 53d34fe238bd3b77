import type { Fired } from "../domain/core/schedule.ts";
import type { Change } from "./change.ts";

/** One timer that fired, as an advance reports it. */
export interface FiredTimer extends Fired {
  atMs: number;
  timer: string;
  subject: string;
  rule?: string;
}

/** Why a world stopped taking calls. */
export interface Stop {
  why: string;
  by: string;
  values: Record<string, unknown>;
}

/** Who wants to know what an engine does. */
export interface EngineListeners {
  /** A change is part of the world; it is not durable yet. */
  changed?(change: Change): void;
  fired?(timer: FiredTimer): void;
  /** The world takes no calls any more. */
  stopped?(stop: Stop): void;
  /** A turn's work is done and durable. */
  pumped?(): void;
  /** Something is wrong that the operator should read. */
  alarm?(message: string): void;
}
