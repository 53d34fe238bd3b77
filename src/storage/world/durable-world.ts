import { namedFiles } from "../../domain/customers/document-files.ts";
import { factsProblem } from "../../domain/state-facts.ts";
import { hostTime } from "../../machine/host-time.ts";
import type { ClockState } from "../../runtime/clock.ts";
import { WrongState } from "../../runtime/damage.ts";
import { Engine } from "../../runtime/engine.ts";
import { JournalFailure, type Wall } from "../../runtime/ports.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { Overtaken, partsOfWorld } from "../format/checkpoint.ts";
import {
  type HeldWorld,
  type StateImage,
  type StoredWorld,
  Unsettled,
} from "../port/held-world.ts";
import { CheckpointTimer, checkpointDue } from "./checkpoint-due.ts";
import { FailedWrites } from "./failed-writes.ts";
import { KeptRequests } from "./kept-requests.ts";
import { readSoon } from "./read-soon.ts";
import { summaryOf } from "./world-summary.ts";

/** The reason to refuse writes while the world switches to another timeline. */
const SWITCHING = "the world is being taken to another state";
/** Wait after a failed checkpoint before the next try, in wall milliseconds. */
const CHECKPOINT_RETRY_MS = 60_000;
/** Smaller journals get no checkpoint at a clean stop. */
const CHECKPOINT_AT_STOP_BYTES = 1024 * 1024;

/** A world at a point that storage has whole. */
export interface DurablePoint {
  /** Of the caller's own. */
  state: WorldState;
  clock: ClockState;
}

/** Options of a durable world. */
export interface DurableOptions {
  wall: Wall;
  /** Bytes of journal past which a checkpoint is due; for tests. */
  checkpointAfterBytes?: number;
}

/** An error of storage as the failure that callers answer with 503; a refusal stays one. */
export const asFailure = (error: unknown): JournalFailure =>
  error instanceof JournalFailure
    ? error
    : new JournalFailure(`storage failed: ${(error as Error).message}`);

/**
 * Keeps a world, its journal and its checkpoints together, whatever keeps them. After a failed append
 * storage is right: the world is loaded from it again, serves reads, and takes writes when storage
 * works (decisions/reload-after-failed-write.md).
 */
export class DurableWorld {
  readonly held: HeldWorld;
  /** The request log that is kept beside the records. */
  readonly requests: KeptRequests;
  isClosed = false;
  /** Called once the world was written again: restore points of before may be gone. */
  onRewritten: () => Promise<void> = async () => {};
  private readonly options: DurableOptions;
  private engine: Engine | undefined;
  private readonly failed: FailedWrites;
  private closing: Promise<void> | undefined;
  private checkpointing: Promise<void> | undefined;
  private checkpoints: CheckpointTimer | undefined;
  /** Monotonic milliseconds before which no checkpoint is tried after a failure. */
  private checkpointNotBeforeMs = 0;
  /** Acts on storage come one after the other: nothing is deleted while something refers to it. */
  private lane: Promise<unknown> = Promise.resolve();

  constructor(held: HeldWorld, options: DurableOptions) {
    this.held = held;
    this.options = options;
    this.requests = new KeptRequests(held);
    this.failed = new FailedWrites({
      engine: () => this.engine,
      isClosed: () => this.isClosed,
      read: () => this.read(),
      append: ({ state, journal }) =>
        held.journal({ seq: state.seq, sizeBytes: journal.sizeBytes() }),
      ...(held.rewrite && { writeAnew: (engine: Engine) => this.writeAnew(engine) }),
    });
  }

  /**
   * Reads the world from storage. The same code runs at start and after a failed append.
   * @throws JournalDamage, StateDamage, OtherFormat; nothing was changed then
   */
  async read(): Promise<StoredWorld> {
    const stored = await this.held.read();
    const { state } = stored;
    const problem = state.seq === 0 ? undefined : factsProblem(state);
    if (problem !== undefined) throw new WrongState(this.held.place, problem);
    this.readSoon(state);
    return stored;
  }

  private readSoon(state: WorldState) {
    readSoon(state, () => this.engine?.state === state && !this.isClosed);
  }

  /** Puts the world to work as storage has it. */
  async open(
    { state, recovery }: Pick<StoredWorld, "state" | "recovery">,
    clock: ClockState,
  ): Promise<Engine> {
    await this.held.attach({
      failed: (failure) => this.failed.lost(failure),
      alarm: (message) => this.engine?.alarm(message),
      late: () => this.engine?.schedulePump(),
      dueAtMs: () => this.dueAtMs(),
      files: () => (this.engine ? namedFiles(this.engine.state) : []),
    });
    const journal = this.held.journal({ seq: state.seq, sizeBytes: recovery.readBytes });
    const engine = new Engine({ wall: this.options.wall, journal, clock });
    this.engine = engine;
    if (state.seq > 0) engine.load(state, journal);
    this.readSoon(state);
    const checkpoints = new CheckpointTimer({
      due: () => this.due(engine),
      seq: () => engine.state.seq,
      write: () => void this.checkpoint(),
    });
    this.checkpoints = checkpoints;
    engine.listeners.add({ pumped: () => checkpoints.look() });
    return engine;
  }

