import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { activeCard } from "../api/cards/setup/card-world.ts";
import { expectRefused, invalid } from "../api/setup/refused.ts";
import { balanceOf, goTo, ledgerOwn } from "../api/setup/told.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { Receiver } from "../setup/receiver.ts";
import { accepted, asked, eventsTold, inShort, LATER, simulate } from "./setup/simulated-cards.ts";

const world = worldPerTest({ revision: LATER });

let cardId: string;
let accountId: string;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await new Receiver().start();
  ({ cardId, accountId } = await activeCard(world(), { on: "usd", minor: 10_000 }));
  await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
});

afterEach(() => receiver.stop());

const make = (what: string, body: object) => accepted(world(), cardId, [what, body]);
const attempt = (what: string, body: object) => simulate(world(), cardId, [what, body]);
const balance = () => balanceOf(world(), accountId);

/** Events until a minute has passed, by type and balance. */
const told = async () => {
  await goTo(world(), "09:01:00.000");
  return eventsTold(receiver).map((event) => event.slice(1));
};

const AUTHORIZED = ["AUTHORIZED", "AUTHORIZED"];
const SETTLED = ["SETTLED", "SETTLED"];

// spec/later-cards.md#balance-inquiry
describe("a balance inquiry", () => {
  test("is an authorization of 0 that settles at once", async () => {
    const made = await make("balance_inquiry", { merchant: { descriptor: "CASH POINT" } });
    expect(inShort(made)).toEqual(["SETTLED", 0, 0, undefined]);
    expect([made.pullSummary.count, made.settlementSummary.count]).toEqual([0, 0]);
    expect([made.type, made.direction, made.accountId]).toEqual(["CARD", "DEBIT", accountId]);
    expect(await told()).toEqual([AUTHORIZED, SETTLED]);
    expect(await balance()).toBe(10_000);
  });

  test("is declined by a card that is not ACTIVE", async () => {
    await world().call("PATCH", `/cards/${cardId}`, { state: "FROZEN" });
    const made = await make("balance_inquiry", { merchant: { descriptor: "CASH POINT" } });
    expect(inShort(made)).toEqual(["EXCEPTION", 0, undefined, undefined]);
  });

  test("needs a merchant", async () => {
    expectRefused(await attempt("balance_inquiry", {}), invalid("merchant"));
  });
});

// spec/later-cards.md#financial-authorization
describe("a financial authorization", () => {
  test("pulls and settles in one step", async () => {
    const made = await make("financial_authorization", asked(4_000));
    expect(inShort(made)).toEqual(["SETTLED", 4_000, 4_000, undefined]);
    expect(made.pullSummary).toEqual({ count: 1, totalAmount: 4_000, pendingCount: 0 });
    expect(made.settlementSummary).toEqual({ count: 1, totalAmount: 4_000 });
    // The second balance is the same: what was held has been paid.
    expect(await told()).toEqual([[6_000], AUTHORIZED, [6_000], SETTLED]);
  });

  test.each([
    { descriptor: "SHOP 002", amount: 100 },
    { descriptor: "SHOP 006", amount: 100 },
    { descriptor: "SHOP", amount: 10_001 },
  ])("of $amount at $descriptor is an EXCEPTION and takes nothing", async (one) => {
    const made = await make("financial_authorization", asked(one.amount, one.descriptor));
    expect(inShort(made)).toEqual(["EXCEPTION", one.amount, undefined, undefined]);
    expect(await told()).toEqual([["EXCEPTION", "EXCEPTION"]]);
    expect(await balance()).toBe(10_000);
  });
});

