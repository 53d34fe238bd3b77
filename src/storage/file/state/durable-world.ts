import { factsProblem } from "../../../domain/state-facts.ts";
import { hostTime } from "../../../machine/host-time.ts";
import type { ClockState } from "../../../runtime/clock.ts";
import { WrongState } from "../../../runtime/damage.ts";
import { Engine } from "../../../runtime/engine.ts";
import { JournalFailure } from "../../../runtime/ports.ts";
import type { WorldState } from "../../../runtime/world-state.ts";
import { Overtaken, pruneCheckpoints, writeCheckpoint } from "../../format/checkpoint.ts";
import { CheckpointTimer, checkpointDue } from "../../world/checkpoint-due.ts";
import { FailedWrites } from "../../world/failed-writes.ts";
import { readSoon } from "../../world/read-soon.ts";
import type { RecoveryReport, SkippedFile } from "../../world/recovery-report.ts";
import { closeJournal } from "../journal/close-journal.ts";
import { type JournalFile, machineFiles } from "../journal/journal-file.ts";
import { reachOf } from "../timeline/earlier-state.ts";
import { FolderInPlace } from "../timeline/folder-placing.ts";
import { readState, type StateFiles } from "../timeline/read-state.ts";
import type { Reach } from "../timeline/timeline-file.ts";
import { asFailure, type TimelinePoint } from "../timeline/timeline-links.ts";
import { dropOrigin, segmentsOf } from "../timeline/timeline-origin.ts";
import type { DurableWorldParts, MakeFolder } from "./durable-world-parts.ts";
import { KeptRequests } from "./kept-requests.ts";
import { StartFiles } from "./start-files.ts";

/** The reason to refuse writes while the world switches to another timeline. */
const SWITCHING = "the world is being taken to another state";
/** Wait after a failed checkpoint before the next try, in wall milliseconds. */
const CHECKPOINT_RETRY_MS = 60_000;
/** Smaller journals get no checkpoint at a clean stop. */
const CHECKPOINT_AT_STOP_BYTES = 1024 * 1024;

/**
 * Keeps a world, its journal and its checkpoints together. After a failed append the disk is right:
 * the world is loaded from it again, serves reads, and takes writes when storage works
 * (decisions/reload-after-failed-write.md).
 */
export class DurableWorld {
  /** The earliest point that the files of the timeline give. */
  reach: Reach | undefined;
  /** The request log that is kept beside the journal. */
  readonly requests: KeptRequests;
  /** Files that its next start reads. */
  readonly startFiles: StartFiles;
  private readonly parts: DurableWorldParts;
  private engine: Engine | undefined;
  private readonly failed: FailedWrites;
  private leaveHome = () => {};
  private checkpointing: Promise<void> | undefined;
  private checkpointBytes = 0;
  private checkpoints: CheckpointTimer | undefined;
  /** Folders of checkpoints that cannot be used; the next checkpoint deletes them. */
  private damaged: ReadonlySet<string> = new Set();
  /** Monotonic milliseconds before which no checkpoint is tried after a failure. */
  private checkpointNotBeforeMs = 0;
  isClosed = false;
  /** Work on files runs alone: nothing is deleted while something links it. */
  private lane: Promise<unknown> = Promise.resolve();
  /** Set by who knows where the world's folder belongs. */
  makeAgain: MakeFolder | undefined;
  /** Bytes of the journal before the present segment. */
  private sizeAtSegment = 0;
  /** Segments begun since the last checkpoint. */
  private segments = 0;

  constructor(parts: DurableWorldParts) {
    this.parts = parts;
    const home = parts.home ?? parts.files;
    this.requests = new KeptRequests(home);
    this.startFiles = new StartFiles(home.directory, parts.options.files ?? machineFiles);
    this.failed = new FailedWrites({
      engine: () => this.engine,
      isClosed: () => this.isClosed,
      read: () => this.read(),
      append: ({ state, journal }) => this.append(state.seq, journal.sizeBytes()),
      writeAnew: (engine) => this.writeAnew(engine),
    });
  }

  /** Files of the timeline that counts now. */
  get files(): StateFiles {
    return this.parts.files;
  }

  /**
   * Reads the world from storage: the newest whole checkpoint, then the journal after it. The same
   * code runs at start and after a failed append.
   * @throws JournalDamage, StateDamage, OtherFormat; nothing was changed then
   */
  async read(): Promise<{
    state: WorldState;
    recovery: RecoveryReport;
    passedOver: SkippedFile[];
  }> {
    const { state, manifest, recovery, passedOver, damaged } = await readState(this.parts.files);
    const problem = state.seq === 0 ? undefined : factsProblem(state);
    if (problem !== undefined) throw new WrongState(this.files.directory, problem);
    const { origin } = this.parts.files;
    this.checkpointBytes = manifest?.size ?? origin?.image.size ?? 0;
    this.segments = manifest ? 0 : segmentsOf(this.parts.files);
    this.damaged = damaged;
    this.reach = await reachOf(this.parts.files);
    this.readSoon(state);
    return { state, recovery, passedOver };
  }

