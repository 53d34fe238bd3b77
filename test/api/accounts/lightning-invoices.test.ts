import { beforeEach, describe, expect, test } from "vitest";
import { decodedInvoice, nodeOf } from "../../crypto/setup/decoded-invoice.ts";
import { connectAgent } from "../../setup/agents.ts";
import { justInTime, to } from "../../setup/banks.ts";
import { createPayee, createPayer, type Payer } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();
let payer: Payer;
let payee: string;

const BOUNDS = { minAmount: 1, maxAmount: 1_000_000_000 };

const prepare = async (simulator: TestSimulator) => {
  const supportedCurrencies = ["USD", "BTC"].map((currencyCode) => ({ currencyCode, ...BOUNDS }));
  await simulator.call("PATCH", "/config", { supportedCurrencies });
  const customer = await createPayer(simulator);
  return { customer, payeeId: await createPayee(simulator, customer.customerId, "999") };
};

beforeEach(async () => {
  const prepared = await prepare(world());
  payer = prepared.customer;
  payee = prepared.payeeId;
});

/** A quote that is funded just in time. */
const bitcoinQuote = (from: Payer, payeeId: string, rest: object = {}) => ({
  ...justInTime("BTC", from.customerId),
  ...to(payeeId),
  lockedCurrencySide: "SENDING",
  lockedCurrencyAmount: 31_415,
  ...rest,
});

const newQuote = async (body: object) => {
  const { status, body: quote } = await world().call("POST", "/quotes", body);
  expect(status).toBe(201);
  return quote;
};

interface Item {
  accountOrWalletInfo: { accountType: string; invoice?: string };
}

const invoicesOf = ({ paymentInstructions }: { paymentInstructions: Item[] }) =>
  paymentInstructions.map(({ accountOrWalletInfo: { accountType, invoice } }) => [
    accountType,
    invoice,
  ]);

// spec/payment-instructions.md#lightning-invoices
describe("the invoice of a quote paid in bitcoin", () => {
  test("decodes to the amount and the expiry of the quote", async () => {
    const quote = await newQuote(bitcoinQuote(payer, payee));
    const [[, invoice]] = invoicesOf(quote) as [[string, string]];
    expect(invoicesOf(quote)).toEqual([
      ["SPARK_WALLET", invoice],
      ["LIGHTNING", invoice],
    ]);
    expect(quote).toMatchObject({
      totalSendingAmount: 31_415,
      createdAt: "2026-01-05T09:00:00.000Z",
      expiresAt: "2026-01-05T09:05:00.000Z",
    });
    expect(decodedInvoice(invoice)).toMatchObject({
      coin_network: "bcrt",
      amount: "31415000",
      timestamp: 1_767_603_600,
      expiry: 300,
      description: expect.stringMatching(/^Payment REF-[A-Z2-7]{9}$/),
      payment_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      payment_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      feature_bits: expect.objectContaining({
        var_onion_optin: "required",
        payment_secret: "required",
      }),
    });
  });

  test("contains the payment's reference", async () => {
    const quote = await newQuote(bitcoinQuote(payer, payee));
    await newQuote(bitcoinQuote(payer, payee));
    const { description } = decodedInvoice(String(invoicesOf(quote)[1]?.[1]));
    const reference = String(description).replace("Payment ", "");
    const { body } = await world().call("GET", `/transactions?reference=${reference}`);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([quote.transactionId]);
  });

  test("has the amount to send when the receiving side is locked", async () => {
    const receiving = { lockedCurrencySide: "RECEIVING", lockedCurrencyAmount: 207_000 };
    const quote = await newQuote(bitcoinQuote(payer, payee, receiving));
    // 2070.00 MXN are 120.00 USD, 100000 satoshi; fixed fees of 10 and 5, then 0.3 % of the whole
    expect(quote.totalSendingAmount).toBe(100_316);
    const [[, invoice]] = invoicesOf(quote) as [[string, string]];
    expect(decodedInvoice(invoice)).toMatchObject({ amount: "100316000" });
  });

  test.each([
    { cryptoNetwork: "LIGHTNING", type: "LIGHTNING" },
    { cryptoNetwork: "SPARK", type: "SPARK_WALLET" },
  ])("is in the instruction for $cryptoNetwork", async ({ cryptoNetwork, type }) => {
    const body = bitcoinQuote(payer, payee);
    const quote = await newQuote({ ...body, source: { ...body.source, cryptoNetwork } });
    const [[found, invoice]] = invoicesOf(quote) as [[string, string]];
    expect(found).toBe(type);
    expect(decodedInvoice(invoice)).toMatchObject({ amount: "31415000" });
  });

  test("differs for each quote, and one node signs all of them", async () => {
    const quotes = [
      await newQuote(bitcoinQuote(payer, payee)),
      await newQuote(bitcoinQuote(payer, payee)),
    ];
    const invoices = quotes.map((quote) => String(invoicesOf(quote)[1]?.[1]));
    const decoded = invoices.map(decodedInvoice);
    for (const name of ["payment_hash", "payment_secret", "description"])
      expect(new Set(decoded.map((one) => one[name])).size).toBe(2);
    expect(new Set(invoices.map(nodeOf)).size).toBe(1);
  });

  test("stays the same on every read, even after the quote has expired", async () => {
    const quote = await newQuote(bitcoinQuote(payer, payee));
    await world().sim.advance("6m");
    const { body } = await world().call("GET", `/quotes/${quote.id}`);
    expect(body.status).toBe("EXPIRED");
    expect(body.paymentInstructions).toEqual(quote.paymentInstructions);
  });

  test("is the same for the same seed, and differs for another", async () => {
    const invoiceWith = async (seed: string) => {
      const simulator = await startTestSimulator({ seed });
      const { customer, payeeId } = await prepare(simulator);
      const { body } = await simulator.call("POST", "/quotes", bitcoinQuote(customer, payeeId));
      await simulator.sim.close();
      return String(invoicesOf(body)[1]?.[1]);
    };
    const [first, again, other] = [
      await invoiceWith("one"),
      await invoiceWith("one"),
      await invoiceWith("two"),
    ];
    expect(again).toBe(first);
    expect(nodeOf(other)).not.toBe(nodeOf(first));
  });

  test("is on an agent's quote too", async () => {
    const agent = await connectAgent(world(), payer.customerId);
    const { status, body } = await agent.call(
      "POST",
      "/agents/me/quotes",
      bitcoinQuote(payer, payee),
    );
    expect(status).toBe(201);
    const [[, invoice]] = invoicesOf(body) as [[string, string]];
    expect(decodedInvoice(invoice)).toMatchObject({ amount: "31415000" });
  });

  test("is absent from quotes in other currencies", async () => {
    const quote = await newQuote({
      ...bitcoinQuote(payer, payee),
      ...justInTime("USD", payer.customerId),
    });
    expect(JSON.stringify(quote)).not.toContain("lnbc");
  });
});
