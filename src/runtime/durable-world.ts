import type { Storage } from "unstorage";
import { Overtaken, pruneCheckpoints, readCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import type { ClockState } from "./clock.ts";
import { Engine } from "./engine.ts";
import { upgradedChange } from "./format-upgrade.ts";
import type { JournalDirectory, RecoveryReport } from "./journal-directory.ts";
import type { JournalFile, JournalFiles } from "./journal-file.ts";
import type { Wall } from "./ports.ts";
import type { StateLock } from "./state-lock.ts";
import type { WorldState } from "./world-state.ts";

const STORAGE_RETRY_MS = 1000;
/** A checkpoint is due when the journal behind the last one exceeds this and the size of that. */
const CHECKPOINT_AFTER_BYTES = 32 * 1024 * 1024;
/** On a clean stop a shorter journal is not worth a checkpoint. */
const CHECKPOINT_AT_STOP_BYTES = 1024 * 1024;
/** What nobody asked for in a world's first moments is read after these, on the wall clock. */
const READ_ON_AFTER_MS = 1000;

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

export interface DurableWorldParts {
  journals: JournalDirectory;
  storage: Storage;
  lock: StateLock;
  options: {
    wall: Wall;
    fsync: boolean;
    files?: JournalFiles;
    /** A checkpoint is due past so many bytes of journal; for tests. */
    checkpointAfterBytes?: number;
  };
}

/**
 * Keeps a world, its journal and its checkpoints together. When an append fails, what is on disk
 * is the truth: the world is loaded from it again, serves reads, and takes writes when storage
 * does (MECHANISMS 3 and 4).
 */
export class DurableWorld {
  private readonly parts: DurableWorldParts;
  private engine: Engine | undefined;
  private retry: NodeJS.Timeout | undefined;
  private checkpointing: Promise<void> | undefined;
  private checkpointBytes = 0;
  private closed = false;

  constructor(parts: DurableWorldParts) {
    this.parts = parts;
  }

  /**
   * The world as storage has it: the newest whole checkpoint, and the journal after it. The same
   * code runs at start and after a failed append.
   * @throws JournalDamage, NewerFormat; nothing was changed then
   */
  async read(): Promise<{ state: WorldState; recovery: RecoveryReport }> {
    const { state, manifest } = await readCheckpoint(this.parts.storage);
    this.checkpointBytes = manifest?.size ?? 0;
    const { journals } = this.parts;
    const from = { seq: state.seq, ...(manifest && { segment: manifest.segment }) };
    const recovery = journals.recover((change) => state.apply(upgradedChange(change)), from);
    setTimeout(() => void this.readOn(state), READ_ON_AFTER_MS).unref();
    return { state, recovery };
  }

  /** Reads the rest of a world, a part in a turn, so that hardly anybody has to wait for it. */
  private async readOn(state: WorldState) {
    while (this.engine?.state === state && !this.closed && state.readPart()) await turn();
  }

  open(state: WorldState, recovery: RecoveryReport, clock: ClockState): Engine {
    const journal = this.append(state.seq, recovery.readBytes);
    const engine = new Engine({ wall: this.parts.options.wall, journal, clock });
    this.engine = engine;
    if (state.seq > 0) engine.load(state, journal);
    engine.listeners.add({ pumped: () => this.checkpointIfDue() });
    return engine;
  }

  /** Writes a checkpoint now, and takes away what it makes superfluous. */
  async checkpoint(): Promise<void> {
    this.checkpointing ??= this.runCheckpoint().finally(() => {
      this.checkpointing = undefined;
    });
    await this.checkpointing;
  }

  async close() {
    const { engine } = this;
    if (!engine) return;
    await this.checkpointing;
    const isWhole = !engine.stopped && engine.readOnlyBecause === undefined;
    if (isWhole && engine.journal.sizeBytes() > CHECKPOINT_AT_STOP_BYTES) await this.checkpoint();
    this.closed = true;
    await this.checkpointing;
    if (this.retry) clearTimeout(this.retry);
    engine.close();
    try {
      await engine.journal.close();
    } finally {
      this.parts.lock.release();
    }
  }

  private append(afterSeq: number, earlierBytes: number): JournalFile {
    const { journals, lock, options } = this.parts;
    return journals.append(lock.number, {
      fsync: options.fsync,
      afterSeq,
      earlierBytes,
      onFailure: ({ error, cut }) => this.lost(error, cut),
      ...(options.files && { files: options.files }),
    });
  }

  private checkpointIfDue() {
    const { engine, closed, checkpointing, checkpointBytes } = this;
    const limit = this.parts.options.checkpointAfterBytes ?? CHECKPOINT_AFTER_BYTES;
    const isDue = engine && engine.journal.sizeBytes() > Math.max(limit, checkpointBytes);
    if (isDue && !closed && !checkpointing && !engine.stopped) void this.checkpoint();
  }

  private async runCheckpoint() {
    const { engine } = this;
    if (!engine) return;
    const { storage, journals } = this.parts;
    try {
      const segment = await this.beginSegment(engine);
      const { size } = await writeCheckpoint({ storage, engine, segment });
      this.checkpointBytes = size;
      journals.dropUpTo(await pruneCheckpoints(storage));
    } catch (error) {
      if (error instanceof Overtaken) return;
      engine.alarm(`no checkpoint was written: ${error}`);
    }
  }

  /** A checkpoint starts a new segment, so that the ones before can be taken away whole. */
  private async beginSegment(engine: Engine) {
    const { journal: old, generation } = engine;
    await old.reached(engine.state.seq);
    while (old.durableSeq() < engine.state.seq) await old.reached(engine.state.seq);
    if (engine.generation !== generation || engine.readOnlyBecause) throw new Overtaken();
    const next = this.append(engine.state.seq, 0);
    engine.journal = next;
    await old.close();
    return next.name;
  }

  private lost(error: Error, cut: boolean) {
    const { engine } = this;
    if (!engine) return undefined;
    // A failed trial changed nothing that would have to be read again.
    if (engine.readOnlyBecause && cut) return undefined;
    const why = `storage failed: ${error.message}`;
    engine.alarm(why);
    engine.readOnlyBecause = why;
    const reloading = this.reload(engine, { why, cut });
    engine.gate.closeFor(reloading);
    return reloading;
  }

  private async reload(engine: Engine, { why, cut }: { why: string; cut: boolean }) {
    try {
      if (!cut) throw new Error(why);
      const { state } = await this.read();
      // A world whose opening was lost is no world: the next start opens one.
      if (state.seq === 0) throw new Error(why);
      engine.load(state, engine.journal);
      this.tryAgainLater();
    } catch {
      // What was not written belongs to no world: nobody is told of it.
      engine.generation += 1;
      engine.stopWith({ why: `${why}; restart when storage works`, by: "journal", values: {} });
    }
  }

  private tryAgainLater() {
    if (this.closed) return;
    this.retry = setTimeout(() => void this.tryAgain(), STORAGE_RETRY_MS);
    this.retry.unref();
  }

  private async tryAgain() {
    const { engine } = this;
    if (!engine || engine.stopped || this.closed) return;
    try {
      await engine.tryJournal(this.append(engine.state.seq, engine.journal.sizeBytes()));
    } catch {
      this.tryAgainLater();
    }
  }
}
