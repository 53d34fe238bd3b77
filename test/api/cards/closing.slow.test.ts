import { describe, expect, test } from "vitest";
import { expectNothing } from "../setup/refused.ts";
import { balanceOf, ledgerOwn } from "../setup/told.ts";
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

const BY = {
  "the platform": (cardId: string) => patchCard(world(), cardId, { state: "CLOSED" }),
  "the operator": (cardId: string) => world().control("POST", `/cards/${cardId}/close`),
};

const WRONG_STATE = { status: 400, code: "INVALID_INPUT", field: "cardTransactionId" };

describe.each(Object.entries(BY))("when %s closes a card", (_who, close) => {
  /**
   * A closed card in USD with 100.00, of which 20.00 were authorized and the given amounts cleared.
   */
  const closed = async (cleared: number[] = [], descriptor = "NORTH PIER BOOKS") => {
    const found = await activeCard(world(), { on: "usd", minor: 10_000 });
    const transaction = await authorize(world(), found.cardId, { amount: 2_000, descriptor });
    for (const amount of cleared) await clear(world(), transaction, amount);
    expect((await close(found.cardId)).status).toBe(200);
    return { ...found, transaction };
  };

  test.each([
    { says: "AUTHORIZED", cleared: [], balance: 10_000 },
    { says: "PARTIALLY_SETTLED", cleared: [700], balance: 9_300 },
    { says: "SETTLED", cleared: [2_000], balance: 8_000 },
  ])("the hold of a transaction that is $says returns at once", async ({ cleared, balance }) => {
    const { accountId } = await closed(cleared);
    expect(await balanceOf(world(), accountId)).toBe(balance);
    expect(await ledgerOwn(world())).toEqual({
      "Ledger:funding USD": -10_000,
      ...(balance < 10_000 && { "Ledger:cardSettlements USD": 10_000 - balance }),
    });
  });

  test("every open hold returns, in its own currency's account", async () => {
    const { cardId, accountId } = await activeCard(world(), { on: "usdb", minor: 90_000_000 });
    await authorize(world(), cardId, { amount: 1_000 });
    await authorize(world(), cardId, { amount: 777, currency: "USDC" });
    const last = await authorize(world(), cardId, { amount: 3_000, descriptor: "SHOP 005" });
    await clear(world(), last, 1);
    await close(cardId);
    expect(await balanceOf(world(), accountId)).toBe(89_990_000);
  });

  test("a late clearing pulls again, once", async () => {
    const { transaction, accountId } = await closed();
    const late = await clear(world(), transaction, 1_800);
    expect(late.status).toBe("SETTLED");
    expect(sums(late)).toEqual({ pulled: [2, 3_800], settled: [1, 1_800], refunded: [0, 0] });
    expect(late.settledAmount.amount).toBe(1_800);
    expect(await balanceOf(world(), accountId)).toBe(8_200);
    await expectNothing(world(), () => tryClear(world(), transaction, 1), WRONG_STATE);
    await expectNothing(world(), () => tryClear(world(), transaction, 0), WRONG_STATE);
  });

  test("a late clearing of a partly cleared transaction adds to it", async () => {
    const { transaction, accountId } = await closed([700]);
    const late = await clear(world(), transaction, 1_300);
    expect([late.status, late.settledAmount.amount]).toEqual(["SETTLED", 2_000]);
    expect(sums(late)).toEqual({ pulled: [2, 3_300], settled: [2, 2_000], refunded: [0, 0] });
    expect(await balanceOf(world(), accountId)).toBe(8_000);
  });

  test("a late clearing of 0 moves nothing, and does not use up the one late clearing", async () => {
    const { transaction, accountId } = await closed();
    for (const amount of [0, 0]) {
      const late = await clear(world(), transaction, amount);
      expect([late.status, late.settledAmount.amount]).toEqual(["SETTLED", 0]);
    }
    expect(await balanceOf(world(), accountId)).toBe(10_000);
    const late = await clear(world(), transaction, 1_800);
    expect([late.status, late.settledAmount.amount]).toEqual(["SETTLED", 1_800]);
    expect(await balanceOf(world(), accountId)).toBe(8_200);
    await expectNothing(world(), () => tryClear(world(), transaction, 1), WRONG_STATE);
  });

  test("a late clearing that the account cannot pay is the operator's loss", async () => {
    const { cardId, accountId } = await activeCard(world(), { on: "usd", minor: 2_000 });
    const transaction = await authorize(world(), cardId, { amount: 2_000 });
    await close(cardId);
    const late = await clear(world(), transaction, 2_001);
    expect(late.status).toBe("EXCEPTION");
    expect(sums(late)).toEqual({ pulled: [1, 2_000], settled: [1, 2_001], refunded: [0, 0] });
    expect(await balanceOf(world(), accountId)).toBe(2_000);
    expect(await ledgerOwn(world())).toEqual({
      "Ledger:funding USD": -2_000,
      "Ledger:cardSettlements USD": 2_001,
      "Ledger:losses USD": -2_001,
    });
    await fund(world(), accountId, 5_000);
    await expectNothing(world(), () => tryClear(world(), transaction, 1), WRONG_STATE);
  });

  test("late and earlier clearings may be returned", async () => {
    const { transaction, accountId } = await closed([700]);
    await giveBack(world(), transaction, 200);
    await clear(world(), transaction, 300);
    const all = await giveBack(world(), transaction, 800);
    expect(all.status).toBe("REFUNDED");
    expect(await balanceOf(world(), accountId)).toBe(10_000);
  });

  test("a transaction returned in full is not cleared late", async () => {
    const { transaction } = await closed([700]);
    expect((await giveBack(world(), transaction, 700)).status).toBe("REFUNDED");
    await expectNothing(world(), () => tryClear(world(), transaction, 1), WRONG_STATE);
  });

  test("a transaction that had ended before is not cleared late", async () => {
    const settled = await closed([2_000]);
    await expectNothing(world(), () => tryClear(world(), settled.transaction, 1), WRONG_STATE);
    const expired = await closed([0]);
    await expectNothing(world(), () => tryClear(world(), expired.transaction, 1), WRONG_STATE);
  });
});
