import { describe, expect, test } from "vitest";
import { expectNothing, expectRefused } from "../setup/refused.ts";
import { balanceOf, goTo, ledgerOwn } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";
import {
  activeCard,
  authorize,
  clear,
  fund,
  giveBack,
  patchCard,
  sums,
  tryClear,
} from "./setup/card-world.ts";

const world = worldPerTest();

/** A card in USD with 100.00, and an authorization of 20.00 on it. */
const authorized = async (descriptor = "NORTH PIER BOOKS", minor = 10_000) => {
  const found = await activeCard(world(), { on: "usd", minor });
  const transaction = await authorize(world(), found.cardId, { amount: 2_000, descriptor });
  return { ...found, transaction };
};

// spec/ledger.md#card-postings
describe("clearings of 20.00 authorized, 100.00 in the account", () => {
  interface Row {
    amounts: number[];
    statuses: string[];
    pulled: [number, number];
    settled: [number, number];
    balance: number;
    held: number;
  }

  test.each<Row>([
    {
      amounts: [2_000],
      statuses: ["SETTLED"],
      pulled: [1, 2_000],
      settled: [1, 2_000],
      balance: 8_000,
      held: 0,
    },
    {
      amounts: [1_999],
      statuses: ["PARTIALLY_SETTLED"],
      pulled: [1, 2_000],
      settled: [1, 1_999],
      balance: 8_000,
      held: 1,
    },
    {
      amounts: [1_999, 1],
      statuses: ["PARTIALLY_SETTLED", "SETTLED"],
      pulled: [1, 2_000],
      settled: [2, 2_000],
      balance: 8_000,
      held: 0,
    },
    {
      amounts: [2_300],
      statuses: ["SETTLED"],
      pulled: [2, 2_300],
      settled: [1, 2_300],
      balance: 7_700,
      held: 0,
    },
    {
      amounts: [1_500, 800],
      statuses: ["PARTIALLY_SETTLED", "SETTLED"],
      pulled: [2, 2_300],
      settled: [2, 2_300],
      balance: 7_700,
      held: 0,
    },
    {
      amounts: [500, 500, 500, 500],
      statuses: ["PARTIALLY_SETTLED", "PARTIALLY_SETTLED", "PARTIALLY_SETTLED", "SETTLED"],
      pulled: [1, 2_000],
      settled: [4, 2_000],
      balance: 8_000,
      held: 0,
    },
    {
      amounts: [0],
      statuses: ["SETTLED"],
      pulled: [1, 2_000],
      settled: [0, 0],
      balance: 10_000,
      held: 0,
    },
    {
      amounts: [700, 0],
      statuses: ["PARTIALLY_SETTLED", "SETTLED"],
      pulled: [1, 2_000],
      settled: [1, 700],
      balance: 9_300,
      held: 0,
    },
    {
      amounts: [10_000],
      statuses: ["SETTLED"],
      pulled: [2, 10_000],
      settled: [1, 10_000],
      balance: 0,
      held: 0,
    },
  ])("$amounts", async ({ amounts, statuses, pulled, settled, balance, held }) => {
    const { transaction, accountId } = await authorized();
    const told = [];
    for (const amount of amounts) told.push(await clear(world(), transaction, amount));
    expect(told.map(({ status }) => status)).toEqual(statuses);
    const last = told.at(-1);
    expect(sums(last)).toEqual({ pulled, settled, refunded: [0, 0] });
    expect(last.settledAmount).toMatchObject({ amount: settled[1], currency: { code: "USD" } });
    expect(last.refundedAmount).toBeUndefined();
    expect(await balanceOf(world(), accountId)).toBe(balance);
    const ledger = await ledgerOwn(world());
    expect(ledger["Ledger:cardHolds USD"] ?? 0).toBe(held);
    expect(ledger["Ledger:cardSettlements USD"] ?? 0).toBe(settled[1]);
    expect(ledger["Ledger:losses USD"]).toBeUndefined();
  });

  test("nothing is accepted once it is settled", async () => {
    const { transaction } = await authorized();
    await clear(world(), transaction, 2_000);
    const act = () => tryClear(world(), transaction, 1);
    await expectNothing(world(), act, {
      status: 400,
      code: "INVALID_INPUT",
      field: "cardTransactionId",
    });
  });
});