  private dueAtMs(): number | null {
    const { engine } = this;
    const timer = engine?.nextTimer();
    if (!engine || !timer || engine.clock.mode !== "real") return null;
    const leftMs = (timer.dueAtMs - engine.clock.latestMs) / (engine.clock.speed ?? 1);
    return Math.ceil(this.options.wall.nowMs() + Math.max(0, leftMs));
  }

  /** Writes a checkpoint now. */
  async checkpoint(): Promise<void> {
    this.checkpointing ??= this.alone(() => this.runCheckpoint()).finally(() => {
      this.checkpointing = undefined;
    });
    await this.checkpointing;
  }

  /**
   * Runs an act on the present point: all changes up to it are durable. Changes continue meanwhile;
   * checkpoints wait.
   * @throws JournalFailure when storage failed
   */
  atPoint<Done>(work: (point: DurablePoint) => Promise<Done>): Promise<Done> {
    return this.alone(async () => {
      try {
        return await work(await this.point());
      } catch (error) {
        throw asFailure(error);
      }
    });
  }

  /**
   * Continues the world on another timeline with another state. Calls wait meanwhile, and nothing
   * commits.
   * @throws JournalFailure when storage failed; the world is as it was then
   */
  async switchTo(image: StateImage): Promise<void> {
    await this.alone(() => this.switchNow(image));
    await this.alone(async () => this.held.removeOldTimelines?.());
  }

  private async switchNow(image: StateImage) {
    const { engine } = this;
    if (!engine || this.isClosed) throw new JournalFailure("the world is closed");
    if (engine.readOnlyBecause) throw new JournalFailure(engine.readOnlyBecause);
    let open = () => {};
    engine.gate.closeFor(
      new Promise<void>((resolve) => {
        open = resolve;
      }),
    );
    engine.readOnlyBecause = SWITCHING;
    let isSettled = true;
    try {
      await this.point({ isSwitching: true });
      await this.held.switchTo(image);
      this.continueWith(engine, image.state);
    } catch (error) {
      if (error instanceof Unsettled) this.stop(engine, error);
      if (error instanceof JournalFailure && error.later) {
        isSettled = false;
        error.later = this.settle(engine, image.state, error.later);
        error.later.catch(() => {});
      }
      throw asFailure(error);
    } finally {
      if (isSettled) this.takeWrites(engine);
      open();
    }
  }

  /** Takes no writes until it is certain on which timeline the world continues. */
  private async settle(engine: Engine, state: WorldState, later: Promise<unknown>) {
    try {
      await later;
      if (engine.readOnlyBecause === SWITCHING && !this.isClosed) this.continueWith(engine, state);
    } finally {
      this.takeWrites(engine);
    }
  }

  private takeWrites(engine: Engine) {
    // A storage that failed meanwhile has left another reason.
    if (engine.readOnlyBecause === SWITCHING) engine.readOnlyBecause = undefined;
    engine.schedulePump();
  }

  /** The new timeline is there: whatever fails from now on, a start would open it. */
  private continueWith(engine: Engine, state: WorldState) {
    const old = engine.journal;
    this.readSoon(state);
    let journal = old;
    try {
      journal = this.held.journal({ seq: state.seq, sizeBytes: 0 });
    } catch (error) {
      this.stop(engine, error as Error);
      throw error;
    }
    // Whoever hears of the load may commit.
    engine.readOnlyBecause = undefined;
    engine.stopped = undefined;
    engine.load(state, journal);
    void old.close().catch(() => {});
  }

  private stop(engine: Engine, error: Error) {
    const { message } = error;
    const prefix = message.startsWith("storage failed") ? "" : "storage failed: ";
    const why = `${prefix}${message}; restart when storage works`;
    engine.readOnlyBecause = why;
    engine.stopWith({ why, by: "journal", values: {} });
  }

  /** Makes all changes durable. */
  private async point({ isSwitching = false } = {}): Promise<DurablePoint> {
    const { engine } = this;
    if (!engine || this.isClosed) throw new JournalFailure("the world is closed");
    for (;;) {
      const { journal, state, readOnlyBecause } = engine;
      if (readOnlyBecause && !(isSwitching && readOnlyBecause === SWITCHING))
        throw new JournalFailure(readOnlyBecause);
      if (journal.durableSeq() >= state.seq) break;
      await journal.reached(state.seq);
    }
    const { state } = engine;
    if (!isSwitching)
      void this.rotate(engine, "point")
        ?.close()
        .catch(() => {});
    return { state: state.fork(), clock: engine.clock.stateFromNow() };
  }

