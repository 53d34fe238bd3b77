import { KINDS } from "../domain/tables.ts";
import { Engine } from "../runtime/engine.ts";
import { NoJournal } from "../runtime/journal-file.ts";
import type { OpenWorld } from "../runtime/open-world.ts";
import { type Deliveries, machineWall } from "../runtime/ports.ts";
import { WorldState } from "../runtime/world-state.ts";

/** Sends nothing: what is only tried must reach nobody. */
export const NO_DELIVERIES: Deliveries = {
  laneChanged: () => {},
  dispatch: () => {},
  attemptNow: async () => undefined,
  resend: async () => undefined,
  hasReady: () => false,
  inFlight: () => new Set(),
  nextEnd: () => new Promise(() => {}),
  close: () => {},
  forgetAll: () => {},
};

const copyOf = (state: WorldState): WorldState => {
  const copy = new WorldState({ isLoading: true });
  for (const kind of KINDS)
    copy.loadRecords(
      kind,
      state.ids(kind, "all", "").flatMap((id) => state.get(kind, id) ?? []) as never[],
    );
  copy.loadBalances(state.balanceImages());
  copy.loadMeta(state.meta());
  return copy;
};

/**
 * A world like another one, in memory, on which things can be tried: what is done to it is
 * written nowhere, and the other one keeps its records, ids and clock. Records are shared, since
 * nothing changes one; postings are left behind, since no rule reads them.
 */
export const trialWorld = (world: OpenWorld): OpenWorld => {
  const { clock, state } = world.engine;
  const journal = new NoJournal();
  const engine = new Engine({ wall: machineWall, journal, clock: clock.stateFromNow() });
  engine.load(copyOf(state), journal);
  return { ...world, engine, reset: () => state.seq, close: async () => engine.close() };
};
