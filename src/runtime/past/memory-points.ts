import type { Engine } from "../engine.ts";
import type { WorldState } from "../world-state.ts";
import type { RestorePoint, RestorePoints } from "./restore-points.ts";

interface SavedState {
  point: RestorePoint;
  state: WorldState;
}

/** Kept states of a world in memory: each is a fork, which shares what did not change since. */
export class MemoryPoints implements RestorePoints {
  private readonly engine: Engine;
  private readonly kept = new Map<string, SavedState>();

  constructor(engine: Engine) {
    this.engine = engine;
    engine.listeners.add({
      remembers: (passes) => [...this.kept.values()].some(({ state }) => passes(state)),
    });
  }

  list(): readonly RestorePoint[] {
    return [...this.kept.values()].map(({ point }) => point);
  }

  async damaged() {
    return [];
  }

  async save(name: string): Promise<RestorePoint> {
    const { state, clock } = this.engine;
    return this.keep(name, state.fork(), clock.stateFromNow());
  }

  async load(name: string): Promise<WorldState | undefined> {
    return this.kept.get(name)?.state.fork();
  }

  async remove(name: string): Promise<boolean> {
    return this.kept.delete(name);
  }

  async put(name: string, state: WorldState): Promise<RestorePoint> {
    return this.keep(name, state.fork(), state.clock);
  }

  /** Takes a point that was kept elsewhere. */
  take(point: RestorePoint, state: WorldState) {
    this.kept.set(point.name, { point, state });
  }

  async earlier() {
    return undefined;
  }

  async changes() {
    return [];
  }

  earliest() {
    return undefined;
  }

  async switchTo(state: WorldState): Promise<void> {
    this.engine.load(state, this.engine.journal);
  }

  private keep(name: string, state: WorldState, clock: RestorePoint["clock"]): RestorePoint {
    const { seq, atMs } = state;
    const point = { name, seq, atMs, records: state.recordCount(), clock };
    // A name that is taken again comes last: the list is in the order of saving.
    this.kept.delete(name);
    this.kept.set(name, { point, state });
    return point;
  }
}
