import { afterEach, beforeEach, expect, test } from "vitest";
import { createPayee, createPayer, type Payer, quoteInput } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { type Parsed, startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";

const PROCESSING = "OUTGOING_PAYMENT.PROCESSING";
const COMPLETED = "OUTGOING_PAYMENT.COMPLETED";
const BALANCE = "INTERNAL_ACCOUNT.BALANCE_UPDATED";

let world: TestSimulator;
let receiver: Receiver;
let payer: Payer;

beforeEach(async () => {
  receiver = await new Receiver().start();
  world = await startTestSimulator({ webhookEndpoint: receiver.url });
  payer = await createPayer(world);
  await settled();
  receiver.received.length = 0;
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  await receiver.stop();
});

const advance = async (by: string): Promise<Parsed> =>
  (await world.control("POST", "/clock/advance", { by })).body;

/** Sends everything that is due at this instant. */
const settled = () =>
  world
    .control("GET", "/clock")
    .then(({ body }) => world.control("POST", "/clock/advance", { to: body.now }));

const trouble = async (body: object): Promise<Parsed> => {
  const answer = await world.control("POST", "/webhooks/troubles", body);
  expect(answer.status).toBe(201);
  return answer.body;
};

/** Executes a payment that completes after six minutes. */
const paySlowly = async (suffix = "003") => {
  const payee = await createPayee(world, payer.customerId, suffix);
  const { body } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  await world.call("POST", `/quotes/${body.id}/execute`);
  await settled();
  return body as { id: string; transactionId: string };
};

const fund = async (amount: number) => {
  await world.call("POST", `/sandbox/internal-accounts/${payer.accountId}/fund`, { amount });
};

const received = () =>
  receiver.received.map(({ type }) => type).filter((type) => type !== "OUTGOING_PAYMENT.PENDING");

/** Balances in the order in which the receiver was told of them. */
const balances = () =>
  receiver.received.filter(({ type }) => type === BALANCE).map(({ data }) => data.balance.amount);

const newest = async (type: string): Promise<Parsed> =>
  (await world.control("GET", `/webhooks?type=${type}&limit=1`)).body.data[0];

// spec/webhooks.md#troubles
test("a held webhook is kept back, reported as held, and sent when it is released", async () => {
  await trouble({ do: "hold", type: PROCESSING });
  await paySlowly();
  expect(received()).toEqual([BALANCE]);
  const held = await newest(PROCESSING);
  expect(held).toMatchObject({ state: "HELD", trouble: "held", attempt: 0, status: null });
  const report = await advance("10m");
  expect(report).toMatchObject({ complete: true, open: 1, unsent: 0, held: 1 });
  expect(report.why).toBe("1 held: webhooks release sends them");
  expect(report).not.toHaveProperty("stranded");
  expect(received()).toEqual([BALANCE, COMPLETED]);
  const { body: status } = await world.control("GET", "/status");
  expect(status.webhooks).toMatchObject({ held: 1, waiting: 0 });
  const released = await world.control("POST", "/webhooks/release", {});
  expect(released.body).toEqual({ lifted: 1, released: 1 });
  await settled();
  expect(received()).toEqual([BALANCE, COMPLETED, PROCESSING]);
  expect(await newest(PROCESSING)).toMatchObject({ state: "ACCEPTED", trouble: "held" });
  const { body: story } = await world.control("GET", `/why/${held.id}`);
  expect(story.chain[0].effects).toContainEqual({
    kind: "rule",
    rule: "webhooks hold",
    says: "held until it is released",
  });
});

test("held webhooks of one record leave in the order of their events", async () => {
  await trouble({ do: "hold", type: BALANCE });
  for (const amount of [1, 2, 3]) await fund(amount);
  await settled();
  expect(balances()).toEqual([]);
  await world.control("POST", "/webhooks/release", {});
  await settled();
  expect(balances()).toEqual([1_000_001, 1_000_003, 1_000_006]);
});

test("one held webhook is released by its id, and the others stay", async () => {
  await trouble({ do: "hold", type: BALANCE });
  for (const amount of [1, 2]) await fund(amount);
  const { id } = await newest(BALANCE);
  const { body } = await world.control("POST", "/webhooks/release", { id });
  expect(body).toEqual({ lifted: 0, released: 1 });
  await settled();
  expect(balances()).toEqual([1_000_003]);
  expect((await world.control("GET", "/webhooks/troubles")).body).toMatchObject({ held: 1 });
});

test("a duplicated webhook comes twice with one id and the same bytes", async () => {
  await trouble({ do: "duplicate", type: PROCESSING });
  await paySlowly();
  const [first, second] = receiver.received.filter(({ type }) => type === PROCESSING);
  expect(second?.id).toBe(first?.id);
  expect(second?.body).toBe(first?.body);
  expect(received().filter((type) => type === PROCESSING)).toHaveLength(2);
  expect(await newest(PROCESSING)).toMatchObject({
    state: "ACCEPTED",
    attempt: 2,
    trouble: "duplicated",
  });
});

test("a delayed webhook is sent when the clock is there; later ones overtake it", async () => {
  await trouble({ do: "delay", type: PROCESSING, by: "7m" });
  await paySlowly();
  expect(await newest(PROCESSING)).toMatchObject({
    state: "RETRYING",
    trouble: "delayed",
    nextAttemptAt: "2026-01-05T09:07:00.000Z",
  });
  await advance("6m");
  expect(received()).toEqual([BALANCE, COMPLETED]);
  await advance("1m");
  expect(received()).toEqual([BALANCE, COMPLETED, PROCESSING]);
});

test("a dropped webhook is never sent, and the next one of its type is", async () => {
  await trouble({ do: "drop", type: BALANCE });
  await fund(1);
  await fund(2);
  await settled();
  expect(balances()).toEqual([1_000_003]);
  const { body } = await world.control("GET", `/webhooks?type=${BALANCE}&state=DROPPED`);
  expect(body.data).toMatchObject([{ trouble: "dropped", attempt: 0 }]);
});

test("reordered webhooks come last first, one by one; the rest keep their order", async () => {
  await trouble({ do: "reorder", type: BALANCE, times: 3 });
  for (const amount of [1, 2]) await fund(amount);
  await settled();
  expect(balances()).toEqual([]);
  for (const amount of [3, 4]) await fund(amount);
  await settled();
  expect(balances()).toEqual([1_000_006, 1_000_003, 1_000_001, 1_000_010]);
  expect((await world.control("GET", "/webhooks/troubles")).body.held).toBe(0);
});

test("a reordering swaps within the record of the first webhook that it meets", async () => {
  const { id } = await trouble({ do: "reorder" });
  await fund(1);
  await createPayer(world);
  await settled();
  const { data, held } = (await world.control("GET", "/webhooks/troubles")).body;
  expect(held).toBe(1);
  expect(data).toMatchObject([{ id, about: payer.accountId, met: 1, times: 2, waitsFor: 1 }]);
  expect(balances()).not.toContain(1_000_001);
  await fund(2);
  await settled();
  expect(balances().slice(-2)).toEqual([1_000_003, 1_000_001]);
  const [done] = (await world.control("GET", "/webhooks/troubles")).body.data;
  expect(done).not.toHaveProperty("waitsFor");
});

test("with anyRecord it swaps webhooks of different records", async () => {
  await trouble({ do: "reorder", anyRecord: true });
  await fund(1);
  const other = await createPayer(world);
  await settled();
  const [first, second] = receiver.received;
  expect([first?.data.id, second?.data.id]).not.toContain(undefined);
  expect(second?.data.id).toBe(payer.accountId);
  expect(other.accountId).not.toBe(payer.accountId);
});

test("a reordered webhook that is refused does not keep the others back", async () => {
  receiver.behaviour = (_event, response, count) => {
    response.statusCode = count === 1 ? 500 : 200;
    response.end();
  };
  await trouble({ do: "reorder", type: BALANCE });
  for (const amount of [1, 2]) await fund(amount);
  await settled();
  expect(balances()).toEqual([1_000_003, 1_000_001]);
  await advance("1s");
  expect(balances()).toEqual([1_000_003, 1_000_001, 1_000_003]);
});

test("a trouble about a quote meets the webhooks of its payment alone", async () => {
  const payee = await createPayee(world, payer.customerId, "003");
  const { body: quote } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  const { about } = await trouble({ do: "hold", about: quote.id });
  expect(about).toBe(quote.transactionId);
  await paySlowly("103");
  expect(received()).toContain(PROCESSING);
  await world.call("POST", `/quotes/${quote.id}/execute`);
  await settled();
  expect(received().filter((type) => type === PROCESSING)).toHaveLength(1);
});

test("lifting a trouble releases what it holds; a reset forgets all troubles", async () => {
  const { id } = await trouble({ do: "reorder", type: BALANCE, times: 5 });
  await fund(1);
  const { body } = await world.control("DELETE", `/webhooks/troubles/${id}`);
  expect(body).toEqual({ lifted: 1, released: 1 });
  await settled();
  expect(balances()).toEqual([1_000_001]);
  await trouble({ do: "drop" });
  await world.control("POST", "/reset");
  expect((await world.control("GET", "/webhooks/troubles")).body).toEqual({ data: [], held: 0 });
});

test("a dropped approval request fails its payment, as one that nobody answers", async () => {
  await trouble({ do: "drop", type: "INCOMING_PAYMENT.PENDING" });
  const { body: customer } = await world.call("GET", `/customers/${payer.customerId}`);
  const { status } = await world.call("POST", "/sandbox/uma/receive", {
    senderUmaAddress: "$success.usd@sandbox.uma.test",
    receiverUmaAddress: customer.umaAddress,
    receivingCurrencyCode: "USD",
    receivingCurrencyAmount: 1000,
  });
  expect(status).toBe(200);
  await settled();
  const { body } = await world.call("GET", "/transactions?type=INCOMING");
  expect(body.data[0].status).toBe("FAILED");
});

test.each([
  { body: { do: "hold", type: "NO.TYPE" }, code: "EVENT_TYPE_UNKNOWN" },
  { body: { do: "hold", type: "TEST" }, code: "INVALID_INPUT" },
  { body: { do: "hold", by: "1m" }, code: "INVALID_INPUT" },
  { body: { do: "reorder", times: 1 }, code: "INVALID_INPUT" },
  { body: { do: "hold", anyRecord: true }, code: "INVALID_INPUT" },
  { body: { do: "delay", by: "soon" }, code: "INVALID_DURATION" },
  { body: { do: "hold", about: "ffffff" }, code: "ID_NOT_FOUND" },
  { body: { do: "lose" }, code: "INVALID_INPUT" },
])("$body is refused with $code", async ({ body, code }) => {
  const answer = await world.control("POST", "/webhooks/troubles", body);
  expect(answer.body.error?.code ?? answer.body.code).toBe(code);
});

test("held webhooks and troubles are there after a restart", async () => {
  const directory = new StateDirectory();
  const storage = `file:${directory.path}`;
  const first = await startTestSimulator({ storage, webhookEndpoint: receiver.url });
  await first.control("POST", "/webhooks/troubles", { do: "hold" });
  const { accountId } = await createPayer(first, 5);
  await first.sim.close();
  const second = await startTestSimulator({ storage });
  expect((await second.control("GET", "/webhooks/troubles")).body).toMatchObject({
    data: [{ do: "hold" }],
  });
  expect(receiver.received).toEqual([]);
  await second.control("POST", "/webhooks/release", {});
  await second.control("POST", "/clock/advance", { by: "1ms" });
  expect(receiver.received.map(({ data }) => data.id)).toContain(accountId);
  await second.sim.close();
  directory.remove();
});

test("a fixture sets a trouble", async () => {
  const steps = [
    { request: { method: "POST", path: "/_sim/webhooks/troubles", body: { do: "drop" } } },
  ];
  const other = await startTestSimulator({ fixture: { name: "troubled", steps } });
  expect((await other.control("GET", "/webhooks/troubles")).body.data).toMatchObject([
    { do: "drop", times: 1, met: 0 },
  ]);
  await other.sim.close();
});
