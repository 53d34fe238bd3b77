import { beforeEach, describe, expect, test } from "vitest";
import { createPayee, createPayer, type Payer, quoteInput } from "../../setup/platform.ts";
import { accountCase, creationBody } from "../setup/account-bodies.ts";
import { expectRefused } from "../setup/refused.ts";
import { balanceOf, goTo } from "../setup/told.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";

const USD = { code: "USD", name: "United States Dollar", symbol: "$", decimals: 2 };
const MXN = { code: "MXN", name: "Mexican Peso", symbol: "$", decimals: 2 };
const START = "2026-01-05T09:00:00.000Z";

const world = worldPerTest();
let payer: Payer;
let payee: string;

const madePayer = preparedOnce((one) => createPayer(one));

beforeEach(async () => {
  payer = await madePayer(world());
  payee = await createPayee(world(), payer.customerId, "999");
});

const ask = (change: object = {}) =>
  world().call("POST", "/quotes", { ...quoteInput(payer.accountId, payee), ...change });

const internalAccount = async (currency: string, owner?: string) => {
  const path =
    owner === undefined
      ? `/platform/internal-accounts?currency=${currency}`
      : `/customers/internal-accounts?customerId=${owner}&currency=${currency}`;
  return (await world().call("GET", path)).body.data[0].id as string;
};

const to = (accountId: string, paymentRail?: string) => ({
  destination: { destinationType: "ACCOUNT", accountId, ...(paymentRail && { paymentRail }) },
});

const from = (accountId: string, customerId?: string) => ({
  source: { sourceType: "ACCOUNT", accountId, ...(customerId && { customerId }) },
});

const RATE_DETAILS = {
  counterpartyMultiplier: 0.00207,
  counterpartyFixedFee: 10,
  serviceApiMultiplier: 8308.333333,
  serviceApiFixedFee: 10,
  serviceApiVariableFeeRate: 0.003,
  serviceApiVariableFeeAmount: 75,
};

describe("a quote", () => {
  // spec/quotes.md#quote-fields
  test("is complete in its reply, reads back the same, and moves no money", async () => {
    const { status, body } = await ask();
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^Quote:[0-9a-f-]{36}$/),
      status: "PENDING",
      createdAt: START,
      expiresAt: "2026-01-05T09:05:00.000Z",
      ...from(payer.accountId),
      ...to(payee),
      sendingCurrency: USD,
      receivingCurrency: MXN,
      totalSendingAmount: 25_000,
      totalReceivingAmount: 429_766,
      exchangeRate: 0.05797101449,
      feesIncluded: 86,
      transactionId: expect.stringMatching(/^Transaction:[0-9a-f-]{36}$/),
      rateDetails: RATE_DETAILS,
    });
    expect((await world().call("GET", `/quotes/${body.id}`)).body).toEqual(body);
    expect(await balanceOf(world(), payer.accountId)).toBe(1_000_000);
  });

  // spec/quotes.md#transaction
  test("has its PENDING transaction from the start", async () => {
    const { body: quote } = await ask({ description: "Rent for May" });
    const { body: customer } = await world().call("GET", `/customers/${payer.customerId}`);
    const { body } = await world().call("GET", `/transactions/${quote.transactionId}`);
    expect(body).toEqual({
      id: quote.transactionId,
      status: "PENDING",
      type: "OUTGOING",
      source: { sourceType: "ACCOUNT", accountId: payer.accountId, currency: "USD" },
      destination: { destinationType: "ACCOUNT", accountId: payee, currency: "MXN" },
      customerId: payer.customerId,
      platformCustomerId: customer.platformCustomerId,
      sentAmount: { amount: 25_000, currency: USD },
      receivedAmount: { amount: 429_766, currency: MXN },
      exchangeRate: 0.05797101449,
      fees: 86,
      quoteId: quote.id,
      description: "Rent for May",
      rateDetails: RATE_DETAILS,
      reconciliationInstructions: { reference: expect.stringMatching(/^REF-[A-Z2-7]{9}$/) },
      createdAt: START,
      updatedAt: START,
    });
  });

  // spec/quotes.md#locked-side
  test("with the receiving side locked has the amount to send", async () => {
    const { body } = await ask({ lockedCurrencySide: "RECEIVING", lockedCurrencyAmount: 429_766 });
    expect(body).toMatchObject({
      totalReceivingAmount: 429_766,
      totalSendingAmount: 25_000,
      feesIncluded: 86,
    });
  });

  // spec/quotes.md#execution
  test("keeps its amounts when it is executed, and debits exactly its total", async () => {
    const { body: quote } = await ask();
    const { status, body } = await world().call("POST", `/quotes/${quote.id}/execute`);
    expect({ status, body }).toEqual({ status: 200, body: { ...quote, status: "PROCESSING" } });
    await goTo(world(), "09:00:00.000");
    expect((await world().control("GET", "/timers")).body.data).toEqual([]);
    expect(await balanceOf(world(), payer.accountId)).toBe(975_000);
    const { body: after } = await world().call("GET", `/quotes/${quote.id}`);
    expect(after).toEqual({ ...quote, status: "COMPLETED" });
  });

  test("can exceed the balance when created, but not when executed", async () => {
    const { body } = await ask({ lockedCurrencyAmount: 1_000_001 });
    const answer = await world().call("POST", `/quotes/${body.id}/execute`);
    expectRefused(answer, {
      status: 400,
      code: "AMOUNT_OUT_OF_RANGE",
      reason: "INSUFFICIENT_BALANCE",
    });
    expect((await world().call("GET", `/quotes/${body.id}`)).body.status).toBe("PENDING");
    await world().call("POST", `/sandbox/internal-accounts/${payer.accountId}/fund`, { amount: 1 });
    expect((await world().call("POST", `/quotes/${body.id}/execute`)).status).toBe(200);
    expect(await balanceOf(world(), payer.accountId)).toBe(0);
  });

  test("with immediate execution is not kept when the balance is too low", async () => {
    const { control, call } = world();
    const before = (await control("GET", "/status")).body.storage.records;
    await ask({ lockedCurrencyAmount: 1_000_001, immediatelyExecute: true });
    expect((await control("GET", "/status")).body.storage.records).toBe(before);
    expect((await call("GET", "/transactions")).body.totalCount).toBe(0);
  });
});

