import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Receiver } from "../../setup/receiver.ts";
import { expectNothing, expectRefused } from "../setup/refused.ts";
import { balanceEvents, balanceOf, goTo, ledgerOwn } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";
import {
  activeCard,
  authorize,
  clear,
  createCardholder,
  issueCard,
  patchCard,
  sums,
  tryAuthorize,
  tryClear,
  tryReturn,
} from "./setup/card-world.ts";

const world = worldPerTest();

describe("an approved authorization", () => {
  test("shows all its fields, and holds the money", async () => {
    const { accountId, cardId } = await activeCard(world(), { on: "usd", minor: 10_000 });
    const merchant = { descriptor: "NORTH PIER BOOKS", mcc: "5942", country: "US" };
    const { status, body } = await world().call(
      "POST",
      `/sandbox/cards/${cardId}/simulate/authorization`,
      { amount: 2_000, currency: { code: "USD" }, merchant: { ...merchant, city: "Dover" } },
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^CardTransaction:[0-9a-f-]{36}$/),
      cardId,
      issuerTransactionToken: expect.stringMatching(/^sim_txn_[0-9a-f]{8}$/),
      status: "AUTHORIZED",
      merchant,
      authorizedAmount: {
        amount: 2_000,
        currency: { code: "USD", name: "United States Dollar", symbol: "$", decimals: 2 },
      },
      accountId,
      pullSummary: { count: 1, totalAmount: 2_000, pendingCount: 0 },
      refundSummary: { count: 0, totalAmount: 0 },
      settlementSummary: { count: 0, totalAmount: 0 },
      authorizedAt: "2026-01-05T09:00:00.000Z",
      lastEventAt: "2026-01-05T09:00:00.000Z",
      createdAt: "2026-01-05T09:00:00.000Z",
      updatedAt: "2026-01-05T09:00:00.000Z",
    });
    expect(await balanceOf(world(), accountId)).toBe(8_000);
    expect(await ledgerOwn(world())).toEqual({
      "Ledger:funding USD": -10_000,
      "Ledger:cardHolds USD": 2_000,
    });
  });

  test.each([
    { on: "usdb", currency: "USD", amount: 2_000, takes: 20_000_000 },
    { on: "usdb", currency: "USDB", amount: 2_000, takes: 2_000 },
    { on: "usdb", currency: "USDC", amount: 1, takes: 1 },
    { on: "usd", currency: "USD", amount: 1, takes: 1 },
    { on: "usd", currency: "USDB", amount: 20_000_000, takes: 2_000 },
    { on: "usd", currency: "USDB", amount: 20_000_001, takes: 2_001 },
    { on: "usd", currency: "USDC", amount: 9_999, takes: 1 },
    { on: "usd", currency: "USDC", amount: 10_000, takes: 1 },
  ] as const)("of $amount $currency takes $takes from a card in $on", async (row) => {
    const money = 50_000_000;
    const { accountId, cardId } = await activeCard(world(), { on: row.on, minor: money });
    const done = await authorize(world(), cardId, row);
    expect(done.authorizedAmount).toMatchObject({
      amount: row.amount,
      currency: { code: row.currency },
    });
    expect(done.pullSummary.totalAmount).toBe(row.takes);
    expect(await balanceOf(world(), accountId)).toBe(money - row.takes);
  });

  test("may use the last cent, but not one more", async () => {
    const { accountId, cardId } = await activeCard(world(), { on: "usd", minor: 500 });
    const over = await authorize(world(), cardId, { amount: 501 });
    expect([over.status, over.declineCode]).toEqual(["DECLINED", "INSUFFICIENT_FUNDS"]);
    expect((await authorize(world(), cardId, { amount: 500 })).status).toBe("AUTHORIZED");
    expect(await balanceOf(world(), accountId)).toBe(0);
  });
});

