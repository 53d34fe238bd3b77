import { describe, expect, test } from "vitest";
import { accountIn, answering, type Recipient, receive } from "../setup/incoming.ts";
import { recipientPerTest } from "../setup/recipient-per-test.ts";
import { balanceOf, goTo } from "../setup/told.ts";

const { world, receiver, recipient } = recipientPerTest();

const transaction = async (id: string) => (await world().call("GET", `/transactions/${id}`)).body;

describe("an incoming payment", () => {
  // spec/uma-payments.md#announced-payment
  test("shows its amounts, fees and rate, and a reference that finds it", async () => {
    const { body: payment } = await receive(world(), recipient());
    expect(payment).toEqual({
      id: expect.stringMatching(/^Transaction:/),
      status: "PENDING",
      type: "INCOMING",
      source: { sourceType: "UMA_ADDRESS", umaAddress: "$success.usd@sandbox.uma.test" },
      destination: {
        destinationType: "UMA_ADDRESS",
        umaAddress: "$nadia@pay.example",
        currency: "USD",
      },
      customerId: recipient().customerId,
      platformCustomerId: expect.any(String),
      receivedAmount: {
        amount: 8_800,
        currency: { code: "USD", name: "United States Dollar", symbol: "$", decimals: 2 },
      },
      fees: 36,
      rateDetails: {
        serviceApiMultiplier: 0.00011964,
        serviceApiFixedFee: 10,
        serviceApiVariableFeeRate: 0.003,
        serviceApiVariableFeeAmount: 26,
      },
      reconciliationInstructions: {
        reference: expect.stringMatching(/^REF-[A-Z2-7]{9}$/),
      },
      createdAt: "2026-01-05T09:00:10.000Z",
      updatedAt: "2026-01-05T09:00:10.000Z",
    });
    await goTo(world(), "09:00:10.000");
    const { reference } = payment.reconciliationInstructions;
    for (const filter of [
      `reference=${reference}`,
      `customerId=${recipient().customerId}&type=INCOMING&status=COMPLETED`,
      "senderAccountIdentifier=$success.usd@sandbox.uma.test",
      "receiverAccountIdentifier=$nadia@pay.example",
      "accountIdentifier=$nadia@pay.example",
    ]) {
      const { body } = await world().call("GET", `/transactions?${filter}`);
      expect(body).toMatchObject({ totalCount: 1, data: [{ id: payment.id }] });
    }
  });

  test("follows the rates that the operator sets", async () => {
    await world().control("PUT", "/rates", { perUsd: { USD: "0.5" } });
    const { body } = await receive(world(), recipient());
    expect(body).toMatchObject({ fees: 36, rateDetails: { serviceApiMultiplier: 0.00005982 } });
  });

  test.each([
    ["by id", ({ customerId }: Recipient) => ({ customerId })],
    [
      "by address, in whatever case",
      ({ umaAddress }: Recipient) => ({
        customerId: undefined,
        receiverUmaAddress: umaAddress.toUpperCase(),
      }),
    ],
    [
      "by both",
      ({ customerId, umaAddress }: Recipient) => ({ customerId, receiverUmaAddress: umaAddress }),
    ],
  ])("names its recipient %s", async (_says, members) => {
    const { status, body } = await receive(world(), recipient(), members(recipient()));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      customerId: recipient().customerId,
      destination: { umaAddress: "$nadia@pay.example" },
    });
  });

  test.each(["PENDING", "REJECTED"])("comes in for a customer who is %s", async (kycStatus) => {
    await world().control("PATCH", `/customers/${recipient().customerId}`, { kycStatus });
    const { body } = await receive(world(), recipient());
    await goTo(world(), "09:00:10.000");
    expect((await transaction(body.id)).status).toBe("COMPLETED");
  });

  test.each([100, 10_000_000])("of a bound of the platform's own comes in: %d", async (amount) => {
    const { status } = await receive(world(), recipient(), { receivingCurrencyAmount: amount });
    expect(status).toBe(200);
  });

  // spec/uma-payments.md#primary-account
  test("goes to the oldest account in its currency", async () => {
    const { customerId } = recipient();
    const opened = await world().control("POST", "/internal-accounts", {
      customerId,
      currency: "USD",
    });
    await receive(world(), recipient());
    await goTo(world(), "09:00:10.000");
    expect(await balanceOf(world(), recipient().accountId)).toBe(8_800);
    expect(await balanceOf(world(), opened.body.id)).toBe(0);
  });

  test("in USDB goes to the embedded wallet", async () => {
    const usdb = { currencyCode: "USDB", minAmount: 1, maxAmount: 10_000_000 };
    await world().call("PATCH", "/config", { supportedCurrencies: [usdb] });
    const { body } = await receive(world(), recipient(), { receivingCurrencyCode: "USDB" });
    await goTo(world(), "09:00:10.000");
    expect((await transaction(body.id)).status).toBe("COMPLETED");
    const wallet = await accountIn(world(), recipient().customerId, "USDB");
    expect(await balanceOf(world(), wallet)).toBe(8_800);
  });

  test("is one of many: each is decided separately", async () => {
    const statuses = [200, 403, 500, 202, 200];
    receiver().behaviour = answering(({ data }, response) => {
      const at = data.receivedAmount.amount - 1_000;
      response.writeHead(statuses[at] as number).end();
    });
    const payments = await Promise.all(
      statuses.map((_status, at) =>
        receive(world(), recipient(), { receivingCurrencyAmount: 1_000 + at }),
      ),
    );
    await goTo(world(), "09:00:15.000");
    const ended = await Promise.all(payments.map(({ body }) => transaction(body.id)));
    expect(ended.map(({ status }) => status)).toEqual([
      "COMPLETED",
      "REJECTED",
      "FAILED",
      "FAILED",
      "COMPLETED",
    ]);
    expect(await balanceOf(world(), recipient().accountId)).toBe(1_000 + 1_004);
  });
});