// spec/quotes.md#destination
describe("the rail", () => {
  test("is shown when the request named it", async () => {
    const { status, body } = await ask(to(payee, "SPEI"));
    expect({ status, destination: body.destination }).toEqual({
      status: 201,
      ...to(payee, "SPEI"),
    });
  });

  test.each([
    { says: "the account does not take", account: async () => payee, rail: "ACH" },
    {
      says: "no wallet has",
      account: async () => {
        const body = creationBody(accountCase("BASE_WALLET"));
        return (await world().call("POST", "/platform/external-accounts", body)).body.id;
      },
      rail: "SPEI",
    },
    { says: "no internal account has", account: () => internalAccount("USD"), rail: "ACH" },
    { says: "does not exist", account: async () => payee, rail: "CARRIER_PIGEON" },
  ])("is refused: one that $says", async ({ account, rail }) => {
    expectRefused(await ask(to(await account(), rail)), {
      status: 400,
      code: "INVALID_INPUT",
      field: "destination.paymentRail",
    });
  });
});

// spec/quotes.md#platform-limits
describe("the bounds of the sending currency", () => {
  test.each([
    { side: "SENDING", amount: 99, status: 400 },
    { side: "SENDING", amount: 100, status: 201 },
    { side: "SENDING", amount: 10_000_000, status: 201 },
    { side: "SENDING", amount: 10_000_001, status: 400 },
    // 87 cents are 1500 centavos, 99 cents with fees; one more centavo costs 100 cents.
    { side: "RECEIVING", amount: 1_500, status: 400 },
    { side: "RECEIVING", amount: 1_501, status: 201 },
  ])("give $status for $amount on the $side side", async ({ side, amount, status }) => {
    const answer = await ask({ lockedCurrencySide: side, lockedCurrencyAmount: amount });
    expect(answer.status).toBe(status);
    if (status === 400)
      expectRefused(answer, {
        status,
        code: "AMOUNT_OUT_OF_RANGE",
        field: "lockedCurrencyAmount",
      });
  });

  test("are those that the platform has set", async () => {
    const usd = { currencyCode: "USD", minAmount: 25_001, maxAmount: 25_002 };
    await world().call("PATCH", "/config", { supportedCurrencies: [usd] });
    const statusOf = async (amount: number) => (await ask({ lockedCurrencyAmount: amount })).status;
    expect(await statusOf(25_000)).toBe(400);
    expect(await statusOf(25_001)).toBe(201);
    expect(await statusOf(25_002)).toBe(201);
    expect(await statusOf(25_003)).toBe(400);
  });

  test("refuse a currency that the platform no longer supports", async () => {
    const eur = { currencyCode: "EUR", minAmount: 0, maxAmount: 10_000_000 };
    await world().call("PATCH", "/config", { supportedCurrencies: [eur] });
    expectRefused(await ask(), {
      status: 400,
      code: "INVALID_CURRENCY",
      field: "source.accountId",
    });
  });
});

