import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NO_DELIVERIES } from "../../src/control/seed/seed-dry-run.ts";
import type { Draft, Moment } from "../../src/domain/core/draft.ts";
import { Refusal, refuse } from "../../src/domain/core/refusal.ts";
import type { TimerName } from "../../src/domain/records/timer-names.ts";
import { TIMERS } from "../../src/domain/timers.ts";
import { hostTime } from "../../src/machine/host-time.ts";
import { WorldState } from "../../src/runtime/world-state.ts";
import { fakeHostTimers, realHostTimers } from "../setup/host-timers.ts";
import { imageOf } from "./setup/random-world.ts";
import { CAUSE, leave, openEngine, START_MS, setFor } from "./setup/test-engine.ts";
import { turn, until } from "./setup/turns.ts";

let fired: [subject: string, afterMs: number][];
let world: ReturnType<typeof openEngine>;

/** Replaces the effect of a timer: each firing is noted and leaves a record. */
const onFire = (draft: Draft, subject: string, moment: Moment) => {
  fired.push([subject, moment.atMs - START_MS]);
  draft.put("Event", { id: subject, body: "fired" });
  return { to: "FIRED" };
};

beforeEach(() => {
  fired = [];
  world = openEngine();
  for (const name of ["payment.settle", "refund.settle"] as TimerName[])
    vi.spyOn(TIMERS[name], "fire").mockImplementation(onFire);
});

afterEach(() => {
  world.engine.close();
  vi.restoreAllMocks();
});

const set = (subject: string, inMs: number) =>
  world.engine.commit(setFor, { subject, inMs }, CAUSE);

const bodyOf = (id: string) => world.engine.read((view) => view.get("Event", id)?.body, {}).reply;

/** Journal records after the world was opened. */
const history = () =>
  world.journal
    .changes()
    .slice(1)
    .map(({ at, by, cause }) => [by, at - START_MS, cause]);

test.each([
  { afterMs: 999, sees: undefined },
  { afterMs: 1000, sees: "fired" },
  { afterMs: 5000, sees: "fired" },
])("a read after $afterMs ms sees of a timer due after 1000 ms: $sees", ({ afterMs, sees }) => {
  set("a", 1000);
  world.wall.ms += afterMs;
  expect(bodyOf("a")).toBe(sees);
  expect(fired).toEqual(sees ? [["a", 1000]] : []);
});

test("a commit comes after everything due, each firing stamped with its own instant", () => {
  set("late", 3000);
  set("early", 1000);
  world.wall.ms += 10_000;
  world.engine.commit(leave, "mine", CAUSE);
  expect(history()).toEqual([
    ["test", 0, "req-1-1"],
    ["test", 0, "req-1-1"],
    ["payment.settle", 1000, "payment.settle early"],
    ["payment.settle", 3000, "payment.settle late"],
    ["test", 10_000, "req-1-1"],
  ]);
});

test("timers due at one instant fire in the order they were set, whatever their names", () => {
  for (const [subject, name] of [
    ["c", "refund.settle"],
    ["a", "payment.settle"],
    ["b", "refund.settle"],
  ] as [string, TimerName][])
    world.engine.commit(setFor, { subject, inMs: 50, name }, CAUSE);
  set("c", 50); // another name: a timer of its own
  world.wall.ms += 50;
  world.engine.catchUp();
  expect(fired.map(([subject]) => subject)).toEqual(["c", "a", "b", "c"]);
});

test("setting a timer again moves it", () => {
  set("a", 50);
  set("b", 60);
  set("a", 70);
  world.wall.ms += 100;
  world.engine.catchUp();
  expect(fired).toEqual([
    ["b", 60],
    ["a", 70],
  ]);
});

test("a firing, its effect and the end of its timer are one change", () => {
  set("a", 50);
  world.wall.ms += 50;
  world.engine.catchUp();
  expect(world.journal.changes().at(-1)).toMatchObject({
    cause: "payment.settle a",
    by: "payment.settle",
    put: [["Event", { id: "a", body: "fired" }]],
    del: [["Timer", "payment.settle a"]],
  });
  expect(world.engine.state.ids("Timer", "all", "")).toEqual([]);
});

