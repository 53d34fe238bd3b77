import { afterEach, beforeEach, expect, test } from "vitest";
import { createPayer } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

const series = async (account: string, query = "") =>
  (await world.control("GET", `/ledger/series?account=${account}&currency=USD${query}`)).body;

const fund = (accountId: string, amount: number) =>
  world.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount });

// spec/ledger.md#series
test("a balance is told as steps, and the last one is the present balance", async () => {
  const { accountId } = await createPayer(world);
  const before = (await series(accountId)).points.at(-1).amount;
  for (const amount of [100, 200, 300]) {
    await world.sim.advance("1m");
    await fund(accountId, amount);
  }
  const { points, to } = await series(accountId);
  expect(to).toBe("2026-01-05T09:03:00.000Z");
  expect(points.slice(1).map((one: { amount: number }) => one.amount - before)).toEqual([
    100, 300, 600,
  ]);
  const { balances } = (await world.control("GET", "/ledger")).body;
  const present = balances.find((one: { account: string }) => one.account === accountId).amount;
  expect(points.at(-1).amount).toBe(present);
});

test("a span begins with the balance that it found, and many changes are thinned", async () => {
  const { accountId } = await createPayer(world);
  const before = (await series(accountId)).points.at(-1).amount;
  for (let count = 0; count < 20; count += 1) {
    await world.sim.advance("1m");
    await fund(accountId, 100);
  }
  const later = await series(accountId, "&from=2026-01-05T09:10:30Z&to=2026-01-05T09:12:30Z");
  expect(later.points.map((one: { amount: number }) => one.amount - before)).toEqual([
    1000, 1100, 1200,
  ]);
  const thin = await series(accountId, "&points=5");
  expect(thin.points.length).toBeLessThanOrEqual(5);
  expect(thin.points.at(-1).amount).toBe(before + 2000);
});

test("an account that is not there is 404", async () => {
  const reply = await world.control("GET", "/ledger/series?account=InternalAccount:x&currency=USD");
  expect(reply.status).toBe(404);
});
