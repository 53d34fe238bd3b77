import { describe, expect, test } from "vitest";
import {
  activeCard,
  createCardholder,
  patchCard,
  retryPatch,
} from "../api/cards/setup/card-world.ts";
import { expectRefused, invalid } from "../api/setup/refused.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import type { TestSimulator } from "../setup/test-simulator.ts";
import { accepted, asked, inShort, LATER } from "./setup/simulated-cards.ts";

const createWith = async (world: TestSimulator, more: object) => {
  const { customerId, usdId } = await createCardholder(world);
  const body = { cardholderId: customerId, form: "VIRTUAL", fundingSources: [usdId], ...more };
  return world.call("POST", "/cards", body);
};

// spec/later-cards.md#limits
describe("the limit of a card in 2026-08", () => {
  const world = worldPerTest({ revision: LATER });

  test("is set at issue, changed, and cleared", async () => {
    const { call } = world();
    const made = await createWith(world(), { maxSpendPerTransaction: 2_500 });
    expect([made.status, made.body.maxSpendPerTransaction]).toEqual([201, 2_500]);
    const path = `/cards/${made.body.id}`;
    const limits = [];
    for (const body of [
      { maxSpendPerTransaction: 900 },
      { state: "FROZEN" },
      { state: "ACTIVE", maxSpendPerTransaction: null },
    ]) {
      const { status, body: card } = await call("PATCH", path, body);
      limits.push([status, card.maxSpendPerTransaction, card.state]);
    }
    expect(limits).toEqual([
      [200, 900, "ACTIVE"],
      [200, 900, "FROZEN"],
      [200, null, "ACTIVE"],
    ]);
    expect((await call("GET", path)).body.maxSpendPerTransaction).toBeNull();
  });

  test.each([0, -1, 1.5, "100", null])("%j is refused at issue", async (limit) => {
    const refused = await createWith(world(), { maxSpendPerTransaction: limit });
    expectRefused(refused, invalid("maxSpendPerTransaction"));
  });

  test("0 is refused in a change, and so is a change of nothing", async () => {
    const { cardId } = await activeCard(world(), { on: "usd", minor: 100 });
    const patch = (body: object) => world().call("PATCH", `/cards/${cardId}`, body);
    const zero = await patch({ maxSpendPerTransaction: 0 });
    expectRefused(zero, invalid("maxSpendPerTransaction"));
    const none = await patch({});
    expect(none.body.message).toContain("maxSpendPerTransaction");
    expect(none.status).toBe(400);
  });

  test("is exact: the amount itself is still paid, one more is an EXCEPTION", async () => {
    const { cardId, accountId } = await activeCard(world(), { on: "usd", minor: 50_000 });
    await world().call("PATCH", `/cards/${cardId}`, { maxSpendPerTransaction: 2_000 });
    const buy = async (what: string, amount: number) => {
      const made = await accepted(world(), cardId, [what, asked(amount)]);
      return [made.status, made.pullSummary.count, made.accountId === accountId];
    };
    expect(await buy("authorization", 2_000)).toEqual(["AUTHORIZED", 1, true]);
    expect(await buy("authorization", 2_001)).toEqual(["EXCEPTION", 0, true]);
    expect(await buy("financial_authorization", 2_001)).toEqual(["EXCEPTION", 0, true]);
    expect(await buy("credit_authorization", 2_001)).toEqual(["AUTHORIZED", 0, true]);
  });

  test("does not bind a clearing, but an advice that raises", async () => {
    const { cardId } = await activeCard(world(), { on: "usd", minor: 50_000 });
    await world().call("PATCH", `/cards/${cardId}`, { maxSpendPerTransaction: 2_000 });
    const { id } = await accepted(world(), cardId, ["authorization", asked(1_000)]);
    const advise = (amount: number) =>
      accepted(world(), cardId, ["authorization_advice", { cardTransactionId: id, amount }]);
    expect(inShort(await advise(2_001))).toEqual(["AUTHORIZED", 1_000, undefined, undefined]);
    expect(inShort(await advise(2_000))).toEqual(["AUTHORIZED", 2_000, undefined, undefined]);
    const cleared = { cardTransactionId: id, amount: 2_300 };
    const done = await accepted(world(), cardId, ["clearing", cleared]);
    expect(inShort(done)).toEqual(["SETTLED", 2_000, 2_300, undefined]);
  });

  test("a processorRef comes with the activation", async () => {
    const waiting = await createWith(world(), { platformCardId: "waits-001" });
    expect(waiting.body).not.toHaveProperty("processorRef");
    const { card } = await activeCard(world(), { on: "usd", minor: 100 });
    expect(card.processorRef).toMatch(/^sim_proc_[0-9a-f]{8}$/);
  });

  // spec/later-cards.md#3-d-secure
  test("a 3-D Secure password is refused, and kept nowhere", async () => {
    const refused = await createWith(world(), { threeDSecurePassword: "plum-tart-77" });
    expectRefused(refused, invalid("threeDSecurePassword"));
    const { body } = await world().control("GET", "/requests");
    expect(JSON.stringify(body)).not.toContain("plum-tart-77");
  });
});

