import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectAgent } from "../../setup/agents.ts";
import { createBank, justInTime } from "../../setup/banks.ts";
import { createPayer, type Payer, quoteInput, umaQuoteInput } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { balanceEvents, balanceOf, goTo, ledgerOwn, paymentEvents } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();
let receiver: Receiver;
let payer: Payer;

beforeEach(async () => {
  receiver = await new Receiver().start();
  payer = await createPayer(world());
  await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
});

afterEach(() => receiver.stop());

const accountOf = async (customerId: string, currency: string) => {
  const query = `customerId=${customerId}&currency=${currency}`;
  const { body } = await world().call("GET", `/customers/internal-accounts?${query}`);
  return body.data[0].id as string;
};

const platformAccount = async (currency: string) => {
  const { body } = await world().call("GET", `/platform/internal-accounts?currency=${currency}`);
  return body.data[0].id as string;
};

/**
 * A quote to an internal account: one OUTGOING transaction, both balances announced
 * (spec/quotes.md#destination).
 */
const CASES = [
  {
    says: "another customer's dollars",
    account: async () => (await createPayer(world(), 0)).accountId,
    // 25000 - (10 + 75 + 10)
    received: 24_905,
    fees: 95,
  },
  {
    says: "the payer's own USDC",
    account: () => accountOf(payer.customerId, "USDC"),
    // 25000 - (10 + 75 + 1) cents, at 10000 millionths each
    received: 249_140_000,
    fees: 86,
  },
  {
    says: "an embedded wallet",
    account: () => accountOf(payer.customerId, "USDB"),
    received: 250_000_000,
    fees: 0,
  },
  {
    says: "the platform's own USDB",
    account: () => platformAccount("USDB"),
    received: 250_000_000,
    fees: 0,
  },
  {
    says: "the platform's own USDC",
    account: () => platformAccount("USDC"),
    received: 249_140_000,
    fees: 86,
  },
];

describe("a quote into an internal account", () => {
  test.each(CASES)("always arrives: $says", async ({ account, received, fees }) => {
    const { call } = world();
    const payee = await account();
    const { body: quote } = await call("POST", "/quotes", quoteInput(payer.accountId, payee));
    expect(quote).toMatchObject({ totalReceivingAmount: received, feesIncluded: fees });
    await call("POST", `/quotes/${quote.id}/execute`);
    await goTo(world(), "09:00:00.000");

    expect(await balanceOf(world(), payer.accountId)).toBe(975_000);
    expect(await balanceOf(world(), payee)).toBe(received);
    expect(paymentEvents(receiver, quote.transactionId)).toEqual([
      ["09:00:00.000", "PENDING", "PENDING"],
      ["09:00:00.000", "PROCESSING", "PROCESSING"],
      ["09:00:00.000", "COMPLETED", "COMPLETED"],
    ]);
    expect(balanceEvents(receiver, payer.accountId)).toEqual([["09:00:00.000", 975_000]]);
    expect(balanceEvents(receiver, payee)).toEqual([["09:00:00.000", received]]);
    expect(receiver.types().filter((type) => type.startsWith("INCOMING"))).toEqual([]);
    const { body: list } = await call("GET", "/transactions");
    expect(list).toMatchObject({
      totalCount: 1,
      data: [{ status: "COMPLETED", type: "OUTGOING" }],
    });
    const own = await ledgerOwn(world());
    expect(own).not.toHaveProperty("Ledger:clearing USD");
    expect(own["Ledger:fees USD"] ?? 0).toBe(fees);
  });
});

test("money sent in a circle loses only its fees", async () => {
  const { call } = world();
  const other = await createPayer(world(), 0);
  const pay = async (from: string, to: string, amount: number) => {
    const { body } = await call("POST", "/quotes", quoteInput(from, to, amount));
    await call("POST", `/quotes/${body.id}/execute`);
    return body.totalReceivingAmount as number;
  };
  const there = await pay(payer.accountId, other.accountId, 25_000);
  const back = await pay(other.accountId, payer.accountId, there);
  expect({ there, back }).toEqual({ there: 24_905, back: 24_810 });
  expect(await balanceOf(world(), payer.accountId)).toBe(999_810);
  expect(await balanceOf(world(), other.accountId)).toBe(0);
  expect(await ledgerOwn(world())).toEqual({
    "Ledger:funding USD": -1_000_000,
    "Ledger:fees USD": 190,
  });
});

/** No fee of any kind, and a rate of 1. */
const FREE = {
  exchangeRate: 1,
  feesIncluded: 0,
  rateDetails: {
    counterpartyFixedFee: 0,
    serviceApiFixedFee: 0,
    serviceApiVariableFeeRate: 0,
    serviceApiVariableFeeAmount: 0,
  },
};

