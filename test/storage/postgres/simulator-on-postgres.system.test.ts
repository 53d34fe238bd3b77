import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SimulatorOptions } from "../../../src/simulator.ts";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { hasPostgres, PostgresServer, sayIfSkipped } from "../setup/postgres-server.ts";

sayIfSkipped("the simulator on PostgreSQL");

/** A payment from a funded account to a payee whose payments succeed at once. */
const pay = async (world: TestSimulator, key?: string) => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "010");
  const { body: quote } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  const path = `/quotes/${quote.id}/execute`;
  const headers = key === undefined ? {} : { "Idempotency-Key": key };
  const { body } = await world.raw("POST", path, { headers });
  return { payer, path, quote: body };
};

describe.skipIf(!hasPostgres())("a simulator whose worlds are in PostgreSQL", () => {
  let server: PostgresServer;
  let storage: string;
  let world: TestSimulator;

  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server?.delete());

  beforeEach(async () => {
    storage = server.url(await server.database());
    world = await startTestSimulator({ storage });
  });
  afterEach(async () => {
    expect(world.alarms).toEqual([]);
    await world.sim.close();
  });

  const restarted = async (options: SimulatorOptions = {}) => {
    await world.sim.close();
    const asKept = { seed: undefined, now: undefined } as unknown as SimulatorOptions;
    world = await startTestSimulator({ ...asKept, ...options, storage });
  };

  const names = async () =>
    (await world.call("GET", "/customers")).body.data.map(
      ({ platformCustomerId }: { platformCustomerId: string }) => platformCustomerId,
    );

  const customer = (platformCustomerId: string) =>
    world.call("POST", "/customers", { customerType: "INDIVIDUAL", platformCustomerId });

  test("a payment is the same after a restart, and its ledger adds up", async () => {
    const { quote } = await pay(world);
    const path = `/transactions/${quote.transactionId}`;
    const before = await world.call("GET", path);
    expect(before.status).toBe(200);
    await restarted();
    expect((await world.call("GET", path)).body).toEqual(before.body);
    const { body } = await world.control("GET", "/ledger");
    expect(new Set(Object.values(body.totals))).toEqual(new Set([0]));
  });

  test("webhooks are sent once their change is in the store", async () => {
    const receiver = await new Receiver().start();
    try {
      await restarted({ webhookEndpoint: receiver.url });
      await pay(world);
      await world.sim.advance("5m");
      expect(receiver.types()).toContain("OUTGOING_PAYMENT.COMPLETED");
      const sent = receiver.received.length;
      await restarted();
      await world.sim.advance("1m");
      expect(receiver.received.length).toBe(sent);
    } finally {
      await receiver.stop();
    }
  });

  test("an Idempotency-Key executes once, before and after a restart", async () => {
    const { path, quote } = await pay(world, "key-1");
    await restarted();
    const again = await world.raw("POST", path, { headers: { "Idempotency-Key": "key-1" } });
    expect(again.body).toEqual(quote);
    const { body } = await world.call("GET", "/transactions");
    const outgoing = body.data.filter(({ type }: { type: string }) => type === "OUTGOING");
    expect(outgoing).toHaveLength(1);
  });

  test("a reset brings the start back, also after a restart", async () => {
    await customer("ada");
    expect((await world.control("POST", "/reset")).status).toBe(200);
    expect(await names()).toEqual([]);
    await restarted();
    expect(await names()).toEqual([]);
    await customer("eve");
    await restarted();
    expect(await names()).toEqual(["eve"]);
  });

  test("a snapshot is restored and a rewind undone, across restarts", async () => {
    await customer("ada");
    expect((await world.control("PUT", "/snapshots/one")).status).toBeLessThan(300);
    await world.sim.advance("10m");
    await customer("eve");
    await restarted();
    expect((await world.control("POST", "/snapshots/one/restore")).status).toBe(200);
    expect(await names()).toEqual(["ada"]);
    await world.sim.advance("30m");
    await customer("bob");
    await restarted();
    expect((await world.control("POST", "/clock/rewind", { by: "10m" })).status).toBe(200);
    expect(await names()).toEqual(["ada"]);
    await restarted();
    expect(await names()).toEqual(["ada"]);
    const { body } = await world.control("GET", "/snapshots");
    const kept = body.data.map(({ name }: { name: string }) => name);
    expect(kept).toContain("one");
    expect(kept.some((name: string) => name.startsWith("before-rewind"))).toBe(true);
  });

  test("a fork has its own records after a restart, and goes for good", async () => {
    await customer("ada");
    expect((await world.control("POST", "/worlds", { name: "other" })).status).toBe(201);
    await customer("eve");
    await restarted();
    const { sim } = world;
    const authorization = `Basic ${btoa(`sandbox+other:${sim.clientSecret}`)}`;
    const asked = new Request(`${sim.apiUrl}/customers`, { headers: { authorization } });
    const { data } = await (await sim.fetch(asked)).json();
    expect(data).toMatchObject([{ platformCustomerId: "ada" }]);
    expect((await world.control("DELETE", "/worlds/other")).status).toBe(204);
    await restarted();
    const { body } = await world.control("GET", "/worlds");
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(["sandbox"]);
  });

  test("a fixture that was loaded at the start is there, and loaded again by a reset", async () => {
    storage = server.url(await server.database());
    await world.sim.close();
    world = await startTestSimulator({ storage, fixture: "payouts-demo" });
    const before = await names();
    expect(before.length).toBeGreaterThan(0);
    await customer("eve");
    await restarted();
    expect(await names()).toContain("eve");
    await world.control("POST", "/reset");
    expect(await names()).toEqual(before);
  });

  test("the request log and a setting outlive a restart", async () => {
    await customer("ada");
    const set = await world.control("PUT", "/approvals", { mode: "reject" });
    expect(set.status).toBe(200);
    await restarted();
    const { body: log } = await world.control("GET", "/requests");
    expect(log.data.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining([expect.stringMatching(/\/customers$/)]),
    );
    expect((await world.control("GET", "/approvals")).body.mode).toBe("reject");
  });
});
