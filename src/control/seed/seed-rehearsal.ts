import { KINDS } from "../../domain/records/tables.ts";
import type { SurfaceDeps } from "../../http/routes.ts";
import type { Origin, RehearsalEntry } from "../../runtime/adoption.ts";
import { Engine } from "../../runtime/engine.ts";
import { type Deliveries, machineWall } from "../../runtime/ports.ts";
import { NoJournal } from "../../runtime/storage/journal-file.ts";
import type { OpenWorld } from "../../runtime/storage/open-world.ts";
import { WorldState } from "../../runtime/world-state.ts";

/** Sends nothing: what is only tried must reach nobody. */
export const NO_DELIVERIES: Deliveries = {
  changed: () => {},
  dispatch: () => {},
  attemptNow: async () => undefined,
  resend: async () => undefined,
  isHeldBack: () => false,
  inFlight: () => new Set(),
  unsentCount: () => 0,
  stranded: () => [],
  nextEnd: () => new Promise(() => {}),
  close: () => {},
  forgetAll: () => {},
};

/**
 * Records are shared, since nothing changes one; postings and the past of records are left behind,
 * since no rule reads them.
 */
const copyRecords = (from: WorldState, to: WorldState) => {
  for (const kind of KINDS) to.loadRecords(kind, [...from.each(kind)] as never[]);
  to.loadBalances(from.balanceImages());
};

/**
 * A world like another one, in memory, on which things can be tried: what is done to it is
 * written nowhere, and the other one keeps its records, ids and clock until it adopts what
 * happened here.
 */
export class Rehearsal {
  readonly world: OpenWorld;
  private readonly origin: Origin;
  private readonly past: RehearsalEntry[] = [];
  private readonly letRun: () => void;

  /**
   * @param options.atStart the copy is of the world as it would be after a reset; its clock moves
   *   only by clock steps until the world adopts it, so that a starting world is always the same
   */
  constructor(world: OpenWorld, { atStart }: { atStart: boolean }) {
    const { clock, state } = world.engine;
    this.origin = world.engine.origin();
    const journal = new NoJournal();
    const engine = new Engine({ wall: machineWall, journal, clock: clock.stateFromNow() });
    const copy = new WorldState({ isLoading: !atStart });
    if (!atStart) copyRecords(state, copy);
    copy.loadMeta({ ...state.meta(), ...(atStart && { counter: 0 }) });
    engine.load(copy, journal);
    engine.listeners.add({
      changed: (change) => this.past.push({ change }),
      fired: (fired) => this.past.push({ fired }),
    });
    this.world = { ...world, engine, reset: () => state.seq, close: async () => engine.close() };
    this.letRun = atStart ? world.beginOn(engine) : () => {};
  }

  /**
   * What a simulator on the copy works with: it draws its requests' ids where the live one does,
   * and they are told of when the live one has adopted them.
   */
  depsFrom({ nextRequestId, onBug, onRequest, log }: SurfaceDeps) {
    const later = (tell: () => void) => this.past.push({ tell });
    return {
      nextRequestId,
      onBug,
      onRequest: (report) => later(() => onRequest(report)),
      log: {
        take: (report, bodies) => later(() => log.take(report, bodies)),
        passOver: (id) => later(() => log.passOver(id)),
      },
    } satisfies Partial<SurfaceDeps>;
  }

  /** Makes all that happened here part of a world, unless that has moved meanwhile. */
  becomePartOf({ engine }: OpenWorld): boolean {
    this.letRun();
    return engine.adopt(this.origin, this.past);
  }
}
