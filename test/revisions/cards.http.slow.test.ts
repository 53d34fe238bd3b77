import { describe, expect, test } from "vitest";
import { activeCard, createCardholder, fund, issueCard } from "../api/cards/setup/card-world.ts";
import { expectRefused } from "../api/setup/refused.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import type { TestSimulator } from "../setup/test-simulator.ts";

const LATER = "2026-08";

/** A card that the issuer never provisions. */
const waitingCard = async (world: TestSimulator) => {
  const holder = await createCardholder(world, { usd: 5_000 });
  const issue = { cardholderId: holder.customerId, fundingSources: [holder.usdId] };
  return issueCard(world, { ...issue, platformCardId: "waits-001" });
};

const cardsIn = async ({ call }: TestSimulator, state: string) =>
  call("GET", `/cards?state=${state}`);

// spec/revisions.md#card-states
describe("a card that waits for its issuer", () => {
  describe("in 2026-08", () => {
    const world = worldPerTest({ revision: LATER });

    test("is PROCESSING, in replies, lists and refusals", async () => {
      const card = await waitingCard(world());
      expect(card.state).toBe("PROCESSING");
      const { body } = await cardsIn(world(), "PROCESSING");
      expect(body.data).toEqual([card]);
      const renamed = await cardsIn(world(), "PENDING_ISSUE");
      expectRefused(renamed, { status: 400, code: "INVALID_INPUT", field: "state" });
      expect(renamed.body.message).toMatch(/found "PENDING_ISSUE"\. Revision 2025-10 takes it/);
      const none = await cardsIn(world(), "NONE");
      expectRefused(none, { status: 400, code: "INVALID_INPUT", field: "state" });
      expect(none.body.message).not.toMatch(/revision/i);
      const frozen = await world().call("PATCH", `/cards/${card.id}`, { state: "FROZEN" });
      expectRefused(frozen, { status: 409, code: "INVALID_STATE_TRANSITION" });
      expect(frozen.body.message).toContain("PROCESSING");
      expect(frozen.body.message).not.toContain("PENDING_ISSUE");
    });
  });

  describe("in 2025-10", () => {
    const world = worldPerTest();

    test("is PENDING_ISSUE", async () => {
      const card = await waitingCard(world());
      expect(card.state).toBe("PENDING_ISSUE");
      expect((await cardsIn(world(), "PENDING_ISSUE")).body.data).toEqual([card]);
      const refused = await cardsIn(world(), "PROCESSING");
      expectRefused(refused, { status: 400, code: "INVALID_INPUT", field: "state" });
      expect(refused.body.message).toMatch(/found "PROCESSING"\. Revision 2026-08 takes it/);
    });
  });
});

// spec/revisions.md#reveal
describe("the address that shows a card's number", () => {
  const revealed = ({ call }: TestSimulator, id: string) => call("POST", `/cards/${id}/reveal`);

  describe("in 2026-08", () => {
    const world = worldPerTest({ revision: LATER });

    test("is revealed by a call, and is in no card and no webhook", async () => {
      const { cardId } = await activeCard(world(), { on: "usd", minor: 5_000 });
      const { body: card } = await world().call("GET", `/cards/${cardId}`);
      expect(card).not.toHaveProperty("panEmbedUrl");
      const { status, body } = await revealed(world(), cardId);
      expect([status, Object.keys(body)]).toEqual([200, ["panEmbedUrl", "expiresAt"]]);
      const events = await world().control("GET", "/webhooks?type=CARD.STATE_CHANGE");
      expect(events.body.data).toHaveLength(1);
      expect(JSON.stringify(events.body)).not.toContain("panEmbedUrl");
    });

    test("is 404 for a card without a number, and for no card", async () => {
      const { id } = await waitingCard(world());
      const waiting = await revealed(world(), id);
      expectRefused(waiting, { status: 404, code: "REFERENCE_NOT_FOUND" });
      expect(waiting.body.message).toContain(`The card ${id} is PROCESSING and has no number`);
      const none = await revealed(world(), "Card:00000000-0000-7000-8000-000000000000");
      expectRefused(none, { status: 404, code: "REFERENCE_NOT_FOUND" });
    });

    test("GET is not taken there, POST is", async () => {
      const refused = await world().call("GET", "/cards/Card:1/reveal");
      expectRefused(refused, { status: 405, code: "METHOD_NOT_ALLOWED" });
      expect(refused.body.message).toContain("Use POST");
    });
  });

  describe("in 2025-10", () => {
    const world = worldPerTest();

    test("is in the card, and no call reveals it: the error names 2026-08", async () => {
      const { card, cardId } = await activeCard(world(), { on: "usd", minor: 5_000 });
      expect(card.panEmbedUrl).toMatch(/^https:\/\/issuer\.sandbox\.test\/pan\?card=/);
      const refused = await revealed(world(), cardId);
      expect([refused.status, refused.body.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
      expect(refused.body.reason).toBe("UNKNOWN_OPERATION");
      expect(refused.body.message).toMatch(/Revision 2026-08 takes it \(--revision 2026-08\)/);
    });

    test("another method there is an unknown operation too, and none is proposed", async () => {
      for (const [method, path] of [
        ["GET", "/cards/Card:1/reveal"],
        ["POST", "/cards/Card:1/revea"],
      ] as const) {
        const { status, body } = await world().call(method, path);
        expect([status, body.reason]).toEqual([404, "UNKNOWN_OPERATION"]);
        expect(body.message).not.toContain("{cardId}/reveal");
      }
    });
  });
});

// spec/revisions.md#accepted-simulations
describe.each(["2025-10", LATER] as const)("a simulated purchase in %s", (revision) => {
  const world = worldPerTest({ revision });
  const isLater = revision === LATER;

  test("is answered with the token alone in the later revision, each step of it too", async () => {
    const { cardId, accountId } = await activeCard(world(), { on: "usd", minor: 50_000 });
    await fund(world(), accountId, 10_000);
    const at = (what: string) => `/sandbox/cards/${cardId}/simulate/${what}`;
    const authorized = await world().call("POST", at("authorization"), {
      amount: 1_250,
      currency: { code: "USD" },
      merchant: { descriptor: "COFFEE", mcc: "5814", country: "US" },
    });
    const made = isLater
      ? (await world().call("GET", "/transactions?limit=1")).body.data[0]
      : authorized.body;
    const { issuerTransactionToken, id: cardTransactionId } = made;
    expect(issuerTransactionToken).toMatch(/^sim_txn_[0-9a-f]{8}$/);
    const steps = [authorized];
    for (const what of ["clearing", "return"])
      steps.push(await world().call("POST", at(what), { cardTransactionId, amount: 1_250 }));
    expect(steps.map(({ status }) => status)).toEqual(isLater ? [202, 202, 202] : [200, 200, 200]);
    const answers = steps.map(({ body }) => body);
    if (isLater) expect(answers).toEqual([1, 2, 3].map(() => ({ issuerTransactionToken })));
    else expect(answers.map(({ status }) => status)).toEqual(["AUTHORIZED", "SETTLED", "REFUNDED"]);
  });
});