describe("a card in 2025-10", () => {
  const world = worldPerTest();

  test("ignores the members of the later revision", async () => {
    const made = await createWith(world(), {
      maxSpendPerTransaction: 0,
      threeDSecurePassword: "plum-tart-77",
    });
    expect(made.status).toBe(201);
    expect(Object.keys(made.body)).not.toContain("maxSpendPerTransaction");
    const card = (await world().call("GET", `/cards/${made.body.id}`)).body;
    expect(Object.keys(card)).not.toContain("processorRef");
  });

  test("names the revision that takes a limit alone", async () => {
    const { cardId } = await activeCard(world(), { on: "usd", minor: 100 });
    const refused = await world().call("PATCH", `/cards/${cardId}`, { maxSpendPerTransaction: 5 });
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain("Revision 2026-08 takes it");
  });
});

// spec/later-cards.md#updates
describe("a change of a card in 2026-08", () => {
  const world = worldPerTest({ revision: LATER });

  test("is done at once, and signature headers are not looked at", async () => {
    const { cardId } = await activeCard(world(), { on: "usd", minor: 100 });
    const frozen = await world().call("PATCH", `/cards/${cardId}`, { state: "FROZEN" });
    expect([frozen.status, frozen.body.state]).toEqual([200, "FROZEN"]);
    const requestId = "Request:00000000-0000-7000-8000-000000000000";
    const active = await retryPatch(world(), cardId, { body: { state: "ACTIVE" }, requestId });
    expect([active.status, active.body.state]).toEqual([200, "ACTIVE"]);
  });

  test.each([
    { body: { state: "CLOSED" }, code: "CARD_ALREADY_CLOSED" },
    { body: { state: "ACTIVE" }, code: "INVALID_STATE_TRANSITION" },
    { body: { state: "FROZEN", maxSpendPerTransaction: 5 }, code: "INVALID_STATE_TRANSITION" },
    { body: { maxSpendPerTransaction: 5 }, code: "CARD_NOT_MUTABLE" },
    { body: { maxSpendPerTransaction: null }, code: "CARD_NOT_MUTABLE" },
  ])("$body of a closed card is 409 $code", async ({ body, code }) => {
    const { cardId } = await activeCard(world(), { on: "usd", minor: 100 });
    const closed = await world().call("PATCH", `/cards/${cardId}`, { state: "CLOSED" });
    expect([closed.status, closed.body.state, closed.body.stateReason]).toEqual([
      200,
      "CLOSED",
      "CLOSED_BY_PLATFORM",
    ]);
    expectRefused(await world().call("PATCH", `/cards/${cardId}`, body), { status: 409, code });
  });

  test("sources of a closed card are 409 CARD_NOT_MUTABLE", async () => {
    const { cardId, holder } = await activeCard(world(), { on: "usd", minor: 100 });
    await world().call("PATCH", `/cards/${cardId}`, { state: "CLOSED" });
    const refused = await world().call("PATCH", `/cards/${cardId}`, {
      fundingSources: [holder.usdId],
    });
    expectRefused(refused, { status: 409, code: "CARD_NOT_MUTABLE" });
  });

  test.each([
    { more: { maxSpendPerTransaction: 5 }, field: "maxSpendPerTransaction" },
    { more: { maxSpendPerTransaction: null }, field: "maxSpendPerTransaction" },
    { more: { fundingSources: ["InternalAccount:x"] }, field: "fundingSources" },
  ])("CLOSED excludes $field", async ({ more, field }) => {
    const { cardId } = await activeCard(world(), { on: "usd", minor: 100 });
    const refused = await world().call("PATCH", `/cards/${cardId}`, { state: "CLOSED", ...more });
    expectRefused(refused, invalid(field));
  });

  test("all three members change together", async () => {
    const { cardId, holder } = await activeCard(world(), { on: "usd", minor: 100 });
    const { status, body } = await world().call("PATCH", `/cards/${cardId}`, {
      state: "FROZEN",
      fundingSources: [holder.usdId],
      maxSpendPerTransaction: 7,
    });
    const { state, fundingSources, maxSpendPerTransaction } = body;
    expect([status, state, fundingSources, maxSpendPerTransaction]).toEqual([
      200,
      "FROZEN",
      [holder.usdId],
      7,
    ]);
  });
});

