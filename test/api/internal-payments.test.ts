import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPayer, type Payer, quoteInput } from "../setup/platform.ts";
import { Receiver } from "../setup/receiver.ts";
import { balanceEvents, balanceOf, goTo, ledgerOwn, paymentEvents } from "./told.ts";
import { worldPerTest } from "./world-per-test.ts";

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

/** Decisions, Paying an internal account: one OUTGOING transaction, both balances told. */
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
    received: 249_140_000,
    fees: 86,
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
    expect(own["Ledger:fees USD"]).toBe(fees);
  });
});

test("money that went round is only poorer by its fees", async () => {
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
