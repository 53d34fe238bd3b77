import type { TimerRecord } from "../domain/records/records.ts";

interface Entry {
  id: string;
  dueAtMs: number;
  order: number;
}

const isEarlier = (a: Entry, b: Entry) =>
  a.dueAtMs < b.dueAtMs || (a.dueAtMs === b.dueAtMs && a.order < b.order);

/**
 * Pending timers by `(dueAt, order of creation)` (spec/clock.md#timer-order;
 * decisions/timer-order.md): a binary heap over the timer table. Canceled or moved timers are
 * dropped when they come up.
 */
export class TimerQueue {
  private readonly heap: Entry[] = [];
  private readonly timerOf: (id: string) => TimerRecord | undefined;

  constructor(timerOf: (id: string) => TimerRecord | undefined) {
    this.timerOf = timerOf;
  }

  push({ id, dueAtMs, order }: TimerRecord) {
    const { heap } = this;
    const entry = { id, dueAtMs, order };
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isEarlier(entry, heap[parent] as Entry)) break;
      heap[at] = heap[parent] as Entry;
      at = parent;
    }
    heap[at] = entry;
  }

  /** The next timer, if any. It stays in the queue until its record is gone. */
  peek(): TimerRecord | undefined {
    for (;;) {
      const [top] = this.heap;
      if (!top) return undefined;
      const timer = this.timerOf(top.id);
      if (timer?.order === top.order && timer.poisoned === undefined) return timer;
      this.pop();
    }
  }

  private pop() {
    const { heap } = this;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= heap.length) break;
      const right = left + 1;
      const child =
        right < heap.length && isEarlier(heap[right] as Entry, heap[left] as Entry) ? right : left;
      if (!isEarlier(heap[child] as Entry, last)) break;
      heap[at] = heap[child] as Entry;
      at = child;
    }
    heap[at] = last;
  }
}
