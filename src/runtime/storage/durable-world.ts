import type { ClockState } from "../clock.ts";
import { Engine } from "../engine.ts";
import { hostTime, nextTurn } from "../host-time.ts";
import type { Wall } from "../ports.ts";
import type { WorldState } from "../world-state.ts";
import { Overtaken, pruneCheckpoints, removeUnfinished, writeCheckpoint } from "./checkpoint.ts";
import type { RecoveryReport } from "./journal-directory.ts";
import type { JournalFile, JournalFiles } from "./journal-file.ts";
import { KeptRequests } from "./kept-requests.ts";
import { type PassedOver, readState, type StateFiles } from "./read-state.ts";
import type { StateLock } from "./state-lock.ts";

const STORAGE_RETRY_MS = 1000;
/** Size of the journal past which a checkpoint is due, unless the last checkpoint is larger. */
const CHECKPOINT_AFTER_BYTES = 32 * 1024 * 1024;
/** Wait after a failed checkpoint before the next try, in wall milliseconds. */
const CHECKPOINT_RETRY_MS = 60_000;
/** Smaller journals get no checkpoint at a clean stop. */
const CHECKPOINT_AT_STOP_BYTES = 1024 * 1024;
/** Wait before unread parts of a world are read in the background, in wall milliseconds. */
const READ_ON_AFTER_MS = 1000;

export interface DurableWorldParts {
  files: StateFiles;
  lock: StateLock;
  options: {
    wall: Wall;
    fsync: boolean;
    files?: JournalFiles;
    /** Bytes of journal past which a checkpoint is due; for tests. */
    checkpointAfterBytes?: number;
  };
}

/**
 * Keeps a world, its journal and its checkpoints together. After a failed append the disk is right:
 * the world is loaded from it again, serves reads, and takes writes when storage works
 * (decisions/reload-after-failed-write.md).
 */
export class DurableWorld {
  /** The request log that is kept beside the journal. */
  readonly requests: KeptRequests;
  private readonly parts: DurableWorldParts;
  private engine: Engine | undefined;
  private retry: NodeJS.Timeout | undefined;
  private checkpointing: Promise<void> | undefined;
  private checkpointBytes = 0;
  /** Folders of checkpoints that cannot be used; the next checkpoint deletes them. */
  private damaged: ReadonlySet<string> = new Set();
  /** Monotonic milliseconds before which no checkpoint is tried after a failure. */
  private checkpointNotBeforeMs = 0;
  private closed = false;

  constructor(parts: DurableWorldParts) {
    this.parts = parts;
    this.requests = new KeptRequests(parts.files);
  }

  /**
   * Reads the world from storage: the newest whole checkpoint, then the journal after it. The same
   * code runs at start and after a failed append.
   * @throws JournalDamage, StateDamage, NewerFormat; nothing was changed then
   */
  async read(): Promise<{ state: WorldState; recovery: RecoveryReport; passedOver: PassedOver[] }> {
    const { state, manifest, recovery, passedOver, damaged } = await readState(this.parts.files);
    this.checkpointBytes = manifest?.size ?? 0;
    this.damaged = damaged;
    hostTime.setTimeout(() => void this.readOn(state), READ_ON_AFTER_MS).unref();
    return { state, recovery, passedOver };
  }

  /** Reads the rest of a world in the background, one part in each turn of the event loop. */
  private async readOn(state: WorldState) {
    while (this.engine?.state === state && !this.closed && state.readPart()) await nextTurn();
  }

  open(state: WorldState, recovery: RecoveryReport, clock: ClockState): Engine {
    const journal = this.append(state.seq, recovery.readBytes);
    const engine = new Engine({ wall: this.parts.options.wall, journal, clock });
    this.engine = engine;
    if (state.seq > 0) engine.load(state, journal);
    engine.listeners.add({ pumped: () => this.checkpointIfDue() });
    return engine;
  }

  /** Writes an empty record of this version, which says that every image has a checksum. */
  async sealJournal() {
    const { engine } = this;
    if (!engine) return;
    engine.readOnlyBecause = "the state is being brought to this version";
    await engine.tryJournal(engine.journal);
  }

  /** Writes a checkpoint now and deletes what it replaces. */
  async checkpoint(): Promise<void> {
    this.checkpointing ??= this.runCheckpoint().finally(() => {
      this.checkpointing = undefined;
    });
    await this.checkpointing;
  }

  /** @param beforeRelease runs when the files are closed and the directory is still owned */
  async close(beforeRelease = () => {}) {
    const { engine } = this;
    if (!engine) return;
    // Stop firing timers: during the many turns of a checkpoint, a long import would continue.
    engine.rest();
    await this.checkpointing;
    const isWhole = !engine.stopped && engine.readOnlyBecause === undefined;
    if (isWhole && engine.journal.sizeBytes() > CHECKPOINT_AT_STOP_BYTES) await this.checkpoint();
    this.closed = true;
    await this.checkpointing;
    await this.keepRequests(engine);
    if (this.retry) hostTime.clearTimeout(this.retry);
    engine.close();
    try {
      await engine.journal.close().finally(beforeRelease);
    } finally {
      this.parts.lock.release();
    }
  }

  private append(afterSeq: number, earlierBytes: number): JournalFile {
    const { files, lock, options } = this.parts;
    return files.journals.append(lock.number, {
      fsync: options.fsync,
      afterSeq,
      earlierBytes,
      onFailure: ({ error, cut }) => this.lost(error, cut),
      ...(options.files && { files: options.files }),
    });
  }

  private checkpointIfDue() {
    const { engine, closed, checkpointing } = this;
    if (!engine || closed || checkpointing || engine.stopped || engine.readOnlyBecause) return;
    if (hostTime.monotonicMs() < this.checkpointNotBeforeMs) return;
    if (this.damaged.size > 0 || this.isJournalLong(engine)) void this.checkpoint();
  }

  private isJournalLong({ journal }: Engine) {
    const limit = this.parts.options.checkpointAfterBytes ?? CHECKPOINT_AFTER_BYTES;
    return journal.sizeBytes() > Math.max(limit, this.checkpointBytes);
  }

  private async runCheckpoint() {
    const { engine, damaged } = this;
    if (!engine) return;
    const { storage, journals } = this.parts.files;
    try {
      const segment = await this.beginSegment(engine);
      const { size } = await writeCheckpoint({ storage, engine, segment, damaged });
      this.checkpointBytes = size;
      journals.dropUpTo(await pruneCheckpoints(storage, damaged));
      this.damaged = new Set();
      await this.keepRequests(engine);
    } catch (error) {
      if (error instanceof Overtaken) return;
      this.checkpointNotBeforeMs = hostTime.monotonicMs() + CHECKPOINT_RETRY_MS;
      engine.alarm(`no checkpoint was written: ${error}`);
      // The unfinished half would take the space that the journal needs.
      await removeUnfinished(storage).catch(() => {});
    }
  }

  /** Keeps the request log as it is now; nothing else depends on that file. */
  private async keepRequests(engine: Engine) {
    if (engine.readOnlyBecause) return;
    try {
      await this.requests.write(engine.state);
    } catch (error) {
      engine.alarm(`the request log was not kept: ${error}`);
    }
  }

  /** Begins a new segment for a checkpoint, so that earlier ones can be deleted whole. */
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
    // A failed try changed nothing, so nothing has to be read again.
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
    if (this.closed) return;
    this.retry = hostTime.setTimeout(() => void this.tryAgain(), STORAGE_RETRY_MS);
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
