import { afterEach, beforeEach, expect, test } from "vitest";
import { ControlClient } from "../../../src/client/control-client.ts";
import type { ReadEvent } from "../../../src/client/event-reader.ts";
import type { AllRows, ChangedRows } from "../../../src/contract/control/feed-rows.ts";
import { takeEvents } from "../../../src/rows/take-events.ts";
import { initialWorld } from "../../../src/rows/world.ts";
import { until } from "../../runtime/setup/turns.ts";
import { connectAgent, GENEROUS } from "../../setup/agents.ts";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

let world: TestSimulator;
let client: ControlClient;
let ending: AbortController;

beforeEach(async () => {
  world = await startTestSimulator();
  client = new ControlClient({ url: (await world.sim.listen()).url });
  ending = new AbortController();
});

afterEach(async () => {
  ending.abort();
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

/** Follows the feed with its rows; the list of received events grows. */
const watch = async ({
  after,
  query = "",
}: {
  after?: string | undefined;
  query?: string;
} = {}) => {
  const heard: ReadEvent[] = [];
  const from = { after, signal: ending.signal };
  void client
    .follow(`/events?rows=true${query}`, (event) => heard.push(event), from)
    .catch(() => {});
  await until("a greeting", () => heard.length > 0);
  const rows = () =>
    heard.flatMap(({ event, data }) => (event === "rows" ? [data as ChangedRows] : []));
  return { heard, hello: heard[0]?.data as { rows?: AllRows }, rows };
};

const waitingTransfer = async () => {
  const payer = await createPayer(world);
  const agent = await connectAgent(world, payer.customerId, {
    ...GENEROUS,
    approvalThresholds: { currency: "USD", amount: 20_000 },
  });
  const { body: account } = await world.call("POST", "/customers/external-accounts", {
    customerId: payer.customerId,
    currency: "USD",
    accountInfo: {
      accountType: "USD_ACCOUNT",
      accountNumber: "000123999",
      routingNumber: "021000021",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Hugo Brandt" },
    },
  });
  const { body: action } = await agent.call("POST", "/agents/me/transfer-out", {
    source: { accountId: payer.accountId },
    destination: { accountId: account.id },
    amount: 32_500,
  });
  return { action, payer };
};

test("the greeting brings every row there is: a quote with what it waits for", async () => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  const { body: quote } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  const { hello } = await watch();
  expect(hello.rows?.payments).toEqual([
    {
      id: quote.id,
      version: expect.any(Number),
      kind: "QUOTE",
      transactionId: quote.transactionId,
      status: "PENDING",
      sends: { amount: 25_000, currency: "USD" },
      receives: { amount: expect.any(Number), currency: "MXN" },
      to: { id: payee, name: "Ana Flores", identifier: "clabeNumber …0003" },
      createdAt: "2026-01-05T09:00:00.000Z",
      changedAt: "2026-01-05T09:00:00.000Z",
      timer: {
        dueAt: quote.expiresAt,
        setAt: "2026-01-05T09:00:00.000Z",
        timer: "quote.expire",
        then: "EXPIRED",
      },
    },
  ]);
  expect(hello.rows?.timers).toMatchObject([{ timer: "quote.expire", subject: quote.id }]);
  expect(hello.rows?.requests[0]).toMatchObject({ method: "POST", path: "/quotes", status: 201 });
  expect(hello.rows?.postings.length).toBeGreaterThan(0);
  expect(hello.rows?.totals).toEqual({ USD: 0 });
  expect(hello.rows?.held).toEqual({ USD: 1_000_000 });
});

test("a greeting without being asked for rows has none, and no rows are told", async () => {
  const heard: ReadEvent[] = [];
  const from = { signal: ending.signal };
  void client.follow("/events", (event) => heard.push(event), from).catch(() => {});
  await until("a greeting", () => heard.length > 0);
  await createPayer(world);
  await until("a request", () => heard.some(({ event }) => event === "request"));
  expect(heard[0]?.data).not.toHaveProperty("rows");
  expect(heard.map(({ event }) => event)).not.toContain("rows");
});

test("what changes comes whole: an executed quote waits for its settlement, then is settled", async () => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  const { body: quote } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  const { rows } = await watch();
  const ofQuote = () => rows().flatMap(({ payments = [] }) => payments);
  await world.call("POST", `/quotes/${quote.id}/execute`);
  await until("a row", () => ofQuote().some(({ status }) => status === "PROCESSING"));
  expect(ofQuote().at(-1)).toMatchObject({
    id: quote.id,
    status: "PROCESSING",
    timer: { timer: "payment.settle", then: "COMPLETED", rule: "quotedPayment.003" },
  });
  expect(rows().flatMap(({ gone = [] }) => gone)).toContain(`quote.expire ${quote.id}`);
  await world.sim.advance("6m");
  await until("a row", () => ofQuote().some(({ status }) => status === "COMPLETED"));
  expect(ofQuote().at(-1)).toMatchObject({
    status: "COMPLETED",
    settledAt: "2026-01-05T09:06:00.000Z",
  });
  expect(ofQuote().at(-1)).not.toHaveProperty("timer");
  expect(rows().flatMap(({ postings = [] }) => postings).length).toBeGreaterThan(0);
  expect(rows().flatMap(({ deliveries = [] }) => deliveries)).toContainEqual(
    expect.objectContaining({ type: "OUTGOING_PAYMENT.COMPLETED", state: "UNDELIVERABLE" }),
  );
});

