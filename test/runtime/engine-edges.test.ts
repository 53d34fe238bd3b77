import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NO_DELIVERIES } from "../../src/control/seed/seed-dry-run.ts";
import type { Rule } from "../../src/domain/core/draft.ts";
import { setTimer } from "../../src/domain/core/schedule.ts";
import { TIMERS } from "../../src/domain/timers.ts";
import type { Change } from "../../src/runtime/change.ts";
import { fakeHostTimers, realHostTimers } from "../setup/host-timers.ts";
import {
  CAUSE,
  leave,
  openEngine,
  RecordingJournal,
  START_MS,
  setFor,
} from "./setup/test-engine.ts";
import { turn } from "./setup/turns.ts";

let world: ReturnType<typeof openEngine>;
let fired: string[];

beforeEach(() => {
  world = openEngine();
  fired = [];
  fakeHostTimers();
  vi.spyOn(TIMERS["payment.settle"], "fire").mockImplementation((_draft, subject) => {
    fired.push(subject);
    return {};
  });
});

afterEach(() => {
  world.engine.close();
  realHostTimers();
  vi.restoreAllMocks();
});

const set = (subject: string, inMs: number) =>
  world.engine.commit(setFor, { subject, inMs }, CAUSE);

test("a world at rest fires nothing by itself and waits for no timer", async () => {
  set("later", 60_000);
  await turn();
  expect(vi.getTimerCount()).toBe(1);
  world.engine.rest();
  expect(vi.getTimerCount()).toBe(0);
  set("now", 0);
  await turn();
  await turn();
  expect([fired, vi.getTimerCount()]).toEqual([[], 0]);
});

test("a world put to rest while its journal writes sends nothing and waits for no timer", async () => {
  const dispatch = vi.fn();
  let written = () => {};
  const writes = new Promise<void>((done) => {
    written = done;
  });
  vi.spyOn(world.journal, "reached").mockReturnValue(writes as never);
  world.engine.join({ ...NO_DELIVERIES, dispatch });
  set("later", 60_000);
  await turn();
  world.engine.rest();
  written();
  await turn();
  expect(dispatch).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  { clock: "a manual clock", mode: "manual", isStepping: false },
  { clock: "a clock held by an advance", mode: "real", isStepping: true },
] as const)("$clock sets no alarm clock", async ({ mode, isStepping }) => {
  world.engine.close();
  world = openEngine(mode);
  if (isStepping) world.engine.clock.stepTo(START_MS);
  set("later", 60_000);
  await turn();
  expect(vi.getTimerCount()).toBe(0);
});

test("joining the port that sends is followed by a dispatch, without any change", async () => {
  await turn();
  const dispatch = vi.fn();
  world.engine.join({ ...NO_DELIVERIES, dispatch });
  await turn();
  expect(dispatch).toHaveBeenCalledTimes(1);
});

test("letting events go is followed by a dispatch", async () => {
  const dispatch = vi.fn();
  world.engine.join({ ...NO_DELIVERIES, dispatch });
  await turn();
  dispatch.mockClear();
  world.engine.release([]);
  await turn();
  expect(dispatch).toHaveBeenCalledTimes(1);
});

test("timers that an adopted change set do not count as a cascade, however many", () => {
  const { engine } = world;
  set("first", 0);
  engine.catchUp();
  const put = Array.from({ length: 10_001 }, (_, at) => {
    const subject = `adopted ${at}`;
    const id = `payment.settle ${subject}`;
    return [
      "Timer",
      { id, name: "payment.settle", subject, dueAtMs: START_MS, order: 4 * 2 ** 20 + at },
    ];
  }) as NonNullable<Change["put"]>;
  const change = { v: 5, seq: 2, at: START_MS, cause: "req-1-1", by: "test", n: 7, put };
  expect(engine.adopt(engine.origin(), [{ change }])).toBe(true);
  engine.catchUp();
  expect([fired.length, engine.stopped]).toEqual([10_002, undefined]);
});

test("opening again draws ids of its own seed from the first on, and orders timers behind the past", () => {
  const { engine, journal } = world;
  const drawThree: Rule<void, void> = (draft, _input, moment) => {
    for (let count = 0; count < 3; count += 1)
      draft.put("Event", { id: moment.newId("Event"), body: "" } as never);
  };
  engine.commit(drawThree, undefined, CAUSE);
  const { counter } = engine.state;
  const clock = { mode: "manual", offsetMs: 0, instantMs: START_MS } as const;
  let id = "";
  const openAs = (seed: string) => {
    engine.open(
      (draft, _input, moment) => {
        id = moment.newId("Event");
        setTimer(draft, { name: "payment.settle", subject: "a", dueAtMs: START_MS + 1 }, moment);
      },
      { world: "sandbox", seed, branch: 1 },
      clock,
    );
    return { id, order: engine.nextTimer()?.order, n: journal.changes().at(-1)?.n };
  };
  const [one, again, other] = [openAs("one"), openAs("one"), openAs("other")];
  expect(again.id).toBe(one.id);
  expect(other.id).not.toBe(one.id);
  // The counter in the id is 1; the next change continues behind every id ever given out.
  expect(one.id).toMatch(/-7000-8000-0[4-7]/);
  expect([one.n, again.n]).toEqual([counter, counter]);
  expect([one.order, again.order, other.order]).toEqual([3_145_729, 4_194_305, 5_242_881]);
});

test("what the stopped world says names its reason, and an alarm tells the operator", () => {
  const { engine } = world;
  const alarm = vi.fn();
  engine.listeners.add({ alarm });
  engine.stopWith({ why: "a bug", by: "test", values: { total: "5" } });
  expect(alarm).toHaveBeenCalledWith('the world stopped at test: a bug {"total":"5"}');
  const refused = expect.objectContaining({ details: { why: "it stopped: a bug", total: "5" } });
  expect(() => engine.commit(leave, "mine", CAUSE)).toThrow(refused);
});

test("a closed world says that it is closed", () => {
  world.engine.close();
  const refused = expect.objectContaining({ details: { why: "it is closed" } });
  expect(() => world.engine.commit(leave, "mine", CAUSE)).toThrow(refused);
});

test("a journal tried again is taken with a change by storage, once that is durable", async () => {
  const { engine } = world;
  const journal = new RecordingJournal();
  const before = engine.state.seq;
  vi.spyOn(journal, "reached").mockRejectedValueOnce(new Error("EIO"));
  await expect(engine.tryJournal(journal)).rejects.toThrow("EIO");
  expect([engine.state.seq, engine.journal === journal]).toEqual([before, false]);
  await engine.tryJournal(journal);
  expect(journal.changes().at(-1)).toMatchObject({
    cause: "storage",
    by: "storage",
    at: engine.state.atMs,
  });
  expect(engine.journal).toBe(journal);
});

test("opening again forgets the timers and the held events of the past", () => {
  const { engine } = world;
  set("old", 50);
  engine.hold(["w"]);
  const clock = { mode: "manual", offsetMs: 0, instantMs: START_MS } as const;
  engine.open(() => {}, { world: "sandbox", seed: "test", branch: 2 }, clock);
  expect(engine.nextTimer()).toBeUndefined();
  expect(engine.maySend("w")).toBe(true);
});
