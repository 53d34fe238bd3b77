import { beforeEach, describe, expect, test } from "vitest";
import type { Answer } from "../../setup/test-simulator.ts";
import { expectRefused } from "../setup/refused.ts";
import { balanceOf, goTo } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const MAX = 9_000_000_000_000_000;
/** 2^53 - 1 minus the largest amount of one quote. */
const ROOM_AFTER_LARGEST = 7_199_254_740_991;

const world = worldPerTest();
let bitcoin: string;
let rupiah: string;

const platformAccount = async (currency: string) => {
  const { body } = await world().call("GET", `/platform/internal-accounts?currency=${currency}`);
  return body.data[0].id as string;
};

const quote = async (from: string, to: string, receivingMinor: number) => {
  const { status, body } = await world().call("POST", "/quotes", {
    source: { sourceType: "ACCOUNT", accountId: from },
    destination: { destinationType: "ACCOUNT", accountId: to },
    lockedCurrencySide: "RECEIVING",
    lockedCurrencyAmount: receivingMinor,
  });
  expect(status).toBe(201);
  return body as { id: string; transactionId: string };
};

const execute = ({ id }: { id: string }): Promise<Answer> =>
  world().call("POST", `/quotes/${id}/execute`);

/**
 * One bitcoin is worth 1.872 billion rupiah, so fifty fundings of bitcoin fill a rupiah account.
 */
beforeEach(async () => {
  const { call } = world();
  const wide = (currencyCode: string) => ({ currencyCode, minAmount: 0, maxAmount: MAX });
  await call("PATCH", "/config", { supportedCurrencies: [wide("BTC"), wide("IDR")] });
  bitcoin = await platformAccount("BTC");
  rupiah = await platformAccount("IDR");
  for (let funding = 0; funding < 50; funding += 1)
    await call("POST", `/sandbox/internal-accounts/${bitcoin}/fund`, { amount: 100_000_000_000 });
  await execute(await quote(bitcoin, rupiah, MAX));
  expect(await balanceOf(world(), rupiah)).toBe(MAX);
});

// spec/internal-accounts.md#balance-bounds, spec/ledger.md#largest-balance
describe("an account", () => {
  test("can be paid up to 2^53 - 1, and no further", async () => {
    const tooMuch = await quote(bitcoin, rupiah, ROOM_AFTER_LARGEST + 1);
    const enough = await quote(bitcoin, rupiah, ROOM_AFTER_LARGEST);
    expectRefused(await execute(tooMuch), {
      status: 400,
      code: "AMOUNT_OUT_OF_RANGE",
      field: "destination.accountId",
    });
    expect((await world().call("GET", `/quotes/${tooMuch.id}`)).body.status).toBe("PENDING");
    expect((await execute(enough)).status).toBe(200);
    expect(await balanceOf(world(), rupiah)).toBe(9_007_199_254_740_991);
    expect((await world().control("GET", "/status")).body).not.toHaveProperty("stopped");
  });

  test("can be funded up to 2^53 - 1, and no further", async () => {
    await execute(await quote(bitcoin, rupiah, ROOM_AFTER_LARGEST - 1));
    const fund = (amount: number) =>
      world().call("POST", `/sandbox/internal-accounts/${rupiah}/fund`, { amount });
    expectRefused(await fund(2), {
      status: 400,
      code: "AMOUNT_OUT_OF_RANGE",
      field: "amount",
    });
    expect(await fund(1)).toMatchObject({
      status: 200,
      body: { balance: { amount: 9_007_199_254_740_991 } },
    });
  });

  test("can be filled by a transfer up to 2^53 - 1, and no further", async () => {
    const { body: bank } = await world().call("POST", "/platform/external-accounts", {
      currency: "IDR",
      accountInfo: {
        accountType: "IDR_ACCOUNT",
        bankName: "Bank Uji",
        accountNumber: "1234567999",
        swiftCode: "AGRIFRPP",
        phoneNumber: "+6281234567890",
        beneficiary: { beneficiaryType: "BUSINESS", legalName: "Prueba SA" },
      },
    });
    const transfer = (amount: number) =>
      world().call("POST", "/transfer-in", {
        source: { accountId: bank.id },
        destination: { accountId: rupiah },
        amount,
      });
    const refused = { status: 400, code: "AMOUNT_OUT_OF_RANGE", field: "amount" };
    expectRefused(await transfer(ROOM_AFTER_LARGEST + 1), refused);
    expect((await transfer(ROOM_AFTER_LARGEST)).status).toBe(201);
    expect(await balanceOf(world(), rupiah)).toBe(9_007_199_254_740_991);
    expectRefused(await transfer(1), refused);
    // The whole balance is above the largest amount of a transfer.
    const out = { source: { accountId: rupiah }, destination: { accountId: bank.id } };
    expectRefused(await world().call("POST", "/transfer-out", out), refused);
    expect((await world().call("POST", "/transfer-out", { ...out, amount: MAX })).status).toBe(201);
  });

  test("that was filled meanwhile gets no refund, and the world stays healthy", async () => {
    await execute(await quote(bitcoin, rupiah, ROOM_AFTER_LARGEST));
    const { body: payee } = await world().call("POST", "/platform/external-accounts", {
      currency: "USD",
      accountInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber: "000123002",
        routingNumber: "021000021",
        beneficiary: { beneficiaryType: "BUSINESS", legalName: "Prueba SA" },
      },
    });
    const failing = await quote(rupiah, payee.id, 100);
    await execute(failing);
    await world().call("POST", `/sandbox/internal-accounts/${rupiah}/fund`, { amount: 1 });
    await goTo(world(), "09:00:01.000");
    const { body } = await world().call("GET", `/transactions/${failing.transactionId}`);
    expect(body).toMatchObject({ status: "FAILED", refund: { status: "FAILED" } });
    const sent = body.sentAmount.amount;
    expect(await balanceOf(world(), rupiah)).toBe(9_007_199_254_740_991 - sent + 1);
    expect((await world().control("GET", "/status")).body).not.toHaveProperty("stopped");
  });
});
