import { type HostTime, hostTime } from "../../machine/host-time.ts";
import type { Change } from "../../runtime/change.ts";
import type { Journal, JournalFailed } from "../../runtime/journal.ts";
import { JournalFailure } from "../../runtime/ports.ts";
import { StoreTrouble } from "../port/store-trouble.ts";
import { type CallerKeys, callerChanges, isIndexed, namedFiles } from "./caller-index.ts";
import { ChangeGroups, type TakenGroups } from "./change-groups.ts";
import { BATCH_LIMITS, type BatchSource, type Flusher } from "./flusher.ts";
import type { Lease } from "./lease.ts";
import type { Batch, Holding } from "./store-engine.ts";

/** Wait of a caller before the answer is 503; the change stays queued. */
const CALLER_MS = 2000;
/** Wait of a world that closes for its last changes. */
const CLOSE_MS = 5000;

/** A world whose changes a journal writes. */
export interface EngineJournalParts {
  /** The world as its process took it, with the last change in the engine. */
  holding: Holding;
  flusher: Pick<Flusher, "ready" | "trouble">;
  lease: Pick<Lease, "validUntil" | "watch" | "trouble">;
  /** Caller keys of its state at that change. */
  callers: CallerKeys;
  /** Instant of its next timer by the system clock, epoch milliseconds; null while none is due. */
  dueAtMs(): number | null;
  /** Called once, when the world belongs to another process: it must be dropped. */
  onFailure(failure: JournalFailed): unknown;
  /** Called when what callers no longer wait for may be acknowledged after all. */
  onLate?(): void;
  /** Bytes in the log already. */
  earlierBytes?: number;
  time?: HostTime;
}

interface Waiter {
  seq: number;
  untilMs: number;
  /** Waits for the lease alone: what it asks about was durable. */
  isRead: boolean;
  /** Closing the world acknowledges nothing, so no lease is needed for it. */
  isClosing: boolean;
  resolve(): void;
  reject(error: Error): void;
}

/**
 * The journal of one world in an engine that several processes share. Nothing leaves before its
 * change is in the engine, nor after the lease has ended (spec/store.md#reads).
 */
