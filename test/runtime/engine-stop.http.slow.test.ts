import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { patchConfig } from "../../src/api/platform/config.ts";
import type { Rule } from "../../src/domain/core/draft.ts";
import { refuse } from "../../src/domain/core/refusal.ts";
import { setTimer } from "../../src/domain/core/schedule.ts";
import { TIMERS } from "../../src/domain/timers.ts";
import { WorldState } from "../../src/runtime/world-state.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { CAUSE, leave, openEngine, setFor } from "./setup/test-engine.ts";
import { turn } from "./setup/turns.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await world.sim.close();
});

/** Makes an operation run a rule of the test. */
const letPatchConfigRun = (rule: Rule<void, unknown>) =>
  vi
    .spyOn(patchConfig, "handle")
    .mockImplementation((_input, call) => call.commit(rule, undefined));

const patch = () => world.call("PATCH", "/config", {});

test("a rule that throws drops its draft and answers 500 with the request id", async () => {
  const before = await world.call("GET", "/customers");
  letPatchConfigRun((draft, _input, moment) => {
    draft.put("Event", { id: moment.newId("Event"), body: "" });
    throw new TypeError("a bug of ours");
  });
  const answer = await patch();
  expect(answer).toMatchObject({ status: 500, body: { status: 500, code: "INTERNAL_ERROR" } });
  const requestId = answer.headers.get("x-sim-request-id");
  expect(requestId).toMatch(/^req-1-\d+$/);
  expect(answer.body.details.requestId).toBe(requestId);
  expect(world.alarms).toEqual([expect.stringContaining(`${requestId} met a bug`)]);
  expect(world.alarms[0]).toContain("a bug of ours");

  vi.restoreAllMocks();
  expect(await patch()).toMatchObject({ status: 200 });
  expect((await world.call("GET", "/customers")).body).toEqual(before.body);
  const status = await world.control("GET", "/status");
  expect(status.body.storage.writable).toBe(true);
  expect(status.body).not.toHaveProperty("stopped");
});

const postOneSide: Rule<void, void> = (draft) =>
  draft.post({ account: "Ledger:funding", currency: "USD", amountMinor: 5n });

const stopTheWorld = async () => {
  letPatchConfigRun(postOneSide);
  expect(await patch()).toMatchObject({ status: 500, body: { code: "INTERNAL_ERROR" } });
  vi.restoreAllMocks();
};

test("a violated invariant stops the world: 500, then 503, and status names it", async () => {
  await stopTheWorld();

  for (const [method, path] of [
    ["GET", "/config"],
    ["POST", "/customers"],
  ] as const) {
    const later = await world.call(
      method,
      path,
      method === "POST" ? { customerType: "INDIVIDUAL" } : undefined,
    );
    expect(later).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
    expect(later.headers.get("retry-after")).toBe("1");
    expect(later.headers.get("retry-after-ms")).toBe("1000");
  }
  const { body } = await world.control("GET", "/status");
  expect(body.stopped).toMatchObject({
    by: "patchConfig",
    why: expect.stringContaining("postings that sum to zero"),
    values: { currency: "USD", total: "5" },
  });
  expect(body.storage.writable).toBe(false);
  const alarm = world.alarms.find((text) => text.includes("stopped"));
  expect(alarm).toContain("patchConfig");
  expect(alarm).toContain("postings that sum to zero");
  expect(alarm).toContain('"total":"5"');
});

test("a stopped world is still live, and a reset starts it again", async () => {
  await stopTheWorld();
  expect((await world.control("GET", "/live")).status).toBe(200);
  expect((await world.control("POST", "/reset")).status).toBe(200);
  expect((await world.call("GET", "/config")).status).toBe(200);
  const { body } = await world.control("GET", "/status");
  expect(body).not.toHaveProperty("stopped");
});

test("an advance of a stopped world is not complete", async () => {
  await stopTheWorld();
  const { status, body } = await world.control("POST", "/clock/advance", { by: "1m" });
  expect([status, body.complete]).not.toEqual([200, true]);
});

