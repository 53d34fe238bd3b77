import type { WorldRow } from "../contract/control/worlds.ts";
import { defined } from "../contract/core/defined.ts";
import { instant } from "../domain/core/draft.ts";
import { keysOfClient } from "../domain/platform/caller-keys.ts";
import { RunningWorld } from "./running-world.ts";
import type { UnloadedWorld } from "./unloaded-world.ts";

/** A world beside the default one: how it came about, and where it is. */
export interface ForkEntry {
  from: string;
  isLate: boolean;
  place: RunningWorld | UnloadedWorld;
  /** Set while it is loaded: two first calls load one world. */
  loading?: Promise<RunningWorld>;
}

/** Keys of the credentials of a world's own client id. */
export const ownKeysOf = (place: RunningWorld | UnloadedWorld): string[] =>
  place instanceof RunningWorld ? keysOfClient(place.engine.state, place.clientId) : place.ownKeys;

/** The row of a world in memory. */
export const rowOf = ({ name, clientId, engine }: RunningWorld): WorldRow => ({
  name,
  clientId,
  records: engine.state.recordCount(),
  now: instant(engine.clock.now()),
});

/** The row of a fork, in memory or not; none where nobody knows what it holds. */
export const rowOfFork = ({ place, from, isLate }: ForkEntry, wallMs: number): WorldRow[] => {
  const row = place instanceof RunningWorld ? rowOf(place) : place.row(wallMs);
  if (!row) return [];
  const { isLoaded, ...facts } = row;
  const late = isLate && { isLate: true as const };
  return [{ ...facts, from, ...late, ...defined({ isLoaded }) }];
};
