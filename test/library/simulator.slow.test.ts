import { afterEach, describe, expect, test } from "vitest";
import { connectIn } from "../../src/library/connect.ts";
import {
  ApiError,
  connect,
  createSimulator,
  NoAnswer,
  type Simulator,
} from "../../src/simulator.ts";
import { mxnAccount, quoteInput } from "../setup/platform.ts";

const START = "2026-01-05T09:00:00.000Z";

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** The two ways to a simulator: one body of tests runs on both. */
const WAYS: Record<string, () => Promise<Simulator>> = {
  "in this process": async () => {
    const sim = await createSimulator({ seed: "test", clock: "manual", now: START });
    closers.push(() => sim.close());
    return sim;
  },
  "over HTTP": async () => {
    const sim = await createSimulator({ seed: "test", clock: "manual", now: START });
    closers.push(() => sim.close());
    const { url } = await sim.listen();
    const { clientId, clientSecret } = sim;
    const connected = await connect(url, { clientId, clientSecret });
    closers.push(() => connected.close());
    return connected;
  },
};

interface Made {
  id: string;
}

/** A payment of 250.00 USD that settles after six minutes. */
const pay = async (sim: Simulator) => {
  const { id: customerId } = await sim.call.createCustomer<Made>({
    body: { customerType: "INDIVIDUAL" },
  });
  const accounts = await sim.call.listCustomerInternalAccounts<{ data: Made[] }>({
    query: { customerId, currency: "USD" },
  });
  const accountId = accounts.data[0]?.id ?? "";
  await sim.call.fundInternalAccount({ params: { accountId }, body: { amount: 1_000_000 } });
  const payee = await sim.call.createCustomerExternalAccount<Made>({
    body: { customerId, currency: "MXN", accountInfo: mxnAccount("003") },
  });
  const quote = await sim.call.createQuote<Made & { transactionId: string }>({
    body: quoteInput(accountId, payee.id),
  });
  await sim.call.executeQuote({ params: { quoteId: quote.id } });
  return { ...quote, accountId };
};

