import { describe, expect, test } from "vitest";
import { createPayee, lookUpAccount, PAYER_INFO, quoteInput } from "../../setup/platform.ts";
import { expectRefused, type Refused } from "../setup/refused.ts";
import { balanceOf, goTo } from "../setup/told.ts";
import { PERSON, to, umaWorld } from "../setup/uma-world.ts";

const USD = { code: "USD", name: "United States Dollar", symbol: "$", decimals: 2 };
const MXN = { code: "MXN", name: "Mexican Peso", symbol: "$", decimals: 2 };
const START = "2026-01-05T09:00:00.000Z";

const { world, payer, quote, inputTo, ask, refused, createCustomer, accountOf, platformAccount } =
  umaWorld();

describe("a quote to a UMA address", () => {
  test("is complete in its reply, reads back the same, and moves no money", async () => {
    const { status, body } = await ask();
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^Quote:[0-9a-f-]{36}$/),
        status: "PENDING",
        createdAt: START,
        expiresAt: "2026-01-05T09:05:00.000Z",
        source: { sourceType: "ACCOUNT", accountId: payer().accountId },
        ...to(PERSON, "MXN"),
        sendingCurrency: USD,
        receivingCurrency: MXN,
        totalSendingAmount: 25_000,
        totalReceivingAmount: 429_766,
        exchangeRate: 0.05797101449,
        feesIncluded: 86,
        transactionId: expect.stringMatching(/^Transaction:[0-9a-f-]{36}$/),
        rateDetails: {
          counterpartyMultiplier: 0.00207,
          counterpartyFixedFee: 10,
          serviceApiMultiplier: 8308.333333,
          serviceApiFixedFee: 10,
          serviceApiVariableFeeRate: 0.003,
          serviceApiVariableFeeAmount: 75,
        },
      },
    });
    expect((await world().call("GET", `/quotes/${body.id}`)).body).toEqual(body);
    expect(await balanceOf(world(), payer().accountId)).toBe(1_000_000);
  });

  test("has its transaction from the start, listed by its address", async () => {
    const { body } = await ask();
    const path = "/transactions?receiverAccountIdentifier=";
    const { body: list } = await world().call("GET", path + encodeURIComponent(PERSON));
    expect(list.data).toEqual([
      (await world().call("GET", `/transactions/${body.transactionId}`)).body,
    ]);
    expect(list.data[0]).toMatchObject({
      status: "PENDING",
      type: "OUTGOING",
      quoteId: body.id,
      ...to(PERSON, "MXN"),
      receivedAmount: { amount: 429_766, currency: MXN },
    });
  });

  test("can be executed after its lookup has expired", async () => {
    const input = await inputTo();
    await goTo(world(), "09:14:59.000");
    const { body } = await quote(input);
    await goTo(world(), "09:15:01.000");
    expect((await world().call("POST", `/quotes/${body.id}/execute`)).status).toBe(200);
  });
});