/** spec/quotes.md#destination-ownership */
describe("ownership", () => {
  test.each([
    { source: "own", destination: "own external", status: 201 },
    { source: "own", destination: "platform external", status: 201 },
    { source: "own", destination: "foreign external", status: 400 },
    { source: "own", destination: "foreign internal", status: 201 },
    { source: "own", destination: "platform internal", status: 201 },
    { source: "platform", destination: "own external", status: 201 },
    { source: "platform", destination: "foreign external", status: 201 },
    { source: "platform", destination: "platform external", status: 201 },
    { source: "platform", destination: "foreign internal", status: 201 },
  ])("lets $source money go to the $destination account: $status", async (row) => {
    const other = await createPayer(world(), 0);
    const mxn = creationBody(accountCase("MXN_ACCOUNT"));
    const platformPayee = await world().call("POST", "/platform/external-accounts", mxn);
    const destinations: Record<string, string> = {
      "own external": payee,
      "platform external": platformPayee.body.id,
      "foreign external": await createPayee(world(), other.customerId, "998"),
      "foreign internal": other.accountId,
      "platform internal": await internalAccount("USDC"),
    };
    const source = row.source === "own" ? payer.accountId : await internalAccount("USD");
    const answer = await ask({ ...from(source), ...to(destinations[row.destination] as string) });
    expect(answer.status).toBe(row.status);
    if (row.status === 400)
      expectRefused(answer, {
        status: 400,
        code: "INVALID_INPUT",
        reason: "OWNER_MISMATCH",
        field: "destination.accountId",
      });
  });

  test("is checked for the customer that the source names", async () => {
    const other = await createPayer(world(), 0);
    expectRefused(await ask(from(payer.accountId, other.customerId)), {
      status: 400,
      code: "INVALID_INPUT",
      reason: "OWNER_MISMATCH",
      field: "source.customerId",
    });
    const { body } = await ask(from(payer.accountId, payer.customerId));
    expect(body.source).toEqual(from(payer.accountId, payer.customerId).source);
  });
});

// spec/quotes.md#paying-customer
describe("the customer of a payment", () => {
  test("is the platform itself when the platform pays", async () => {
    const { body: config } = await world().call("GET", "/config");
    const { body: quote } = await ask(from(await internalAccount("USD")));
    const { body } = await world().call("GET", `/transactions/${quote.transactionId}`);
    expect(body).toMatchObject({ customerId: config.id, platformCustomerId: config.id });
  });

  test("is the one that the platform pays for", async () => {
    const { body: quote } = await ask(from(await internalAccount("USD"), payer.customerId));
    const { body } = await world().call("GET", `/transactions/${quote.transactionId}`);
    expect(body.customerId).toBe(payer.customerId);
  });
});

// spec/quotes.md#source
describe("an id in the body", () => {
  test.each([
    { field: "source.accountId", change: (id: string) => from(id) },
    { field: "destination.accountId", change: (id: string) => to(id) },
  ])("that names no account is refused as $field", async ({ field, change }) => {
    const { body: quote } = await ask();
    const wrong = ["", "nobody", "InternalAccount:none", payer.customerId, quote.id, "__proto__"];
    for (const id of wrong)
      expectRefused(await ask(change(id)), {
        status: 400,
        code: "INVALID_INPUT",
        reason: "ACCOUNT_NOT_FOUND",
        field,
      });
  });
});

test("a payment in progress continues after its destination was deleted", async () => {
  const slow = await createPayee(world(), payer.customerId, "003");
  const { body: quote } = await ask(to(slow));
  await world().call("POST", `/quotes/${quote.id}/execute`);
  await world().call("DELETE", `/customers/external-accounts/${slow}`);
  await goTo(world(), "09:06:00.000");
  const { body } = await world().call("GET", `/transactions/${quote.transactionId}`);
  expect(body).toMatchObject({ status: "COMPLETED", destination: { accountId: slow } });
});

describe("a quote that was executed", () => {
  test.each([
    { suffix: "003", at: "09:00:00.000", status: "PROCESSING" },
    { suffix: "999", at: "09:00:00.000", status: "COMPLETED" },
    { suffix: "004", at: "09:00:00.000", status: "FAILED" },
  ])("and is $status cannot be executed again", async ({ suffix, at, status }) => {
    const account = suffix === "999" ? payee : await createPayee(world(), payer.customerId, suffix);
    const { body: quote } = await ask(to(account));
    await world().call("POST", `/quotes/${quote.id}/execute`);
    await goTo(world(), at);
    expect((await world().call("GET", `/quotes/${quote.id}`)).body.status).toBe(status);
    const balance = await balanceOf(world(), payer.accountId);
    const answer = await world().call("POST", `/quotes/${quote.id}/execute`);
    expectRefused(answer, { status: 409, code: "CONFLICT", reason: "QUOTE_ALREADY_EXECUTED" });
    expect(await balanceOf(world(), payer.accountId)).toBe(balance);
  });
});
