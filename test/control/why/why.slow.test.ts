import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { type Parsed, startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { reopen } from "../../storage/setup/reopen.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";
import { allEnded, type Greeted, startGreeted } from "../../webhooks/setup/greeted.ts";

/** A payment on its way that settles after six minutes. */
interface Payment {
  quoteId: string;
  transactionId: string;
  accountId: string;
  customerId: string;
  created: string;
  executed: string;
}

const idOf = ({ headers }: { headers: Headers }) => headers.get("x-sim-request-id") ?? "";

const pay = async (at: TestSimulator): Promise<Payment> => {
  const { accountId, customerId } = await createPayer(at);
  const payee = await createPayee(at, customerId, "003");
  const quote = await at.call("POST", "/quotes", quoteInput(accountId, payee));
  const executed = await at.call("POST", `/quotes/${quote.body.id}/execute`);
  const { id: quoteId, transactionId } = quote.body;
  const ids = { created: idOf(quote), executed: idOf(executed) };
  return { quoteId, transactionId, accountId, customerId, ...ids };
};

const why = (at: TestSimulator, id: string) => at.control("GET", `/why/${encodeURIComponent(id)}`);

const storyOf = async (at: TestSimulator, id: string) => {
  const { status, body } = await why(at, id);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

describe("a payment", () => {
  let world: Greeted;
  let payment: Payment;

  beforeEach(async () => {
    world = await startGreeted();
    payment = await pay(world);
    await world.sim.advance("6m");
  });

  afterEach(async () => {
    expect(world.alarms).toEqual([]);
    await world.stop();
  });

  test("is told change by change: cause, money, rule, timer and webhooks of each", async () => {
    const { transactionId, quoteId, accountId, created, executed } = payment;
    const story = await storyOf(world, transactionId);
    const attempt = { attempt: 1, status: 200, tookMs: expect.any(Number) };
    const webhook = (type: string, at: string) => ({
      kind: "webhook",
      id: expect.stringMatching(/^Webhook:/),
      type,
      state: "ACCEPTED",
      attempts: [{ ...attempt, at }],
    });
    const [pending, processing, completed] = story.chain;
    expect(story).toMatchObject({
      id: transactionId,
      kind: "Transaction",
      type: "OUTGOING",
      status: "COMPLETED",
      sends: { amount: 25_000, currency: "USD" },
      receives: { amount: 429_766, currency: "MXN" },
      payee: { name: "Ana Flores", identifier: "clabeNumber …0003" },
    });
    expect(story).not.toHaveProperty("ends");
    expect(pending).toMatchObject({
      at: "2026-01-05T09:00:00.000Z",
      status: "PENDING",
      because: { kind: "request", id: created, method: "POST", path: "/quotes" },
      effects: [webhook("OUTGOING_PAYMENT.PENDING", "2026-01-05T09:00:00.000Z")],
    });
    expect(processing).toMatchObject({
      status: "PROCESSING",
      because: { kind: "request", id: executed, path: `/quotes/${quoteId}/execute` },
      effects: [
        {
          kind: "posting",
          account: accountId,
          currency: "USD",
          amount: -25_000,
          leaves: 975_000,
        },
        { kind: "posting", account: "Ledger:clearing", currency: "USD", amount: 25_000 },
        {
          kind: "rule",
          rule: "quotedPayment.003",
          says: "test rule 003: completes after about 6 minutes",
        },
        { kind: "timer", timer: "payment.settle", dueAt: "2026-01-05T09:06:00.000Z" },
        webhook("OUTGOING_PAYMENT.PROCESSING", "2026-01-05T09:00:00.000Z"),
      ],
    });
    expect(completed).toMatchObject({
      at: "2026-01-05T09:06:00.000Z",
      status: "COMPLETED",
      because: {
        kind: "timer",
        timer: "payment.settle",
        subject: transactionId,
        movedBy: "advance 6m",
        setBy: {
          seq: processing.seq,
          at: "2026-01-05T09:00:00.000Z",
          because: { kind: "request", id: executed },
        },
      },
    });
    expect(completed.effects.at(-1)).toEqual(
      webhook("OUTGOING_PAYMENT.COMPLETED", "2026-01-05T09:06:00.000Z"),
    );
  });

  test("is found by what any screen prints of its id", async () => {
    const { transactionId } = payment;
    const tail = transactionId.slice(-6);
    for (const text of [transactionId, `Transaction:…${tail}`, `…${tail}`, tail, `..${tail}`])
      expect((await storyOf(world, text)).id).toBe(transactionId);
    expect((await storyOf(world, tail.toUpperCase())).id).toBe(transactionId);
  });

  test("moves its quote too: the cause is the timer of the payment", async () => {
    const { quoteId, transactionId, executed } = payment;
    const { chain } = await storyOf(world, quoteId);
    expect(chain.map(({ status }: Parsed) => status)).toEqual([
      "PENDING",
      "PROCESSING",
      "COMPLETED",
    ]);
    expect(chain[2].because).toMatchObject({
      kind: "timer",
      subject: transactionId,
      setBy: { because: { kind: "request", id: executed } },
    });
  });

  test("explains an account by its postings", async () => {
    const { accountId } = payment;
    const { balance, chain, type } = await storyOf(world, accountId);
    expect({ balance, type }).toEqual({
      balance: { amount: 975_000, currency: "USD" },
      type: "INTERNAL_FIAT",
    });
    const moved = chain.flatMap(({ effects }: Parsed) =>
      effects.filter(({ account }: Parsed) => account === accountId),
    );
    expect(moved).toEqual([
      {
        kind: "posting",
        account: accountId,
        currency: "USD",
        amount: 1_000_000,
        leaves: 1_000_000,
      },
      { kind: "posting", account: accountId, currency: "USD", amount: -25_000, leaves: 975_000 },
    ]);
  });

  test("explains the ledger's own accounts", async () => {
    const { chain } = await storyOf(world, "Ledger:fees");
    expect(chain).toHaveLength(1);
    expect(chain[0].because).toMatchObject({ kind: "timer", timer: "payment.settle" });
  });

  test("explains a webhook by what sent it", async () => {
    const { body } = await world.control("GET", "/webhooks?type=OUTGOING_PAYMENT.COMPLETED");
    const story = await storyOf(world, body.data[0].id);
    expect(story).toMatchObject({
      kind: "Webhook",
      type: "OUTGOING_PAYMENT.COMPLETED",
      status: "ACCEPTED",
      about: payment.transactionId,
    });
    expect(story.chain).toHaveLength(1);
    expect(story.chain[0].because).toMatchObject({
      kind: "timer",
      timer: "payment.settle",
      setBy: { because: { id: payment.executed } },
    });
    expect(story.chain[0].effects[0]).toMatchObject({ kind: "rule", rule: "quotedPayment.003" });
  });

  test("explains a request by what it set off", async () => {
    const { executed, quoteId, transactionId } = payment;
    const story = await storyOf(world, executed);
    expect(story).toMatchObject({ id: executed, kind: "request", status: "200" });
    expect(story.chain[0].effects).toEqual(
      expect.arrayContaining([
        { kind: "record", id: quoteId },
        { kind: "record", id: transactionId },
        { kind: "timer", timer: "payment.settle", subject: transactionId },
        expect.objectContaining({ kind: "webhook", type: "OUTGOING_PAYMENT.PROCESSING" }),
      ]),
    );
  });

  test("an attempt that failed and one that was accepted are both shown", async () => {
    world.receiver.behaviour = (_event, response, count) => {
      response.writeHead(count % 2 === 1 ? 500 : 200).end();
    };
    world.receiver.received.length = 0;
    const { accountId } = payment;
    await world.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 1 });
    await world.sim.advance("1s");
    await allEnded(world);
    const { chain } = await storyOf(world, accountId);
    expect(chain.at(-1).effects.at(-1)).toMatchObject({
      kind: "webhook",
      attempts: [
        { attempt: 1, status: 500 },
        { attempt: 2, status: 200 },
      ],
    });
  });
});