// spec/quotes.md#uma-destination
describe("the currency received", () => {
  const NOT_TAKEN: Refused = {
    status: 400,
    code: "INVALID_CURRENCY",
    field: "destination.currency",
  };

  test.each([
    { currency: undefined, code: "MXN", receives: 429_766 },
    { currency: "MXN", code: "MXN", receives: 429_766 },
    { currency: "USD", code: "USD", receives: 24_905 },
    // 25000 - (10 + 75 + 11) cents, at 0.92
    { currency: "EUR", code: "EUR", receives: 22_911 },
  ])("is $code when $currency is requested", async ({ currency, code, receives }) => {
    const { body } = await ask(to(PERSON, currency));
    expect(body).toMatchObject({
      receivingCurrency: { code },
      totalReceivingAmount: receives,
      ...to(PERSON, code),
    });
  });

  test.each(["GBP", "USDC", "XYZ", "", "mxn"])("is refused if not listed: %j", async (currency) => {
    const input = await inputTo();
    const { destination } = to(PERSON);
    const wrong = { ...input, destination: { ...destination, currency } };
    const answer = await refused(() => quote(wrong), NOT_TAKEN);
    expect(answer.body.details.allowed).toEqual(["MXN", "USD", "EUR"]);
  });

  test.each([
    { currency: undefined, code: "USD", receives: 24_905 },
    { currency: "USDC", code: "USDC", receives: 249_140_000 },
    { currency: "USDB", code: "USDB", receives: 250_000_000 },
  ])("by a customer goes to its $code account", async ({ currency, code, receives }) => {
    const { id, umaAddress } = await createCustomer();
    const { body } = await ask(
      { ...to(umaAddress, currency), immediatelyExecute: true },
      umaAddress,
    );
    expect(body).toMatchObject({ receivingCurrency: { code }, totalReceivingAmount: receives });
    await goTo(world(), "09:00:00.000");
    expect(await balanceOf(world(), await accountOf(id, code))).toBe(receives);
  });

  test("by a customer of the platform needs an account in it", async () => {
    const { umaAddress } = await createCustomer();
    const input = await inputTo(umaAddress);
    await refused(() => quote({ ...input, ...to(umaAddress, "EUR") }), NOT_TAKEN);
  });

  test("by a customer of the platform is refused if the lookup's list is empty", async () => {
    const usdc = { currencyCode: "USDC", minAmount: 0, maxAmount: 10 };
    await world().call("PATCH", "/config", { supportedCurrencies: [usdc] });
    const { umaAddress } = await createCustomer();
    const none = { ...usdc, maxAmount: 0 };
    const usd = { currencyCode: "USD", minAmount: 0, maxAmount: 10_000_000 };
    await world().call("PATCH", "/config", { supportedCurrencies: [usd, none] });
    const input = await inputTo(umaAddress);
    await refused(() => quote(input), NOT_TAKEN);
  });
});

describe("the amount received", () => {
  const lock = (amount: number) => ({
    lockedCurrencySide: "RECEIVING",
    lockedCurrencyAmount: amount,
  });
  const OUT_OF_RANGE: Refused = {
    status: 400,
    code: "AMOUNT_OUT_OF_RANGE",
    field: "lockedCurrencyAmount",
  };

  test.each([
    { amount: 10_000_000, status: 201 },
    { amount: 10_000_001, status: 400 },
  ])("is bounded by the sandbox person's maximum: $amount", async (row) => {
    const answer = await ask(lock(row.amount));
    expect(answer.status).toBe(row.status);
    if (row.status === 201) return;
    expectRefused(answer, OUT_OF_RANGE);
    expect(answer.body.details).toMatchObject({
      totalReceivingAmount: 10_000_001,
      min: 100,
      max: 10_000_000,
    });
  });

  test.each([
    { amount: 4_999_999, status: 400 },
    { amount: 5_000_000, status: 201 },
    { amount: 7_000_000, status: 201 },
    { amount: 7_000_001, status: 400 },
  ])("is bounded by the customer's limits, $amount: $status", async ({ amount, status }) => {
    const usd = { currencyCode: "USD", minAmount: 0, maxAmount: 10_000_000 };
    const usdc = { currencyCode: "USDC", minAmount: 5_000_000, maxAmount: 7_000_000 };
    await world().call("PATCH", "/config", { supportedCurrencies: [usd, usdc] });
    const { umaAddress } = await createCustomer();
    const answer = await ask({ ...to(umaAddress, "USDC"), ...lock(amount) }, umaAddress);
    expect(answer.status).toBe(status);
    if (status === 400) expectRefused(answer, OUT_OF_RANGE);
  });

  test("by an external account has no bounds of its own", async () => {
    const payee = await createPayee(world(), payer().customerId, "999");
    const { lookupId } = await lookUpAccount(world(), payee);
    const input = { ...quoteInput(payer().accountId, payee, 10_000_000), lookupId };
    expect((await quote(input)).body.totalReceivingAmount).toBeGreaterThan(10_000_000);
  });
});

/**
 * Required fields of the payer come with the quote or from its record
 * (spec/quotes.md#payer-information).
 */
