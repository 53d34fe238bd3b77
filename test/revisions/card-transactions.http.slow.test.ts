import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { activeCard, createCardholder, fund } from "../api/cards/setup/card-world.ts";
import { expectRefused, invalid } from "../api/setup/refused.ts";
import { goTo } from "../api/setup/told.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { Receiver } from "../setup/receiver.ts";
import type { Parsed } from "../setup/test-simulator.ts";
import { asked, eventsTold, inOrder, LATER, simulate } from "./setup/simulated-cards.ts";

// spec/later-cards.md#events, spec/later-cards.md#spelling
describe.each(["2025-10", LATER] as const)("webhooks of cards in %s", (revision) => {
  const world = worldPerTest({ revision });
  const isLater = revision === LATER;
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await new Receiver().start();
    await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
  });

  afterEach(() => receiver.stop());

  test("tell of each step of a purchase in the later revision, after the balance", async () => {
    const { cardId } = await activeCard(world(), { on: "usd", minor: 10_000 });
    const first = await simulate(world(), cardId, ["authorization", asked(2_000, "SHOP 005")]);
    const id = isLater
      ? (await world().call("GET", "/transactions?limit=1")).body.data[0].id
      : first.body.id;
    await goTo(world(), "09:00:40.000");
    const steps = [
      ["clearing", 500],
      ["clearing", 500],
      ["return", 100],
      ["clearing", 1_000],
      ["return", 1_900],
    ] as const;
    for (const [what, amount] of steps)
      await simulate(world(), cardId, [what, { cardTransactionId: id, amount }]);
    await goTo(world(), "09:01:00.000");
    const part = ["09:00:40.000", "PARTIALLY_SETTLED", "PARTIALLY_SETTLED"];
    const balances = (amounts: number[]) => amounts.map((amount) => ["09:00:40.000", amount]);
    expect(eventsTold(receiver).slice(1)).toEqual(
      isLater
        ? [
            ["09:00:00.000", 8_000],
            ["09:00:00.000", "AUTHORIZED", "AUTHORIZED"],
            ["09:00:30.000", "AUTHORIZED", "AUTHORIZED"],
            ...[...balances([8_000]), part],
            ...[...balances([8_000]), part],
            ...[...balances([8_100]), part],
            ...[...balances([8_100]), ["09:00:40.000", "SETTLED", "SETTLED"]],
            ...[...balances([10_000]), ["09:00:40.000", "REFUNDED", "REFUNDED"]],
          ]
        : [["09:00:00.000", 8_000], ...balances([8_100, 10_000])],
    );
  });

  test("have the whole transaction, which GET shows too", async () => {
    const { cardId, holder } = await activeCard(world(), { on: "usd", minor: 10_000 });
    await simulate(world(), cardId, ["authorization", asked(2_000)]);
    await goTo(world(), "09:01:00.000");
    const [event] = receiver.received.filter(({ type }) => type.startsWith("CARD_TRANSACTION."));
    if (!isLater) return expect(event).toBeUndefined();
    const { body } = await world().call("GET", `/transactions/${event?.data.id}`);
    expect(event?.data).toEqual(body);
    expect(body).toMatchObject({
      ...{ type: "CARD", direction: "DEBIT", customerId: holder.customerId, cardId },
    });
  });

  test("tell of what a closing card ends, before the card", async () => {
    const { cardId } = await activeCard(world(), { on: "usd", minor: 10_000 });
    await simulate(world(), cardId, ["authorization", asked(2_000)]);
    await world()
      .control("POST", `/cards/${cardId}/close`)
      .catch(() => undefined);
    await goTo(world(), "09:01:00.000");
    const types = inOrder(receiver)
      .map(({ type }) => type)
      .slice(-3);
    expect(types).toEqual(
      isLater
        ? ["INTERNAL_ACCOUNT.BALANCE_UPDATED", "CARD_TRANSACTION.SETTLED", "CARD.STATE_CHANGE"]
        : [
            "INTERNAL_ACCOUNT.BALANCE_UPDATED",
            "INTERNAL_ACCOUNT.BALANCE_UPDATED",
            "card.state_change",
          ],
    );
  });
});

// spec/later-cards.md#spelling
describe.each([
  { cardEvents: "lower", type: "card.state_change" },
  { cardEvents: "upper", type: "CARD.STATE_CHANGE" },
] as const)("--card-events $cardEvents in 2026-08", ({ cardEvents, type }) => {
  const world = worldPerTest({ revision: LATER, cardEvents });

  test("goes before the spelling of the revision", async () => {
    await activeCard(world(), { on: "usd", minor: 100 });
    const { body } = await world().control("GET", "/webhooks");
    const types = body.data.map((one: Parsed) => one.type);
    expect(types.filter((one: string) => /^card\./i.test(one))).toEqual([type]);
    expect(world().sim.status().settings.cardEvents).toBe(cardEvents);
  });
});