test("a timer whose record has moved on only removes itself", () => {
  const name = "quote.expire";
  world.engine.commit(setFor, { subject: "Quote:none", inMs: 0, name }, CAUSE);
  world.engine.catchUp();
  const last = world.journal.changes().at(-1);
  expect(last).toMatchObject({ by: "quote.expire", del: [["Timer", "quote.expire Quote:none"]] });
  expect(last).not.toHaveProperty("put");
  expect(last).not.toHaveProperty("emit");
});

// spec/clock.md#zero-delay
test("a timer due now fires right after the turn, on a manual clock too", async () => {
  world.engine.close();
  world = openEngine("manual");
  set("a", 0);
  expect(fired).toEqual([]);
  await turn();
  await turn();
  expect(fired).toEqual([["a", 0]]);
});

test("a timer due now fires before whatever comes next", () => {
  world.engine.close();
  world = openEngine("manual");
  set("a", 0);
  world.engine.commit(leave, "mine", CAUSE);
  expect(history().map(([by]) => by)).toEqual(["test", "payment.settle", "test"]);
});

test("real: one alarm clock wakes the world when the next timer is due", async () => {
  fakeHostTimers();
  set("late", 90_000);
  set("early", 60_000);
  await turn();
  expect(vi.getTimerCount()).toBe(1);
  world.wall.ms += 60_000;
  await vi.advanceTimersByTimeAsync(60_000);
  await turn();
  expect(fired).toEqual([["early", 60_000]]);
  expect(vi.getTimerCount()).toBe(1);
  realHostTimers();
});

test("a timer beyond the longest timeout is waited for in parts", async () => {
  fakeHostTimers();
  // A longer timeout than 2 ** 31 - 1 ms is over at once.
  const { setTimeout } = hostTime;
  const delaysMs: number[] = [];
  const noted = (work: () => void, delayMs: number) => {
    delaysMs.push(delayMs);
    return setTimeout(work, delayMs);
  };
  Object.assign(hostTime, { setTimeout: noted });
  set("far", 2 ** 32);
  await turn();
  world.wall.ms += 60_000;
  await vi.advanceTimersByTimeAsync(60_000);
  await turn();
  expect(fired).toEqual([]);
  expect(vi.getTimerCount()).toBe(1);
  expect(delaysMs).toEqual(Array(13).fill(5_000));
  realHostTimers();
});

test("due work beyond 5 ms of one turn waits for another turn", async () => {
  for (let count = 0; count < 12; count += 1) set(`subject ${count}`, 10);
  await turn();
  world.wall.ms += 10;
  // Each firing takes 1 ms, so the sixth one would begin when time is up.
  world.spans.ms = 1;
  expect(world.engine.catchUpBatch()).toBe(true);
  expect(fired).toHaveLength(5);
  expect(world.engine.catchUpBatch()).toBe(true);
  expect(fired).toHaveLength(5);
  await turn();
  expect(fired).toHaveLength(10);
});

test("no webhook leaves before all due timers have fired, however many turns that takes", async () => {
  const firedAtDispatch: number[] = [];
  const dispatch = () => void firedAtDispatch.push(fired.length);
  world.engine.join({ ...NO_DELIVERIES, dispatch });
  for (let count = 0; count < 12; count += 1) set(`subject ${count}`, 10);
  await turn();
  firedAtDispatch.length = 0;
  world.wall.ms += 10;
  world.spans.ms = 2;
  world.engine.schedulePump();
  await until("something to be sent", () => firedAtDispatch.length > 0);
  expect(firedAtDispatch).toEqual([12]);
});

test("firings longer than the budget of a turn are done one in each turn", async () => {
  for (let count = 0; count < 3; count += 1) set(`subject ${count}`, 10);
  await turn();
  world.wall.ms += 10;
  world.spans.ms = 1000;
  const counts: number[] = [];
  while (world.engine.catchUpBatch()) {
    counts.push(fired.length);
    await turn();
  }
  expect(counts).toEqual([1, 2]);
  expect(fired).toHaveLength(3);
});

