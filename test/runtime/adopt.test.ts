import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Refusal } from "../../src/domain/core/refusal.ts";
import type { Change } from "../../src/runtime/change.ts";
import type { Engine } from "../../src/runtime/engine.ts";
import type { FiredTimer } from "../../src/runtime/listeners.ts";
import type { DryRunEntry } from "../../src/runtime/merge.ts";
import { CAUSE, leave, openEngine, START_MS, setFor } from "./setup/test-engine.ts";

let world: ReturnType<typeof openEngine>;
let engine: Engine;

beforeEach(() => {
  world = openEngine("manual");
  engine = world.engine;
});

afterEach(() => {
  engine.close();
  vi.restoreAllMocks();
});

const change = (more: Partial<Change> = {}): DryRunEntry => ({
  change: { v: 5, seq: 2, at: START_MS, cause: "req-1-1", by: "test", n: 7, ...more },
});

const put = (id: string): Partial<Change> => ({ put: [["Event", { id, body: "" }]] });

const hasEvent = (id: string) => engine.state.get("Event", id) !== undefined;

test("changes are taken in order, numbered on, and the next one comes after them", () => {
  const past = [change(put("a")), change({ ...put("b"), seq: 3, n: 9 })];
  expect(engine.adopt(engine.origin(), past)).toBe(true);
  engine.commit(leave, "c", CAUSE);
  const [, ...after] = world.journal.changes();
  expect(after.map(({ seq, upTo, n }) => ({ seq, upTo, n }))).toEqual([
    { seq: 2, upTo: 3, n: 7 },
    { seq: 3, upTo: undefined, n: 9 },
    { seq: 4, upTo: undefined, n: 9 },
  ]);
  expect(["a", "b", "c"].map(hasEvent)).toEqual([true, true, true]);
});

test("listeners get everything in the order in which it happened", () => {
  const told: unknown[] = [];
  engine.listeners.add({
    changed: ({ seq }) => told.push(seq),
    fired: ({ subject }) => told.push(subject),
  });
  const fired: FiredTimer = { atMs: START_MS, timer: "payment.settle", subject: "x" };
  const past = [change(), { fired }, { tell: () => told.push("told") }, change({ seq: 3 })];
  engine.adopt(engine.origin(), past);
  expect(told).toEqual([2, "x", "told", 3]);
});

test("a timer that was set fires, one that was cleared does not", () => {
  engine.commit(setFor, { subject: "cleared", inMs: 5 }, CAUSE);
  const timer = { id: "payment.settle set", name: "payment.settle", subject: "set" } as const;
  const set = { ...timer, dueAtMs: START_MS + 5, order: 2 ** 22 };
  const past = [change({ put: [["Timer", set]], del: [["Timer", "payment.settle cleared"]] })];
  engine.adopt(engine.origin(), past);
  expect(engine.nextTimer()).toEqual(set);
});

test("deliveries of its events are reported, and held until the journal has them", () => {
  const changed = vi.fn();
  engine.join({ changed, dispatch: () => {} } as never);
  const durable = vi.spyOn(world.journal, "durableSeq").mockReturnValue(1);
  const event = { id: "w", type: "TEST", lane: "l", body: "{}", deliverable: true } as const;
  engine.adopt(engine.origin(), [change({ emit: [event] })]);
  expect(changed).toHaveBeenCalledWith(expect.objectContaining({ id: "w", lane: "l" }));
  expect(engine.maySend("w")).toBe(false);
  durable.mockReturnValue(2);
  expect(engine.maySend("w")).toBe(true);
});

test.each([
  { what: "a change", move: () => void engine.commit(leave, "x", CAUSE) },
  { what: "an advance that began", move: () => engine.clock.stepTo(START_MS) },
  { what: "a world that was read again", move: () => engine.load(engine.state, world.journal) },
])("after $what nothing is applied", ({ move }) => {
  const origin = engine.origin();
  move();
  const { seq } = engine.state;
  expect(engine.adopt(origin, [change(put("a"))])).toBe(false);
  expect([engine.state.seq, hasEvent("a")]).toEqual([seq, false]);
});

test("a copy is rejected after a step of an advance and accepted between steps", () => {
  engine.clock.stepTo(START_MS + 10);
  const origin = engine.origin();
  expect(engine.adopt(origin, [])).toBe(true);
  engine.clock.stepTo(START_MS + 20);
  expect(engine.adopt(origin, [change()])).toBe(false);
});

const opening = () =>
  change({
    opens: { world: "sandbox", seed: "test", branch: 2 },
    clock: { mode: "manual", offsetMs: 0, instantMs: START_MS },
  });

test("a change that opens a world is applied even if the world has moved on, and drops it all", () => {
  const origin = engine.origin();
  engine.commit(leave, "x", CAUSE);
  engine.clock.stepTo(START_MS + 60_000);
  const { generation } = engine;
  expect(engine.adopt(origin, [opening(), change({ ...put("a"), seq: 3 })])).toBe(true);
  expect(world.journal.changes().map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  expect(["x", "a"].map(hasEvent)).toEqual([false, true]);
  expect(engine.generation).toBe(generation + 1);
  expect([engine.clock.now(), engine.clock.isStepping]).toEqual([START_MS, false]);
});

test("but not twice: the second would repeat the ids of the first", () => {
  const origin = engine.origin();
  engine.adopt(origin, [opening()]);
  expect(engine.adopt(origin, [opening()])).toBe(false);
});

test("the clock is never behind the applied changes, and continues from them", () => {
  const atMs = START_MS + 1000;
  engine.adopt(engine.origin(), [change({ at: atMs })]);
  expect(engine.clock.now()).toBe(atMs);
  const clock = { mode: "real", offsetMs: 5000, instantMs: atMs } as const;
  engine.adopt(engine.origin(), [change({ at: atMs, clock })]);
  expect(engine.clock.now()).toBe(START_MS + 5000);
  world.wall.ms += 10;
  expect(engine.clock.now()).toBe(START_MS + 5010);
});

test("a clock held by an advance stays held at the instant of the changes", () => {
  engine.clock.stepTo(START_MS);
  const clock = { mode: "real", offsetMs: 5000, instantMs: START_MS + 5000 } as const;
  engine.adopt(engine.origin(), [change({ at: START_MS + 5000, clock })]);
  world.wall.ms += 10;
  expect([engine.clock.isStepping, engine.clock.now()]).toEqual([true, START_MS + 5000]);
});

test("a stopped world accepts only a change that opens it again", () => {
  engine.stopped = { why: "a bug", by: "test", values: {} };
  expect(() => engine.adopt(engine.origin(), [change()])).toThrow(Refusal);
  expect(engine.state.seq).toBe(1);
  expect(engine.adopt(engine.origin(), [opening()])).toBe(true);
  expect(engine.stopped).toBeUndefined();
  engine.readOnlyBecause = "storage failed";
  expect(() => engine.adopt(engine.origin(), [opening()])).toThrow(Refusal);
});
