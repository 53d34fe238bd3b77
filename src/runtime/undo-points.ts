import type { Change } from "./change.ts";
import type { Engine } from "./engine.ts";
import type { WorldState } from "./world-state.ts";

/** Marks and changes kept (decisions/undo-points-in-memory.md). */
export const UNDO_POINTS = {
  /** Changes between two marks, unless they are large. */
  apart: 1_024,
  /** Bytes of changes between two marks. */
  bytesApart: 4 * 1024 * 1024,
  changes: 10_000,
  bytes: 32 * 1024 * 1024,
} as const;

/** A state to redo changes on. */
interface UndoPoint {
  seq: number;
  atMs: number;
  state: WorldState;
}

/** Bytes of a record without its long texts; counted roughly, since each change is counted. */
const RECORD_BYTES = 400;

const longTextBytes = (record: object) => {
  let bytes = 0;
  // Lists no values first: every change of the world comes here.
  for (const name in record) {
    const value = record[name as keyof typeof record] as unknown;
    if (typeof value === "string") bytes += value.length;
  }
  return bytes;
};

const bytesOf = ({ put = [], emit = [], del = [], post = [] }: Change) => {
  let bytes = RECORD_BYTES + 64 * (del.length + post.length);
  for (const [, record] of put) bytes += RECORD_BYTES + longTextBytes(record);
  for (const { body } of emit) bytes += RECORD_BYTES + body.length;
  return bytes;
};

/**
 * The recent past of a world in memory: some of its states, and every change since the oldest of
 * them (spec/snapshots.md#horizon). Nothing is kept before a loaded world's first change.
 */
export class UndoPoints {
  private readonly engine: Engine;
  private marks: UndoPoint[] = [];
  /** All changes after the oldest mark, without a gap. */
  private changes: Change[] = [];
  private sizes: number[] = [];
  private bytes = 0;
  private bytesSinceMark = 0;
  private isInGroup = false;
  private switching: WorldState | undefined;

  constructor(engine: Engine) {
    this.engine = engine;
    engine.listeners.add({
      changing: (change) => this.beginBefore(change),
      changed: (change) => this.note(change),
      loaded: () => this.continueFrom(engine.state),
      remembers: (passes) => this.marks.some(({ state }) => passes(state)),
      stateAt: (seq) => this.stateAt(seq),
    });
  }

  /** The earliest point that can be reached. */
  earliest(): { seq: number; atMs: number } {
    const { seq, atMs } = this.marks[0] ?? this.engine.state;
    return { seq, atMs };
  }

  /** Numbers of the changes that have a mark, the oldest first. */
  at(): number[] {
    return this.marks.map(({ seq }) => seq);
  }

  /** The changes after a point, the oldest first. */
  after(seq: number): readonly Change[] {
    const [oldest] = this.marks;
    return oldest ? this.changes.slice(Math.max(0, seq - oldest.seq)) : [];
  }

  /** The last change up to an instant; nothing when it is before the earliest point. */
  seqAt(atMs: number): number | undefined {
    const earliest = this.earliest();
    if (atMs < earliest.atMs) return undefined;
    return this.changes.findLast(({ at }) => at <= atMs)?.seq ?? earliest.seq;
  }

  /** The same point, or the one before its group when the point is inside. */
  outsideGroup(seq: number): number {
    let outside = seq;
    for (let change = this.changeAt(outside); change && !this.endsGroup(change); outside -= 1)
      change = this.changeAt(outside - 1);
    return outside;
  }

  /**
   * A state of the caller's own, as the world was after a change; nothing when it is out of reach.
   */
  stateAt(seq: number): WorldState | undefined {
    if (seq === this.engine.state.seq) return this.engine.state.fork();
    const mark = this.marks.findLast((one) => one.seq <= seq);
    const [oldest] = this.marks;
    if (!mark || !oldest || seq > this.engine.state.seq) return undefined;
    const state = mark.state.fork();
    for (const change of this.changes.slice(mark.seq - oldest.seq, seq - oldest.seq))
      state.apply(change);
    return state;
  }

  /** Says that this state of its own past is about to be loaded: what came before it stays. */
  expect(state: WorldState) {
    this.switching = state;
  }

  /** Whether a change stands alone or ends its group, which is applied whole or not at all. */
  private endsGroup({ seq, upTo = seq }: Change) {
    return upTo <= seq;
  }

  private changeAt(seq: number): Change | undefined {
    const [oldest] = this.marks;
    return oldest && this.changes[seq - oldest.seq - 1];
  }

  private continueFrom(state: WorldState) {
    const { switching } = this;
    this.switching = undefined;
    this.isInGroup = false;
    if (state !== switching) return this.clear();
    const [oldest] = this.marks;
    if (!oldest || oldest.seq > state.seq) return this.clear();
    this.marks = this.marks.filter(({ seq }) => seq <= state.seq);
    this.keepChanges(0, state.seq - oldest.seq);
  }

  private beginBefore({ seq }: Change) {
    const { state } = this.engine;
    const follows = (this.changes.at(-1) ?? this.marks[0])?.seq === seq - 1;
    if (this.marks.length > 0 && !follows) this.clear();
    if (this.marks.length === 0 && !this.isInGroup && state.seq > 0) this.mark();
  }

  private note(change: Change) {
    if (change.opens) this.clear();
    const isEnd = this.endsGroup(change);
    this.isInGroup = !isEnd;
    if (this.marks.length > 0) {
      const bytes = bytesOf(change);
      this.changes.push(change);
      this.sizes.push(bytes);
      this.bytes += bytes;
      this.bytesSinceMark += bytes;
    }
    if (isEnd && this.isFarFromMark(change.seq)) this.mark();
  }

  private isFarFromMark(seq: number) {
    const last = this.marks.at(-1);
    return (
      !last || seq - last.seq >= UNDO_POINTS.apart || this.bytesSinceMark >= UNDO_POINTS.bytesApart
    );
  }

  private mark() {
    const { state } = this.engine;
    this.marks.push({ seq: state.seq, atMs: state.atMs, state: state.fork() });
    this.bytesSinceMark = 0;
    while (this.marks.length > 1 && this.isTooMuch()) this.dropOldest();
  }

  private isTooMuch() {
    return this.changes.length > UNDO_POINTS.changes || this.bytes > UNDO_POINTS.bytes;
  }

  private dropOldest() {
    const [oldest, next] = this.marks;
    if (!oldest || !next) return;
    this.marks.shift();
    this.keepChanges(next.seq - oldest.seq);
  }

  private keepChanges(from: number, to?: number) {
    this.changes = this.changes.slice(from, to);
    this.sizes = this.sizes.slice(from, to);
    this.bytes = this.sizes.reduce((sum, bytes) => sum + bytes, 0);
  }

  private clear() {
    this.marks = [];
    this.changes = [];
    this.sizes = [];
    this.bytes = 0;
    this.bytesSinceMark = 0;
  }
}