describe("an extra pull", () => {
  test("that the account cannot pay: EXCEPTION, settled at the operator's cost", async () => {
    const { transaction, accountId } = await authorized(undefined, 2_299);
    const done = await clear(world(), transaction, 2_300);
    expect(done.status).toBe("EXCEPTION");
    expect(sums(done)).toEqual({ pulled: [1, 2_000], settled: [1, 2_300], refunded: [0, 0] });
    expect(await balanceOf(world(), accountId)).toBe(299);
    expect(await ledgerOwn(world())).toEqual({
      "Ledger:funding USD": -2_299,
      "Ledger:cardSettlements USD": 2_300,
      "Ledger:losses USD": -300,
    });
    expect((await tryClear(world(), transaction, 1)).status).toBe(400);
  });

  test("may use the last cent", async () => {
    const { transaction, accountId } = await authorized(undefined, 2_300);
    expect((await clear(world(), transaction, 2_300)).status).toBe("SETTLED");
    expect(await balanceOf(world(), accountId)).toBe(0);
  });

  test("is taken from an account that is frozen by then, as long as it holds enough", async () => {
    const { transaction, accountId } = await authorized();
    await world().control("PATCH", `/internal-accounts/${accountId}`, { status: "FROZEN" });
    const done = await clear(world(), transaction, 2_300);
    expect([done.status, done.pullSummary.count]).toEqual(["SETTLED", 2]);
    expect(await balanceOf(world(), accountId)).toBe(7_700);
  });

  test("uses the source of the authorization only", async () => {
    const { transaction, accountId, cardId, holder } = await authorized(undefined, 2_000);
    const { customerId } = holder;
    const { body } = await world().control("POST", "/internal-accounts", {
      customerId,
      currency: "USD",
    });
    await fund(world(), body.id, 10_000);
    await patchCard(world(), cardId, { fundingSources: [body.id, accountId] });
    expect((await clear(world(), transaction, 2_300)).status).toBe("EXCEPTION");
    expect(await balanceOf(world(), body.id)).toBe(10_000);
  });

  test("of a descriptor ending in 005 is pending for its own 30 seconds", async () => {
    const { transaction } = await authorized("SHOP 005");
    await goTo(world(), "09:00:20.000");
    const done = await clear(world(), transaction, 2_300);
    expect(done.pullSummary).toEqual({ count: 2, totalAmount: 2_300, pendingCount: 2 });
    const { body } = await world().control("POST", "/clock/advance", { by: "1m" });
    expect(body.fired.map(({ at }: { at: string }) => at)).toEqual([
      "2026-01-05T09:00:30.000Z",
      "2026-01-05T09:00:50.000Z",
    ]);
    const returned = await giveBack(world(), transaction, 1);
    expect(returned.pullSummary.pendingCount).toBe(0);
  });

  test("one of two pending pulls is confirmed before the other", async () => {
    const { transaction } = await authorized("SHOP 005");
    await goTo(world(), "09:00:20.000");
    await clear(world(), transaction, 2_300);
    await goTo(world(), "09:00:49.999");
    const returned = await giveBack(world(), transaction, 1);
    expect(returned.pullSummary.pendingCount).toBe(1);
  });
});

describe("a frozen card", () => {
  test("can be cleared, even for more, and returned", async () => {
    const { transaction, cardId, accountId } = await authorized();
    await patchCard(world(), cardId, { state: "FROZEN" });
    expect((await clear(world(), transaction, 1_000)).status).toBe("PARTIALLY_SETTLED");
    expect((await clear(world(), transaction, 1_300)).status).toBe("SETTLED");
    expect((await giveBack(world(), transaction, 2_300)).status).toBe("REFUNDED");
    expect(await balanceOf(world(), accountId)).toBe(10_000);
  });
});

