import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Draft } from "../../src/domain/core/draft.ts";
import { TIMERS } from "../../src/domain/timers.ts";
import { Advance, type AdvanceReport } from "../../src/runtime/advance.ts";
import {
  type AttemptReport,
  type Deliveries,
  machineWall,
  type Wall,
} from "../../src/runtime/ports.ts";
import { WorldState } from "../../src/runtime/world-state.ts";
import { fakeHostTimers, realHostTimers } from "../setup/host-timers.ts";
import { CAUSE, openEngine, START_MS, setFor } from "./setup/test-engine.ts";
import { turn } from "./setup/turns.ts";

/** Deliveries whose attempts stay under way until the test ends them. */
class StubDeliveries implements Deliveries {
  readonly out = new Set<string>();
  private endings: (() => void)[] = [];

  changed() {}
  dispatch() {}
  async attemptNow() {
    return undefined;
  }
  async resend() {
    return undefined;
  }
  isHeldBack() {
    return false;
  }
  unsentCount() {
    return 0;
  }
  stranded() {
    return [];
  }
  inFlight() {
    return new Set(this.out);
  }
  nextEnd() {
    return new Promise<void>((resolve) => this.endings.push(resolve));
  }
  end(id: string) {
    this.out.delete(id);
    for (const ended of this.endings.splice(0)) ended();
  }
  forgetAll() {}
  close() {}
}

let world: ReturnType<typeof openEngine>;
let deliveries: StubDeliveries;
let advances: Advance;
/** Wall clock for budgets and releases. */
let budgetWall: Wall & { ms: number };

beforeEach(() => {
  fakeHostTimers();
  world = openEngine("manual");
  deliveries = new StubDeliveries();
  world.engine.join(deliveries);
  budgetWall = {
    ms: 0,
    nowMs() {
      return this.ms;
    },
    after: machineWall.after,
  };
  advances = new Advance(world.engine, deliveries, budgetWall);
  vi.spyOn(TIMERS["payment.settle"], "fire").mockImplementation(() => ({}));
});

afterEach(() => {
  world.engine.close();
  vi.restoreAllMocks();
  realHostTimers();
});

const set = (subject: string, inMs: number) =>
  world.engine.commit(setFor, { subject, inMs }, CAUSE);

/** Starts an advance and follows its result. */
const ask = (spanMs: number, budgetMs = 60_000) => {
  const asked: { report?: AdvanceReport } = {};
  const target = { toMs: world.engine.clock.now() + spanMs };
  void advances.to({ target, budgetMs }).then((report) => {
    asked.report = report;
  });
  return asked;
};

const turns = async (count = 10) => {
  for (let done = 0; done < count; done += 1) await turn();
};

const wallPasses = async (spanMs: number) => {
  budgetWall.ms += spanMs;
  await vi.advanceTimersByTimeAsync(spanMs);
  await turns();
};

/** Simulated milliseconds since the start. */
const nowMs = () => world.engine.clock.now() - START_MS;

test("it steps from timer to timer, the clock at each one's instant", async () => {
  const instants: number[] = [];
  vi.spyOn(TIMERS["payment.settle"], "fire").mockImplementation(() => {
    instants.push(nowMs());
    return {};
  });
  for (const inMs of [70, 10, 70, 40]) set(`after ${inMs} ms, ${instants.length}`, inMs);
  const asked = ask(100);
  await turns(20);
  expect(instants).toEqual([10, 40, 70]);
  expect(asked.report).toMatchObject({ complete: true, toMs: START_MS + 100, firedCount: 3 });
});

test("the clock waits while an attempt is under way, and continues when it ends", async () => {
  vi.spyOn(TIMERS["payment.settle"], "fire").mockImplementation((_draft, subject) => {
    deliveries.out.add(subject);
    return {};
  });
  set("a", 10);
  set("b", 30);
  const asked = ask(100);
  await turns();
  expect(nowMs()).toBe(10);
  await wallPasses(20_000); // however long it takes: it was not out when the advance was asked
  expect(nowMs()).toBe(10);
  deliveries.end("a");
  await turns();
  expect(nowMs()).toBe(30);
  expect(asked.report).toBeUndefined();
  deliveries.end("b");
  await turns();
  expect(asked.report).toMatchObject({ complete: true, toMs: START_MS + 100 });
});

test("an attempt that was out already is waited for at most 5 seconds", async () => {
  deliveries.out.add("old");
  set("a", 10);
  const asked = ask(100);
  await turns();
  expect(nowMs()).toBe(0);
  await wallPasses(4999);
  expect(nowMs()).toBe(0);
  await wallPasses(1);
  expect(asked.report).toMatchObject({ complete: true, toMs: START_MS + 100 });
  expect(deliveries.inFlight()).toEqual(new Set(["old"]));
});

test("so is one that an advance under way is waiting for", async () => {
  const outer = ask(100);
  deliveries.out.add("hangs");
  await turns();
  const inner = ask(20);
  await wallPasses(4999);
  expect([nowMs(), inner.report]).toEqual([0, undefined]);
  await wallPasses(1);
  expect(inner.report).toMatchObject({ complete: true, toMs: START_MS + 20 });
  expect(outer.report).toMatchObject({ complete: true, toMs: START_MS + 100 });
});

test("an attempt that was out already and ends in time is waited for", async () => {
  deliveries.out.add("old");
  const asked = ask(100);
  await wallPasses(1000);
  expect([nowMs(), asked.report]).toEqual([0, undefined]);
  deliveries.end("old");
  await turns();
  expect(asked.report).toMatchObject({ complete: true });
});

