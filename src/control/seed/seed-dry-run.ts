import type { CallReports } from "../../http/door/served-world.ts";
import type { Change } from "../../runtime/change.ts";
import { Engine } from "../../runtime/engine.ts";
import { NoJournal } from "../../runtime/journal.ts";
import type { DryRunEntry, Origin } from "../../runtime/merge.ts";
import { MemoryPoints } from "../../runtime/past/memory-points.ts";
import { type Deliveries, machineWall } from "../../runtime/ports.ts";
import { WorldState } from "../../runtime/world-state.ts";
import type { OpenWorld } from "../../storage/open-world.ts";

/** Sends nothing: a trial must not reach any receiver. */
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
 * A copy of a world in memory, on which a fixture is tried. Its changes are not written; the
 * live world keeps its records, ids and clock until it adopts them.
 */
export class DryRun {
  readonly world: OpenWorld;
  private readonly origin: Origin;
  private readonly past: DryRunEntry[] = [];
  private readonly letRun: () => void;

  /**
   * @param options.atStart the copy is of the world as it would be after a reset; its clock moves
   *   only by clock steps until the world adopts it, so that a reset always ends the same
   */
  constructor(world: OpenWorld, { atStart }: { atStart: boolean }) {
    const { clock, state } = world.engine;
    this.origin = world.engine.origin();
    const journal = new NoJournal();
    const engine = new Engine({ wall: machineWall, journal, clock: clock.stateFromNow() });
    const copy = atStart ? new WorldState() : state.fork();
    if (atStart) copy.loadMeta({ ...state.meta(), counter: 0 });
    engine.load(copy, journal);
    engine.listeners.add({
      changed: (change) => this.past.push({ change }),
      fired: (fired) => this.past.push({ fired }),
    });
    const points = new MemoryPoints(engine);
    this.world = {
      ...world,
      engine,
      points,
      reset: () => state.seq,
      close: async () => engine.close(),
    };
    this.letRun = atStart ? world.startCopy(engine) : () => {};
  }

  /**
   * Reports of the copy's calls: their ids continue those of the live world, which is told of them
   * once it has adopted what happened here.
   */
  reportsTo(reports: CallReports): CallReports {
    const later = (tell: () => void) => this.past.push({ tell });
    return {
      nextRequestId: () => reports.nextRequestId(),
      onBug: (error, id) => reports.onBug(error, id),
      onRequest: (report) => later(() => reports.onRequest(report)),
      log: {
        take: (report, bodies) => later(() => reports.log.take(report, bodies)),
        passOver: (id) => later(() => reports.log.passOver(id)),
      },
    };
  }

  /** The changes made here, as they were made. */
  changes(): Change[] {
    return this.past.flatMap((entry) => ("change" in entry ? [entry.change] : []));
  }

  /** Makes all that happened here part of a world, unless that has moved meanwhile. */
  becomePartOf({ engine }: OpenWorld): boolean {
    this.letRun();
    return engine.adopt(this.origin, this.past);
  }
}
