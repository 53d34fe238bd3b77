import { afterEach, describe, expect, test } from "vitest";
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
