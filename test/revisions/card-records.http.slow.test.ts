import { beforeEach, describe, expect, test } from "vitest";
import { activeCard } from "../api/cards/setup/card-world.ts";
import { expectRefused, invalid } from "../api/setup/refused.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { type ConnectedAgent, connectAgent } from "../setup/agents.ts";
import { type Parsed, startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { reopen } from "../storage/setup/reopen.ts";
import { StateDirectory } from "../storage/setup/state-directory.ts";
import { accepted, asked, LATER, simulate } from "./setup/simulated-cards.ts";

const FIRST = "2025-10";

/** Every card transaction of a world, as its revision shows it. */
const purchasesOf = async ({ control }: TestSimulator): Promise<Parsed[]> => {
  const { body } = await control("GET", "/records?kind=CardTransaction&limit=100");
  const read = async ({ id }: Parsed) => (await control("GET", `/records/${id}`)).body.record;
  return Promise.all(body.data.map(read));
};

/** Status and code of every card transaction, by merchant. */
const declinesOf = async (world: TestSimulator) => {
  const told = (await purchasesOf(world)).map(({ merchant, status, declineCode }) => [
    merchant.descriptor,
    [status, declineCode],
  ]);
  return Object.fromEntries(told) as Record<string, [string, string | undefined]>;
};

const EXCEPTION = ["EXCEPTION", undefined];

// spec/later-cards.md#declines
test("declines are told in the words of each revision, there and back", async () => {
  const directory = new StateDirectory();
  const first = await startTestSimulator({ storage: directory.url, revision: FIRST });
  const { cardId } = await activeCard(first, { on: "usd", minor: 10_000 });
  const buy = (world: TestSimulator, descriptor: string, amount = 100) =>
    simulate(world, cardId, ["authorization", asked(amount, descriptor)]);
  await buy(first, "EARLY 002");
  await buy(first, "EARLY 003");
  await buy(first, "EARLY", 10_001);
  const early = {
    "EARLY 002": ["DECLINED", "INSUFFICIENT_FUNDS"],
    "EARLY 003": ["DECLINED", "CARD_PAUSED"],
    EARLY: ["DECLINED", "INSUFFICIENT_FUNDS"],
  };
  expect(await declinesOf(first)).toEqual(early);
  await first.sim.close();

  const later = await reopen(directory, { revision: LATER });
  expect(Object.values(await declinesOf(later))).toEqual([EXCEPTION, EXCEPTION, EXCEPTION]);
  const { data } = (await later.call("GET", "/transactions")).body;
  expect(data.map(({ status, declineCode }: Parsed) => [status, declineCode])).toEqual([
    EXCEPTION,
    EXCEPTION,
    EXCEPTION,
  ]);
  await later.call("PATCH", `/cards/${cardId}`, { maxSpendPerTransaction: 500 });
  for (const [descriptor, amount] of [
    ["LATE 003", 100],
    ["LATE LIMIT", 501],
    ["LATE", 100],
  ] as const)
    await buy(later, descriptor, amount);
  expect(await declinesOf(later)).toMatchObject({
    "LATE 003": EXCEPTION,
    "LATE LIMIT": EXCEPTION,
    LATE: ["AUTHORIZED", undefined],
  });
  await later.sim.close();

  const back = await reopen(directory, { revision: FIRST });
  const told = {
    ...early,
    "LATE 003": ["DECLINED", "CARD_PAUSED"],
    // The first revision has no word for a limit.
    "LATE LIMIT": ["DECLINED", undefined],
    LATE: ["AUTHORIZED", undefined],
  };
  expect(await declinesOf(back)).toEqual(told);
  // A limit of the later revision is kept, and none of the first one.
  expect((await buy(back, "BACK", 501)).body.status).toBe("AUTHORIZED");
  await back.sim.close();
});

// spec/later-cards.md#list
describe.each([FIRST, LATER] as const)("an agent's transactions in %s", (revision) => {
  const world = worldPerTest({ revision });
  const isLater = revision === LATER;
  let agent: ConnectedAgent;
  let accountId: string;
  let mine: string[];
  let theirs: string;

  const newest = async ({ cardId }: { cardId: string }) => {
    await simulate(world(), cardId, ["authorization", asked(100)]);
    const made = (await purchasesOf(world())).find((one) => one.cardId === cardId);
    return made.id as string;
  };

  beforeEach(async () => {
    const card = await activeCard(world(), { on: "usd", minor: 10_000 });
    accountId = card.accountId;
    agent = await connectAgent(world(), card.holder.customerId);
    mine = [await newest(card)];
    theirs = await newest(await activeCard(world(), { on: "usd", minor: 10_000 }));
    const other = { sourceType: "ACCOUNT", accountId };
    const { body } = await world().call("POST", "/quotes", {
      source: other,
      destination: { destinationType: "ACCOUNT", accountId: card.holder.walletId },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 500,
    });
    mine.push(body.transactionId);
  });

  const listed = async (query: string) => {
    const { status, body } = await agent.call("GET", `/agents/me/transactions?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };

  test("have purchases on the cards of its customer alone", async () => {
    const [purchase, payment] = mine;
    const all = isLater ? [purchase, payment] : [payment];
    const found: Record<string, string[]> = {};
    for (const query of [
      "sortOrder=asc",
      "type=OUTGOING",
      "status=PENDING",
      "status=REFUNDED",
      `accountIdentifier=${accountId}`,
      "endDate=2026-01-05T08:59:59Z",
    ])
      found[query] = (await listed(query)).data.map(({ id }: Parsed) => id).toSorted();
    expect(found).toEqual({
      "sortOrder=asc": all.toSorted(),
      "type=OUTGOING": [payment],
      "status=PENDING": [payment],
      "status=REFUNDED": [],
      [`accountIdentifier=${accountId}`]: all.toSorted(),
      "endDate=2026-01-05T08:59:59Z": [],
    });
    expect((await listed("limit=1")).totalCount).toBe(isLater ? 2 : 1);
    expectRefused(await agent.call("GET", "/agents/me/transactions?type=CARD"), invalid("type"));
  });

  test("are read by their ids, as the platform reads them", async () => {
    const read = (id = "") => agent.call("GET", `/agents/me/transactions/${id}`);
    const own = await read(mine[0]);
    const missing = { status: 404, code: "TRANSACTION_NOT_FOUND" };
    if (isLater)
      expect(own.body).toEqual((await world().call("GET", `/transactions/${mine[0]}`)).body);
    else expectRefused(own, missing);
    expectRefused(await read(theirs), missing);
    expect((await read(mine[1])).status).toBe(200);
  });

  test("need the permission to see transactions", async () => {
    const policy = { permissions: ["CREATE_QUOTES"] };
    await world().call("PATCH", `/agents/${agent.id}/policy`, policy);
    // The first revision has no such purchase, which is told before.
    for (const path of ["", `/${mine[isLater ? 0 : 1]}`]) {
      const { status } = await agent.call("GET", `/agents/me/transactions${path}`);
      expect(status).toBe(403);
    }
  });
});

// spec/later-payments.md#transaction-ends
describe("the receipt of a purchase", () => {
  const world = worldPerTest({ revision: LATER });
  const AT = "2026-01-05T08:30:00.000Z";

  test("is confirmed in any status, again, and without an event", async () => {
    const { cardId } = await activeCard(world(), { on: "usd", minor: 10_000 });
    const paid = await accepted(world(), cardId, ["authorization", asked(100)]);
    const declined = await accepted(world(), cardId, ["authorization", asked(10_001)]);
    const events = async () => (await world().control("GET", "/webhooks?limit=100")).body.data;
    const before = (await events()).length;
    for (const one of [paid, declined]) {
      const confirm = (body?: object) =>
        world().call("POST", `/transactions/${one.id}/confirm`, body);
      const now = await confirm();
      expect([now.status, now.body]).toEqual([
        200,
        { ...one, receiptDeliveryConfirmedAt: "2026-01-05T09:00:00.000Z" },
      ]);
      expect((await confirm({ receiptDeliveryConfirmedAt: AT })).status).toBe(200);
      const read = (await world().call("GET", `/transactions/${one.id}`)).body;
      expect(read).toEqual({ ...one, receiptDeliveryConfirmedAt: AT });
      const future = await confirm({ receiptDeliveryConfirmedAt: "2026-01-05T09:00:00.001Z" });
      expectRefused(future, invalid("receiptDeliveryConfirmedAt"));
    }
    expect(await events()).toHaveLength(before);
    const cleared = { cardTransactionId: paid.id, amount: 100 };
    await simulate(world(), cardId, ["clearing", cleared]);
    const settled = (await world().call("GET", `/transactions/${paid.id}`)).body;
    expect([settled.status, settled.receiptDeliveryConfirmedAt]).toEqual(["SETTLED", AT]);
  });

  test("of nobody is not found", async () => {
    const id = "CardTransaction:0198d2a9-11aa-7bbb-8ccc-9ddd0eee1fff";
    const refused = await world().call("POST", `/transactions/${id}/confirm`);
    expectRefused(refused, { status: 404, code: "TRANSACTION_NOT_FOUND" });
  });
});