test("a refusal leaves the world, the journal and the ids as they were", () => {
  const linesBefore = world.journal.lines.length;
  const counterBefore = world.engine.state.counter;
  const refusing = () =>
    world.engine.commit(
      (draft, _input, moment) => {
        draft.put("Event", { id: moment.newId("Event"), body: "" });
        return refuse("QUOTE_NOT_FOUND", { id: "x" });
      },
      undefined,
      CAUSE,
    );
  expect(refusing).toThrow(Refusal);
  expect(world.engine.state.ids("Event", "all", "")).toEqual([]);
  expect(world.engine.state.counter).toBe(counterBefore);
  expect(world.journal.lines).toHaveLength(linesBefore);
});

test("a rule that records nothing makes no change and uses no number", () => {
  const before = world.engine.state.seq;
  const { reply, seq } = world.engine.commit(() => "seen", undefined, CAUSE);
  expect([reply, seq, world.engine.state.seq]).toEqual(["seen", before, before]);
});

test("a read-only world answers, fires nothing and writes nothing", () => {
  set("a", 0);
  const lines = world.journal.lines.length;
  world.engine.readOnlyBecause = "storage failed";
  expect(() => world.engine.commit(leave, "mine", CAUSE)).toThrow("UNAVAILABLE");
  expect(bodyOf("a")).toBeUndefined();
  expect(world.engine.catchUpBatch()).toBe(false);
  expect(world.journal.lines).toHaveLength(lines);
});

test("a closed world accepts no changes", () => {
  world.engine.close();
  expect(() => world.engine.commit(leave, "mine", CAUSE)).toThrow("UNAVAILABLE");
});

const steps = fc.array(
  fc.oneof(
    fc.record({ moveMs: fc.integer({ min: -50, max: 200 }) }),
    fc.record({ setInMs: fc.integer({ min: 0, max: 150 }) }),
    fc.constant({}),
  ),
  { minLength: 1, maxLength: 40 },
);

test("stamps only rise, whatever the system clock does, and a reload gives the same ones", () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const { engine, wall, journal } = openEngine();
      // Time passes between two readings of the clock.
      vi.spyOn(wall, "nowMs").mockImplementation(() => {
        wall.ms += 1;
        return wall.ms;
      });
      for (const [at, step] of sequence.entries()) {
        if ("moveMs" in step) wall.ms += step.moveMs;
        else if ("setInMs" in step)
          engine.commit(setFor, { subject: `${at}`, inMs: step.setInMs }, CAUSE);
        else engine.commit(leave, `mine ${at}`, CAUSE);
      }
      const changes = journal.changes();
      const stamps = changes.map(({ at }) => at);
      expect(stamps).toEqual(stamps.toSorted((a, b) => a - b));
      const reloaded = new WorldState();
      for (const change of changes) reloaded.apply(change);
      expect(reloaded.nextTimer()).toEqual(engine.state.nextTimer());
      // Contents alone: which parts of a table are shared differs with its past.
      expect(imageOf(reloaded)).toEqual(imageOf(engine.state));
      engine.close();
    }),
    { numRuns: 60 },
  );
});

test("a timer fired by an advance names the advance, a later one does not", () => {
  const { engine, wall, journal } = openEngine();
  for (const [subject, inMs] of [["a", 10] as const, ["b", 20] as const])
    engine.commit(setFor, { subject, inMs, name: "quote.expire" }, CAUSE);
  engine.clock.stepTo(START_MS + 10, "advance 10ms");
  engine.catchUp();
  engine.clock.stepTo(START_MS + 10);
  engine.keepClock(engine.clock.stateFromNow(), CAUSE);
  wall.ms += 20;
  engine.catchUp();
  const fired = journal.changes().filter(({ by }) => by === "quote.expire");
  expect(fired.map(({ cause, movedBy }) => [cause, movedBy])).toEqual([
    ["quote.expire a", "advance 10ms"],
    ["quote.expire b", undefined],
  ]);
  engine.close();
});
