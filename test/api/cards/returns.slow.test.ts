import { describe, expect, test } from "vitest";
import { expectNothing, expectRefused } from "../setup/refused.ts";
import { balanceOf, goTo, ledgerOwn } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";
import {
  activeCard,
  authorize,
  clear,
  giveBack,
  openAccount,
  patchCard,
  sums,
  tryReturn,
} from "./setup/card-world.ts";

const world = worldPerTest();

const settled = async (cleared: number[] = [2_000]) => {
  const found = await activeCard(world(), { on: "usd", minor: 10_000 });
  const transaction = await authorize(world(), found.cardId, { amount: 2_000 });
  for (const amount of cleared) await clear(world(), transaction, amount);
  return { ...found, transaction };
};

describe("returns", () => {
  interface Row {
    cleared: number[];
    returned: number[];
    statuses: string[];
    refunded: [number, number];
    balance: number;
    held: number;
  }

  test.each<Row>([
    {
      cleared: [2_000],
      returned: [2_000],
      statuses: ["REFUNDED"],
      refunded: [1, 2_000],
      balance: 10_000,
      held: 0,
    },
    {
      cleared: [2_000],
      returned: [1_999],
      statuses: ["SETTLED"],
      refunded: [1, 1_999],
      balance: 9_999,
      held: 0,
    },
    {
      cleared: [2_000],
      returned: [1_999, 1],
      statuses: ["SETTLED", "REFUNDED"],
      refunded: [2, 2_000],
      balance: 10_000,
      held: 0,
    },
    {
      cleared: [2_300],
      returned: [2_300],
      statuses: ["REFUNDED"],
      refunded: [1, 2_300],
      balance: 10_000,
      held: 0,
    },
    {
      cleared: [700],
      returned: [300],
      statuses: ["PARTIALLY_SETTLED"],
      refunded: [1, 300],
      balance: 8_300,
      held: 1_300,
    },
    {
      cleared: [700],
      returned: [300, 400],
      statuses: ["PARTIALLY_SETTLED", "REFUNDED"],
      refunded: [2, 700],
      balance: 10_000,
      held: 0,
    },
    {
      cleared: [700, 0],
      returned: [300],
      statuses: ["SETTLED"],
      refunded: [1, 300],
      balance: 9_600,
      held: 0,
    },
  ])("of $returned after clearings of $cleared", async (row) => {
    const { transaction, accountId } = await settled(row.cleared);
    await goTo(world(), "09:10:00.000");
    const told = [];
    for (const amount of row.returned) told.push(await giveBack(world(), transaction, amount));
    expect(told.map(({ status }) => status)).toEqual(row.statuses);
    const last = told.at(-1);
    expect(sums(last).refunded).toEqual(row.refunded);
    expect(last.refundedAmount).toMatchObject({ amount: row.refunded[1] });
    expect(last.lastEventAt).toBe("2026-01-05T09:10:00.000Z");
    expect(await balanceOf(world(), accountId)).toBe(row.balance);
    expect((await ledgerOwn(world()))["Ledger:cardHolds USD"] ?? 0).toBe(row.held);
  });

  test("between two clearings leave the rest of the hold for the second", async () => {
    const { transaction, accountId } = await settled([700]);
    await giveBack(world(), transaction, 300);
    expect((await clear(world(), transaction, 1_300)).status).toBe("SETTLED");
    const all = await giveBack(world(), transaction, 1_700);
    expect([all.status, all.refundSummary]).toEqual(["REFUNDED", { count: 2, totalAmount: 2_000 }]);
    expect(await balanceOf(world(), accountId)).toBe(10_000);
  });

  test("of micro-dollars to a card in cents never take back an earlier return", async () => {
    const { accountId, cardId } = await activeCard(world(), { on: "usd", minor: 10_000 });
    const currency = "USDC";
    const transaction = await authorize(world(), cardId, { amount: 30_000, currency });
    const told = [
      await clear(world(), transaction, 11_000),
      await giveBack(world(), transaction, 2_000),
      await clear(world(), transaction, 9_000),
      await giveBack(world(), transaction, 1),
      await clear(world(), transaction, 10_000),
      await giveBack(world(), transaction, 27_999),
    ];
    expect(
      told.map(({ settlementSummary, refundSummary }) => [
        settlementSummary.totalAmount,
        refundSummary.totalAmount,
      ]),
    ).toEqual([
      [2, 0],
      [2, 1],
      [2, 1],
      [2, 1],
      [3, 1],
      [3, 3],
    ]);
    expect(told.at(-1).status).toBe("REFUNDED");
    expect(await balanceOf(world(), accountId)).toBe(10_000);
  });

  test("go to the source of the authorization, bound or not, open or not", async () => {
    const { transaction, accountId, cardId, holder } = await settled();
    const { customerId } = holder;
    const other = await openAccount(world(), { customerId, currency: "USD" });
    await patchCard(world(), cardId, { fundingSources: [other] });
    await world().control("PATCH", `/internal-accounts/${accountId}`, { status: "FROZEN" });
    await giveBack(world(), transaction, 500);
    expect([await balanceOf(world(), accountId), await balanceOf(world(), other)]).toEqual([
      8_500, 0,
    ]);
  });

  test.each(["FROZEN", "CLOSED"])("work on a card that is %s", async (state) => {
    const { transaction, accountId, cardId } = await settled();
    await patchCard(world(), cardId, { state });
    expect((await giveBack(world(), transaction, 2_000)).status).toBe("REFUNDED");
    expect(await balanceOf(world(), accountId)).toBe(10_000);
  });
});

