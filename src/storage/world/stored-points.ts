import type { Change } from "../../runtime/change.ts";
import { isDamage } from "../../runtime/damage.ts";
import type {
  DamagedPoint,
  PastPoint,
  RestorePoint,
  RestorePoints,
} from "../../runtime/past/restore-points.ts";
import { JournalFailure } from "../../runtime/ports.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { asFailure, type DurablePoint, type DurableWorld } from "./durable-world.ts";

/** States of a stored world that it can return to (decisions/timelines.md). */
export class StoredPoints implements RestorePoints {
  private readonly world: DurableWorld;
  private readonly holdFiles: () => Promise<() => void>;
  private readonly kept: Map<string, RestorePoint>;
  /** Those that could not be read, with their damage. */
  private readonly unreadable: Map<string, Error>;

  /**
   * @param points those that are kept, which are listed before a world is open: what fails after that
   * leaves an engine that continues
   * @param holdFiles keeps documents from being deleted until the returned function is called
   */
  constructor(
    world: DurableWorld,
    points: { kept: readonly RestorePoint[]; damaged: readonly DamagedPoint[] },
    holdFiles: () => Promise<() => void>,
  ) {
    this.world = world;
    this.holdFiles = holdFiles;
    this.kept = new Map(points.kept.map((point) => [point.name, point]));
    this.unreadable = new Map(points.damaged.map(({ name, damage }) => [name, damage]));
    world.onRewritten = () => this.forgetGone();
  }

  list(): readonly RestorePoint[] {
    return [...this.kept.values()];
  }

  async damaged(): Promise<readonly DamagedPoint[]> {
    const { damaged } = await this.world.alone(() => this.world.held.points());
    const now = damaged.map(({ name, damage }) => [name, damage] as const);
    return [...new Map([...now, ...this.unreadable])].map(([name, damage]) => ({ name, damage }));
  }

  save(name: string): Promise<RestorePoint> {
    return this.keep(({ state, clock }) =>
      this.world.held.savePoint(name, { state, clock, isOnTimeline: true }),
    );
  }

  put(name: string, state: WorldState): Promise<RestorePoint> {
    const reach = { seq: state.seq, atMs: state.atMs };
    return this.keep(() =>
      this.world.held.savePoint(name, { state, clock: state.clock, isOnTimeline: false, reach }),
    );
  }

  async load(name: string): Promise<WorldState | undefined> {
    const point = this.kept.get(name);
    const damage = this.unreadable.get(name);
    if (!point && damage) throw damage;
    if (!point) return undefined;
    try {
      const state = await this.world.held.loadPoint(name);
      this.unreadable.delete(name);
      return state;
    } catch (error) {
      if (this.world.isClosed) throw new JournalFailure("the world is closed");
      if (isDamage(error)) this.unreadable.set(name, error);
      throw error;
    }
  }

  async remove(name: string): Promise<boolean> {
    let point: RestorePoint | undefined;
    const removed = await this.world
      .alone(() => {
        point = this.kept.get(name);
        // Before it goes, so that nobody takes it for damaged meanwhile.
        this.kept.delete(name);
        return this.world.held.removePoint(name);
      })
      .catch((error) => {
        if (point) this.kept.set(name, point);
        const forget = () => this.kept.delete(name);
        if (error instanceof JournalFailure) error.later?.then(forget, () => {});
        throw asFailure(error);
      });
    this.unreadable.delete(name);
    return removed;
  }

  earlier(point: PastPoint): Promise<WorldState | undefined> {
    return this.world.atPoint(() => this.world.held.earlier(point));
  }

  changes(range: { after: number; upTo: number }): Promise<readonly Change[]> {
    return this.world.atPoint(() => this.world.held.changes(range));
  }

  earliest(): { seq: number; atMs: number } | undefined {
    return this.world.held.reach();
  }

  async switchTo(state: WorldState, { isOwnPast = false } = {}): Promise<void> {
    // A rewind goes back no further than a load (spec/snapshots.md#horizon).
    const reach = isOwnPast ? {} : { reach: { seq: state.seq, atMs: state.atMs } };
    await this.world.switchTo({ state, clock: state.clock, isOnTimeline: isOwnPast, ...reach });
  }

  /** Forgets restore points that are gone: the world's own were lost, and it was written again. */
  private async forgetGone() {
    const { kept } = await this.world.held.points();
    const names = new Set(kept.map(({ name }) => name));
    for (const name of this.kept.keys()) if (!names.has(name)) this.kept.delete(name);
  }

  private async keep(save: (point: DurablePoint) => Promise<RestorePoint>): Promise<RestorePoint> {
    // The documents of a point stay until it names them.
    const release = await this.holdFiles();
    try {
      const point = await this.world.atPoint(save);
      this.note(point);
      return point;
    } catch (error) {
      const note = (point: unknown) => this.note(point as RestorePoint);
      if (error instanceof JournalFailure) error.later?.then(note, () => {});
      throw error;
    } finally {
      release();
    }
  }

  private note(point: RestorePoint) {
    const { name } = point;
    // A name that is taken again comes last: the list is in the order of saving.
    this.kept.delete(name);
    this.kept.set(name, point);
    this.unreadable.delete(name);
  }
}