export class EngineJournal implements Journal, BatchSource {
  readonly name: string;
  private readonly parts: EngineJournalParts;
  private readonly time: HostTime;
  private readonly groups = new ChangeGroups(isIndexed);
  private readonly unwatch: () => void;
  private readonly callers: Map<string, readonly string[]>;
  private bufferedSeq: number;
  private writtenSeq: number;
  private writtenBytes: number;
  /** Instant that the engine was told last; nothing before the first flush. */
  private toldDueAtMs: number | null | undefined;
  private waiters: Waiter[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** Highest change that a caller no longer waits for. */
  private lateSeq: number | undefined;
  /** Rises with each write of the world's rows. */
  private fence: number;
  private isUnderWay = false;
  /** True while work writes the world's rows: no flush may begin. */
  private isHeld = false;
  private onQuiet = () => {};
  private lane: Promise<unknown> = Promise.resolve();
  private isClosed = false;
  private failure: StoreTrouble | undefined;

  constructor(parts: EngineJournalParts) {
    this.parts = parts;
    this.time = parts.time ?? hostTime;
    const { name, fence, seq } = parts.holding;
    this.name = name;
    this.fence = fence;
    this.bufferedSeq = seq;
    this.writtenSeq = seq;
    this.writtenBytes = parts.earlierBytes ?? 0;
    this.callers = new Map(parts.callers);
    this.unwatch = parts.lease.watch({
      renewed: () => this.release(),
      ended: (why) => this.lose(why),
    });
  }

  buffer(change: Change) {
    if (this.isClosed || this.isLost) return;
    this.bufferedSeq = change.seq;
    if (this.groups.add(change)) this.parts.flusher.ready(this);
  }

  durableSeq() {
    return this.writtenSeq;
  }

  /** @throws StoreTrouble when the wait takes too long, JournalFailure when the world is lost */
  reached(seq: number): Promise<void> | undefined {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    const isRead = seq <= this.writtenSeq;
    if (this.isClosed && (isRead || seq > this.bufferedSeq))
      return Promise.reject(new JournalFailure("the journal is closed"));
    if (isRead && this.mayLeave()) return undefined;
    return this.wait({ seq, isRead, waitMs: CALLER_MS });
  }

  sizeBytes() {
    return this.writtenBytes;
  }

  /** Counts its bytes from now on: a checkpoint stands in for those before. */
  beginAnew() {
    this.writtenBytes = 0;
  }

  /** Reason why nothing can be written at present. */
  trouble(): string | undefined {
    const { flusher, lease } = this.parts;
    return (flusher.trouble() ?? lease.trouble())?.why;
  }

  /**
   * Waits until what was buffered is in the engine.
   * @throws StoreTrouble when that takes too long, JournalFailure when the world is lost
   */
  async close() {
    if (this.isClosed || this.isLost) return;
    this.isClosed = true;
    const { bufferedSeq: seq } = this;
    try {
      if (seq > this.writtenSeq) await this.wait({ seq, isClosing: true, waitMs: CLOSE_MS });
    } finally {
      this.unwatch();
    }
  }

  /**
   * Runs work that writes the world's rows, between two flushes: changes wait meanwhile. Each such
   * write raises the fence, which the work notes in the holding that it is given.
   * @throws JournalFailure when the world is lost
   */
  between<Done>(work: (holding: Holding) => Promise<Done>): Promise<Done> {
    const done = this.lane.then(() => this.alone(work));
    this.lane = done.catch(() => {});
    return done;
  }

  /** Tells whether changes wait for the engine, and may get in. */
  get hasUnwritten() {
    return !this.isLost && this.bufferedSeq > this.writtenSeq;
  }

  get isLost() {
    return this.failure !== undefined;
  }

  get isReady() {
    return this.groups.isReady && !this.isHeld;
  }

  nextBatch(): Batch | undefined {
    const taken = this.isHeld ? undefined : this.groups.take(BATCH_LIMITS);
    if (!taken) return undefined;
    this.isUnderWay = true;
    const { first, last, lines, indexed, isAll } = taken;
    const { name, fence } = this;
    const { timeline } = this.parts.holding;
    return {
      name,
      fence,
      timeline,
      first,
      last,
      lines,
      ...this.indexOf(indexed),
      ...this.dueOf(isAll),
    };
  }

  written({ last, lines }: Batch) {
    this.writtenSeq = last;
    this.writtenBytes += Buffer.byteLength(lines);
    this.quiet();
    this.release();
  }

  /** Takes and acknowledges nothing more: the world belongs to another process. */
  lose(why: string) {
    if (this.isLost) return;
    this.failure = new StoreTrouble(why, { mayBeDone: true });
    this.unwatch();
    this.groups.clear();
    this.quiet();
    if (this.timer) this.time.clearTimeout(this.timer);
    const waiting = this.waiters;
    this.waiters = [];
    this.parts.onFailure({ error: new Error(why), cut: true, loss: { kind: "taken", why } });
    for (const { reject } of waiting) reject(this.failure);
  }

  private async alone<Done>(work: (holding: Holding) => Promise<Done>): Promise<Done> {
    this.isHeld = true;
    try {
      if (this.isUnderWay) await this.whenQuiet();
      if (this.failure) throw this.failure;
      const holding = { ...this.parts.holding, fence: this.fence, seq: this.writtenSeq };
      return await work(holding).finally(() => {
        this.fence = holding.fence;
      });
    } finally {
      this.isHeld = false;
      if (this.isReady) this.parts.flusher.ready(this);
    }
  }

  /** @throws StoreTrouble when the flush under way does not end in time */
  private whenQuiet(): Promise<void> {
    return new Promise((resolve, reject) => {
      const seen = () => this.trouble() ?? `The store has not answered for ${CALLER_MS / 1000} s`;
      const late = () => reject(new StoreTrouble(seen(), { mayBeDone: false }));
      const timer = this.time.setTimeout(late, CALLER_MS);
      timer.unref();
      this.onQuiet = () => {
        this.time.clearTimeout(timer);
        resolve();
      };
    });
  }

  private quiet() {
    this.isUnderWay = false;
    this.onQuiet();
  }

  private indexOf(changes: TakenGroups["indexed"]): Pick<Batch, "callers" | "files"> {
    if (changes.length === 0) return {};
    const { made, dropped, records } = callerChanges(this.callers, changes);
    for (const [record, keys] of records)
      if (keys.length > 0) this.callers.set(record, keys);
      else this.callers.delete(record);
    const files = namedFiles(changes);
    return {
      ...(made.length + dropped.length > 0 && { callers: { made, dropped } }),
      ...(files.length > 0 && { files }),
    };
  }

  /** With later changes waiting, the next timer is that of a later state: the world is due now. */
  private dueOf(isAll: boolean): Pick<Batch, "dueAtMs"> {
    const told = this.toldDueAtMs;
    const nowMs = this.time.nowMs();
    if (!isAll && typeof told === "number" && told <= nowMs) return {};
    const dueAtMs = isAll ? this.parts.dueAtMs() : nowMs;
    this.toldDueAtMs = dueAtMs;
    return dueAtMs === told ? {} : { dueAtMs };
  }

  private mayLeave() {
    return this.time.monotonicMs() < this.parts.lease.validUntil();
  }

  private wait(how: {
    seq: number;
    waitMs: number;
    isRead?: boolean;
    isClosing?: boolean;
  }): Promise<void> {
    const { seq, waitMs, isRead = false, isClosing = false } = how;
    const untilMs = this.time.monotonicMs() + waitMs;
    return new Promise((resolve, reject) => {
      this.waiters.push({ seq, untilMs, isRead, isClosing, resolve, reject });
      if (!this.timer) this.expireAfter(CALLER_MS);
    });
  }

  private release() {
    const mayLeave = this.mayLeave();
    const waiting = this.waiters;
    this.waiters = [];
    for (const waiter of waiting)
      if (waiter.seq <= this.writtenSeq && (mayLeave || waiter.isClosing)) waiter.resolve();
      else this.waiters.push(waiter);
    if (this.lateSeq === undefined || this.lateSeq > this.writtenSeq || !mayLeave) return;
    this.lateSeq = undefined;
    this.parts.onLate?.();
  }

  private expireAfter(delayMs: number) {
    this.timer = this.time.setTimeout(() => this.expire(), delayMs);
    this.timer.unref();
  }

  /** Answers those who have waited long enough; one timer serves all of them. */
  private expire() {
    this.timer = undefined;
    const nowMs = this.time.monotonicMs();
    const waiting = this.waiters;
    this.waiters = waiting.filter(({ untilMs }) => untilMs > nowMs);
    for (const waiter of waiting) if (waiter.untilMs <= nowMs) this.giveUp(waiter);
    if (this.waiters.length === 0) return;
    const nextMs = this.waiters.reduce((least, { untilMs }) => Math.min(least, untilMs), Infinity);
    this.expireAfter(nextMs - nowMs);
  }

  private giveUp({ seq, isRead, reject }: Waiter) {
    this.lateSeq = Math.max(seq, this.lateSeq ?? 0);
    const { flusher, lease } = this.parts;
    const trouble = isRead ? lease.trouble() : (flusher.trouble() ?? lease.trouble());
    const why = trouble?.why ?? `The store has not answered for ${CALLER_MS / 1000} s`;
    const code = trouble?.code === undefined ? {} : { code: trouble.code };
    const says = isRead ? `${why}, so what this process knows may be old` : why;
    reject(new StoreTrouble(says, { mayBeDone: !isRead, ...code }));
  }
}