describe("a return refuses", () => {
  const WRONG_STATE = { status: 400, code: "INVALID_INPUT", field: "cardTransactionId" };

  test("a transaction without a settlement: uncleared, unpulled or expired", async () => {
    const { cardId } = await activeCard(world(), { on: "usd", minor: 10_000 });
    const open = await authorize(world(), cardId, { amount: 2_000 });
    const failed = await authorize(world(), cardId, { amount: 1, descriptor: "SHOP 006" });
    const expired = await authorize(world(), cardId, { amount: 1 });
    await clear(world(), expired, 0);
    for (const one of [open, failed, expired])
      await expectNothing(world(), () => tryReturn(world(), one, 1), WRONG_STATE);
  });

  test("a REFUNDED transaction and an EXCEPTION", async () => {
    const { transaction } = await settled();
    await giveBack(world(), transaction, 2_000);
    await expectNothing(world(), () => tryReturn(world(), transaction, 1), WRONG_STATE);
    const other = await settled([1_000, 50_000]);
    await expectNothing(world(), () => tryReturn(world(), other.transaction, 1), WRONG_STATE);
  });

  test.each([
    { before: [], amount: 2_001 },
    { before: [1_500], amount: 501 },
    { before: [], amount: 0 },
    { before: [], amount: -5 },
    { before: [], amount: 0.1 },
  ])("$amount after $before", async ({ before, amount }) => {
    const { transaction } = await settled();
    for (const one of before) await giveBack(world(), transaction, one);
    const act = () => tryReturn(world(), transaction, amount);
    await expectNothing(world(), act, { status: 400, code: "INVALID_AMOUNT", field: "amount" });
  });

  test("an amount above the largest", async () => {
    const { transaction } = await settled();
    expectRefused(await tryReturn(world(), transaction, 9_000_000_000_000_001), {
      status: 400,
      code: "AMOUNT_OUT_OF_RANGE",
      field: "amount",
    });
  });

  test("a transaction of another card", async () => {
    const [one, other] = [await settled(), await settled()];
    const act = () => tryReturn(world(), { id: one.transaction.id, cardId: other.cardId }, 1);
    await expectNothing(world(), act, {
      status: 404,
      code: "TRANSACTION_NOT_FOUND",
      field: "cardTransactionId",
    });
  });
});
