import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Receiver } from "../../setup/receiver.ts";
import type { Refused } from "../setup/refused.ts";
import { balanceEvents, balanceOf, goTo, ledgerOwn, paymentEvents } from "../setup/told.ts";
import { PERSON, to, umaWorld } from "../setup/uma-world.ts";

const { world, payer, quote, inputTo, ask, refused, createCustomer, accountOf } = umaWorld();
let receiver: Receiver;

beforeEach(async () => {
  receiver = await new Receiver().start();
  await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
});

afterEach(() => receiver.stop());

const transactionOf = async (quoted: { transactionId: string }) =>
  (await world().call("GET", `/transactions/${quoted.transactionId}`)).body;

/** The table rows that decided the fate of a payment. */
const rulesOf = async (id: string) => {
  const { body } = await world().control("GET", `/why/${id}`);
  const effects = body.chain.flatMap((step: { effects: { rule?: string }[] }) => step.effects);
  const rules = effects.map(({ rule }: { rule?: string }) => rule);
  return [...new Set(rules.filter((rule: string | undefined) => rule !== undefined))];
};

/** One OUTGOING transaction with both balance events (spec/uma-payments.md#paying-a-customer). */
describe("a payment to the UMA address of an own customer", () => {
  // 25000 - (10 + 75 + 10) cents to dollars, 25000 - (10 + 75 + 1) to USDC; USDB costs nothing.
  test.each([
    { currency: "USD", received: 24_905, fees: 95, address: "$lena@pay.sandbox.test" },
    { currency: "USDC", received: 249_140_000, fees: 86, address: "$lena@bank.example" },
    { currency: "USDB", received: 250_000_000, fees: 0, address: "$lena@sandbox.uma.test" },
  ])("credits its $currency account: $address", async ({ currency, received, fees, address }) => {
    const { call } = world();
    const { id } = await createCustomer({ umaAddress: address });
    const account = await accountOf(id, currency);
    const { body: quoted } = await ask(to(address, currency), address);
    await goTo(world(), "09:00:10.000");
    const executed = await call("POST", `/quotes/${quoted.id}/execute`);
    expect(executed.body).toEqual({ ...quoted, status: "PROCESSING" });
    await goTo(world(), "09:00:10.000");

    expect(await balanceOf(world(), payer().accountId)).toBe(975_000);
    expect(await balanceOf(world(), account)).toBe(received);
    expect(paymentEvents(receiver, quoted.transactionId)).toEqual([
      ["09:00:00.000", "PENDING", "PENDING"],
      ["09:00:10.000", "PROCESSING", "PROCESSING"],
      ["09:00:10.000", "COMPLETED", "COMPLETED"],
    ]);
    expect(balanceEvents(receiver, payer().accountId)).toEqual([["09:00:10.000", 975_000]]);
    expect(balanceEvents(receiver, account)).toEqual([["09:00:10.000", received]]);
    expect(receiver.types().filter((type) => type.startsWith("INCOMING"))).toEqual([]);
    expect((await call("GET", "/transactions")).body).toMatchObject({
      totalCount: 1,
      data: [
        {
          status: "COMPLETED",
          type: "OUTGOING",
          customerId: payer().customerId,
          ...to(address, currency),
          fees,
        },
      ],
    });
    expect(await rulesOf(quoted.transactionId)).toEqual(["quotedPayment.otherwise"]);
    const own = await ledgerOwn(world());
    expect(own["Ledger:fees USD"]).toBe(fees === 0 ? undefined : fees);
    expect(own).not.toHaveProperty("Ledger:clearing USD");
    expect(Object.keys(own).filter((name) => name.startsWith("Ledger:payouts"))).toEqual([]);
  });

  test("is a payment like any other, whatever the name before the @", async () => {
    const umaAddress = "$fail.compliance.usd@bank.example";
    await createCustomer({ umaAddress });
    const { body } = await ask({ immediatelyExecute: true }, umaAddress);
    await goTo(world(), "09:00:00.000");
    expect(await transactionOf(body)).toMatchObject({ status: "COMPLETED" });
  });

  test("goes to the older of two accounts in one currency", async () => {
    const { id, umaAddress } = await createCustomer();
    const account = await accountOf(id, "USD");
    await world().control("POST", "/internal-accounts", { customerId: id, currency: "USD" });
    await ask({ immediatelyExecute: true }, umaAddress);
    await goTo(world(), "09:00:00.000");
    expect(await balanceOf(world(), account)).toBe(24_905);
  });

  test("may go to a customer that is not ready to pay", async () => {
    const { id, umaAddress } = await createCustomer();
    await world().control("PATCH", `/customers/${id}`, { kycStatus: "REJECTED" });
    expect((await ask({}, umaAddress)).status).toBe(201);
  });
});