test("a spent budget ends one advance and lets a more patient one continue", async () => {
  vi.spyOn(TIMERS["payment.settle"], "fire").mockImplementation((_draft, subject) => {
    deliveries.out.add(subject);
    return {};
  });
  set("a", 10);
  const hasty = ask(100, 300);
  const patient = ask(200, 30_000);
  await turns();
  await wallPasses(300);
  expect(hasty.report).toMatchObject({ complete: false, toMs: START_MS + 10, waitingFor: 1 });
  expect(patient.report).toBeUndefined();
  deliveries.end("a");
  await turns();
  expect(patient.report).toMatchObject({ complete: true, toMs: START_MS + 200, waitingFor: 0 });
});

test("a later goal continues to its own instant, an earlier one is answered on the way", async () => {
  set("a", 50);
  set("b", 150);
  const far = ask(200);
  const near = ask(100);
  await turns(20);
  expect(near.report).toMatchObject({ toMs: START_MS + 100, firedCount: 1 });
  expect(far.report).toMatchObject({ toMs: START_MS + 200, firedCount: 2 });
});

test("an instant that was answered is in the journal, while a further goal continues", async () => {
  vi.spyOn(TIMERS["payment.settle"], "fire").mockImplementation((_draft, subject) => {
    deliveries.out.add(subject);
    return {};
  });
  set("hangs", 150);
  const far = ask(200);
  const near = ask(100);
  await turns(20);
  expect([near.report?.complete, far.report]).toEqual([true, undefined]);
  const recovered = new WorldState();
  for (const change of world.journal.changes()) recovered.apply(change);
  expect(recovered.clock?.instantMs).toBeGreaterThanOrEqual(START_MS + 100);
});

test("the lists name the first 1,000 and count the rest", async () => {
  for (let count = 0; count < 1005; count += 1) set(`subject ${count}`, 10);
  const attempt: AttemptReport = {
    id: "Webhook:1",
    type: "TEST",
    status: "ACCEPTED",
    attempt: 1,
    atMs: START_MS,
    tookMs: 1,
  };
  const asked = ask(100);
  for (let count = 0; count < 1007; count += 1)
    advances.noteAttempt({ ...attempt, id: `Webhook:${count}` });
  await turns(20);
  expect(asked.report).toMatchObject({ firedCount: 1005, webhookCount: 1007 });
  expect(asked.report?.fired).toHaveLength(1000);
  expect(asked.report?.fired[999]?.subject).toBe("subject 999");
  expect(asked.report?.webhooks).toHaveLength(1000);
  expect(asked.report?.webhooks[0]?.id).toBe("Webhook:0");
});

test("abandoned goals are answered at once, where the clock is, and the clock is kept", async () => {
  deliveries.out.add("old");
  set("a", 0);
  const asked = ask(100);
  await turns();
  advances.abandon();
  await turns(1);
  expect(asked.report).toMatchObject({ complete: false, toMs: START_MS, waitingFor: 1 });
  expect(world.journal.changes().at(-1)).toMatchObject({ by: "advance" });
  const next = ask(50);
  deliveries.end("old");
  await turns();
  expect(next.report).toMatchObject({ complete: true, toMs: START_MS + 50 });
});

test("a status that is left again at the same instant counts as reached there", async () => {
  const put = (status: string) => (draft: Draft) => {
    draft.put("Quote", { id: "Quote:1", status } as never);
    return {};
  };
  vi.spyOn(TIMERS["payment.settle"], "fire").mockImplementation(put("PROCESSING"));
  vi.spyOn(TIMERS["refund.settle"], "fire").mockImplementation(put("COMPLETED"));
  world.engine.commit(put("PENDING"), undefined, CAUSE);
  for (const [inMs, name] of [
    [50, "payment.settle"],
    [50, "refund.settle"],
    [70, "payment.settle"],
  ] as const)
    world.engine.commit(setFor, { subject: `${name} ${inMs}`, inMs, name }, CAUSE);
  const asked: { report?: AdvanceReport } = {};
  const until = { id: "Quote:1", status: "PROCESSING" };
  const target = { toMs: START_MS + 1000 };
  void advances.to({ target, budgetMs: 60_000, until }).then((report) => {
    asked.report = report;
  });
  await turns(20);
  expect(asked.report).toMatchObject({
    toMs: START_MS + 50,
    firedCount: 2,
    until: { reached: true },
  });
});

test("when the world stops on the way an advance is not complete", async () => {
  vi.spyOn(TIMERS["payment.settle"], "fire").mockImplementation(() => {
    throw new Error("a bug of ours");
  });
  set("a", 10);
  const asked = ask(100);
  await turns();
  expect(asked.report).toMatchObject({ complete: false, toMs: START_MS + 10 });
});

test("ten spans of an hour that are asked for at once move ten hours", async () => {
  const reports = Array.from({ length: 10 }, () =>
    advances.to({ target: { byMs: 3_600_000 }, budgetMs: 60_000 }),
  );
  const reached = (await Promise.all(reports)).map(({ toMs }) => (toMs - START_MS) / 3_600_000);
  expect(reached).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(world.engine.clock.now()).toBe(START_MS + 36_000_000);
});

test("a span that is asked for on the way adds to the furthest span, not to a named instant", async () => {
  set("a", 10);
  const inner: Promise<AdvanceReport>[] = [];
  world.engine.listeners.add({
    fired: () => {
      inner.push(advances.to({ target: { byMs: 50 }, budgetMs: 60_000 }));
    },
  });
  const far = advances.to({ target: { toMs: START_MS + 1000 }, budgetMs: 60_000 });
  const near = advances.to({ target: { byMs: 100 }, budgetMs: 60_000 });
  expect((await near).toMs).toBe(START_MS + 100);
  expect((await inner[0])?.toMs).toBe(START_MS + 150);
  expect((await far).toMs).toBe(START_MS + 1000);
});
