import { hostTime } from "../../machine/host-time.ts";
import type { Engine } from "../../runtime/engine.ts";
import type { Journal, JournalFailed } from "../../runtime/journal.ts";
import { rememberedState } from "../../runtime/listeners.ts";
import type { WorldState } from "../../runtime/world-state.ts";

const STORAGE_RETRY_MS = 1000;

/** The world whose writes fail, and what it can do about it. */
export interface FailingWorld {
  engine(): Engine | undefined;
  isClosed(): boolean;
  /** Reads the world from disk. */
  read(): Promise<{ state: WorldState }>;
  /** Opens a new segment behind the others. */
  append(engine: Engine): Journal;
  /** Writes the world as it is in memory; nothing where only its disk counts. */
  writeAnew?: (engine: Engine) => Promise<void>;
}

/**
 * Brings a world back after a failed write. The disk is right: the world is loaded from it again,
 * serves reads, and takes writes when storage works (decisions/reload-after-failed-write.md). Where
 * the disk has another folder or none, memory is right: the world is written again. Where another
 * process has taken the folder, the world is dropped (decisions/folders-that-go-away.md).
 */
export class FailedWrites {
  /** True while the engine has no change that its journal lacks, because it takes none. */
  isTrying = false;
  /** Reload or retry after a failed write. */
  mending: Promise<unknown> = Promise.resolve();
  /** True while the disk has another folder in the place of the world's, or none. */
  isGone = false;
  private readonly world: FailingWorld;
  private retry: NodeJS.Timeout | undefined;

  constructor(world: FailingWorld) {
    this.world = world;
  }

  lost({ error, cut, loss }: JournalFailed) {
    const engine = this.world.engine();
    if (!engine) return undefined;
    if (loss?.kind === "taken") return this.drop(loss.why);
    if (loss && this.world.writeAnew) return this.keep(engine, loss.why);
    // A failed try changed nothing, so nothing has to be read again.
    if (this.isTrying && cut) return undefined;
    this.isTrying = true;
    const why = `storage failed: ${error.message}`;
    engine.alarm(why);
    engine.readOnlyBecause = why;
    const reloading = this.reload(engine, { why, cut });
    this.mending = reloading;
    engine.gate.closeFor(reloading);
    return reloading;
  }

  /** Drops the world: another process has its folder, and what is in memory may be old. */
  drop(why: string) {
    const engine = this.world.engine();
    if (!engine || engine.readOnlyBecause === why) return;
    this.stop();
    engine.readOnlyBecause = why;
    engine.generation += 1;
    engine.stopWith({ why: `${why}; start again to continue`, by: "lock", values: {} });
  }

  /** Continues in memory with what was acknowledged, until it is written again. */
  keep(engine: Engine, failure: string) {
    if (this.isGone || engine.stopped) return;
    this.isGone = true;
    this.isTrying = true;
    const why = `storage failed: ${failure}`;
    engine.alarm(`${why}; the world continues in memory and is written again`);
    engine.readOnlyBecause = why;
    const durable = engine.journal.durableSeq();
    const isAhead = durable < engine.state.seq;
    const state = isAhead ? rememberedState(engine.listeners, durable) : undefined;
    if (state) engine.load(state, engine.journal);
    this.tryAgainLater();
  }

  stop() {
    if (this.retry) hostTime.clearTimeout(this.retry);
  }

  private async reload(engine: Engine, { why, cut }: { why: string; cut: boolean }) {
    try {
      if (!cut) throw new Error(why);
      const { state } = await this.world.read();
      // Without its opening a world cannot continue: the next start opens one.
      if (state.seq === 0) throw new Error(why);
      engine.load(state, engine.journal);
      this.tryAgainLater();
    } catch {
      // Unwritten changes belong to no world, so they are not reported.
      engine.generation += 1;
      engine.stopWith({ why: `${why}; restart when storage works`, by: "journal", values: {} });
    }
  }

  private tryAgainLater() {
    if (this.world.isClosed()) return;
    this.retry = hostTime.setTimeout(() => {
      this.mending = this.tryAgain();
    }, STORAGE_RETRY_MS);
    this.retry.unref();
  }

  private async tryAgain() {
    const engine = this.world.engine();
    if (!engine || engine.stopped || this.world.isClosed()) return;
    try {
      if (this.isGone) await this.writeAnew(engine);
      else await engine.tryJournal(this.world.append(engine));
      this.isTrying = false;
    } catch {
      this.tryAgainLater();
    }
  }

  /** Writes the world again before it is closed: its next start reads it there. */
  async writeAtLast(engine: Engine) {
    this.stop();
    await this.mending;
    if (!this.isGone || engine.stopped) return;
    await this.writeAnew(engine).catch(({ message }: Error) => {
      engine.alarm(`the state is lost: ${message}`);
    });
  }

  private async writeAnew(engine: Engine) {
    await this.world.writeAnew?.(engine);
    this.isGone = false;
    this.isTrying = false;
  }
}
