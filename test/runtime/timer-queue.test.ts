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

/** Timers with their queue, as in a world. */
const newTable = () => {
  const records = new Map<string, TimerRecord>();
  const queue = new TimerQueue();
  const set = (id: string, record: TimerRecord | undefined) => {
    const before = records.get(id);
    if (before) queue.drop(before);
    records.delete(id);
    if (!record) return;
    queue.add(record);
    records.set(id, record);
  };
  return { records, queue, set };
};

const naiveNext = (records: Map<string, TimerRecord>) =>
  [...records.values()]
    .filter(({ poisoned }) => poisoned === undefined)
    .sort((a, b) => a.dueAtMs - b.dueAtMs || a.order - b.order)[0]?.id;

test("timers come up by due instant, then in the order they were set", () => {
  const { queue, set } = newTable();
  set("c", timer("c", 20, 3));
  set("b", timer("b", 10, 2));
  set("a", timer("a", 10, 1));
  set("d", timer("d", 5, 4));
  set("z", timer("z", -7, 5));
  const fired: string[] = [];
  for (let next = queue.next(); next; next = queue.next()) {
    fired.push(next);
    set(next, undefined);
  }
  expect(fired).toEqual(["z", "d", "a", "b", "c"]);
});

test("a timer stays next until it is dropped", () => {
  const { queue, set } = newTable();
  set("a", timer("a", 10, 1));
  expect([queue.next(), queue.next()]).toEqual(["a", "a"]);
  set("a", undefined);
  expect(queue.next()).toBeUndefined();
});

test("a moved timer fires at its new instant, a poisoned one never", () => {
  const { queue, set } = newTable();
  set("a", timer("a", 10, 1));
  set("b", timer("b", 20, 2));
  set("a", timer("a", 30, 3));
  expect(queue.next()).toBe("b");
  set("b", { ...timer("b", 20, 2), poisoned: "it threw" });
  expect(queue.next()).toBe("a");
});

test("a fork continues by itself", () => {
  const { queue, set } = newTable();
  for (let n = 0; n < 40; n += 1) set(`${n}`, timer(`${n}`, 100 + n, n));
  const fork = queue.fork();
  set("0", undefined);
  fork.add(timer("early", 1, 41));
  expect([queue.next(), fork.next()]).toEqual(["1", "early"]);
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
        if (step.do === "set") set(step.id, timer(step.id, step.dueAtMs, order));
        if (step.do === "cancel") set(step.id, undefined);
        if (step.do === "poison") {
          const record = records.get(step.id);
          if (record) set(step.id, { ...record, poisoned: "it threw" });
        }
        if (step.do === "fire") set(queue.next() ?? "", undefined);
        expect(queue.next()).toEqual(naiveNext(records));
      }
    }),
  );
});