// spec/exchange-rates.md#dollar-and-usdb
describe("USD and USDB are one value between internal accounts", () => {
  test.each([
    { from: "USD", to: "USDB", side: "SENDING", locked: 100, sent: 100, received: 1_000_000 },
    {
      from: "USD",
      to: "USDB",
      side: "RECEIVING",
      locked: 1_000_000,
      sent: 100,
      received: 1_000_000,
    },
    { from: "USDB", to: "USD", side: "SENDING", locked: 1_000_000, sent: 1_000_000, received: 100 },
    { from: "USDB", to: "USD", side: "RECEIVING", locked: 100, sent: 1_000_000, received: 100 },
    // Less than a cent cannot be received, and a fraction of a cent must be sent whole.
    { from: "USDB", to: "USD", side: "SENDING", locked: 1_239_999, sent: 1_239_999, received: 123 },
    {
      from: "USD",
      to: "USDB",
      side: "RECEIVING",
      locked: 1_000_001,
      sent: 101,
      received: 1_000_001,
    },
  ])("$locked locked $side from $from to $to: $sent brings $received", async (row) => {
    const { call } = world();
    // One value stays one value, whatever rates the operator sets.
    await world().control("PUT", "/rates", { perUsd: { USDB: "0.97" } });
    const from = await accountOf(payer.customerId, row.from);
    const to = await accountOf((await createPayer(world(), 0)).customerId, row.to);
    const { status, body } = await call("POST", "/quotes", {
      ...quoteInput(from, to, row.locked),
      lockedCurrencySide: row.side,
    });
    expect([status, body]).toMatchObject([
      201,
      { ...FREE, totalSendingAmount: row.sent, totalReceivingAmount: row.received },
    ]);
    const { body: transaction } = await call("GET", `/transactions/${body.transactionId}`);
    expect(transaction).toMatchObject({ exchangeRate: 1, fees: 0, rateDetails: FREE.rateDetails });
  });

  test("an amount below the smallest unit of the other is refused", async () => {
    const { call } = world();
    const wallet = await accountOf(payer.customerId, "USDB");
    const { status, body } = await call(
      "POST",
      "/quotes",
      quoteInput(wallet, payer.accountId, 9_999),
    );
    expect([status, body]).toMatchObject([
      400,
      {
        code: "AMOUNT_OUT_OF_RANGE",
        message: expect.stringContaining("9999 of USDB is less than the smallest unit of USD"),
      },
    ]);
  });

  // spec/uma-payments.md#paying-a-customer
  test("a customer who is paid at a UMA address is paid on an internal account", async () => {
    const { call } = world();
    const other = await createPayer(world(), 0);
    const { body: customer } = await call("GET", `/customers/${other.customerId}`);
    const input = await umaQuoteInput(world(), payer.accountId, customer.umaAddress);
    const { body } = await call("POST", "/quotes", {
      ...input,
      destination: { ...input.destination, currency: "USDB" },
    });
    expect(body).toMatchObject({ ...FREE, totalReceivingAmount: 250_000_000 });
  });

  test("an agent's quote is free as well", async () => {
    const agent = await connectAgent(world(), payer.customerId);
    const wallet = await accountOf(payer.customerId, "USDB");
    const { body } = await agent.call(
      "POST",
      "/agents/me/quotes",
      quoteInput(payer.accountId, wallet),
    );
    expect(body).toMatchObject({ ...FREE, totalReceivingAmount: 250_000_000 });
  });

  test("money from outside costs the usual fees", async () => {
    const { call } = world();
    const wallet = await accountOf(payer.customerId, "USDB");
    const bank = await createBank(world(), payer.customerId);
    const { body: pulled } = await call("POST", "/quotes", quoteInput(bank, wallet));
    const { body: funded } = await call("POST", "/quotes", {
      ...quoteInput(payer.accountId, wallet),
      ...justInTime("USD", payer.customerId),
    });
    const usual = { feesIncluded: 86, totalReceivingAmount: 249_140_000 };
    expect([pulled, funded]).toMatchObject([usual, usual]);
  });

  test("money to an external account costs the usual fees", async () => {
    const { call } = world();
    const wallet = await accountOf(payer.customerId, "USDB");
    const bank = await createBank(world(), payer.customerId);
    const { body } = await call("POST", "/quotes", quoteInput(wallet, bank, 250_000_000));
    // 250000000 - (10 + 750000 + 100000) millionths, at 10000 a cent
    expect(body).toMatchObject({ feesIncluded: 850_010, totalReceivingAmount: 24_914 });
  });
});