const poisons: { how: string; fire: () => never; why: string }[] = [
  {
    how: "throws",
    fire: () => {
      throw new TypeError("a bug of ours");
    },
    why: "a bug of ours",
  },
  {
    how: "refuses",
    fire: () => refuse("QUOTE_NOT_FOUND"),
    why: "it refused with QUOTE_NOT_FOUND",
  },
];

test.each(poisons)(
  "a timer that $how is poisoned in a change of its own, and stops the world",
  ({ fire, why }) => {
    const { engine, wall, journal } = openEngine();
    vi.spyOn(TIMERS["payment.settle"], "fire").mockImplementation((draft) => {
      draft.put("Event", { id: "half done", body: "" });
      return fire();
    });
    engine.commit(setFor, { subject: "a", inMs: 10 }, CAUSE);
    engine.commit(setFor, { subject: "b", inMs: 20, name: "quote.expire" }, CAUSE);
    wall.ms += 100;
    expect(() => engine.commit(leave, "mine", CAUSE)).toThrow("UNAVAILABLE");

    expect(engine.stopped).toMatchObject({ by: "payment.settle a", why });
    expect(journal.changes().at(-1)).toMatchObject({
      by: "poison",
      put: [["Timer", { id: "payment.settle a", poisoned: why }]],
    });
    expect(engine.state.ids("Event", "all", "")).toEqual([]);
    expect(() => engine.read(() => "seen", undefined)).toThrow("UNAVAILABLE");
    engine.close();

    const reloaded = new WorldState();
    for (const change of journal.changes()) reloaded.apply(change);
    const next = openEngine();
    next.engine.load(reloaded, next.journal);
    next.wall.ms += 100;
    next.engine.catchUp();
    expect(next.engine.stopped).toBeUndefined();
    expect(reloaded.ids("Timer", "all", "")).toEqual(["payment.settle a"]);
    next.engine.close();
  },
);

test("a timer that unbalances the ledger stops the world and names the invariant", () => {
  const { engine, wall } = openEngine();
  vi.spyOn(TIMERS["payment.settle"], "fire").mockImplementation((draft, _subject, moment) => {
    postOneSide(draft, undefined, moment);
    return {};
  });
  engine.commit(setFor, { subject: "a", inMs: 10 }, CAUSE);
  wall.ms += 10;
  engine.catchUp();
  expect(engine.stopped).toMatchObject({
    by: "payment.settle",
    why: expect.stringContaining("postings that sum to zero"),
    values: { currency: "USD", total: "5" },
  });
  expect(engine.state.get("Timer", "payment.settle a")?.poisoned).toContain("sum to zero");
  engine.close();
});

test("a timer that sets itself again for the same instant stops the world after 10,000 times", () => {
  const { engine, wall } = openEngine();
  let count = 0;
  vi.spyOn(TIMERS["payment.settle"], "fire").mockImplementation((draft, subject, moment) => {
    count += 1;
    setTimer(draft, { name: "payment.settle", subject, dueAtMs: moment.atMs }, moment);
    return {};
  });
  engine.commit(setFor, { subject: "a", inMs: 10 }, CAUSE);
  wall.ms += 10;
  engine.catchUp();
  expect(count).toBe(10_001);
  expect(engine.stopped).toMatchObject({
    why: expect.stringContaining("payment.settle"),
    values: { atMs: wall.ms },
  });
  engine.close();
});

test("any number of timers that calls set for one instant may fire there", async () => {
  const { engine, wall } = openEngine("manual");
  vi.spyOn(TIMERS["payment.settle"], "fire").mockImplementation(() => ({}));
  for (let count = 0; count < 10_500; count += 1)
    engine.commit(setFor, { subject: `now ${count}`, inMs: 0 }, CAUSE);
  engine.catchUp();
  for (let count = 0; count < 10_500; count += 1)
    engine.commit(setFor, { subject: `later ${count}`, inMs: 300_000 }, CAUSE);
  engine.clock.stepTo(wall.ms + 300_000);
  while (engine.catchUpBatch()) await turn();
  expect(engine.stopped).toBeUndefined();
  expect(engine.state.ids("Timer", "all", "")).toEqual([]);
  engine.close();
});
