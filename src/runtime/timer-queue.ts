import { positionAfter, positionIn } from "../domain/core/ids.ts";
import type { TimerRecord } from "../domain/records/records.ts";
import { type IdList, listOf, type Owner, withId, withoutId } from "./id-set.ts";

/** Makes every instant of the clock a positive number, whose digits sort as the instants do. */
const EARLIEST_MS = 8_640_000_000_000_000;
const DIGITS = 17;

const digits = (value: number) => `${value}`.padStart(DIGITS, "0");

/** The mark of a timer's place, by which timers sort. */
export const timerMark = ({ dueAtMs, order, id }: TimerRecord) =>
  `${digits(dueAtMs + EARLIEST_MS)} ${digits(order)} ${id}`;

/** Orders timers as their keys do. */
const inTurn = (one: TimerRecord, other: TimerRecord) =>
  one.dueAtMs - other.dueAtMs || one.order - other.order || (one.id < other.id ? -1 : 1);

/** Whether a timer will fire. */
export const isPending = ({ poisoned, canceledAtMs }: TimerRecord) =>
  poisoned === undefined && canceledAtMs === undefined;

const ID_AT = 2 * (DIGITS + 1);

/** The id of the timer that a mark was made of. */
export const timerIdIn = (mark: string) => mark.slice(ID_AT);

const MARK = /^\d{17} \d{17} .+$/;

/** Tells whether a text is the mark of a timer's place. */
export const isTimerMark = (text: string) => MARK.test(text);

/** Positions in the queue: the first, and the one after the last. */
export interface TimerSpan {
  from: number;
  to: number;
}

/**
 * Pending timers by `(dueAt, order of creation)` (spec/clock.md#timer-order;
 * decisions/timer-order.md). A timer that threw, or was canceled, is not pending.
 */
export class TimerQueue {
  private keys: IdList = [];
  private owner: Owner = {};

  static of(timers: Iterable<TimerRecord>): TimerQueue {
    const queue = new TimerQueue();
    const pending: TimerRecord[] = [];
    for (const timer of timers) if (isPending(timer)) pending.push(timer);
    queue.keys = listOf(pending.sort(inTurn).map(timerMark), queue.owner);
    return queue;
  }

  add(timer: TimerRecord) {
    if (isPending(timer)) this.keys = withId(this.keys, timerMark(timer), this.owner);
  }

  drop(timer: TimerRecord) {
    this.keys = withoutId(this.keys, timerMark(timer), this.owner);
  }

  /** Id of the next timer, if any. */
  next(): string | undefined {
    return this.keys.at(0)?.slice(ID_AT);
  }

  get length() {
    return this.keys.length;
  }

  /** The positions of the timers that are due in a span: the first, and the one after the last. */
  span({ fromMs, toMs }: { fromMs?: number | undefined; toMs?: number | undefined }): TimerSpan {
    const from = fromMs === undefined ? 0 : positionIn(this.keys, digits(fromMs + EARLIEST_MS));
    const to =
      toMs === undefined ? this.keys.length : positionIn(this.keys, digits(toMs + 1 + EARLIEST_MS));
    return { from, to: Math.max(from, to) };
  }

  /** The position of the first timer after the one that a mark was made of, fired or not. */
  after(mark: string): number {
    return positionAfter(this.keys, mark);
  }

  /** Timers between two positions, each with a mark of its place. */
  slice({ from, to }: TimerSpan): { id: string; mark: string }[] {
    return this.keys.slice(from, to).map((mark) => ({ id: mark.slice(ID_AT), mark }));
  }

  /** The same timers for another writer; from now on neither sees what the other adds. */
  fork(): TimerQueue {
    const twin = new TimerQueue();
    twin.keys = this.keys;
    this.owner = {};
    return twin;
  }
}