test("an action of an agent says who asks, for what, why it waits, and from what balance", async () => {
  const { action, payer } = await waitingTransfer();
  const { hello, rows } = await watch();
  const row = {
    id: action.id,
    version: expect.any(Number),
    type: "TRANSFER_OUT",
    status: "PENDING_APPROVAL",
    amount: 32_500,
    currency: "USD",
    agentName: "Invoice bot",
    to: expect.objectContaining({ name: "Hugo Brandt" }),
    createdAt: "2026-01-05T09:00:00.000Z",
    because: expect.objectContaining({ rule: "approvalThreshold", limit: 20_000 }),
  };
  const from = { id: payer.accountId, amount: 1_000_000, currency: "USD" };
  expect(hello.rows?.approvals).toEqual([{ ...row, from }]);
  await world.control("POST", `/approvals/${action.id}/reject`, { reason: "not this supplier" });
  await until("a row", () => rows().some(({ approvals }) => approvals !== undefined));
  expect(rows().flatMap(({ approvals = [] }) => approvals)).toEqual([
    { ...row, status: "REJECTED", reason: "not this supplier" },
  ]);
});

test("the endpoint of webhooks is told as it is set", async () => {
  const { hello, rows } = await watch();
  expect(hello.rows).not.toHaveProperty("webhookEndpoint");
  await world.call("PATCH", "/config", { webhookEndpoint: "http://127.0.0.1:9/hooks" });
  await until("a row", () => rows().length > 0);
  expect(rows()).toContainEqual(
    expect.objectContaining({ webhookEndpoint: "http://127.0.0.1:9/hooks" }),
  );
});

test("whoever comes back with the newest id has every row already; others get them all", async () => {
  await createPayer(world);
  const first = await watch();
  await world.call("GET", "/config");
  await until("a request", () => first.heard.some(({ event }) => event === "request"));
  const newest = first.heard.findLast(({ id }) => id !== undefined)?.id;
  const second = await watch({ after: newest });
  expect(second.hello).not.toHaveProperty("rows");
  await world.call("GET", "/config");
  const third = await watch({ after: newest });
  expect(third.hello.rows?.postings.length).toBeGreaterThan(0);
});

test("rows stand in for the short events of the changed records and carry the id of the last", async () => {
  const { heard } = await watch();
  const plain: ReadEvent[] = [];
  const { signal } = ending;
  void client.follow("/events", (event) => plain.push(event), { signal }).catch(() => {});
  await until("a greeting", () => plain.length > 0);
  await world.control("PUT", "/approvals", { mode: "approve" });
  await until("a change", () => plain.some(({ event }) => event === "change"));
  await until("rows", () => heard.some(({ event }) => event === "rows"));
  const change = plain.find(({ event }) => event === "change");
  expect(change).toMatchObject({ id: expect.any(String), data: { kind: "PlatformConfig" } });
  const [, rows, ...more] = heard;
  expect(rows).toMatchObject({ event: "rows", id: change?.id });
  expect(more).toEqual([]);
});

test("rows whose change is told further carry no id of their own", async () => {
  const { heard } = await watch();
  await waitingTransfer();
  await until("a delivery", () => heard.some(({ event }) => event === "delivery"));
  const at = heard.findIndex(({ event, data }) => event === "rows" && "deliveries" in data);
  expect(heard[at]).not.toHaveProperty("id");
  expect(heard[at + 1]).toMatchObject({ event: "delivery", id: expect.any(String) });
});

test("after a reset the rows of the new world come in a greeting of their own", async () => {
  await createPayer(world);
  const { heard } = await watch();
  await world.control("POST", "/reset");
  const greetings = () => heard.filter(({ event }) => event === "hello");
  await until("a second greeting", () => greetings().length > 1);
  expect(greetings().at(-1)?.data.rows).toMatchObject({ payments: [], postings: [], held: {} });
});

test("a pane brings a thousand rows at most, the newest", async () => {
  for (let count = 0; count < 1005; count += 1) await world.call("GET", "/config");
  const { hello } = await watch();
  expect(hello.rows?.requests).toHaveLength(1000);
  expect(hello.rows?.requests[0]?.id).toBe("req-1-1005");
});

test("a greeting with the first rows alone tells how many there are of each list", async () => {
  for (let count = 0; count < 105; count += 1) await world.call("GET", "/config");
  const { hello } = await watch({ query: "&first=true" });
  expect(hello.rows?.requests).toHaveLength(100);
  expect(hello.rows?.requests[0]?.id).toBe("req-1-105");
  expect(hello.rows?.counts).toEqual({ requests: 105 });
});

test("a watcher knows how many rows there are of a list that has more than it keeps", async () => {
  const watched = (heard: readonly ReadEvent[]) => takeEvents(initialWorld(0), heard, 0);
  const [short, before] = [await watch(), await world.control("GET", "/rows?list=customers")];
  expect(before.body.totalCount).toBeLessThan(999);
  const customer = { customerType: "INDIVIDUAL", fullName: "Ada Byron" };
  const missing = 998 - before.body.totalCount;
  for (let count = 0; count < missing; count += 1)
    await world.call("POST", "/customers", { ...customer, platformCustomerId: `c-${count}` });
  await world.call("GET", "/config");
  const long = await watch();
  for (let count = missing; count < missing + 5; count += 1)
    await world.call("POST", "/customers", { ...customer, platformCustomerId: `c-${count}` });
  const late = await watch();
  await until("the last customer", () =>
    [short, long, late].every(({ heard }) => watched(heard).lists.requests.length === 1000),
  );
  for (const { heard } of [short, long, late]) {
    const now = watched(heard);
    expect(now.counts).toEqual({ customers: 1003, requests: missing + 6 });
    expect(now.lists.customers).toHaveLength(1000);
  }
});
