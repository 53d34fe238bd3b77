import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectAgent, GENEROUS } from "../../setup/agents.ts";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

let world: TestSimulator;

beforeAll(async () => {
  world = await startTestSimulator({ fixture: "payouts-demo" });
});

afterAll(() => world.sim.close());

const page = async (query: string) => (await world.control("GET", `/rows?${query}`)).body;

const find = async (text: string) =>
  (await world.control("GET", `/find?query=${encodeURIComponent(text)}`)).body.data;

interface Row {
  id: string;
  kind: string;
  createdAt: string;
}

const idsOf = ({ data }: { data: Row[] }) => data.map(({ id }) => id);

/** All rows, page by page. */
const readAll = async (query: string) => {
  const found: Row[] = [];
  let cursor = "";
  for (let pages = 0; pages < 40; pages += 1) {
    const { data, hasMore, nextCursor } = await page(`${query}&limit=3${cursor}`);
    found.push(...data);
    if (!hasMore) break;
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
  }
  return found;
};

// spec/console.md#rows
describe("rows of a list", () => {
  test.each(["payments", "deliveries", "requests", "postings", "externalAccounts"])(
    "%s come page by page, each once, in one order",
    async (list) => {
      const whole = await page(`list=${list}&limit=100`);
      expect(whole.totalCount).toBeGreaterThan(3);
      expect(whole.data).toHaveLength(Math.min(100, whole.totalCount));
      const found = await readAll(`list=${list}`);
      expect(found.slice(0, 100).map(({ id }) => id)).toEqual(idsOf(whole));
    },
  );

  test("payments are the quotes with their payments, the newest first", async () => {
    const { data } = await page("list=payments&limit=100");
    const times = data.map(({ createdAt }: Row) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
    expect(new Set(data.map(({ kind }: Row) => kind))).toEqual(new Set(["QUOTE"]));
  });

  test("a page can begin at any place, for example at the last one", async () => {
    const whole = await page("list=payments&limit=100");
    const end = await page(`list=payments&limit=2&offset=${whole.totalCount - 2}`);
    expect(idsOf(end)).toEqual(idsOf(whole).slice(-2));
    expect(end).toMatchObject({ offset: whole.totalCount - 2, hasMore: false });
    expect(await page("list=payments&offset=4000")).toMatchObject({
      data: [],
      offset: whole.totalCount,
    });
  });

  test("the pages of a cursor stay as they are while rows come in", async () => {
    const first = await page("list=payments&limit=3");
    const before = await readAll("list=payments");
    const payer = await createPayer(world);
    const payee = await createPayee(world, payer.customerId, "003");
    await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
    const cursor = encodeURIComponent(first.nextCursor);
    const second = await page(`list=payments&limit=3&cursor=${cursor}`);
    expect(idsOf(second)).toEqual(before.slice(3, 6).map(({ id }) => id));
    expect(second).toMatchObject({ offset: 4, totalCount: first.totalCount + 1 });
  });

  test("a list without records is empty", async () => {
    expect(await page("list=cards")).toEqual({
      data: [],
      hasMore: false,
      totalCount: 0,
      offset: 0,
    });
  });

  test.each([
    "list=nothing",
    "",
    "list=cards&cursor=x",
    "list=postings&cursor=x",
    "list=timers&cursor=x",
    "list=requests&cursor=x",
    "list=payments&limit=0",
    "list=payments&offset=-1",
    `list=payments&query=${"a".repeat(201)}`,
  ])("%s is refused", async (query) => {
    expect((await world.control("GET", `/rows?${query}`)).status).toBe(400);
  });
});

describe("a query", () => {
  test("finds by the end of an id, of a quote and of its payment", async () => {
    const { data } = await page("list=payments");
    const [{ id, transactionId }] = data;
    for (const text of [id.slice(-6), `…${id.slice(-6)}`, transactionId.slice(-6), id])
      expect(idsOf(await page(`list=payments&query=${encodeURIComponent(text)}`))).toContain(id);
  });

  test("finds names, amounts as they are written, statuses and kinds", async () => {
    const payer = await createPayer(world);
    const payee = await createPayee(world, payer.customerId, "003");
    const input = quoteInput(payer.accountId, payee, 123_450);
    const { body: quote } = await world.call("POST", "/quotes", input);
    for (const query of [
      "1,234.50",
      "1234.50",
      "ana flores 1234",
      "status:pending 1234.50",
      "kind:quote is:open 1234.50",
      "usd 1234.50",
    ])
      expect(idsOf(await page(`list=payments&query=${encodeURIComponent(query)}`))).toEqual([
        quote.id,
      ]);
    expect(await page("list=payments&query=1234.51")).toMatchObject({ data: [], totalCount: 0 });
  });

  test("has its own count and pages", async () => {
    const all = await readAll("list=externalAccounts");
    const found = await readAll("list=externalAccounts&query=clabe");
    expect(found.length).toBeGreaterThan(1);
    expect(found.length).toBeLessThan(all.length);
    expect((await page("list=externalAccounts&query=clabe&limit=1")).totalCount).toBe(found.length);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  });

  test("covers what is older than the feed's rows", async () => {
    const { body } = await world.control("POST", "/seed", {
      generate: { customers: { count: 1_200 } },
    });
    expect(body).toBeDefined();
    const { totalCount } = await page("list=customers");
    expect(totalCount).toBeGreaterThan(1_200);
    const { data } = await page(`list=customers&limit=1&offset=${totalCount - 1}`);
    const oldest = data[0].id;
    expect(idsOf(await page(`list=customers&query=${oldest.slice(-12)}`))).toEqual([oldest]);
  });
});

// spec/console.md#find
describe("finding by a few characters", () => {
  test("covers payments, requests, webhooks, timers, accounts and worlds", async () => {
    const listOf = async (id: string) =>
      (await find(id.slice(-6)))
        .filter(({ row }: { row: Row }) => row.id === id)
        .map(({ list }: { list: string }) => list);
    for (const list of ["payments", "deliveries", "externalAccounts", "customers"]) {
      const { data } = await page(`list=${list}&limit=1`);
      expect(await listOf(data[0].id)).toEqual([list]);
    }
    const { data: timers } = await page("list=timers&limit=1");
    expect(await listOf(timers[0].id)).toEqual(["timers"]);
    const { data: requests } = await page("list=requests&limit=1");
    expect((await find(requests[0].id)).map(({ list }: { list: string }) => list)).toContain(
      "requests",
    );
    await world.control("PUT", "/snapshots/before-friday");
    expect(await find("friday")).toEqual([{ list: "snapshots", row: { name: "before-friday" } }]);
    expect(await find(" ")).toEqual([]);
    expect(await find("nothing-has-this")).toEqual([]);
  });

  test("an action that was decided is found too", async () => {
    const payer = await createPayer(world);
    const payee = await createPayee(world, payer.customerId, "999");
    const policy = { ...GENEROUS, defaultExecutionMode: "APPROVAL_REQUIRED" };
    const agent = await connectAgent(world, payer.customerId, policy);
    const input = quoteInput(payer.accountId, payee, 30_000);
    const { body: quote } = await agent.call("POST", "/agents/me/quotes", input);
    const { body } = await agent.call("POST", `/agents/me/quotes/${quote.id}/execute`);
    await world.control("POST", `/approvals/${body.id}/reject`, { reason: "over budget" });
    const found = await find(body.id.slice(-6));
    expect(found).toContainEqual(
      expect.objectContaining({
        list: "approvals",
        row: expect.objectContaining({ id: body.id, status: "REJECTED", reason: "over budget" }),
      }),
    );
  });
});
