import type { Change } from "../change.ts";
import type { ClockState } from "../clock.ts";
import type { WorldState } from "../world-state.ts";

/** Facts about a kept state, known without reading it. */
export interface RestorePoint {
  name: string;
  /** The last change that it has. */
  seq: number;
  /** Instant of that change, simulated epoch milliseconds. */
  atMs: number;
  records: number;
  /** Clock to continue with; absent when the world's clock was never kept. */
  clock: ClockState | undefined;
}

/** A kept state whose files cannot be read; the others can. */
export interface DamagedPoint {
  name: string;
  damage: Error;
}

/** A place in a world's own past: after a change, or at an instant. */
export type PastPoint = { seq: number } | { atMs: number };

/**
 * States of one world that can be returned to. In memory they are forks; on file storage they
 * stand beside its journal and survive a kill.
 */
export interface RestorePoints {
  /** Kept states by name, the oldest first. */
  list(): readonly RestorePoint[];
  /** Kept states that cannot be read, as far as that is known without reading them whole. */
  damaged(): Promise<readonly DamagedPoint[]>;
  /**
   * Keeps the present state under a name, in place of an earlier one of that name. It resolves when
   * the state would survive a kill.
   */
  save(name: string): Promise<RestorePoint>;
  /**
   * A state of the caller's own that equals the kept one; nothing when there is none.
   * @throws StateDamage, JournalDamage
   */
  load(name: string): Promise<WorldState | undefined>;
  /** Whether there was one to remove. */
  remove(name: string): Promise<boolean>;
  /** Keeps a state read from elsewhere, such as an imported file. */
  put(name: string, state: WorldState): Promise<RestorePoint>;
  /**
   * The world as it was at a point of its present timeline that storage still reaches; nothing when
   * it does not. In memory only marks reach back, so this answers nothing.
   */
  earlier(point: PastPoint): Promise<WorldState | undefined>;
  /**
   * Changes of its present timeline that storage has and that `earlier` reaches, the oldest first.
   * @param range the number before the first of them, and that of the last
   */
  changes(range: { after: number; upTo: number }): Promise<readonly Change[]>;
  /** The earliest change that `earlier` reaches. */
  earliest(): { seq: number; atMs: number } | undefined;
  /**
   * Continues the world from another state, whose branch and clock the caller has set. It loads
   * the state into the engine; killed before, the world is unchanged.
   * @param options.isOwnPast the state is that of the world's present timeline at its `seq`, so
   * that files of the timeline may hold it; else files are written, unless `load` or `earlier` gave
   * the state
   */
  switchTo(state: WorldState, options?: { isOwnPast?: boolean }): Promise<void>;
}