// spec/later-cards.md#declines
describe.each(["2025-10", LATER] as const)("a declined purchase in %s", (revision) => {
  const world = worldPerTest({ revision });
  const isLater = revision === LATER;

  test.each([
    { descriptor: "SHOP 002", amount: 100, code: "INSUFFICIENT_FUNDS" },
    { descriptor: "SHOP 003", amount: 100, code: "CARD_PAUSED" },
    { descriptor: "SHOP", amount: 10_001, code: "INSUFFICIENT_FUNDS" },
  ])("of $amount at $descriptor", async ({ descriptor, amount, code }) => {
    const { cardId, accountId } = await activeCard(world(), { on: "usd", minor: 10_000 });
    const answer = await simulate(world(), cardId, ["authorization", asked(amount, descriptor)]);
    expect(answer.status).toBe(isLater ? 202 : 200);
    const made = isLater
      ? (await world().call("GET", "/transactions?limit=1")).body.data[0]
      : answer.body;
    expect([made.status, made.declineCode, made.pullSummary, made.accountId]).toEqual([
      isLater ? "EXCEPTION" : "DECLINED",
      isLater ? undefined : code,
      { count: 0, totalAmount: 0, pendingCount: 0 },
      accountId,
    ]);
    const cleared = await simulate(world(), cardId, [
      "clearing",
      { cardTransactionId: made.id, amount },
    ]);
    expectRefused(cleared, invalid("cardTransactionId"));
    expect(cleared.body.message).toContain(isLater ? "is EXCEPTION" : "is DECLINED");
  });
});

// spec/later-cards.md#list
describe.each(["2025-10", LATER] as const)("GET /transactions in %s", (revision) => {
  const world = worldPerTest({ revision });
  const isLater = revision === LATER;

  const listed = async (query: string) => {
    const { status, body } = await world().call("GET", `/transactions?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };

  const idsOf = async (query: string): Promise<string[]> =>
    (await listed(query)).data.map(({ id }: Parsed) => id.split(":")[0]);

  /** Two purchases, a payment between them, and another customer's purchase. */
  const traffic = async () => {
    const { cardId, accountId, holder } = await activeCard(world(), { on: "usd", minor: 10_000 });
    await simulate(world(), cardId, ["authorization", asked(100)]);
    const other = await createCardholder(world());
    await fund(world(), accountId, 5_000);
    const paid = await world().call("POST", "/quotes", {
      source: { sourceType: "ACCOUNT", accountId },
      destination: { destinationType: "ACCOUNT", accountId: other.usdId },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 500,
    });
    expect(paid.status, JSON.stringify(paid.body)).toBe(201);
    await simulate(world(), cardId, ["authorization", asked(200)]);
    const theirs = await activeCard(world(), { on: "usd", minor: 10_000 });
    await simulate(world(), theirs.cardId, ["authorization", asked(300)]);
    return { accountId, customerId: holder.customerId, theirs };
  };

  test("has card transactions in their places in the later revision alone", async () => {
    const { accountId, customerId, theirs } = await traffic();
    const [card, payment] = ["CardTransaction", "Transaction"];
    const { platformCustomerId } = (await world().call("GET", `/customers/${customerId}`)).body;
    const found: Record<string, string[]> = {};
    for (const query of [
      "sortOrder=asc",
      "sortOrder=desc",
      `customerId=${customerId}`,
      `platformCustomerId=${platformCustomerId}`,
      `customerId=${theirs.holder.customerId}`,
      `customerId=${customerId}&platformCustomerId=nobody`,
      `accountIdentifier=${accountId}`,
      `senderAccountIdentifier=${accountId}`,
      "type=OUTGOING",
      "status=PENDING",
      "status=REFUNDED",
      "startDate=2026-01-05T09:00:00Z",
      "endDate=2026-01-05T08:59:59Z",
    ])
      found[query] = await idsOf(query);
    const mine = isLater ? [card, payment, card] : [payment];
    expect(Object.values(found)).toEqual([
      isLater ? [card, payment, card, card] : [payment],
      isLater ? [card, card, payment, card] : [payment],
      mine,
      mine,
      isLater ? [card] : [],
      [],
      mine,
      [payment],
      [payment],
      [payment],
      [],
      isLater ? [card, card, payment, card] : [payment],
      [],
    ]);
  });

  test("pages over both kinds without a gap, and counts both", async () => {
    await traffic();
    const all = (await listed("")).data;
    const paged: unknown[] = [];
    let cursor = "";
    do {
      const body = await listed(`limit=1${cursor}`);
      expect(body.totalCount).toBe(isLater ? 4 : 1);
      paged.push(...body.data);
      cursor = body.hasMore ? `&cursor=${body.nextCursor}` : "";
    } while (cursor !== "");
    expect(paged).toEqual(all);
  });

  test("finds returned purchases by their status", async () => {
    const { cardId } = await activeCard(world(), { on: "usd", minor: 10_000 });
    const made = await simulate(world(), cardId, ["authorization", asked(100)]);
    const id = isLater ? (await listed("limit=1")).data[0].id : made.body.id;
    for (const what of ["clearing", "return"])
      await simulate(world(), cardId, [what, { cardTransactionId: id, amount: 100 }]);
    expect(await idsOf("status=REFUNDED")).toEqual(isLater ? ["CardTransaction"] : []);
    const read = await world().call("GET", `/transactions/${id}`);
    if (isLater) expect([read.status, read.body.status]).toEqual([200, "REFUNDED"]);
    else expectRefused(read, { status: 404, code: "TRANSACTION_NOT_FOUND" });
  });

  test("takes no type CARD", async () => {
    expectRefused(await world().call("GET", "/transactions?type=CARD"), invalid("type"));
  });

  test("no card transaction is approved or rejected", async () => {
    const { cardId } = await activeCard(world(), { on: "usd", minor: 10_000 });
    const made = await simulate(world(), cardId, ["authorization", asked(100)]);
    const id = isLater ? (await listed("limit=1")).data[0].id : made.body.id;
    for (const what of ["approve", "reject"]) {
      const refused = await world().call("POST", `/transactions/${id}/${what}`);
      expectRefused(refused, { status: 404, code: "TRANSACTION_NOT_FOUND" });
    }
  });
});
