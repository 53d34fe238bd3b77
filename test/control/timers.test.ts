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