  private rotate(engine: Engine, what: "point" | "checkpoint") {
    const { journal: old, state } = engine;
    engine.journal = this.held.rotate(old, { seq: state.seq, what });
    return old === engine.journal ? undefined : old;
  }

  /** Runs work after all such work before it. */
  alone<Done>(work: () => Promise<Done>): Promise<Done> {
    const done = this.lane.then(work);
    this.lane = done.catch(() => {});
    return done;
  }

  /**
   * Ends the world at work and gives it back.
   * @param mode.isLast the world is about to be deleted
   * @param mode.clientId names the world for what stands in for it
   */
  close(mode: { clientId: string; isLast?: boolean }): Promise<void> {
    // Whoever closes it again waits, and is told of a failure no second time.
    if (this.closing) return this.closing.catch(() => {});
    this.closing = this.closeNow(mode);
    return this.closing;
  }

  private async closeNow(mode: { clientId: string; isLast?: boolean }) {
    const { engine } = this;
    if (!engine) return;
    this.checkpoints?.stop();
    // Stop firing timers: during the many turns of a checkpoint, a long import would continue.
    engine.rest();
    const clock = engine.clock.stateFromNow();
    await this.lane;
    const { isLast = false, clientId } = mode;
    if (!isLast) this.held.look?.();
    if (!isLast) await this.failed.writeAtLast(engine);
    const isWhole = !engine.stopped && engine.readOnlyBecause === undefined;
    if (!isLast && isWhole && engine.journal.sizeBytes() > CHECKPOINT_AT_STOP_BYTES)
      await this.checkpoint();
    this.isClosed = true;
    await this.lane;
    // It would open a journal after the world is given back.
    await this.failed.mending;
    if (!isLast) await this.requests.keep(engine);
    this.failed.stop();
    engine.close();
    await this.release(engine, isLast ? undefined : { clientId, clock });
  }

  private async release(
    engine: Engine,
    of: { clientId: string; clock: ClockState } | undefined,
  ): Promise<void> {
    const { journal, state } = engine;
    let failure: unknown;
    // What cannot be written is told once the world is given back.
    await journal.close().catch((error) => {
      failure = error;
    });
    if (!of)
      await this.held.remove().catch((error) => {
        throw asFailure(error);
      });
    else {
      // A world whose storage failed may differ in memory from what is kept.
      const isWhole =
        failure === undefined &&
        engine.readOnlyBecause === undefined &&
        journal.durableSeq() >= state.seq;
      await this.held.release({
        documents: namedFiles(state),
        ...(isWhole && { seq: state.seq, summary: summaryOf(state, of) }),
      });
    }
    if (failure !== undefined && of) throw failure;
  }

  private due({ journal, stopped, readOnlyBecause }: Engine) {
    if (this.isClosed || this.checkpointing || stopped || readOnlyBecause) return undefined;
    if (hostTime.monotonicMs() < this.checkpointNotBeforeMs) return undefined;
    const { checkpointAfterBytes: afterBytes } = this.options;
    const journalBytes = journal.sizeBytes();
    return checkpointDue({ ...this.held.gathered, journalBytes, afterBytes });
  }

  private async runCheckpoint() {
    const { engine } = this;
    if (!engine) return;
    try {
      await this.beginJournal(engine);
      const { state, generation } = engine;
      await this.held.checkpoint(state.seq, partsOfWorld({ engine, state, generation }));
      await this.requests.keep(engine);
    } catch (error) {
      if (error instanceof Overtaken) return;
      this.checkpointNotBeforeMs = hostTime.monotonicMs() + CHECKPOINT_RETRY_MS;
      engine.alarm(`no checkpoint was written: ${error}`);
    }
  }

  /** Begins the journal again for a checkpoint, so that what is before it can be deleted. */
  private async beginJournal(engine: Engine) {
    const { journal: old, generation } = engine;
    await old.reached(engine.state.seq);
    while (old.durableSeq() < engine.state.seq) await old.reached(engine.state.seq);
    if (engine.generation !== generation || engine.readOnlyBecause) throw new Overtaken();
    await this.rotate(engine, "checkpoint")?.close();
  }

  /** Writes the world as it is in memory: what it had in storage is lost. */
  private writeAnew(engine: Engine): Promise<void> {
    return this.alone(async () => {
      const { state } = engine;
      await this.held.rewrite?.(state);
      await this.onRewritten();
      await engine.tryJournal(this.held.journal({ seq: state.seq, sizeBytes: 0 }));
    });
  }
}
