import { afterEach, describe, expect, test } from "vitest";
import {
  type Parsed,
  START,
  startTestSimulator,
  type TestSimulator,
} from "../../setup/test-simulator.ts";

const started: TestSimulator[] = [];

const start = async (options = {}) => {
  const world = await startTestSimulator(options);
  started.push(world);
  return world;
};

afterEach(async () => {
  for (const { sim, alarms } of started.splice(0)) {
    expect(alarms).toEqual([]);
    await sim.close();
  }
});

const generate = (world: TestSimulator, wanted: object) =>
  world.control("POST", "/seed", { generate: wanted });

/** Every item of a list, page by page. */
const everything = async (world: TestSimulator, path: string): Promise<Parsed[]> => {
  const found: Parsed[] = [];
  let cursor: string | undefined;
  do {
    const more = cursor === undefined ? "" : `&cursor=${cursor}`;
    const { body } = await world.call("GET", `${path}?limit=100${more}`);
    found.push(...body.data);
    cursor = body.nextCursor;
  } while (cursor !== undefined);
  return found;
};

const counts = (all: Parsed[], member: string) => {
  const found: Record<string, number> = {};
  for (const one of all) found[one[member]] = (found[one[member]] ?? 0) + 1;
  return found;
};

const WANTED = {
  customers: { count: 20, states: { APPROVED: 8, PENDING: 1, REJECTED: 1 } },
  quotes: {
    count: 200,
    states: { COMPLETED: 70, EXPIRED: 10, FAILED: 10, PROCESSING: 5, PENDING: 5 },
  },
};

test("progress is that of the world that is named", async () => {
  const world = await start();
  await world.control("POST", "/worlds", { name: "fork" });
  const progress = async (named = "") => (await world.control("GET", `/seed${named}`)).body;
  let isDone = false;
  const made = world
    .control("POST", "/seed?world=fork", { generate: { customers: { count: 5_000 } } })
    .finally(() => {
      isDone = true;
    });
  const shown = { fork: 0, starting: 0 };
  while (!isDone) {
    shown.fork = Math.max(shown.fork, (await progress("?world=fork")).total);
    shown.starting = Math.max(shown.starting, (await progress()).total);
  }
  expect((await made).status).toBe(200);
  expect(shown).toEqual({ fork: 5_000, starting: 0 });
  expect((await world.control("GET", "/seed?world=none")).status).toBe(404);
});

test("what is made is there while the rest is made; a reset ends it and takes it away", async () => {
  const world = await start();
  const seeding = world.control("POST", "/seed", { generate: { customers: { count: 20_000 } } });
  let done = 0;
  while (done === 0) done = (await world.control("GET", "/seed")).body.done;
  const { body } = await world.call("GET", "/customers");
  expect(body.totalCount).toBeGreaterThanOrEqual(50);
  expect(body.totalCount).toBeLessThan(20_000);
  expect((await world.control("POST", "/reset", {})).status).toBeLessThan(300);
  const ended = await seeding;
  expect({ status: ended.status, code: ended.body.error.code }).toEqual({
    status: 503,
    code: "UNAVAILABLE",
  });
  expect((await world.call("GET", "/customers")).body.totalCount).toBe(0);
  expect((await world.control("GET", "/seed")).body).toEqual({ done: 0, total: 0 });
});

test("as many of each state as their weights give", async () => {
  const world = await start();
  const { status, body } = await generate(world, WANTED);
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { fixture: "generated", steps: [], generated: { customers: 20, quotes: 200 } },
  });
  expect(counts(await everything(world, "/customers"), "kycStatus")).toEqual({
    APPROVED: 16,
    PENDING: 2,
    REJECTED: 2,
  });
  const transactions = await everything(world, "/transactions");
  expect(counts(transactions, "status")).toEqual({
    COMPLETED: 140,
    EXPIRED: 20,
    FAILED: 20,
    PROCESSING: 10,
    PENDING: 10,
  });
  const failed = transactions.filter((one) => one.status === "FAILED");
  expect(new Set(failed.map((one) => one.refund.status))).toEqual(new Set(["COMPLETED"]));
  const quote = await world.call("GET", `/quotes/${transactions[0].quoteId}`);
  expect(quote.body.transactionId).toBe(transactions[0].id);
});

test("each lies in the past, customers before their payments, lists from new to old", async () => {
  const world = await start();
  await generate(world, { ...WANTED, over: "10d" });
  const now = Date.parse(START);
  const customers = await everything(world, "/customers");
  const bornAt = new Map(customers.map(({ id, createdAt }) => [id, Date.parse(createdAt)]));
  const transactions = await everything(world, "/transactions");
  const instants = transactions.map(({ createdAt }) => Date.parse(createdAt));
  expect(Math.min(...bornAt.values(), ...instants)).toBeGreaterThanOrEqual(now - 864_000_000);
  expect(Math.max(...instants)).toBeLessThan(now);
  expect(instants).toEqual(instants.toSorted((a, b) => b - a));
  expect(Math.max(...instants) - Math.min(...instants)).toBeGreaterThan(3 * 86_400_000);
  for (const { customerId, createdAt } of transactions)
    expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(bornAt.get(customerId) as number);
});

