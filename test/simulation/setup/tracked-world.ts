import type { WorldState } from "../../../src/runtime/world-state.ts";
import { type Contents, contentsOf } from "./replica.ts";
import { copyOf, type WorldModel } from "./world-model.ts";

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

/** A world that begins as a model says. */
export const trackedFrom = (model: WorldModel, startContents: Contents): Tracked => ({
  model: copyOf(model),
  start: copyOf(model),
  startContents,
  past: [],
  snapshots: new Map(),
});

/** Quiet points that are kept of a world. */
const KEPT_POINTS = 6;

/** Takes down where a world is now, unless it has not moved since the last time. */
export const rememberPoint = (
  { past, model }: Tracked,
  {
    state,
    atMs,
    nextAfter,
  }: { state: WorldState; atMs: number; nextAfter(seq: number): number | undefined },
) => {
  const last = past.at(-1);
  if (last?.seq === state.seq) return;
  if (last) last.nextAtMs = nextAfter(last.seq);
  past.push({ seq: state.seq, atMs, model: copyOf(model), contents: contentsOf(state) });
  if (past.length > KEPT_POINTS) past.shift();
};