// spec/later-cards.md#credits
describe("a credit", () => {
  test("moves no money until it clears, then pays the first source", async () => {
    const made = await make("credit_authorization", asked(2_500));
    expect(inShort(made)).toEqual(["AUTHORIZED", 2_500, undefined, undefined]);
    expect([made.direction, made.pullSummary.count]).toEqual(["DEBIT", 0]);
    expect(await balance()).toBe(10_000);
    const clear = (amount: number) => make("clearing", { cardTransactionId: made.id, amount });
    expect(inShort(await clear(1_000))).toEqual(["PARTIALLY_SETTLED", 2_500, 1_000, undefined]);
    const done = await clear(1_500);
    expect(inShort(done)).toEqual(["SETTLED", 2_500, 2_500, undefined]);
    expect(done.settlementSummary).toEqual({ count: 2, totalAmount: 2_500 });
    expect(await balance()).toBe(12_500);
    expect(await ledgerOwn(world())).toMatchObject({ "Ledger:cardSettlements USD": -2_500 });
    expect(await told()).toEqual([
      AUTHORIZED,
      [11_000],
      ["PARTIALLY_SETTLED", "PARTIALLY_SETTLED"],
      [12_500],
      SETTLED,
    ]);
  });

  test("ends without money by a clearing of 0, and is never returned", async () => {
    const { id } = await make("credit_authorization", asked(2_500));
    const ended = await make("clearing", { cardTransactionId: id, amount: 0 });
    expect(inShort(ended)).toEqual(["SETTLED", 2_500, 0, undefined]);
    const paid = await make("financial_credit_authorization", asked(700));
    const refused = await attempt("return", { cardTransactionId: paid.id, amount: 700 });
    expectRefused(refused, invalid("cardTransactionId"));
    expect(await balance()).toBe(10_700);
  });

  test("in one message is paid at once", async () => {
    const made = await make("financial_credit_authorization", asked(700));
    expect(inShort(made)).toEqual(["SETTLED", 700, 700, undefined]);
    expect(await told()).toEqual([AUTHORIZED, [10_700], SETTLED]);
  });

  test.each(["credit_authorization", "financial_credit_authorization"])(
    "%s is declined by the ending of its merchant and by a frozen card, not by a small balance",
    async (what) => {
      expect((await make(what, asked(100, "SHOP 003"))).status).toBe("EXCEPTION");
      expect((await make(what, asked(20_000))).status).not.toBe("EXCEPTION");
      await world().call("PATCH", `/cards/${cardId}`, { state: "FROZEN" });
      expect((await make(what, asked(100))).status).toBe("EXCEPTION");
    },
  );

  test("an advice changes the open one of the merchant, or begins one", async () => {
    const first = await make("credit_authorization", asked(2_500));
    const advised = await make("credit_authorization_advice", asked(3_000));
    expect([advised.id, ...inShort(advised)]).toEqual([
      first.id,
      "AUTHORIZED",
      3_000,
      undefined,
      undefined,
    ]);
    const other = await make("credit_authorization_advice", asked(50, "OTHER SHOP"));
    expect(other.id).not.toBe(first.id);
    expect(other.status).toBe("AUTHORIZED");
    await make("clearing", { cardTransactionId: first.id, amount: 3_000 });
    const next = await make("credit_authorization_advice", asked(10));
    expect([first.id, other.id]).not.toContain(next.id);
    expect(await balance()).toBe(13_000);
  });
});

// spec/later-cards.md#authorization-advice
describe("an authorization advice", () => {
  const advise = (cardTransactionId: string, amount: number) =>
    make("authorization_advice", { cardTransactionId, amount });

  test("raises the hold, and lowers it", async () => {
    const { id } = await make("authorization", asked(2_000));
    const raised = await advise(id, 2_600);
    expect(inShort(raised)).toEqual(["AUTHORIZED", 2_600, undefined, undefined]);
    expect(raised.pullSummary).toEqual({ count: 2, totalAmount: 2_600, pendingCount: 0 });
    expect(await balance()).toBe(7_400);
    expect(inShort(await advise(id, 1_500))).toEqual(["AUTHORIZED", 1_500, undefined, undefined]);
    expect(await balance()).toBe(8_500);
    expect(await told()).toEqual([[8_000], AUTHORIZED, [7_400], AUTHORIZED, [8_500], AUTHORIZED]);
    expect(await ledgerOwn(world())).toMatchObject({ "Ledger:cardHolds USD": 1_500 });
  });

  test("down to what has cleared settles it; below that is 400", async () => {
    const { id } = await make("authorization", asked(2_000));
    await make("clearing", { cardTransactionId: id, amount: 1_200 });
    const below = await attempt("authorization_advice", { cardTransactionId: id, amount: 1_199 });
    expectRefused(below, { status: 400, code: "INVALID_AMOUNT", field: "amount" });
    expect(inShort(await advise(id, 1_200))).toEqual(["SETTLED", 1_200, 1_200, undefined]);
    expect(await balance()).toBe(8_800);
  });

  test.each(["a small balance", "a frozen card"])(
    "a raise meets %s: nothing changes",
    async (what) => {
      const { id } = await make("authorization", asked(2_000));
      if (what === "a frozen card")
        await world().call("PATCH", `/cards/${cardId}`, { state: "FROZEN" });
      const amount = what === "a frozen card" ? 2_001 : 10_001;
      expect(inShort(await advise(id, amount))).toEqual([
        "AUTHORIZED",
        2_000,
        undefined,
        undefined,
      ]);
      expect(await balance()).toBe(8_000);
      expect(inShort(await advise(id, 500))[1]).toBe(500);
      expect(await told()).toEqual([[8_000], AUTHORIZED, [9_500], AUTHORIZED]);
    },
  );

  test("a raise at a merchant whose pulls wait has two that wait", async () => {
    const { id } = await make("authorization", asked(2_000, "SHOP 005"));
    expect((await advise(id, 2_500)).pullSummary.pendingCount).toBe(2);
  });

  test("takes an open authorization of this card alone", async () => {
    const { id } = await make("financial_authorization", asked(2_000));
    const body = { cardTransactionId: id, amount: 10 };
    const ended = await attempt("authorization_advice", body);
    expectRefused(ended, invalid("cardTransactionId", "WRONG_STATUS"));
    const declined = await make("authorization", asked(20_000));
    const of = await attempt("authorization_advice", { ...body, cardTransactionId: declined.id });
    expectRefused(of, invalid("cardTransactionId", "WRONG_STATUS"));
    expect(of.body.message).toContain("EXCEPTION");
    const other = await activeCard(world(), { on: "usd", minor: 100 });
    const theirs = await simulate(world(), other.cardId, ["authorization_advice", body]);
    expectRefused(theirs, {
      ...{ status: 404, code: "TRANSACTION_NOT_FOUND", field: "cardTransactionId" },
    });
    const zero = await attempt("authorization_advice", { ...body, amount: 0 });
    expectRefused(zero, { status: 400, code: "INVALID_AMOUNT", field: "amount" });
  });
});