describe("the required fields of the payer", () => {
  const NAMED = "$pending.long.usd@sandbox.uma.test";
  const BOTH = { fullName: "Tomas Reyes", birthDate: "1979-11-30" };

  test.each([
    { address: PERSON, record: {}, info: undefined, missing: "FULL_NAME" },
    { address: PERSON, record: {}, info: {}, missing: "FULL_NAME" },
    { address: PERSON, record: {}, info: { FULL_NAME: "T" }, missing: "BIRTH_DATE" },
    { address: PERSON, record: {}, info: { BIRTH_DATE: "1979-11-30" }, missing: "FULL_NAME" },
    { address: PERSON, record: { fullName: "T" }, info: {}, missing: "BIRTH_DATE" },
    { address: PERSON, record: {}, info: { ...PAYER_INFO, FULL_NAME: "" }, missing: "FULL_NAME" },
    { address: PERSON, record: {}, info: { ...PAYER_INFO, FULL_NAME: null }, missing: "FULL_NAME" },
    {
      address: PERSON,
      record: {},
      info: { full_name: "T", BIRTH_DATE: "x" },
      missing: "FULL_NAME",
    },
    { address: PERSON, record: { fullName: "T" }, info: { BIRTH_DATE: "1979-11-30" } },
    { address: PERSON, record: BOTH, info: undefined },
    { address: PERSON, record: {}, info: { ...PAYER_INFO, EMAIL: "t@bank.example" } },
    { address: NAMED, record: {}, info: undefined, missing: "FULL_NAME" },
    { address: NAMED, record: {}, info: { FULL_NAME: "T" } },
    { address: NAMED, record: { fullName: "T" }, info: undefined },
  ])(
    "by $address, beside $record and $info: $missing",
    async ({ address, record, info, missing }) => {
      const { call } = world();
      const person = { customerType: "INDIVIDUAL" };
      await call("PATCH", `/customers/${payer().customerId}`, { ...person, ...record });
      const { senderCustomerInfo: _all, ...input } = await inputTo(address);
      const asked = () => quote({ ...input, ...(info && { senderCustomerInfo: info }) });
      if (missing === undefined) expect((await asked()).status).toBe(201);
      else
        await refused(asked, {
          status: 400,
          code: "MISSING_MANDATORY_USER_INFO",
          field: missing,
        });
    },
  );

  test("are required of the platform too when it pays", async () => {
    const input = await inputTo(PERSON, await platformAccount());
    expect((await quote(input)).status).toBe(201);
    await refused(() => quote({ ...input, senderCustomerInfo: {} }), {
      status: 400,
      code: "MISSING_MANDATORY_USER_INFO",
      field: "FULL_NAME",
    });
  });

  test("are none for a customer of the platform", async () => {
    const { umaAddress } = await createCustomer();
    expect((await ask({ senderCustomerInfo: {} }, umaAddress)).status).toBe(201);
  });
});

// spec/quotes.md#self-payment
describe("a payer", () => {
  const SELF: Refused = { status: 400, code: "SELF_PAYMENT", field: "destination.umaAddress" };
  const ownAddress = async () =>
    (await world().call("GET", `/customers/${payer().customerId}`)).body.umaAddress as string;

  test("cannot pay its own address, however it is written", async () => {
    const own = await ownAddress();
    const input = await inputTo(own);
    await refused(() => quote(input), SELF);
    await refused(() => quote({ ...input, ...to(own.toUpperCase()) }), SELF);
  });

  test("cannot do so from a platform account either, though others can", async () => {
    const own = await ownAddress();
    const accountId = await platformAccount();
    const input = await inputTo(own, accountId);
    const acting = { sourceType: "ACCOUNT", accountId, customerId: payer().customerId };
    await refused(() => quote({ ...input, source: acting }), SELF);
    expect((await quote(input)).status).toBe(201);
  });

  test("cannot do so just in time", async () => {
    const own = await ownAddress();
    const input = await inputTo(own);
    const { customerId } = payer();
    const source = { sourceType: "REALTIME_FUNDING", currency: "USD", customerId };
    await refused(() => quote({ ...input, source }), SELF);
  });
});