describe.each(Object.entries(WAYS))("a simulator %s", (_way, open) => {
  test("calls the platform by operation, moves time and receives webhooks", async () => {
    const sim = await open();
    const { transactionId } = await pay(sim);
    const advanced = await sim.advance("6m");
    expect(advanced).toMatchObject({
      to: "2026-01-05T09:06:00.000Z",
      complete: true,
      fired: [{ timer: "payment.settle", to: "COMPLETED" }],
    });
    const [completed, ...more] = await sim.webhooks.wait({
      type: "OUTGOING_PAYMENT.COMPLETED",
      about: transactionId,
    });
    expect(more).toEqual([]);
    expect(completed).toMatchObject({
      type: "OUTGOING_PAYMENT.COMPLETED",
      collected: true,
      event: { type: "OUTGOING_PAYMENT.COMPLETED", data: { id: transactionId } },
    });
    expect(await sim.call.getTransaction({ params: { transactionId } })).toMatchObject({
      status: "COMPLETED",
    });
    expect((await sim.ledger()).totals).toEqual({ USD: 0, MXN: 0 });
  });

  test("moves to a record's status, to an instant and to the next timer", async () => {
    const sim = await open();
    const { transactionId } = await pay(sim);
    expect(await sim.advanceUntil(transactionId, "COMPLETED")).toMatchObject({
      to: "2026-01-05T09:06:00.000Z",
    });
    expect((await sim.advanceTo("2026-01-05T10:00:00Z")).to).toBe("2026-01-05T10:00:00.000Z");
    await pay(sim);
    expect((await sim.next()).to).toBe("2026-01-05T10:06:00.000Z");
    expect(await sim.clock.now()).toBe("2026-01-05T10:06:00.000Z");
    await expect(sim.advanceUntil(transactionId, "FAILED")).rejects.toThrow(
      `Expected ${transactionId} to reach FAILED but found COMPLETED`,
    );
  });

  test("a refusal throws, with what the caller can act on", async () => {
    const sim = await open();
    const refused = await sim.call
      .getQuote({ params: { quoteId: "Quote:none" } })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({
      status: 404,
      code: "QUOTE_NOT_FOUND",
      message: expect.stringMatching(/^getQuote was refused with 404 QUOTE_NOT_FOUND: /),
      requestId: expect.stringMatching(/^req-/),
    });
    const late = await sim.webhooks.wait({ type: "TEST", timeoutMs: 1 }).catch((error) => error);
    expect(late).toMatchObject({ status: 404, code: "WEBHOOK_DID_NOT_COME" });
    await expect(sim.advance("soon")).rejects.toThrow("soon");
  });

  test("a misspelled operation and a missing parameter are named", async () => {
    const { call } = await open();
    expect(() => (call as never as Record<string, unknown>).createQoute).toThrow(
      'Expected the name of an operation but found "createQoute"; the closest one is createQuote',
    );
    await expect(call.getQuote()).rejects.toThrow(
      "Expected params.quoteId of getQuote but found none",
    );
    await expect(call.agentGetMe()).rejects.toThrow("Expected the token of an agent");
  });

  test("a lost answer throws, and the call is told", async () => {
    const sim = await open();
    await sim.faults.add({
      match: { operation: "createCustomer", times: 1 },
      fault: { dropResponse: true },
    });
    const body = { customerType: "INDIVIDUAL" };
    await expect(sim.call.createCustomer({ body })).rejects.toBeInstanceOf(NoAnswer);
    expect((await sim.requests.list()).data).toMatchObject([{ operation: "createCustomer" }]);
    await sim.faults.clear();
    expect((await sim.faults.list()).data).toEqual([]);
  });

  test.each([{ cutAfterBytes: 20 }, { garble: true as const }])(
    "an answer spoilt by %o throws, and the next call is answered",
    async (fault) => {
      const sim = await open();
      await sim.faults.add({ match: { operation: "createCustomer", times: 1 }, fault });
      const body = { customerType: "INDIVIDUAL" };
      await expect(sim.call.createCustomer({ body })).rejects.toBeInstanceOf(NoAnswer);
      expect(await sim.call.createCustomer({ body })).toMatchObject({ customerType: "INDIVIDUAL" });
    },
  );

  test("reset begins again, seed fills it, why explains", async () => {
    const sim = await open();
    const { transactionId } = await pay(sim);
    expect((await sim.why(transactionId)).id).toBe(transactionId);
    expect((await sim.timers.list()).totalCount).toBe(1);
    expect((await sim.reset()).dropped.timers).toBe(1);
    expect((await sim.webhooks.list()).data).toEqual([]);
    expect((await sim.seed("payouts-demo")).fixture).toBe("payouts-demo");
    expect(await sim.status()).toMatchObject({ world: "sandbox" });
    await sim.clock.set("real");
    expect((await sim.clock.read()).mode).toBe("real");
  });

  test("a fork begins as its origin is, and neither sees what happens in the other", async () => {
    const sim = await open();
    const { transactionId } = await pay(sim);
    const fork = await sim.fork("checkout-7");
    expect(fork).toMatchObject({ world: "checkout-7", clientId: `${sim.clientId}+checkout-7` });
    await fork.advance("6m");
    const read = { params: { transactionId } };
    expect(await fork.call.getTransaction(read)).toMatchObject({ status: "COMPLETED" });
    expect(await sim.call.getTransaction(read)).toMatchObject({ status: "PROCESSING" });
    expect(await sim.clock.now()).toBe(START);
    const grandchild = await fork.fork();
    expect(await grandchild.call.getTransaction(read)).toMatchObject({ status: "COMPLETED" });
    await fork.close();
    await expect(fork.clock.now()).rejects.toThrow("Expected an open world");
    expect(await grandchild.clock.now()).toBe("2026-01-05T09:06:00.000Z");
    await grandchild.close();
    await grandchild.close();
    expect(await sim.clock.now()).toBe(START);
  });

  test("a fork waits for its own webhooks alone", async () => {
    const sim = await open();
    await pay(sim);
    const type = "OUTGOING_PAYMENT.PROCESSING";
    expect(await sim.webhooks.wait({ type })).toHaveLength(1);
    const fork = await sim.fork();
    await expect(fork.webhooks.wait({ type, timeoutMs: 1 })).rejects.toBeInstanceOf(ApiError);
    const { transactionId } = await pay(fork);
    expect(await fork.webhooks.wait({ type })).toMatchObject([{ about: transactionId }]);
    await fork.snapshot("paid");
    await fork.restore("paid");
    expect(await fork.webhooks.wait({ type })).toHaveLength(1);
    await fork.reset();
    await expect(fork.webhooks.wait({ type, timeoutMs: 1 })).rejects.toBeInstanceOf(ApiError);
    await fork.close();
  });

  test("a fork answers requests made by hand", async () => {
    const sim = await open();
    const fork = await sim.fork("by-hand");
    await fork.advance("1h");
    const read = async (request: Request) => (await fork.fetch(request)).json();
    expect(await read(new Request(`${fork.controlUrl}/clock`))).toMatchObject({
      now: "2026-01-05T10:00:00.000Z",
    });
    const authorization = `Basic ${btoa(`${fork.clientId}:${fork.clientSecret}`)}`;
    const config = new Request(`${fork.apiUrl}/config`, { headers: { authorization } });
    expect((await fork.fetch(config)).status).toBe(200);
    expect((await fork.requests.list()).data).toMatchObject([{ operation: "getConfig" }]);
    expect((await sim.requests.list()).data).toEqual([]);
    expect(JSON.stringify(fork)).not.toContain(fork.clientSecret);
    await fork.close();
  });

  test("a world that is there is connected to by its name", async () => {
    const sim = await open();
    const fork = await sim.fork("named");
    await fork.advance("1h");
    if (!sim.apiUrl.startsWith("http://127.0.0.1:")) return;
    const { origin } = new URL(sim.apiUrl);
    const { clientSecret } = sim;
    const named = await connect(origin, { world: "named", clientSecret });
    expect(named).toMatchObject({ world: "named", clientId: fork.clientId });
    expect(await named.clock.now()).toBe("2026-01-05T10:00:00.000Z");
    await expect(named.call.getConfig()).resolves.toMatchObject({ id: expect.any(String) });
    await named.close();
    const own = await sim.fork("own");
    const environment = {
      SERVICE_SIM_URL: origin,
      SERVICE_SIM_WORLD: "own",
      SERVICE_SIM_CLIENT_ID: own.clientId,
      SERVICE_SIM_CLIENT_SECRET: clientSecret,
    };
    const byEnvironment = await connectIn(environment, undefined, {});
    expect(byEnvironment).toMatchObject({ world: "own", clientId: "sandbox+own" });
    await byEnvironment.close();
    await expect(connect(origin, { world: "namend" })).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining("named"),
    });
  });

  test("sets the next outcome, fires, postpones and cancels a timer", async () => {
    const sim = await open();
    await sim.outcomes.next("quotedPayment.004", { times: 2 });
    const { transactionId } = await pay(sim);
    expect((await sim.outcomes.list()).data).toMatchObject([
      { rule: "quotedPayment.004", times: 1 },
    ]);
    await sim.outcomes.lift();
    expect((await sim.outcomes.list()).data).toEqual([]);
    await pay(sim);
    const [timer] = (await sim.timers.list()).data.filter(({ timer: name }) =>
      name.startsWith("payment."),
    );
    const id = timer?.id ?? "";
    expect(await sim.timers.postpone(id, { by: "1h" })).toMatchObject({ wasDueAt: timer?.dueAt });
    expect(await sim.timers.cancel(id)).toMatchObject({ subject: timer?.subject });
    expect(await sim.timers.fire(id)).toMatchObject({ subject: timer?.subject });
    expect(transactionId).toMatch(/^Transaction:/);
  });

  test("goes back to a snapshot and to before a call", async () => {
    const sim = await open();
    const { transactionId } = await pay(sim);
    expect(await sim.snapshot("paid")).toMatchObject({ name: "paid", now: START });
    await sim.advance("6m");
    expect(await sim.restore("paid")).toMatchObject({ name: "paid", now: START });
    const read = { params: { transactionId } };
    expect(await sim.call.getTransaction(read)).toMatchObject({ status: "PROCESSING" });
    expect((await sim.snapshots.list()).data).toMatchObject([{ name: "paid" }]);
    await sim.advance("6m");
    const rewound = await sim.rewind("1m");
    expect(rewound).toMatchObject({ to: "2026-01-05T09:05:00.000Z", undone: { timers: 1 } });
    expect(await sim.clock.now()).toBe("2026-01-05T09:05:00.000Z");
    await sim.snapshots.remove("paid");
    await expect(sim.restore("paid")).rejects.toMatchObject({ status: 404 });
    await sim.advance("1m");
    expect(
      await sim.webhooks.wait({ type: "OUTGOING_PAYMENT.COMPLETED", about: transactionId }),
    ).toHaveLength(1);
  });

  test("tells what differs between two states", async () => {
    const sim = await open();
    const { transactionId } = await pay(sim);
    await sim.snapshot("paid");
    await sim.advance("6m");
    const settled = await sim.diff("snapshot:paid");
    expect(settled).toMatchObject({
      from: { ref: "snapshot:paid", at: START },
      to: { ref: "now", at: "2026-01-05T09:06:00.000Z" },
      timers: [{ timer: "payment.settle", change: "removed" }],
    });
    expect(settled.records.find(({ id }) => id === transactionId)).toMatchObject({
      change: "changed",
      fields: expect.arrayContaining([{ field: "status", from: "PROCESSING", to: "COMPLETED" }]),
    });
    const fork = await sim.fork("further");
    await fork.call.createCustomer({ body: { customerType: "INDIVIDUAL" } });
    const { counts } = await sim.diff("now", "world:further");
    expect(counts).toMatchObject({ balances: 0, timers: 0, webhooks: 0 });
    expect(counts.records).toBeGreaterThan(0);
    expect((await sim.diff("now", "now")).counts).toEqual({
      records: 0,
      balances: 0,
      timers: 0,
      webhooks: 0,
    });
    await expect(sim.diff("snapshot:pai")).rejects.toMatchObject({ status: 404 });
  });

  test("mails and approvals", async () => {
    const sim = await open();
    expect((await sim.inbox.list()).data).toEqual([]);
    await expect(sim.inbox.wait({ timeoutMs: 0 })).rejects.toMatchObject({
      code: "MAIL_DID_NOT_COME",
    });
    await sim.approvals.set("reject");
    expect(await sim.approvals.list()).toMatchObject({ data: [], mode: "reject" });
  });
});