describe("the suffix of the descriptor", () => {
  const ENOUGH = 10_000;
  interface Row {
    descriptor: string;
    status: string;
    declineCode?: string;
    pulled: [number, number];
    pendingCount: number;
  }
  const declined = (descriptor: string, declineCode: string): Row => ({
    descriptor,
    status: "DECLINED",
    declineCode,
    pulled: [0, 0],
    pendingCount: 0,
  });
  const approved = (descriptor: string, pendingCount = 0): Row => ({
    descriptor,
    status: "AUTHORIZED",
    pulled: [1, 2_000],
    pendingCount,
  });
  const ROWS: Row[] = [
    approved("SHOP 001"),
    declined("SHOP 002", "INSUFFICIENT_FUNDS"),
    declined("SHOP 003", "CARD_PAUSED"),
    approved("SHOP 004"),
    approved("SHOP 005", 1),
    { descriptor: "SHOP 006", status: "EXCEPTION", pulled: [0, 0], pendingCount: 0 },
    approved("SHOP 007"),
    approved("02"),
    declined("002", "INSUFFICIENT_FUNDS"),
    approved("SHOP 002 LONDON"),
  ];

  test.each(ROWS)("$descriptor: $status $declineCode", async (row) => {
    const { accountId, cardId } = await activeCard(world(), { on: "usd", minor: ENOUGH });
    const done = await authorize(world(), cardId, { amount: 2_000, descriptor: row.descriptor });
    expect([done.status, done.declineCode, done.accountId]).toEqual([
      row.status,
      row.declineCode,
      accountId,
    ]);
    expect(sums(done)).toEqual({ pulled: row.pulled, settled: [0, 0], refunded: [0, 0] });
    expect(done.pullSummary.pendingCount).toBe(row.pendingCount);
    expect(await balanceOf(world(), accountId)).toBe(ENOUGH - row.pulled[1]);
    if (row.pulled[1] > 0) return;
    expect(done.settledAmount).toBeUndefined();
    for (const act of [tryClear, tryReturn])
      expectRefused(await act(world(), done, 1), {
        status: 400,
        code: "INVALID_INPUT",
        field: "cardTransactionId",
      });
  });

  test.each([
    { state: "FROZEN", descriptor: "SHOP 002", declineCode: "CARD_PAUSED" },
    { state: "FROZEN", descriptor: "SHOP 003", declineCode: "CARD_PAUSED" },
    { state: "FROZEN", descriptor: "SHOP 005", declineCode: "CARD_PAUSED" },
    { state: "FROZEN", descriptor: "SHOP 006", declineCode: "CARD_PAUSED" },
    { state: "FROZEN", descriptor: "NORTH PIER BOOKS", declineCode: "CARD_PAUSED" },
    { state: "CLOSED", descriptor: "SHOP 002", declineCode: "INSUFFICIENT_FUNDS" },
    { state: "CLOSED", descriptor: "SHOP 003", declineCode: "CARD_PAUSED" },
    { state: "CLOSED", descriptor: "SHOP 006", declineCode: "CARD_NOT_ACTIVE" },
  ])("$descriptor on a card that is $state: $declineCode", async (row) => {
    const { cardId } = await activeCard(world(), { on: "usd", minor: ENOUGH });
    await patchCard(world(), cardId, { state: row.state });
    const done = await authorize(world(), cardId, { amount: 1, descriptor: row.descriptor });
    expect([done.status, done.declineCode]).toEqual(["DECLINED", row.declineCode]);
  });

  test.each(["SHOP 005", "SHOP 006"])("%s without enough money is declined", async (descriptor) => {
    const { cardId } = await activeCard(world(), { on: "usd", minor: 10 });
    const done = await authorize(world(), cardId, { amount: 11, descriptor });
    expect([done.status, done.declineCode]).toEqual(["DECLINED", "INSUFFICIENT_FUNDS"]);
  });
});

describe("a pending pull", () => {
  test("is debited at once and confirmed 30 seconds later", async () => {
    const { accountId, cardId } = await activeCard(world(), { on: "usd", minor: 10_000 });
    const done = await authorize(world(), cardId, { amount: 2_000, descriptor: "SHOP 005" });
    expect(await balanceOf(world(), accountId)).toBe(8_000);
    const advance = async (by: string) =>
      (await world().control("POST", "/clock/advance", { by })).body.fired;
    expect(await advance("29999ms")).toEqual([]);
    expect(await advance("1ms")).toEqual([
      expect.objectContaining({
        at: "2026-01-05T09:00:30.000Z",
        timer: "card.confirm",
        subject: done.id,
      }),
    ]);
    const cleared = await clear(world(), done, 1_000);
    expect(cleared.pullSummary).toEqual({ count: 1, totalAmount: 2_000, pendingCount: 0 });
  });

  test("may be cleared meanwhile, and is still confirmed", async () => {
    const { cardId } = await activeCard(world(), { on: "usd", minor: 10_000 });
    const done = await authorize(world(), cardId, { amount: 2_000, descriptor: "SHOP 005" });
    const cleared = await clear(world(), done, 2_000);
    expect([cleared.status, cleared.pullSummary.pendingCount]).toEqual(["SETTLED", 1]);
    await goTo(world(), "09:00:30.000");
    const { body } = await tryReturn(world(), done, 1);
    expect(body.pullSummary.pendingCount).toBe(0);
  });

  test("ends with its transaction, by a clearing of 0 or a close", async () => {
    const { cardId, accountId } = await activeCard(world(), { on: "usd", minor: 10_000 });
    const descriptor = "SHOP 005";
    const expired = await authorize(world(), cardId, { amount: 2_000, descriptor });
    await authorize(world(), cardId, { amount: 3_000, descriptor });
    const ended = await clear(world(), expired, 0);
    expect(ended.pullSummary.pendingCount).toBe(0);
    await patchCard(world(), cardId, { state: "CLOSED" });
    expect(await balanceOf(world(), accountId)).toBe(10_000);
    const { body } = await world().control("POST", "/clock/advance", { by: "1m" });
    expect(body.firedCount).toBe(0);
  });
});

