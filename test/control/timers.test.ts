import { afterEach, beforeEach, expect, test } from "vitest";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

const timers = async () => (await world.control("GET", "/timers")).body;

test("a fresh world has no timers", async () => {
  expect(await timers()).toEqual({ data: [], hasMore: false, totalCount: 0 });
});

// spec/clock.md#timers
test("timers are listed in the order they will fire, with what they lead to", async () => {
  const payer = await createPayer(world);
  const slow = await createPayee(world, payer.customerId, "003");
  const quote = async () => {
    const { body } = await world.call("POST", "/quotes", quoteInput(payer.accountId, slow));
    return body;
  };
  const paid = await quote();
  await world.call("POST", `/quotes/${paid.id}/execute`);
  const open = await quote();
  const { data } = await timers();
  const row = (one: Record<string, unknown>) =>
    ["dueAt", "inMs", "timer", "subject", "then", "rule"].map((name) => one[name]);
  const rule = "quotedPayment.003";
  expect(data.map(row)).toEqual([
    ["2026-01-05T09:05:00.000Z", 300_000, "quote.expire", open.id, "EXPIRED", undefined],
    ["2026-01-05T09:06:00.000Z", 360_000, "payment.settle", paid.transactionId, "COMPLETED", rule],
  ]);

  await world.sim.advance("5m");
  expect((await timers()).data).toMatchObject([{ timer: "payment.settle", inMs: 60_000 }]);
  await world.sim.advance("1m");
  expect((await timers()).totalCount).toBe(0);
});

test("what is listed is what fires, one after the other", async () => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  for (let count = 0; count < 3; count += 1) {
    const { body } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
    if (count === 1) await world.call("POST", `/quotes/${body.id}/execute`);
    await world.sim.advance("10s");
  }
  const listed = (await timers()).data;
  const { body } = await world.control("POST", "/clock/advance", { by: "10m" });
  const named = ({ timer, subject }: { timer: string; subject: string }) => `${timer} ${subject}`;
  expect(body.fired.map(named)).toEqual(listed.map(named));
  expect(body.fired.map(({ at }: { at: string }) => at)).toEqual(
    listed.map(({ dueAt }: { dueAt: string }) => dueAt),
  );
});

// spec/clock.md#timers
test("pages follow each other, and continue where timers fired meanwhile", async () => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  for (let count = 0; count < 7; count += 1) {
    await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
    await world.sim.advance("10s");
  }
  const { data: listed, lastDueAt } = await timers();
  const all = listed.map(({ id }: { id: string }) => id);
  expect(all).toHaveLength(7);
  expect(lastDueAt).toBe("2026-01-05T09:06:00.000Z");
  const page = async (query: string) => (await world.control("GET", `/timers?${query}`)).body;
  const seen: string[] = [];
  let cursor = "";
  do {
    const { data, hasMore, nextCursor, totalCount, ...reply } = await page(`limit=3${cursor}`);
    expect(reply.lastDueAt).toBe(lastDueAt);
    expect([hasMore, totalCount]).toEqual([nextCursor !== undefined, 7]);
    seen.push(...data.map(({ id }: { id: string }) => id));
    cursor = nextCursor === undefined ? "" : `&cursor=${nextCursor}`;
  } while (cursor !== "");
  expect(seen).toEqual(all);

  const first = await page("limit=2");
  await world.sim.advance("4m10s");
  const rest = await page(`limit=10&cursor=${first.nextCursor}`);
  expect(rest.data.map(({ id }: { id: string }) => id)).toEqual(all.slice(3));
});

test("a span has the timers due in it, both ends included, and counts them in parts", async () => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  for (const after of ["10s", "10s", "40s"]) {
    await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
    await world.sim.advance(after);
  }
  const { body: paid } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  await world.call("POST", `/quotes/${paid.id}/execute`);
  const asked = async (query: string) => (await world.control("GET", `/timers?${query}`)).body;
  const dueIn = async (query: string) =>
    (await asked(query)).data.map(({ dueAt }: { dueAt: string }) => dueAt.slice(11, 19));
  expect(await dueIn("")).toEqual(["09:05:00", "09:05:10", "09:05:20", "09:07:00"]);
  expect(await dueIn("from=2026-01-05T09:05:10Z&to=2026-01-05T09:05:20Z")).toEqual([
    "09:05:10",
    "09:05:20",
  ]);
  expect(await dueIn("from=2026-01-05T09:05:10.001Z")).toEqual(["09:05:20", "09:07:00"]);
  expect(await dueIn("to=2026-01-05T09:04:59.999Z")).toEqual([]);
  expect(await dueIn("from=2026-01-05T10:00:00Z&to=2026-01-05T09:00:00Z")).toEqual([]);

  const parts = await asked("to=2026-01-05T09:07:00Z&buckets=6&limit=1");
  expect(parts.data).toHaveLength(1);
  const ids = (await timers()).data.map(({ id }: { id: string }) => id);
  expect(parts.buckets).toEqual([
    { at: "2026-01-05T09:05:00.000Z", count: 3, first: ids[0], timers: { "quote.expire": 3 } },
    { at: "2026-01-05T09:06:00.000Z", count: 1, first: ids[3], timers: { "payment.settle": 1 } },
  ]);
  const [whole] = (await asked("to=2026-01-05T09:05:20Z&buckets=1")).buckets;
  expect(whole).toMatchObject({ at: "2026-01-05T09:01:00.000Z", count: 3 });
});

test.each([
  ["limit=0", "limit"],
  ["limit=1001", "limit"],
  ["buckets=5", "to"],
  ["buckets=5&to=2026-01-05T08:00:00Z", "to"],
  ["buckets=x&to=2026-01-05T10:00:00Z", "buckets"],
  ["from=soon", "from"],
  ["cursor=nothing", "cursor"],
])("a query of %s is refused", async (query, field) => {
  const { status, body } = await world.control("GET", `/timers?${query}`);
  const { code, details } = body.error;
  expect([status, code, details.field]).toEqual([400, "INVALID_INPUT", field]);
});

test("the library asks for a page", async () => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  for (let count = 0; count < 2; count += 1)
    await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  const { data, nextCursor } = await world.sim.timers.list({ limit: 1 });
  const next = await world.sim.timers.list({ ...(nextCursor && { cursor: nextCursor }) });
  expect([data.length, next.data.length, next.hasMore]).toEqual([1, 1, false]);
});
