import type { TimerRecord } from "../domain/records/records.ts";
import { type IdList, listOf, type Owner, withId, withoutId } from "./sorted-ids.ts";

/** Makes every instant of the clock a positive number, whose digits sort as the instants do. */
const EARLIEST_MS = 8_640_000_000_000_000;
const DIGITS = 17;

const digits = (value: number) => `${value}`.padStart(DIGITS, "0");

const keyOf = ({ dueAtMs, order, id }: TimerRecord) =>
  `${digits(dueAtMs + EARLIEST_MS)} ${digits(order)} ${id}`;

/** Orders timers as their keys do. */
const inTurn = (one: TimerRecord, other: TimerRecord) =>
  one.dueAtMs - other.dueAtMs || one.order - other.order || (one.id < other.id ? -1 : 1);

/** Whether a timer will fire. */
export const isPending = ({ poisoned, canceledAtMs }: TimerRecord) =>
  poisoned === undefined && canceledAtMs === undefined;

const ID_AT = 2 * (DIGITS + 1);

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
    queue.keys = listOf(pending.sort(inTurn).map(keyOf), queue.owner);
    return queue;
  }

  add(timer: TimerRecord) {
    if (isPending(timer)) this.keys = withId(this.keys, keyOf(timer), this.owner);
  }

  drop(timer: TimerRecord) {
    this.keys = withoutId(this.keys, keyOf(timer), this.owner);
  }

  /** Id of the next timer, if any. */
  next(): string | undefined {
    return this.keys.at(0)?.slice(ID_AT);
  }

  /** The same timers for another writer; from now on neither sees what the other adds. */
  fork(): TimerQueue {
    const twin = new TimerQueue();
    twin.keys = this.keys;
    this.owner = {};
    return twin;
  }
}
