import { afterEach, beforeEach, expect, test } from "vitest";
import { ControlClient } from "../../../src/client/control-client.ts";
import type { ReadEvent } from "../../../src/client/event-reader.ts";
import type { AllRows, ChangedRows } from "../../../src/contract/control/feed-rows.ts";
import { createCardholder, fund, issueCard, patchCard } from "../../api/cards/setup/card-world.ts";
import { until } from "../../runtime/setup/turns.ts";
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

const watch = async () => {
  const heard: ReadEvent[] = [];
  const { signal } = ending;
  void client.follow("/events?rows=true", (event) => heard.push(event), { signal }).catch(() => {});
  await until("a greeting", () => heard.length > 0);
  const rows = () =>
    heard.flatMap(({ event, data }) => (event === "rows" ? [data as ChangedRows] : []));
  return { heard, hello: heard[0]?.data.rows as AllRows, rows };
};

const customerRow = (id: string, platformCustomerId: string) => ({
  id,
  version: expect.any(Number),
  type: "INDIVIDUAL",
  status: "APPROVED",
  platformCustomerId,
  createdAt: "2026-01-05T09:00:00.000Z",
});

test("the greeting brings customers with their money, and cards with what pays for them", async () => {
  const holder = await createCardholder(world, { usd: 25_000 });
  const { customerId } = holder;
  const { body: customer } = await world.call("PATCH", `/customers/${customerId}`, {
    customerType: "INDIVIDUAL",
    fullName: "Lucie Moreau",
  });
  const { id } = await issueCard(world, {
    cardholderId: customerId,
    fundingSources: [holder.usdId],
  });
  await world.sim.advance("1m");
  const { body: card } = await world.call("GET", `/cards/${id}`);
  const { hello } = await watch();
  expect(hello.customers).toEqual([
    {
      ...customerRow(customerId, customer.platformCustomerId),
      name: "Lucie Moreau",
      balances: [{ amount: 25_000, currency: "USD" }],
    },
  ]);
  expect(hello.cards).toEqual([
    {
      id,
      version: expect.any(Number),
      state: "ACTIVE",
      lastFour: card.last4,
      holder: { id: customerId, name: "Lucie Moreau" },
      account: { id: holder.usdId, amount: 25_000, currency: "USD" },
      accountCount: 1,
      createdAt: "2026-01-05T09:00:00.000Z",
    },
  ]);
});

test("a change brings the customers and cards that it alters: money and names too", async () => {
  const holder = await createCardholder(world);
  const { customerId, usdId } = holder;
  const { id } = await issueCard(world, { cardholderId: customerId, fundingSources: [usdId] });
  const { rows } = await watch();
  const customers = () => rows().flatMap((one) => one.customers ?? []);
  const cards = () => rows().flatMap((one) => one.cards ?? []);
  await fund(world, usdId, 700);
  await until("rows", () => customers().length > 0 && cards().length > 0);
  expect(customers()).toMatchObject([{ id: customerId, balances: [{ amount: 700 }] }]);
  expect(cards()).toMatchObject([{ id, account: { amount: 700 } }]);
  await world.call("PATCH", `/customers/${customerId}`, {
    customerType: "INDIVIDUAL",
    fullName: "Ada Lovelace",
  });
  await until("the name", () => cards().at(-1)?.holder.name === "Ada Lovelace");
  expect(customers().at(-1)).toMatchObject({ name: "Ada Lovelace" });
  await patchCard(world, id, { state: "CLOSED" });
  await until("the end", () => cards().at(-1)?.state === "CLOSED");
  expect(cards().at(-1)).toMatchObject({ reason: "CLOSED_BY_PLATFORM", accountCount: 0 });
});

test("a customer that is deleted says so", async () => {
  const { body } = await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  const { rows } = await watch();
  await world.call("DELETE", `/customers/${body.id}`);
  const customers = () => rows().flatMap((one) => one.customers ?? []);
  await until("a row", () => customers().length > 0);
  expect(customers()).toMatchObject([{ id: body.id, status: "DELETED", balances: [] }]);
});

test("fault switches come and go, and a struck call names its switch and its operation", async () => {
  const fault = { match: { operation: "getConfig", times: 1 }, fault: { status: 503 } };
  const { body: first } = await world.control("POST", "/faults", fault);
  const { heard, hello, rows } = await watch();
  expect(hello.faults).toEqual([{ ...first, seen: 0, struck: 0 }]);
  await world.raw("GET", "/config");
  const requests = () => heard.filter(({ event }) => event === "request");
  await until("a request", () => requests().length > 0);
  expect(requests()[0]?.data).toMatchObject({
    status: 503,
    operation: "getConfig",
    fault: first.id,
  });
  const { body: second } = await world.control("POST", "/faults", fault);
  await until("a switch", () => rows().some(({ faults }) => faults !== undefined));
  expect(rows().flatMap(({ faults = [] }) => faults)).toEqual([second]);
  await world.control("DELETE", `/faults/${second.id}`);
  await until("its end", () => rows().some(({ gone }) => gone !== undefined));
  expect(rows().flatMap(({ gone = [] }) => gone)).toEqual([second.id]);
  ending.abort();
  ending = new AbortController();
  expect((await watch()).hello.faults).toEqual([{ ...first, seen: 1, struck: 1 }]);
});

test("a list brings a thousand customers at most, the newest", async () => {
  for (let count = 0; count < 1003; count += 1)
    await world.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      platformCustomerId: `customer-${count}`,
    });
  const { hello } = await watch();
  expect(hello.customers).toHaveLength(1000);
  expect(hello.customers[0]?.platformCustomerId).toBe("customer-1002");
});