describe("where knowledge ends", () => {
  let world: TestSimulator;

  beforeEach(async () => {
    world = await startTestSimulator();
  });

  afterEach(async () => {
    expect(world.alarms).toEqual([]);
    await world.sim.close();
  });

  test("an id of nothing is said to be none", async () => {
    const { status, body } = await why(world, "Transaction:…0000aa");
    expect(status).toBe(404);
    expect(body.error).toEqual({
      code: "ID_NOT_FOUND",
      message: "Expected an id of world sandbox but found none ending in 0000aa",
      next: ["service-sim requests      shows the calls with their ids"],
      details: { id: "Transaction:…0000aa" },
    });
    for (const text of ["nothing", "12", "%E2%80%A6", "Transaction:", "…"])
      expect((await why(world, text)).body.error.code).toBe("ID_NOT_FOUND");
  });

  test("a short id that fits several names them all", async () => {
    const suffix = "123";
    const { customerId } = await createPayer(world, 0);
    const open = async () =>
      (
        await world.control("POST", "/internal-accounts", { customerId, currency: "USD", suffix })
      ).body.id.slice(-4);
    const seen = new Map<string, number>();
    let tail = "";
    while (!tail) {
      const next = await open();
      seen.set(next, (seen.get(next) ?? 0) + 1);
      if ((seen.get(next) ?? 0) > 1) tail = next;
    }
    const { status, body } = await why(world, tail);
    expect(status).toBe(409);
    expect(body.error.code).toBe("ID_AMBIGUOUS");
    expect(body.error.details.ids).toHaveLength(2);
    for (const id of body.error.details.ids) {
      expect(id).toMatch(new RegExp(`^InternalAccount:.*${tail}$`));
      expect(body.error.message).toContain(id);
    }
  });

  test("only the last 16 changes are remembered", async () => {
    const { customerId, accountId } = await createPayer(world, 0);
    for (let count = 1; count <= 20; count += 1) {
      const input = { customerType: "INDIVIDUAL", fullName: `Ada ${count}` };
      expect((await world.call("PATCH", `/customers/${customerId}`, input)).status).toBe(200);
      await world.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 1 });
    }
    for (const id of [customerId, accountId]) {
      const { chain, ends } = await storyOf(world, id);
      expect(chain).toHaveLength(16);
      expect(ends).toBe("only the last 16 changes are remembered");
    }
  });

  test("a change of the operator is told by its operation", async () => {
    const { customerId } = await createPayer(world, 0);
    await world.control("PATCH", `/customers/${customerId}`, { kycStatus: "REJECTED" });
    const { chain } = await storyOf(world, customerId);
    const { because } = chain.at(-1);
    expect(because).toMatchObject({
      kind: "request",
      operation: "setCustomerStatus",
      method: "PATCH",
      path: "/_sim/customers/{customerId}",
    });
    expect(because).not.toHaveProperty("ends");
  });

  test("what was there from the start came with the world", async () => {
    const { data } = (await world.call("GET", "/platform/internal-accounts")).body;
    const { chain } = await storyOf(world, data[0].id);
    expect(chain[0].because).toEqual({ kind: "world", id: "open" });
  });
});