describe("a change of a card in 2025-10", () => {
  const world = worldPerTest();

  test("is signed, and closing twice is no move", async () => {
    const { cardId } = await activeCard(world(), { on: "usd", minor: 100 });
    const first = await world().call("PATCH", `/cards/${cardId}`, { state: "CLOSED" });
    expect(first.status).toBe(202);
    expect((await patchCard(world(), cardId, { state: "CLOSED" })).status).toBe(200);
    const again = await world().call("PATCH", `/cards/${cardId}`, { state: "CLOSED" });
    expectRefused(again, { status: 409, code: "INVALID_STATE_TRANSITION" });
  });
});

// spec/later-cards.md#reveal
describe("the page that shows a card's number", () => {
  const world = worldPerTest({ revision: LATER });

  const opened = async (url: string) => {
    const { status, headers, text } = await world()
      .sim.fetch(new Request(url))
      .then(async (reply) => ({
        status: reply.status,
        headers: reply.headers,
        text: await reply.text(),
      }));
    return { status, type: headers.get("content-type"), text };
  };

  test("is another one with each call, and is gone after 300 seconds", async () => {
    const { card, cardId } = await activeCard(world(), { on: "usd", minor: 100 });
    const reveal = async () => (await world().call("POST", `/cards/${cardId}/reveal`)).body;
    const [first, second] = [await reveal(), await reveal()];
    expect(first.panEmbedUrl).not.toBe(second.panEmbedUrl);
    expect(first.expiresAt).toBe("2026-01-05T09:05:00.000Z");
    const page = await opened(first.panEmbedUrl);
    expect(page).toMatchObject({ status: 200, type: "text/plain; charset=utf-8" });
    expect(page.text).toContain(`**** ${card.last4}, valid until 01/2030`);
    await world().control("POST", "/clock/advance", { by: "299999ms" });
    expect((await opened(first.panEmbedUrl)).status).toBe(200);
    await world().control("POST", "/clock/advance", { by: "1ms" });
    expect((await opened(first.panEmbedUrl)).status).toBe(410);
    const third = await reveal();
    expect((await opened(third.panEmbedUrl)).status).toBe(200);
  });

  test("shows nothing under a wrong code, a wrong id or a wrong world", async () => {
    const { cardId } = await activeCard(world(), { on: "usd", minor: 100 });
    const { panEmbedUrl } = (await world().call("POST", `/cards/${cardId}/reveal`)).body;
    for (const [from, to] of [
      [/.$/, "x"],
      [/pan\/[^/]+/, "pan/nowhere"],
      [/-7000-/, "-7001-"],
    ] as const) {
      const other = panEmbedUrl.replace(from, to);
      expect(other).not.toBe(panEmbedUrl);
      expect((await opened(other)).status).toBe(410);
    }
  });
});
