import { beforeEach, describe, expect, test } from "vitest";
import { transferInput } from "../../setup/banks.ts";
import { accountIn, createParties, type Parties } from "../setup/payment-parties.ts";
import { balanceOf, goTo } from "../setup/told.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";

const USD = { code: "USD", name: "United States Dollar", symbol: "$", decimals: 2 };
const START = "2026-01-05T09:00:00.000Z";

const world = worldPerTest();
let parties: Parties;

const madeParties = preparedOnce(createParties);

beforeEach(async () => {
  parties = await madeParties(world());
});

const transferIn = (from: string, to: string, amount = 25_000) =>
  world().call("POST", "/transfer-in", transferInput(from, to, amount));
const transferOut = (from: string, to: string, amount?: number) =>
  world().call("POST", "/transfer-out", transferInput(from, to, amount));
const read = async (id: string) => (await world().call("GET", `/transactions/${id}`)).body;

const ownerOf = async (customerId: string) => {
  const { body } = await world().call("GET", `/customers/${customerId}`);
  return { customerId, platformCustomerId: body.platformCustomerId };
};

describe("the reply", () => {
  test("of a transfer in is the whole INCOMING transaction, as it is read back", async () => {
    const { payer, bank } = parties;
    const { status, body } = await transferIn(bank, payer.accountId);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^Transaction:[0-9a-f-]{36}$/),
      status: "PENDING",
      type: "INCOMING",
      source: { sourceType: "ACCOUNT", accountId: bank, currency: "USD" },
      destination: { destinationType: "ACCOUNT", accountId: payer.accountId, currency: "USD" },
      ...(await ownerOf(payer.customerId)),
      receivedAmount: { amount: 25_000, currency: USD },
      fees: 0,
      reconciliationInstructions: { reference: expect.stringMatching(/^REF-[A-Z2-7]{9}$/) },
      createdAt: START,
      updatedAt: START,
    });
    await goTo(world(), "09:00:00.000");
    expect(await read(body.id)).toEqual({ ...body, status: "COMPLETED", settledAt: START });
  });

  test("of a transfer out is the whole OUTGOING transaction, as it is read back", async () => {
    const { payer, bank } = parties;
    const { status, body } = await transferOut(payer.accountId, bank, 25_000);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^Transaction:[0-9a-f-]{36}$/),
      status: "PENDING",
      type: "OUTGOING",
      source: { sourceType: "ACCOUNT", accountId: payer.accountId, currency: "USD" },
      destination: { destinationType: "ACCOUNT", accountId: bank, currency: "USD" },
      ...(await ownerOf(payer.customerId)),
      sentAmount: { amount: 25_000, currency: USD },
      receivedAmount: { amount: 25_000, currency: USD },
      fees: 0,
      reconciliationInstructions: { reference: expect.stringMatching(/^REF-[A-Z2-7]{9}$/) },
      createdAt: START,
      updatedAt: START,
    });
    await goTo(world(), "09:00:00.000");
    expect(await read(body.id)).toEqual({ ...body, status: "COMPLETED", settledAt: START });
  });
});

describe("the platform's own transfers", () => {
  test("carry the platform's id twice", async () => {
    const { platform, platformBank } = parties;
    const { body: config } = await world().call("GET", "/config");
    const own = { customerId: config.id, platformCustomerId: config.id };
    expect((await transferIn(platformBank, platform)).body).toMatchObject(own);
    expect((await transferOut(platform, platformBank, 1)).body).toMatchObject(own);
    expect(await balanceOf(world(), platform)).toBe(1_024_999);
  });
});

// spec/transfers.md#amount
describe("a transfer out without an amount", () => {
  test("sends the whole balance", async () => {
    const { payer, bank } = parties;
    const { status, body } = await transferOut(payer.accountId, bank);
    expect({ status, sent: body.sentAmount.amount }).toEqual({ status: 201, sent: 1_000_000 });
    expect(await balanceOf(world(), payer.accountId)).toBe(0);
  });

  test("sends the present balance, including a transfer in of the same instant", async () => {
    const { payer, bank } = parties;
    await transferIn(bank, payer.accountId, 1);
    const { body } = await transferOut(payer.accountId, bank);
    expect(body.sentAmount.amount).toBe(1_000_001);
  });
});

// spec/currencies.md#platform-settings
describe("the platform's currency settings", () => {
  test.each([
    { says: "bounds", usd: { minAmount: 1_000_000, maxAmount: 2_000_000 } },
    { says: "no direction", usd: { minAmount: 0, maxAmount: 1, enabledTransactionTypes: [] } },
  ])("do not bind transfers: $says", async ({ usd }) => {
    const supportedCurrencies = [{ currencyCode: "USD", ...usd }];
    const { status } = await world().call("PATCH", "/config", { supportedCurrencies });
    expect(status).toBe(200);
    const { payer, bank } = parties;
    expect((await transferIn(bank, payer.accountId, 5)).status).toBe(201);
    expect((await transferOut(payer.accountId, bank, 5)).status).toBe(201);
  });

  test("do not bind transfers: a currency that was removed", async () => {
    const eur = { currencyCode: "EUR", minAmount: 0, maxAmount: 10 };
    await world().call("PATCH", "/config", { supportedCurrencies: [eur] });
    const { payer, bank } = parties;
    expect((await transferIn(bank, payer.accountId)).status).toBe(201);
    expect((await transferOut(payer.accountId, bank, 25_000)).status).toBe(201);
  });
});

test.each([1, 9_000_000_000_000_000])("the amount %d is accepted", async (amount) => {
  const { payer, bank } = parties;
  const { status, body } = await transferIn(bank, payer.accountId, amount);
  expect({ status, received: body.receivedAmount.amount }).toEqual({
    status: 201,
    received: amount,
  });
  expect(await balanceOf(world(), payer.accountId)).toBe(1_000_000 + amount);
});

test("unknown members are ignored", async () => {
  const { payer, bank } = parties;
  const input = transferInput(bank, payer.accountId, 25_000);
  const noisy = { ...input, currency: "EUR", customerId: 7, status: "COMPLETED", fees: 5 };
  const { status, body } = await world().call("POST", "/transfer-in", noisy);
  expect(status).toBe(201);
  expect(body).toMatchObject({ status: "PENDING", fees: 0, receivedAmount: { currency: USD } });
});

test("an external wallet can be paid, and an embedded one filled from a bank", async () => {
  const { payer, wallet } = parties;
  const { call } = world();
  const usdc = await accountIn(world(), "USDC", payer.customerId);
  await call("POST", `/sandbox/internal-accounts/${usdc}/fund`, { amount: 700 });
  const { body: base } = await call("POST", "/customers/external-accounts", {
    customerId: payer.customerId,
    currency: "USDC",
    accountInfo: { accountType: "BASE_WALLET", address: `0x${"1".repeat(37)}999` },
  });
  expect((await transferOut(usdc, base.id)).body).toMatchObject({
    status: "PENDING",
    sentAmount: { amount: 700 },
  });
  const { body: swift } = await call("POST", "/customers/external-accounts", {
    customerId: payer.customerId,
    currency: "USDB",
    accountInfo: {
      accountType: "SWIFT_ACCOUNT",
      country: "CH",
      swiftCode: "AGRIFRPP",
      bankName: "Banco de Prueba",
      accountNumber: "000123999",
      beneficiary: { beneficiaryType: "BUSINESS", legalName: "Prueba SA" },
    },
  });
  expect((await transferIn(swift.id, wallet, 5)).status).toBe(201);
  expect(await balanceOf(world(), wallet)).toBe(5);
});