test("the books balance, nobody is in debt, and no webhook is made", async () => {
  const world = await start({ webhookEndpoint: "http://127.0.0.1:9/hooks" });
  const before = (await world.control("GET", "/webhooks")).body.data;
  await generate(world, WANTED);
  const { totals, balances } = (await world.control("GET", "/ledger")).body;
  expect(Object.keys(totals)).toContain("USD");
  expect(new Set(Object.values(totals))).toEqual(new Set([0]));
  const held = balances.filter(({ account }: Parsed) => account.startsWith("InternalAccount:"));
  expect(held.filter(({ amount }: Parsed) => amount < 0)).toEqual([]);
  expect((await world.control("GET", "/webhooks")).body.data).toEqual(before);
});

test("what is open continues: quotes expire, slow payments arrive, each with its webhook", async () => {
  const world = await start();
  await generate(world, WANTED);
  expect(world.sim.status().timers.count).toBe(20);
  await world.sim.advance("6m");
  expect(counts(await everything(world, "/transactions"), "status")).toEqual({
    COMPLETED: 150,
    EXPIRED: 30,
    FAILED: 20,
  });
  const { data } = (await world.control("GET", "/webhooks?limit=100")).body;
  expect(counts(data, "type")).toEqual({
    "OUTGOING_PAYMENT.COMPLETED": 10,
    "OUTGOING_PAYMENT.EXPIRED": 10,
  });
});

test("the same seed makes the same world, another one does not", async () => {
  const [one, same, other] = await Promise.all(
    ["a", "a", "b"].map(async (seed) => {
      const world = await start({ seed });
      await generate(world, WANTED);
      return [await everything(world, "/transactions"), await everything(world, "/customers")];
    }),
  );
  expect(same).toEqual(one);
  expect(other).not.toEqual(one);
});

test("twice makes twice as many: the second time others", async () => {
  const world = await start();
  await generate(world, WANTED);
  await generate(world, WANTED);
  const customers = await everything(world, "/customers");
  expect(customers).toHaveLength(40);
  expect(await everything(world, "/transactions")).toHaveLength(400);
  expect(new Set(customers.map(({ fullName }) => fullName)).size).toBeGreaterThan(20);
});

test("quotes alone are paid by the customers that are there", async () => {
  const world = await start({ fixture: "payouts-demo" });
  const before = (await everything(world, "/transactions")).length;
  const { body } = await generate(world, { quotes: { count: 30 } });
  expect(body.generated).toMatchObject({ customers: 0, quotes: 30 });
  const after = await everything(world, "/transactions");
  expect(after).toHaveLength(before + 30);
  expect(await everything(world, "/customers")).toHaveLength(2);
});

test("as a member of a fixture, at a start and again after a reset", async () => {
  const fixture = { name: "crowd", generate: { customers: { count: 10 }, quotes: { count: 40 } } };
  const world = await start({ fixture });
  const first = await everything(world, "/transactions");
  expect(first).toHaveLength(40);
  await world.control("POST", "/reset", {});
  expect(await everything(world, "/transactions")).toEqual(first);
});

test("nothing is being made now", async () => {
  const world = await start();
  expect(await world.control("GET", "/seed")).toMatchObject({
    status: 200,
    body: { done: 0, total: 0 },
  });
});

describe("what cannot be made is refused, and nothing is changed", () => {
  test.each([
    {
      what: "quotes without anyone to pay them",
      wanted: { quotes: { count: 1 } },
      says: "Expected an approved customer to pay them at fixture.generate.quotes but found none",
    },
    {
      what: "quotes of customers who may not pay",
      wanted: { customers: { count: 2, states: { PENDING: 1 } }, quotes: { count: 1 } },
      says: "Expected an approved customer to pay them at fixture.generate.quotes but found none",
    },
    {
      what: "a span that is none",
      wanted: { over: "soon" },
      says: 'Expected a span of at least 1h, like 12h or 30d at fixture.generate.over but found "soon"',
    },
    {
      what: "a span that is too short",
      wanted: { over: "59m" },
      says: 'Expected a span of at least 1h, like 12h or 30d at fixture.generate.over but found "59m"',
    },
    {
      what: "an unknown kind",
      wanted: { cards: { count: 1 } },
      says: 'Expected one of customers, quotes, over at fixture.generate.cards but found "cards"',
    },
    {
      what: "an unknown state",
      wanted: { quotes: { count: 1, states: { DONE: 1 } } },
      says: "at fixture.generate.quotes.states.DONE but found",
    },
    {
      what: "too many",
      wanted: { quotes: { count: 200_001 } },
      says: "Expected at most 200000 at fixture.generate.quotes.count but found 200001",
    },
    {
      what: "no weight above 0",
      wanted: { quotes: { count: 1, states: { FAILED: 0 } } },
      says: "Expected at least one weight above 0 at fixture.generate.quotes.states",
    },
  ])("$what", async ({ wanted, says }) => {
    const world = await start();
    const { status, body } = await generate(world, wanted);
    expect(status).toBe(400);
    expect(body.error.message).toContain(says);
    expect(world.sim.status().storage.records).toBe(1);
    expect(await everything(world, "/customers")).toEqual([]);
  });

  test("payments on a platform that sends no national currency", async () => {
    const world = await start();
    await world.call("PATCH", "/config", {
      supportedCurrencies: [{ currencyCode: "USDC", minAmount: 1, maxAmount: 100_000 }],
    });
    const { body } = await generate(world, WANTED);
    expect(body.error.message).toContain("Expected a platform that sends a national currency");
  });

  test("generate beside a fixture", async () => {
    const world = await start();
    const answer = await world.control("POST", "/seed", { name: "default", generate: {} });
    expect(answer.body.error.message).toContain("Expected one of fixture, name and generate");
  });
});
