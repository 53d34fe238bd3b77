import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type HISTORY_LANES, HISTORY_MARKS } from "../../../src/contract/control/history.ts";
import { inParts } from "../../../src/control/past/history.ts";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(async () => {
  await world.sim.close();
});

// spec/clock.md#history
test("requests, fired timers and refused calls stand in their lanes, with their worst mark", async () => {
  const payer = await createPayer(world);
  const [slow, returned] = [
    await createPayee(world, payer.customerId, "003"),
    await createPayee(world, payer.customerId, "002"),
  ];
  for (const payee of [slow, returned]) {
    const { body } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
    await world.call("POST", `/quotes/${body.id}/execute`);
  }
  await world.call("GET", "/quotes/Quote:nothing");
  await world.sim.advance("10m");
  const from = "2026-01-05T08:00:00Z";
  const to = "2026-01-05T10:00:00Z";
  const { body } = await world.control("GET", `/history?from=${from}&to=${to}&buckets=120`);
  const at = (lane: (typeof HISTORY_LANES)[number]) =>
    body.lanes[lane].map((one: { at: string; worst: string }) => [one.at.slice(11, 16), one.worst]);
  expect(at("requests")).toEqual([["09:00", "failed"]]);
  expect(at("timers")).toContainEqual(["09:06", "clock"]);
  expect(body.lanes.timers.at(-1).first.says).toBe("payment.settle → COMPLETED");
  expect(body.open).toEqual([]);
  const logged = (await world.control("GET", "/requests?limit=100")).body.data.length;
  expect(body.lanes.requests[0].count).toBe(logged);
});

test("a world from a fixture has its timers and its collected webhooks in their lanes", async () => {
  const filled = await startTestSimulator({ fixture: "payouts-demo" });
  const { body } = await filled.control("GET", "/history?from=2026-01-05T08:00:00Z");
  await filled.sim.close();
  const says = (lane: "timers" | "webhooks") =>
    body.lanes[lane].map((one: { first: { says: string } }) => one.first.says);
  expect(says("timers")).toContain("payment.settle → COMPLETED");
  expect(says("timers")).toContain("quote.expire → EXPIRED");
  expect(says("webhooks")).toContain("OUTGOING_PAYMENT.PENDING collected");
});

test.each([
  "buckets=0",
  "buckets=1001",
  "from=2026-01-05T09:00:00Z&to=2026-01-05T09:00:00Z",
  "to=x",
])("%s is refused", async (query) => {
  expect((await world.control("GET", `/history?${query}`)).status).toBe(400);
});

const event = fc.record({
  atMs: fc.integer({ min: 0, max: 10_000 }),
  mark: fc.constantFrom(...HISTORY_MARKS),
  id: fc.string(),
  says: fc.string(),
});

test("no event is lost or counted twice, and a part shows the worst and the first of its own", () => {
  fc.assert(
    fc.property(fc.array(event), fc.integer({ min: 1, max: 50 }), (events, count) => {
      const span = { fromMs: 1000, toMs: 9000, count };
      const parts = inParts(events, span);
      const inside = events.filter(({ atMs }) => atMs >= 1000 && atMs <= 9000);
      expect(parts.reduce((sum, part) => sum + part.count, 0)).toBe(inside.length);
      const ats = parts.map(({ at }) => Date.parse(at));
      expect(ats).toEqual([...ats].sort((a, b) => a - b));
      const failed = inside.filter(({ mark }) => mark === "failed").length;
      expect(parts.reduce((sum, part) => sum + part.failed, 0)).toBe(failed);
      const worst = Math.min(...parts.map((part) => HISTORY_MARKS.indexOf(part.worst)));
      const found = Math.min(...inside.map(({ mark }) => HISTORY_MARKS.indexOf(mark)));
      expect(worst).toBe(found);
    }),
  );
});