  /** Takes over a state that its files hold: nothing is read. */
  take(state: WorldState) {
    const { files } = this.parts;
    this.damaged = new Set();
    this.reach = files.origin?.image.reach;
    this.checkpointBytes = files.origin?.image.size ?? 0;
    this.segments = segmentsOf(files);
    this.readSoon(state);
  }

  /** The state of the world now. */
  present(): WorldState {
    if (!this.engine) throw new JournalFailure("the world is not open");
    return this.engine.state;
  }

  private readSoon(state: WorldState) {
    readSoon(state, () => this.engine?.state === state && !this.isClosed);
  }

  open(state: WorldState, recovery: RecoveryReport, clock: ClockState): Engine {
    const journal = this.append(state.seq, recovery.readBytes);
    const engine = new Engine({ wall: this.parts.options.wall, journal, clock });
    this.engine = engine;
    this.leaveHome = this.parts.lock.join({
      look: (how) => this.look(how),
      drop: (why) => this.failed.drop(why),
    });
    if (state.seq > 0) engine.load(state, journal);
    const checkpoints = new CheckpointTimer({
      due: () => this.due(engine),
      seq: () => engine.state.seq,
      write: () => void this.checkpoint(),
    });
    this.checkpoints = checkpoints;
    engine.listeners.add({ pumped: () => checkpoints.look() });
    return engine;
  }

  /** Writes a checkpoint now and deletes what it replaces. */
  async checkpoint(): Promise<void> {
    this.checkpointing ??= this.alone(() => this.runCheckpoint()).finally(() => {
      this.checkpointing = undefined;
    });
    await this.checkpointing;
  }

