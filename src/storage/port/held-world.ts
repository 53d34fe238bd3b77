import type { Kind } from "../../domain/records/records.ts";
import type { Change } from "../../runtime/change.ts";
import type { ClockState } from "../../runtime/clock.ts";
import type { Journal, JournalFailed } from "../../runtime/journal.ts";
import type { DamagedPoint, PastPoint, RestorePoint } from "../../runtime/past/restore-points.ts";
import { JournalFailure } from "../../runtime/ports.ts";
import type { WorldMeta, WorldState } from "../../runtime/world-state.ts";
import type { Items } from "./items.ts";
import type { RecoveryReport, SkippedFile } from "./recovery.ts";

/** Facts of a world; the same as long as the world exists. */
export interface WorldFacts {
  name: string;
  /** The world that it was forked from; absent for the first one. */
  from?: string;
  /** Set when a call opened it from a later state than the first world. */
  isLate?: true;
}

/** Facts of a world's last clean stop. */
export interface StoppedWorld {
  /** User name of HTTP Basic that means it. */
  clientId: string;
  records: number;
  atMs: number;
  clock: ClockState;
  /** Keys of all that call it (domain/platform/caller-keys.ts). */
  keys: readonly string[];
}

/** A world as a store has it. */
export interface StoredWorld {
  /** An empty state, at `seq` 0, where nothing was ever appended. */
  state: WorldState;
  recovery: RecoveryReport;
  /** Damaged parts that others stood in for. */
  passedOver: SkippedFile[];
}

/** Gathered by a world since its last checkpoint. */
export interface Gathered {
  /** Size of that checkpoint in bytes. */
  checkpointBytes: number;
  /** Files of the journal begun since; 0 where a journal has none. */
  segments: number;
  /** True when a checkpoint that is kept cannot be used. */
  hasDamage: boolean;
}

/** A part of a checkpoint: records of one kind, or other lines of one kind. */
export interface Part {
  kind: Kind | "balances" | "postings" | "history";
  /** Ids of its first and last record and their number, for a part with records. */
  holds?: { first: string; last: string; count: number };
  /** A JSON array. */
  bytes: Buffer;
}

/** Facts of a checkpoint, which make it count. */
export interface CheckpointFacts {
  /** Last change that it surely holds; later ones are applied again from the journal. */
  from: number;
  /** Newest change that it may already hold, and its instant. */
  to: number;
  toAtMs: number;
  meta: WorldMeta;
}

/** Writes the parts of a checkpoint one after the other, and tells its facts when all are written. */
export type WriteParts = (put: (part: Part) => Promise<void>) => Promise<CheckpointFacts>;

/** The earliest change that something gives, and its instant. */
export interface Reach {
  seq: number;
  atMs: number;
}

/**
 * A state that is to be kept. A store refers to what it has already: the timeline's changes, or the
 * parts of a state that it gave itself (`loadPoint`, `loadStart`, `earlier`).
 */
export interface StateImage {
  /** Of the caller's own; nobody changes it meanwhile. */
  state: WorldState;
  /** The clock as it stood then. */
  clock: ClockState | undefined;
  /** True for the world as it is now, or as it was at an earlier point of its timeline. */
  isOnTimeline: boolean;
  /** Bounds how far back its world may return, where that is less than the source gives. */
  reach?: Reach;
}

/** A world that begins as another one. */
export interface NewFork {
  facts: WorldFacts;
  identity: Buffer;
  image: StateImage;
  /** The change that makes it a world of its own, where the image lacks it: its line, the state then. */
  first?: { line: string; state: WorldState };
}

/** Hears what a store tells of a world that is open. */
export interface WorldOwner {
  /** A write failed, or the world is another process's (world/failed-writes.ts). */
  failed(failure: JournalFailed): unknown;
  /** Something that the operator should know. */
  alarm(message: string): void;
  /** Says that what callers no longer wait for may be acknowledged after all. */
  late(): void;
  /** Wall instant of its next timer, epoch milliseconds; null while none will come by itself. */
  dueAtMs(): number | null;
  /** SHA-256 of the files that its records name. */
  files(): string[];
}

/**
 * A world that this process owns: only it writes there (spec/store.md#ownership). Acts other than
 * appends come one after the other; a caller waits for each.
 *
 * Each act throws `JournalFailure` when storage failed, and has changed nothing then, unless it throws
 * `Unsettled`. A failure with `later` says that the act continues.
 */
export interface HeldWorld extends Items {
  readonly facts: WorldFacts;
  /** Rises each time the world is taken: the middle part of request ids. */
  readonly fence: number;
  /** The place where it is kept, for people. */
  readonly place: string;
  /** Puts the world to work: what stood in for it goes. Called once, before a journal is opened. */
  attach(owner: WorldOwner): Promise<void>;
  /**
   * Reads the newest whole checkpoint, then the changes after it.
   * @throws JournalDamage, StateDamage, OtherFormat; nothing was changed then
   */
  read(): Promise<StoredWorld>;
  /** Opens the journal behind its tail, or behind that of the last switch. */
  journal(tail: { seq: number; sizeBytes: number }): Journal;
  /** Ends the file that a journal is written to; the same journal where it has none. */
  rotate(journal: Journal, at: { seq: number; what: "point" | "checkpoint" }): Journal;
  readonly gathered: Gathered;
  /**
   * Writes a checkpoint, unless one has the same last change. It counts once its facts are told, and
   * what only older checkpoints needed goes. The journal was rotated for it.
   */
  checkpoint(seq: number, write: WriteParts): Promise<void>;
  /** The earliest point of the present timeline that `earlier` gives. */
  reach(): Reach | undefined;
  /** The world at a point of its present timeline; nothing where the store does not reach it. */
  earlier(point: PastPoint): Promise<WorldState | undefined>;
  /** Changes of the present timeline that the store has, the oldest first. */
  changes(range: { after: number; upTo: number }): Promise<readonly Change[]>;
  /** Restore points, the oldest first, and those that cannot be read. */
  points(): Promise<{ kept: RestorePoint[]; damaged: DamagedPoint[] }>;
  /** Keeps a state under a name, in place of an earlier one of that name. */
  savePoint(name: string, image: StateImage): Promise<RestorePoint>;
  /** A restore point's state; nothing when there is none. @throws StateDamage, JournalDamage */
  loadPoint(name: string): Promise<WorldState | undefined>;
  /** Whether there was one. */
  removePoint(name: string): Promise<boolean>;
  /** The state that the world was forked as. */
  loadStart(): Promise<WorldState>;
  /** Continues on a new timeline that begins at a state; the journal is opened again after it. */
  switchTo(image: StateImage): Promise<void>;
  /** Deletes the timelines that the world has left, where that takes an act of its own. */
  removeOldTimelines?(): Promise<void>;
  /** Makes a further world that this process owns; the origin has no unwritten change. */
  fork(fork: NewFork): Promise<HeldWorld>;
  /** Looks whether all that it wrote is still there; only where others can take it away. */
  look?(): void;
  /** Writes the world again as it is in memory: what the store had is lost. */
  rewrite?(state: WorldState): Promise<void>;
  /**
   * Gives the world back, closed; it is taken again before it is used again.
   * @param end.seq the last change, where all are durable and the stop is a clean one
   * @param end.summary stands in for the world until then
   */
  release(end: { seq?: number; summary?: StoppedWorld; documents: string[] }): Promise<void>;
  /** Deletes the world, closed; the worlds that were forked from it stay. */
  remove(): Promise<void>;
}

/** An act that may have been done in part and could neither be finished nor taken back. */
export class Unsettled extends JournalFailure {}