// spec/card-transactions.md#balance-events
describe("the only event", () => {
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await new Receiver().start();
  });

  afterEach(() => receiver.stop());

  test("is that of the account's balance", async () => {
    const { cardId, accountId } = await activeCard(world(), { on: "usd", minor: 10_000 });
    await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
    await authorize(world(), cardId, { amount: 2_000 });
    await authorize(world(), cardId, { amount: 3_000, descriptor: "SHOP 005" });
    for (const descriptor of ["SHOP 002", "SHOP 003", "SHOP 006"])
      await authorize(world(), cardId, { amount: 1, descriptor });
    await goTo(world(), "09:01:00.000");
    expect(balanceEvents(receiver, accountId)).toEqual([
      ["09:00:00.000", 8_000],
      ["09:00:00.000", 5_000],
    ]);
    expect(receiver.types()).toEqual([
      "TEST",
      "INTERNAL_ACCOUNT.BALANCE_UPDATED",
      "INTERNAL_ACCOUNT.BALANCE_UPDATED",
    ]);
  });
});

describe("an authorization refuses", () => {
  test.each([
    { amount: 0, code: "INVALID_AMOUNT", field: "amount" },
    { amount: -1, code: "INVALID_AMOUNT", field: "amount" },
    { amount: 1.5, code: "INVALID_AMOUNT", field: "amount" },
    { amount: 9_000_000_000_000_001, code: "AMOUNT_OUT_OF_RANGE", field: "amount" },
    { amount: 1, currency: "EUR", code: "INVALID_CURRENCY", field: "currency.code" },
    { amount: 1, currency: "XYZ", code: "INVALID_CURRENCY", field: "currency.code" },
  ])("$amount $currency: $code", async ({ code, field, ...purchase }) => {
    const { cardId } = await activeCard(world(), { on: "usd", minor: 10 });
    const act = () => tryAuthorize(world(), cardId, purchase);
    await expectNothing(world(), act, { status: 400, code, field });
  });

  test("an amount within bounds in cents, but not in micro-dollars", async () => {
    const { cardId } = await activeCard(world(), { on: "usdb", minor: 10 });
    const most = await authorize(world(), cardId, { amount: 900_000_000_000 });
    expect(most.declineCode).toBe("INSUFFICIENT_FUNDS");
    const over = await tryAuthorize(world(), cardId, { amount: 900_000_000_001 });
    expectRefused(over, { status: 400, code: "AMOUNT_OUT_OF_RANGE", field: "amount" });
  });

  test.each([
    { merchant: {}, field: "merchant.descriptor" },
    { merchant: { descriptor: "" }, field: "merchant.descriptor" },
    { merchant: { descriptor: "SHOP", mcc: "594" }, field: "merchant.mcc" },
    { merchant: { descriptor: "SHOP", mcc: "59421" }, field: "merchant.mcc" },
    { merchant: { descriptor: "SHOP", country: "USA" }, field: "merchant.country" },
    { merchant: undefined, field: "merchant" },
  ])("the merchant $merchant", async ({ merchant, field }) => {
    const { cardId } = await activeCard(world(), { on: "usd", minor: 10 });
    const body = { amount: 1, currency: { code: "USD" }, merchant };
    const path = `/sandbox/cards/${cardId}/simulate/authorization`;
    const answer = await world().call("POST", path, body);
    expectRefused(answer, { status: 400, code: "INVALID_INPUT", field });
  });
});

test("a declined authorization names the first source, also after a close and a rejection", async () => {
  const holder = await createCardholder(world(), { usd: 100 });
  const rejected = await issueCard(world(), {
    cardholderId: holder.customerId,
    fundingSources: [holder.usdId],
    platformCardId: "bad-002",
  });
  const told = await authorize(world(), rejected.id, { amount: 1 });
  expect([told.declineCode, told.accountId]).toEqual(["CARD_NOT_ACTIVE", holder.usdId]);
});
