import type { Engine } from "../engine.ts";
import type { WorldState } from "../world-state.ts";
import type { KeptPoint, KeptPoints } from "./kept-points.ts";

interface Kept {
  point: KeptPoint;
  state: WorldState;
}

/** Kept states of a world in memory: each is a fork, which shares what did not change since. */
export class MemoryPoints implements KeptPoints {
  private readonly engine: Engine;
  private readonly kept = new Map<string, Kept>();

  constructor(engine: Engine) {
    this.engine = engine;
    engine.listeners.add({
      remembers: (passes) => [...this.kept.values()].some(({ state }) => passes(state)),
    });
  }

  list(): readonly KeptPoint[] {
    return [...this.kept.values()].map(({ point }) => point);
  }

  damaged() {
    return [];
  }

  async save(name: string): Promise<KeptPoint> {
    const { state, clock } = this.engine;
    return this.keep(name, state.fork(), clock.stateFromNow());
  }

  async load(name: string): Promise<WorldState | undefined> {
    return this.kept.get(name)?.state.fork();
  }

  async remove(name: string): Promise<boolean> {
    return this.kept.delete(name);
  }

  async put(name: string, state: WorldState): Promise<KeptPoint> {
    return this.keep(name, state.fork(), state.clock);
  }

  /** Takes a point that was kept elsewhere. */
  take(point: KeptPoint, state: WorldState) {
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

  async turnTo(state: WorldState): Promise<void> {
    this.engine.load(state, this.engine.journal);
  }

  private keep(name: string, state: WorldState, clock: KeptPoint["clock"]): KeptPoint {
    const { seq, atMs } = state;
    const point = { name, seq, atMs, records: state.recordCount(), clock };
    // A name that is taken again comes last: the list is in the order of saving.
    this.kept.delete(name);
    this.kept.set(name, { point, state });
    return point;
  }
}
