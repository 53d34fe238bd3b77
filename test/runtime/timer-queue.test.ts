import fc from "fast-check";
import { expect, test } from "vitest";
import type { TimerRecord } from "../../src/domain/records/records.ts";
import { TimerQueue } from "../../src/runtime/timer-queue.ts";

const timer = (id: string, dueAtMs: number, order: number): TimerRecord => ({
  id,
  name: "quote.expire",
  subject: id,
  dueAtMs,
  order,
});

/** A table of timers with its queue, as in the engine. */
const newTable = () => {
  const records = new Map<string, TimerRecord>();
  const queue = new TimerQueue((id) => records.get(id));
  const set = (record: TimerRecord) => {
    records.set(record.id, record);
    queue.push(record);
  };
  return { records, queue, set };
};

const naiveNext = (records: Map<string, TimerRecord>) =>
  [...records.values()]
    .filter(({ poisoned }) => poisoned === undefined)
    .sort((a, b) => a.dueAtMs - b.dueAtMs || a.order - b.order)[0];

test("timers come up by due instant, then in the order they were set", () => {
  const { records, queue, set } = newTable();
  set(timer("c", 20, 3));
  set(timer("b", 10, 2));
  set(timer("a", 10, 1));
  set(timer("d", 5, 4));
  const fired: string[] = [];
  for (let next = queue.peek(); next; next = queue.peek()) {
    fired.push(next.id);
    records.delete(next.id);
  }
  expect(fired).toEqual(["d", "a", "b", "c"]);
});

test("a timer stays next until its record is gone", () => {
  const { records, queue, set } = newTable();
  set(timer("a", 10, 1));
  expect([queue.peek()?.id, queue.peek()?.id]).toEqual(["a", "a"]);
  records.delete("a");
  expect(queue.peek()).toBeUndefined();
});

test("a moved timer fires at its new instant, a poisoned one never", () => {
  const { records, queue, set } = newTable();
  set(timer("a", 10, 1));
  set(timer("b", 20, 2));
  set(timer("a", 30, 3));
  expect(queue.peek()?.id).toBe("b");
  records.set("b", { ...timer("b", 20, 2), poisoned: "it threw" });
  expect(queue.peek()).toMatchObject({ id: "a", dueAtMs: 30 });
});

const ids = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h");
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant("set" as const), id: ids, dueAtMs: fc.nat(9) }),
    fc.record({ do: fc.constantFrom("cancel" as const, "poison" as const), id: ids }),
    fc.record({ do: fc.constant("fire" as const) }),
  ),
  { maxLength: 60 },
);

test("after any sets, moves, cancellations, poisonings and firings, the next timer is the first in order", () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const { records, queue, set } = newTable();
      for (const [order, step] of sequence.entries()) {
        if (step.do === "set") set(timer(step.id, step.dueAtMs, order));
        if (step.do === "cancel") records.delete(step.id);
        if (step.do === "poison") {
          const record = records.get(step.id);
          if (record) records.set(step.id, { ...record, poisoned: "it threw" });
        }
        if (step.do === "fire") records.delete(queue.peek()?.id ?? "");
        expect(queue.peek()).toEqual(naiveNext(records));
      }
    }),
  );
});