// spec/later-cards.md#return-reversal
describe("a return reversal", () => {
  const returned = async (amount: number) => {
    const { id } = await make("financial_authorization", asked(2_000));
    return make("return", { cardTransactionId: id, amount });
  };

  test("pulls the returned money again, and another return is possible", async () => {
    const { id } = await returned(2_000);
    expect(await balance()).toBe(10_000);
    const done = await make("return_reversal", { cardTransactionId: id });
    expect(inShort(done)).toEqual(["SETTLED", 2_000, 2_000, 0]);
    expect(done.refundSummary).toEqual({ count: 1, totalAmount: 0 });
    expect(done.pullSummary).toEqual({ count: 2, totalAmount: 4_000, pendingCount: 0 });
    expect(await balance()).toBe(8_000);
    const again = await make("return", { cardTransactionId: id, amount: 2_000 });
    expect(inShort(again)).toEqual(["REFUNDED", 2_000, 2_000, 2_000]);
    expect(await balance()).toBe(10_000);
    expect((await told()).slice(-4)).toEqual([
      [8_000],
      SETTLED,
      [10_000],
      ["REFUNDED", "REFUNDED"],
    ]);
  });

  test("with too little money is an EXCEPTION that the operator pays", async () => {
    const { id } = await returned(2_000);
    await make("authorization", asked(9_000));
    const done = await make("return_reversal", { cardTransactionId: id });
    expect(inShort(done)).toEqual(["EXCEPTION", 2_000, 2_000, 0]);
    expect(await balance()).toBe(1_000);
    expect(await ledgerOwn(world())).toMatchObject({ "Ledger:losses USD": -2_000 });
  });

  test("takes a whole return alone", async () => {
    const { id } = await returned(1_999);
    const refused = await attempt("return_reversal", { cardTransactionId: id });
    expectRefused(refused, invalid("cardTransactionId", "WRONG_STATUS"));
    expect(refused.body.message).toContain("SETTLED");
  });
});

// spec/later-cards.md#card-simulations
test.each([
  "balance_inquiry",
  "credit_authorization",
  "financial_authorization",
  "financial_credit_authorization",
  "credit_authorization_advice",
  "authorization_advice",
  "return_reversal",
])("%s is 404 for no card, before its body", async (what) => {
  const none = "Card:00000000-0000-7000-8000-000000000000";
  const refused = await simulate(world(), none, [what, {}]);
  expectRefused(refused, { status: 404, code: "REFERENCE_NOT_FOUND" });
  const empty = await simulate(world(), cardId, [what, {}]);
  expect(empty.status).toBe(400);
});