describe("what moved the clock to a timer's instant is named", () => {
  let world: TestSimulator;
  let payment: Payment;

  beforeEach(async () => {
    world = await startTestSimulator();
    payment = await pay(world);
  });

  afterEach(async () => {
    expect(world.alarms).toEqual([]);
    await world.sim.close();
  });

  const movedBy = async () =>
    (await storyOf(world, payment.transactionId)).chain[2].because.movedBy;

  test.each([
    { asked: { by: "10m" }, called: "advance 10m" },
    { asked: { to: "2026-01-05T10:00:00Z" }, called: "advance --to 2026-01-05T10:00:00Z" },
    { asked: { next: true }, called: "advance --next" },
  ])("as the command is written: $called", async ({ asked, called }) => {
    expect((await world.control("POST", "/clock/advance", asked)).status).toBe(200);
    expect(await movedBy()).toBe(called);
  });

  test("with the id and the status that it waited for", async () => {
    const until = { id: payment.transactionId, status: "COMPLETED" };
    await world.control("POST", "/clock/advance", { until });
    expect(await movedBy()).toBe(`advance --until ${payment.transactionId}=COMPLETED`);
  });

  test("the one of several that came first", async () => {
    const both = ["20m", "10m"].map((by) => world.control("POST", "/clock/advance", { by }));
    await Promise.all(both);
    expect(await movedBy()).toBe("advance 20m");
  });
});

test("after a restart the story and its requests are there", async () => {
  const directory = new StateDirectory();
  const first = await startTestSimulator({ storage: directory.url });
  const { quoteId, transactionId, executed } = await pay(first);
  await first.sim.close();
  const world = await reopen(directory);
  await world.sim.advance("6m");
  const { chain } = await storyOf(world, transactionId);
  expect(chain.map(({ status }: Parsed) => status)).toEqual(["PENDING", "PROCESSING", "COMPLETED"]);
  const because = {
    kind: "request",
    id: executed,
    operation: "executeQuote",
    method: "POST",
    path: `/quotes/${quoteId}/execute`,
  };
  expect(chain[1].because).toEqual(because);
  expect(chain[2].because.setBy.because).toEqual(because);
  expect(chain[2].because.movedBy).toBe("advance 6m");
  expect((await storyOf(world, executed)).status).toBe("200");
  await world.sim.close();
  directory.remove();
});