describe("an own customer cannot be paid that", () => {
  const unfit = (reason: string): Refused => ({
    status: 400,
    code: "INVALID_INPUT",
    reason,
    field: "destination.umaAddress",
  });

  test.each(["FROZEN", "CLOSED", "PENDING"])("has an account that is %s", async (status) => {
    const { id, umaAddress } = await createCustomer();
    const input = await inputTo(umaAddress);
    const { body: quoted } = await quote(input);
    const account = await accountOf(id, "USD");
    await world().control("PATCH", `/internal-accounts/${account}`, { status });
    const how = unfit("ACCOUNT_NOT_ACTIVE");
    await goTo(world(), "09:00:00.000");
    await refused(() => quote(input), how);
    await refused(() => world().call("POST", `/quotes/${quoted.id}/execute`), how);
    const other = { ...input, ...to(umaAddress, "USDC") };
    expect((await quote(other)).status).toBe(201);
  });

  test("was deleted since it was looked up, and since it was quoted", async () => {
    const { id, umaAddress } = await createCustomer();
    const input = await inputTo(umaAddress);
    const { body: quoted } = await quote(input);
    await world().call("DELETE", `/customers/${id}`);
    const how = unfit("CUSTOMER_DELETED");
    await goTo(world(), "09:00:00.000");
    const answer = await refused(() => quote(input), how);
    expect(answer.body.message).toContain(`${umaAddress} belongs to a deleted customer`);
    await refused(() => world().call("POST", `/quotes/${quoted.id}/execute`), how);
  });
});

/**
 * Fields that the entry of the sending currency asks for
 * (spec/uma-payments.md#counterparty-information).
 */
describe("counterpartyInformation", () => {
  const asks = (currencyCode: string, ...names: string[]) => ({
    currencyCode,
    minAmount: 100,
    maxAmount: 100_000_000_000,
    requiredCounterpartyFields: names.map((name) => ({ name, mandatory: true })),
  });

  const TOLD = {
    FULL_NAME: "Sandbox Counterparty",
    BIRTH_DATE: "1990-01-01",
    NATIONALITY: "US",
    COUNTRY_OF_RESIDENCE: "US",
    TAX_ID: "SANDBOX",
    EMAIL: "SANDBOX",
  };

  test("is in the quote, its transaction and every event", async () => {
    const supportedCurrencies = [asks("USD", ...Object.keys(TOLD)), asks("USDC", "IDENTIFIER")];
    await world().call("PATCH", "/config", { supportedCurrencies });
    const { umaAddress } = await createCustomer();
    for (const address of [PERSON, umaAddress]) {
      const { body } = await ask({ immediatelyExecute: true }, address);
      await goTo(world(), "09:00:00.000");
      expect(body.counterpartyInformation).toEqual(TOLD);
      expect((await transactionOf(body)).counterpartyInformation).toEqual(TOLD);
      const events = receiver.received.filter(({ data }) => data.id === body.transactionId);
      expect(events.map(({ data }) => data.counterpartyInformation)).toEqual([TOLD, TOLD, TOLD]);
    }
  });

  test("is absent if the sending currency asks for nothing", async () => {
    const supportedCurrencies = [asks("USD"), asks("USDC", "FULL_NAME")];
    await world().call("PATCH", "/config", { supportedCurrencies });
    const { umaAddress } = await createCustomer();
    const { body } = await ask(to(umaAddress, "USDC"), umaAddress);
    expect(body).not.toHaveProperty("counterpartyInformation");
    expect(await transactionOf(body)).not.toHaveProperty("counterpartyInformation");
  });

  test("is absent if an account is paid, even an own customer's", async () => {
    await world().call("PATCH", "/config", { supportedCurrencies: [asks("USD", "FULL_NAME")] });
    const { id } = await createCustomer();
    const { body } = await quote({
      source: { sourceType: "ACCOUNT", accountId: payer().accountId },
      destination: { destinationType: "ACCOUNT", accountId: await accountOf(id, "USD") },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 25_000,
    });
    expect(body).not.toHaveProperty("counterpartyInformation");
  });
});
