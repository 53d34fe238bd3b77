import type { Contents } from "./replica.ts";
import type { WorldModel } from "./world-model.ts";

/** A point of a world at which nothing was under way. */
export interface PastPoint {
  seq: number;
  atMs: number;
  model: WorldModel;
  contents: Contents;
  /** Instant of the first change after it. */
  nextAtMs?: number | undefined;
}

/** A snapshot as it was saved. */
export interface KeptSnapshot {
  model: WorldModel;
  contents: Contents;
  /** Whether deliveries are as they were when it was asked for. */
  isExact: boolean;
}

/** One world of a history: the model, and where the model was at earlier points. */
export interface Tracked {
  model: WorldModel;
  /** The model at the beginning, which a reset goes back to. */
  start: WorldModel;
  startContents: Contents;
  /** Quiet points that a rewind may go back to, oldest first. */
  past: PastPoint[];
  snapshots: Map<string, KeptSnapshot>;
}
