import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { transferInput } from "../../setup/banks.ts";
import { type Answer, startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { reopen } from "../../storage/setup/reopen.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";
import { fingerprintOf } from "../setup/every-operation.ts";
import { createParties, type Parties } from "../setup/payment-parties.ts";
import { balanceOf, goTo } from "../setup/told.ts";

let directory: StateDirectory;
let world: TestSimulator;
let parties: Parties;

beforeEach(async () => {
  directory = new StateDirectory();
  world = await startTestSimulator({ storage: directory.url });
  parties = await createParties(world);
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  directory.remove();
});

const WAYS = ["in", "out"] as const;
type Way = (typeof WAYS)[number];

const keyed = (way: Way, key: string, body: unknown): Promise<Answer> =>
  world.raw("POST", `/transfer-${way}`, {
    headers: { "idempotency-key": key, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

const inputOf = (way: Way, amount = 25_000) => {
  const { payer, bank } = parties;
  const [from, to] = way === "in" ? [bank, payer.accountId] : [payer.accountId, bank];
  return transferInput(from, to, amount);
};

const count = async () => (await world.call("GET", "/transactions")).body.totalCount;

describe.each(WAYS)("transfer-%s under a key", (way) => {
  test("answers the same again, and nothing happens twice", async () => {
    const first = await keyed(way, "k1", inputOf(way));
    await goTo(world, "09:00:00.000");
    const before = await fingerprintOf(world);
    const again = await keyed(way, "k1", inputOf(way, 99_000));
    expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: first.body });
    expect(first.body.status).toBe("PENDING");
    expect(await fingerprintOf(world)).toEqual(before);
    expect(await count()).toBe(1);
    expect((await keyed(way, "k2", inputOf(way))).body.id).not.toBe(first.body.id);
  });

  test("of twenty calls at once runs once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => keyed(way, "k1", inputOf(way))),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await count()).toBe(1);
    const sign = way === "in" ? 1 : -1;
    expect(await balanceOf(world, parties.payer.accountId)).toBe(1_000_000 + sign * 25_000);
  });

  test("keeps a refusal too", async () => {
    const refused = await keyed(way, "k1", inputOf(way, 0));
    expect(refused.status).toBe(400);
    const repaired = await keyed(way, "k1", inputOf(way));
    expect(repaired).toMatchObject({ status: 400, body: refused.body });
    expect(await count()).toBe(0);
  });

  test("does not answer for the other direction", async () => {
    const other = way === "in" ? "out" : "in";
    const first = await keyed(way, "k1", inputOf(way));
    const second = await keyed(other, "k1", inputOf(other));
    expect(second.body.type).not.toBe(first.body.type);
  });

  test("answers the same after a restart", async () => {
    const first = await keyed(way, "k1", inputOf(way));
    const refused = await keyed(way, "k2", inputOf(way, 0));
    await world.sim.close();
    world = await reopen(directory);
    const balance = await balanceOf(world, parties.payer.accountId);
    expect((await keyed(way, "k1", inputOf(way))).body).toEqual(first.body);
    expect((await keyed(way, "k2", inputOf(way))).body).toEqual(refused.body);
    expect(await count()).toBe(1);
    expect(await balanceOf(world, parties.payer.accountId)).toBe(balance);
  });
});

test("sending money to a quote ignores the key: the second call is too late", async () => {
  const { body: quote } = await world.call("POST", "/quotes", {
    source: { sourceType: "REALTIME_FUNDING", currency: "USD" },
    destination: { destinationType: "ACCOUNT", accountId: parties.mexican },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 25_000,
  });
  const send = () =>
    world.raw("POST", "/sandbox/send", {
      headers: { "idempotency-key": "k1", "content-type": "application/json" },
      body: JSON.stringify({ quoteId: quote.id, currencyCode: "USD" }),
    });
  expect((await send()).status).toBe(200);
  expect((await send()).status).toBe(400);
});