  /**
   * Runs work on the files of the present point: all changes up to it are on disk, and its segments
   * are closed. Changes continue meanwhile; checkpoints wait.
   * @throws JournalFailure when storage failed
   */
  atPoint<Done>(work: (point: TimelinePoint) => Promise<Done>): Promise<Done> {
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
   * @param make makes the timeline's folder; the world is on that timeline when it has resolved
   * @throws JournalFailure when storage failed; the world is as it was then
   */
  switchTo(state: WorldState, make: (point: TimelinePoint) => Promise<StateFiles>): Promise<void> {
    return this.alone(() => this.switchNow(state, make));
  }

  private async switchNow(state: WorldState, make: (point: TimelinePoint) => Promise<StateFiles>) {
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
    try {
      const files = await make(await this.point({ isSwitching: true }));
      this.continueOn(engine, state, files);
    } catch (error) {
      if (error instanceof FolderInPlace) this.stop(engine, error);
      throw asFailure(error);
    } finally {
      // A storage that failed meanwhile has left another reason.
      if (engine.readOnlyBecause === SWITCHING) engine.readOnlyBecause = undefined;
      engine.schedulePump();
      open();
    }
  }

  /** The new timeline is there: whatever fails from now on, a start would open it. */
  private continueOn(engine: Engine, state: WorldState, files: StateFiles) {
    const old = engine.journal;
    this.parts.files = files;
    this.startFiles.leaveLine();
    this.take(state);
    let journal: JournalFile;
    try {
      journal = this.append(state.seq, 0);
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

  private stop(engine: Engine, { message }: Error) {
    const why = `storage failed: ${message}; restart when storage works`;
    engine.readOnlyBecause = why;
    engine.stopWith({ why, by: "journal", values: {} });
  }

  /** Makes all changes durable and closes their segment, unless it is empty. */
  private async point({ isSwitching = false } = {}): Promise<TimelinePoint> {
    const { engine } = this;
    if (!engine || this.isClosed) throw new JournalFailure("the world is closed");
    for (;;) {
      const { journal, state, readOnlyBecause } = engine;
      if (readOnlyBecause && !(isSwitching && readOnlyBecause === SWITCHING))
        throw new JournalFailure(readOnlyBecause);
      if (journal.durableSeq() >= state.seq) break;
      await journal.reached(state.seq);
    }
    const { journal: old, state } = engine;
    if (!isSwitching && old.sizeBytes() > this.sizeAtSegment) {
      engine.journal = this.append(state.seq, old.sizeBytes(), (old as JournalFile).name);
      this.segments += 1;
      void old.close().catch(() => {});
    }
    const { files } = this.parts;
    const openSegment = isSwitching ? "" : (engine.journal as JournalFile).name;
    const clock = engine.clock.stateFromNow();
    return { files, state: state.fork(), clock, openSegment, damaged: this.damaged };
  }

  /** Runs work after all such work before it. */
  alone<Done>(work: () => Promise<Done>): Promise<Done> {
    const done = this.lane.then(work);
    this.lane = done.catch(() => {});
    return done;
  }

  /**
   * @param beforeRelease runs when the files are closed and the directory is still owned
   * @param mode.isLast the world is about to be deleted
   */
  async close(beforeRelease: () => unknown = () => {}, { isLast = false } = {}) {
    const { engine } = this;
    if (!engine) return;
    this.checkpoints?.stop();
    // Stop firing timers: during the many turns of a checkpoint, a long import would continue.
    engine.rest();
    await this.lane;
    if (!isLast) this.look({ isWhole: true });
    if (!isLast) await this.failed.writeAtLast(engine);
    const isWhole = !engine.stopped && engine.readOnlyBecause === undefined;
    if (!isLast && isWhole && engine.journal.sizeBytes() > CHECKPOINT_AT_STOP_BYTES)
      await this.checkpoint();
    const wasClosed = this.isClosed;
    this.isClosed = true;
    await this.lane;
    // It would write a segment after the lock is released.
    await this.failed.mending;
    await this.requests.keep(engine);
    this.failed.stop();
    this.leaveHome();
    engine.close();
    try {
      const { journals } = this.files;
      const input = { journals, options: this.parts.options, isNoted: !isLast && !wasClosed };
      await closeJournal(engine, input).finally(beforeRelease);
    } finally {
      this.parts.lock.release();
    }
  }

  private append(afterSeq: number, earlierBytes: number, inUse?: string): JournalFile {
    const { files, lock, options } = this.parts;
    const next = files.journals.append(lock.number, {
      fsync: options.fsync,
      afterSeq,
      earlierBytes,
      lock,
      onFailure: (failure) => this.failed.lost(failure),
      ...(inUse !== undefined && { inUse }),
      ...(options.files && { files: options.files }),
    });
    this.sizeAtSegment = earlierBytes;
    this.startFiles.add(files, next.name);
    return next;
  }

  private due({ journal, stopped, readOnlyBecause }: Engine) {
    if (this.isClosed || this.checkpointing || stopped || readOnlyBecause) return undefined;
    if (hostTime.monotonicMs() < this.checkpointNotBeforeMs) return undefined;
    const { checkpointBytes, segments, damaged } = this;
    const { checkpointAfterBytes: afterBytes } = this.parts.options;
    const journalBytes = journal.sizeBytes();
    const hasDamage = damaged.size > 0;
    return checkpointDue({ journalBytes, checkpointBytes, segments, hasDamage, afterBytes });
  }

  private async runCheckpoint() {
    const { engine, damaged } = this;
    if (!engine) return;
    const { storage, journals } = this.parts.files;
    try {
      const segment = await this.beginSegment(engine);
      const { size } = await writeCheckpoint({ storage, engine, segment, damaged });
      this.checkpointBytes = size;
      this.segments = 0;
      this.parts.options.requireHeld?.();
      // What this checkpoint stands in for is deleted.
      this.startFiles.leaveLine();
      const neededAfter = await pruneCheckpoints(storage, damaged);
      this.parts.options.requireHeld?.();
      journals.dropUpTo(neededAfter);
      if (neededAfter > 0) await dropOrigin(this.parts.files);
      this.damaged = new Set();
      this.reach = await reachOf(this.parts.files);
      await this.requests.keep(engine);
    } catch (error) {
      if (error instanceof Overtaken) return;
      this.checkpointNotBeforeMs = hostTime.monotonicMs() + CHECKPOINT_RETRY_MS;
      engine.alarm(`no checkpoint was written: ${error}`);
    } finally {
      this.startFiles.add(this.files, (engine.journal as JournalFile).name);
    }
  }

  /** Begins a new segment for a checkpoint, so that earlier ones can be deleted whole. */
  private async beginSegment(engine: Engine) {
    const { journal: old, generation } = engine;
    await old.reached(engine.state.seq);
    while (old.durableSeq() < engine.state.seq) await old.reached(engine.state.seq);
    if (engine.generation !== generation || engine.readOnlyBecause) throw new Overtaken();
    const next = this.append(engine.state.seq, 0, (old as JournalFile).name);
    engine.journal = next;
    await old.close();
    return next.name;
  }

  /** Looks whether the world's files are where it wrote them. */
  private look(how?: { isWhole: boolean }) {
    if (!this.engine || this.engine.stopped) return;
    const journal = this.engine.journal as JournalFile;
    if (!journal.look()) return;
    const loss = this.startFiles.loss(how);
    if (loss !== undefined) journal.lose(loss);
  }

  /** Writes the world as it is in memory on a timeline of its own: what it had on disk is lost. */
  private writeAnew(engine: Engine): Promise<void> {
    return this.alone(async () => {
      const { state } = engine;
      if (!this.makeAgain) throw new JournalFailure("the world has no folder");
      this.parts.files = await this.makeAgain(state);
      this.startFiles.forgetAll();
      this.take(state);
      await engine.tryJournal(this.append(state.seq, 0));
    });
  }
}