describe("amounts in other decimals", () => {
  interface Row {
    on: "usd" | "usdb";
    currency: string;
    authorized: number;
    cleared: number[];
    /** The sum that the account has paid after each clearing, in its smallest unit. */
    settled: number[];
    /** The sum that the account lacks in the end. */
    paid: number;
  }

  test.each<Row>([
    {
      on: "usdb",
      currency: "USD",
      authorized: 2_000,
      cleared: [2_300],
      settled: [23_000_000],
      paid: 23_000_000,
    },
    {
      on: "usdb",
      currency: "USD",
      authorized: 2_000,
      cleared: [1, 0],
      settled: [10_000, 10_000],
      paid: 10_000,
    },
    {
      on: "usd",
      currency: "USDC",
      authorized: 25_000,
      cleared: [1, 1, 24_998],
      settled: [1, 1, 3],
      paid: 3,
    },
    {
      on: "usd",
      currency: "USDC",
      authorized: 25_000,
      cleared: [9_999, 1, 1, 0],
      settled: [1, 1, 2, 2],
      paid: 2,
    },
    { on: "usd", currency: "USDB", authorized: 10_000, cleared: [10_001], settled: [2], paid: 2 },
    { on: "usd", currency: "USDB", authorized: 1, cleared: [10_000], settled: [1], paid: 1 },
  ])("$authorized $currency on a card in $on, cleared $cleared", async (row) => {
    const money = 30_000_000;
    const { accountId, cardId } = await activeCard(world(), { on: row.on, minor: money });
    const { authorized: amount, currency } = row;
    const transaction = await authorize(world(), cardId, { amount, currency });
    const told = [];
    for (const part of row.cleared) told.push(await clear(world(), transaction, part));
    expect(told.map((one) => one.settlementSummary.totalAmount)).toEqual(row.settled);
    expect(told.at(-1)).toMatchObject({
      status: "SETTLED",
      settledAmount: {
        amount: row.cleared.reduce((sum, part) => sum + part, 0),
        currency: { code: currency },
      },
    });
    expect(await balanceOf(world(), accountId)).toBe(money - row.paid);
    const ledger = await ledgerOwn(world());
    expect(ledger[`Ledger:cardHolds ${row.on.toUpperCase()}`]).toBeUndefined();
  });
});

describe("a clearing refuses", () => {
  test.each([
    { amount: -1, code: "INVALID_AMOUNT", field: "amount" },
    { amount: 0.5, code: "INVALID_AMOUNT", field: "amount" },
    { amount: 9_000_000_000_000_001, code: "AMOUNT_OUT_OF_RANGE", field: "amount" },
    { amount: 9_000_000_000_000_000, code: undefined },
  ])("$amount: $code", async ({ amount, code, field }) => {
    const { transaction } = await authorized();
    const answer = await tryClear(world(), transaction, amount);
    if (code) expectRefused(answer, { status: 400, code, field });
    else expect(answer.body.status).toBe("EXCEPTION");
  });

  test("a sum of clearings above the largest amount", async () => {
    const { transaction } = await authorized();
    await clear(world(), transaction, 1);
    const act = () => tryClear(world(), transaction, 9_000_000_000_000_000);
    const refused = { status: 400, code: "AMOUNT_OUT_OF_RANGE", field: "amount" };
    await expectNothing(world(), act, refused);
  });

  test("an unknown transaction, and one of another card or kind", async () => {
    const { cardId, holder } = await authorized();
    const other = await authorized();
    for (const id of ["CardTransaction:none", other.transaction.id, holder.customerId]) {
      const act = () => tryClear(world(), { id, cardId }, 1);
      await expectNothing(world(), act, {
        status: 404,
        code: "TRANSACTION_NOT_FOUND",
        field: "cardTransactionId",
      });
    }
  });

  test("an unknown card, before its body is checked", async () => {
    for (const what of ["authorization", "clearing", "return"]) {
      const answer = await world().call("POST", `/sandbox/cards/Card:none/simulate/${what}`, {});
      expectRefused(answer, { status: 404, code: "REFERENCE_NOT_FOUND" });
    }
  });
});
