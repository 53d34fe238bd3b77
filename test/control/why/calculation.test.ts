import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { calculationLines } from "../../../src/rows/calculation.ts";
import { issueCard, openAccount, tryAuthorize } from "../../api/cards/setup/card-world.ts";
import { createRecipient, receive } from "../../api/setup/incoming.ts";
import { createBank, from, justInTime, to, transferInput } from "../../setup/banks.ts";
import { createPayee, createPayer, type Payer, umaQuoteInput } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

let world: TestSimulator;
let payer: Payer;

beforeEach(async () => {
  world = await startTestSimulator();
  payer = await createPayer(world);
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

const euroPayee = async () => {
  const { body } = await world.call("POST", "/customers/external-accounts", {
    customerId: payer.customerId,
    currency: "EUR",
    accountInfo: {
      accountType: "EUR_ACCOUNT",
      iban: "FR7630006000011234567893003",
      beneficiary: {
        beneficiaryType: "INDIVIDUAL",
        fullName: "Lucie Moreau",
        address: { line1: "4 rue des Lilas", city: "Lyon", postalCode: "69003", country: "FR" },
      },
    },
  });
  return body.id as string;
};

const made = async (path: string, body: object): Promise<string> => {
  const answer = await world.call("POST", path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.id;
};

const quote = (ends: object, amount: number, side = "SENDING") =>
  made("/quotes", { ...ends, lockedCurrencySide: side, lockedCurrencyAmount: amount });

const calculationOf = async (id: string) =>
  (await world.control("GET", `/why/${encodeURIComponent(id)}`)).body.calculation;

/** Name, sum, rounding and amount of each line. */
const linesOf = async (id: string) =>
  calculationLines(await calculationOf(id)).map(({ name, says, rounding, amount }) =>
    [name, says, rounding, amount].filter((one) => one !== undefined).join(" | "),
  );

// spec/exchange-rates.md#calculation
describe("each cent of a quoted payment", () => {
  const FIXED_SEND = [
    "sends | as requested | 250.00 USD",
    "fixed fee | -0.10 USD",
    "variable fee | 0.3 % of 250.00 USD | -0.75 USD",
    "counterparty fee | 0.10 EUR ÷ 0.9200 | 0.108695… USD, rounded up | -0.11 USD",
    "converted | 249.04 USD × 0.9200 = 229.11 EUR | 229.1168 EUR, rounded down | 229.11 EUR",
    "receives | 229.11 EUR",
  ];

  test("of a fixed amount sent, asked by its quote and by its payment", async () => {
    const id = await quote({ ...from(payer.accountId), ...to(await euroPayee()) }, 25_000);
    expect(await linesOf(id)).toEqual(FIXED_SEND);
    const { body } = await world.call("GET", `/quotes/${id}`);
    expect(await linesOf(body.transactionId)).toEqual(FIXED_SEND);
    expect(await calculationOf(id)).toEqual({
      lockedSide: "SENDING",
      sends: { amount: 25_000, currency: "USD" },
      receives: { amount: 22_911, currency: "EUR" },
      fees: [
        { part: "fixed", amount: { amount: 10, currency: "USD" } },
        {
          part: "variable",
          amount: { amount: 75, currency: "USD" },
          of: { amount: 25_000, currency: "USD" },
          share: "0.003",
        },
        {
          part: "counterparty",
          amount: { amount: 11, currency: "USD" },
          of: { amount: 10, currency: "EUR" },
          rounding: { exact: "250/23", how: "up" },
        },
      ],
      conversion: {
        from: { amount: 24_904, currency: "USD" },
        to: { amount: 22_911, currency: "EUR" },
        rate: "0.92",
        computed: "to",
        rounding: { exact: "22911.68", how: "down" },
      },
    });
  });

  test("of a fixed amount received", async () => {
    const ends = { ...from(payer.accountId), ...to(await euroPayee()) };
    expect(await linesOf(await quote(ends, 50_000, "RECEIVING"))).toEqual([
      "sends | 545.33 USD",
      "fixed fee | -0.10 USD",
      "variable fee | 0.3 % of 545.33 USD | 1.63599 USD, rounded up | -1.64 USD",
      "counterparty fee | 0.10 EUR ÷ 0.9200 | 0.108695… USD, rounded up | -0.11 USD",
      "converted | 543.48 USD × 0.9200 = 500.00 EUR | " +
        "500.00 EUR ÷ 0.9200 = 543.478260… USD, rounded up | 500.00 EUR",
      "receives | as requested | 500.00 EUR",
    ]);
  });

  test("tells apart two quotes of the same amounts by the side that was given", async () => {
    const ends = { ...from(payer.accountId), ...to(await euroPayee()) };
    const lines = await linesOf(await quote(ends, 22_911, "RECEIVING"));
    expect(lines[0]).toBe("sends | 250.00 USD");
    expect(lines.at(-2)).toBe(
      "converted | 249.04 USD × 0.9200 = 229.11 EUR | " +
        "229.11 EUR ÷ 0.9200 = 249.032608… USD, rounded up | 229.11 EUR",
    );
  });

  test("in one currency: nothing is converted", async () => {
    const bank = await createBank(world, payer.customerId);
    expect(await linesOf(await quote({ ...from(payer.accountId), ...to(bank) }, 25_000))).toEqual([
      "sends | as requested | 250.00 USD",
      "fixed fee | -0.10 USD",
      "variable fee | 0.3 % of 250.00 USD | -0.75 USD",
      "counterparty fee | -0.10 USD",
      "receives | 249.05 USD",
    ]);
  });

  test("where the rate goes on forever, by the number to divide by", async () => {
    await world.call("PATCH", "/config", {
      supportedCurrencies: ["MXN", "USD"].map((currencyCode) => ({
        currencyCode,
        minAmount: 1,
        maxAmount: 1_000_000,
        enabledTransactionTypes: ["OUTGOING"],
      })),
    });
    const pesos = { customerId: payer.customerId, currency: "MXN" };
    const account = await openAccount(world, pesos, 1_000_000);
    const bank = await createBank(world, payer.customerId);
    const id = await quote({ ...from(account), ...to(bank) }, 172_500);
    expect(await linesOf(id)).toEqual([
      "sends | as requested | 1,725.00 MXN",
      "fixed fee | -0.10 MXN",
      "variable fee | 0.3 % of 1,725.00 MXN | 5.175 MXN, rounded half up | -5.18 MXN",
      "counterparty fee | 0.10 USD × 17.2500 | 1.725 MXN, rounded up | -1.73 MXN",
      "converted | 1,717.99 MXN ÷ 17.2500 = 99.59 USD | 99.593623… USD, rounded down | 99.59 USD",
      "receives | 99.59 USD",
    ]);
    expect((await calculationOf(id)).conversion.rate).toBe("4/69");
  });

  test("to a UMA address", async () => {
    const input = await umaQuoteInput(world, payer.accountId, "$success.mxn@sandbox.uma.test");
    expect(await linesOf(await made("/quotes", input))).toEqual([
      "sends | as requested | 250.00 USD",
      "fixed fee | -0.10 USD",
      "variable fee | 0.3 % of 250.00 USD | -0.75 USD",
      "counterparty fee | 0.10 MXN ÷ 17.2500 | 0.005797… USD, rounded up | -0.01 USD",
      "converted | 249.14 USD × 17.2500 = 4,297.66 MXN | " +
        "4,297.665 MXN, rounded down | 4,297.66 MXN",
      "receives | 4,297.66 MXN",
    ]);
  });

  test("funded just in time", async () => {
    const payee = await createPayee(world, payer.customerId, "999");
    const id = await quote({ ...justInTime("USD"), ...to(payee) }, 25_000);
    expect((await linesOf(id)).at(-1)).toBe("receives | 4,297.66 MXN");
  });

  test("between dollars and USDB of one customer: no fee, at 1", async () => {
    const path = `/customers/internal-accounts?customerId=${payer.customerId}&currency=USDB`;
    const wallet = (await world.call("GET", path)).body.data[0].id;
    expect(await linesOf(await quote({ ...from(payer.accountId), ...to(wallet) }, 2500))).toEqual([
      "sends | as requested | 25.00 USD",
      "converted | 25.00 USD × 1 = 25.000000 USDB | 25.000000 USDB",
      "receives | 25.000000 USDB",
    ]);
  });

  test("stays as it was computed when rates are set later", async () => {
    const ends = { ...from(payer.accountId), ...to(await euroPayee()) };
    const before = await quote(ends, 25_000);
    await world.control("PUT", "/rates", { perUsd: { EUR: "0.95" } });
    const after = await quote(ends, 25_000);
    await world.control("PUT", "/rates", { perUsd: { EUR: "0.5" } });
    expect(await linesOf(before)).toEqual(FIXED_SEND);
    expect((await linesOf(after)).slice(-2)).toEqual([
      "converted | 249.04 USD × 0.9500 = 236.58 EUR | 236.588 EUR, rounded down | 236.58 EUR",
      "receives | 236.58 EUR",
    ]);
  });
});

describe("each cent of a payment without a quote", () => {
  test.each([
    { way: "in", says: "sends | 250.00 USD" },
    { way: "out", says: "sends | 250.00 USD" },
  ])("of a transfer $way: no fee, no conversion", async ({ way, says }) => {
    const bank = await createBank(world, payer.customerId);
    const [source, destination] = way === "in" ? [bank, payer.accountId] : [payer.accountId, bank];
    const id = await made(`/transfer-${way}`, transferInput(source, destination, 25_000));
    expect(await linesOf(id)).toEqual([says, "receives | no fee, no conversion | 250.00 USD"]);
  });

  test("of an incoming one: its sender pays the fees on top", async () => {
    const receiver = await new Receiver().start();
    onTestFinished(() => receiver.stop());
    await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
    const recipient = await createRecipient(world);
    const { body } = await receive(world, recipient, { receivingCurrencyAmount: 2500 });
    expect(await linesOf(body.id)).toEqual([
      "receives | 25.00 USD",
      "fixed fee | +0.10 USD",
      "variable fee | 0.3 % of 25.00 USD | 0.075 USD, rounded half up | +0.08 USD",
      "sender pays | 25.18 USD",
    ]);
  });

  test("of a purchase in another currency than its card's", async () => {
    const issue = { cardholderId: payer.customerId, fundingSources: [payer.accountId] };
    const card = await issueCard(world, issue);
    const other = await tryAuthorize(world, card.id, { amount: 20_000_001, currency: "USDC" });
    expect(await linesOf(other.body.id)).toEqual([
      "sends | 20.01 USD",
      "converted | 20.01 USD × 1 = 20.000001 USDC | " +
        "20.000001 USDC ÷ 1 = 20.000001 USD, rounded up | 20.000001 USDC",
      "receives | 20.000001 USDC",
    ]);
    const same = await tryAuthorize(world, card.id, { amount: 1250 });
    expect(await linesOf(same.body.id)).toEqual([
      "sends | 12.50 USD",
      "receives | no fee, no conversion | 12.50 USD",
    ]);
  });

  test("other records have none", async () => {
    expect(await calculationOf(payer.accountId)).toBeUndefined();
  });
});
