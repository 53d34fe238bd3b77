import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { UMA_LOCAL_PARTS } from "../../../src/domain/outcomes/outcomes.ts";
import { lookUpUma, PAYER_INFO } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { accountCase, creationBody, withEnding } from "../setup/account-bodies.ts";
import { expectRefused } from "../setup/refused.ts";
import {
  balanceEvents,
  balanceOf,
  expectSoundDeliveries,
  goTo,
  ledgerOwn,
  paymentEvents,
} from "../setup/told.ts";
import { UMA_OUTCOME_CASES, type UmaOutcomeCase } from "../setup/uma-outcome-cases.ts";
import { umaWorld } from "../setup/uma-world.ts";

const { world, payer, quote } = umaWorld();
let receiver: Receiver;

beforeEach(async () => {
  receiver = await new Receiver().start();
  await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
});

afterEach(async () => {
  expectSoundDeliveries(receiver, world().sim.webhookPublicKey);
  await receiver.stop();
});

interface Quoted {
  id: string;
  transactionId: string;
}

/** Looks up the address, and creates a quote of 250.00 dollars in its first currency. */
const quoteTo = async ({ name, receives }: UmaOutcomeCase, source: object): Promise<Quoted> => {
  const umaAddress = `${name}@sandbox.uma.test`;
  const { lookupId } = await lookUpUma(world(), umaAddress);
  const { status, body } = await quote({
    source,
    destination: { destinationType: "UMA_ADDRESS", umaAddress },
    lookupId,
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 25_000,
    senderCustomerInfo: PAYER_INFO,
  });
  expect({ status, quote: body.status }).toEqual({ status: 201, quote: "PENDING" });
  expect(body).toMatchObject({
    destination: { umaAddress, currency: receives.code },
    receivingCurrency: { code: receives.code },
    totalReceivingAmount: receives.amount,
    feesIncluded: receives.fees,
  });
  return body;
};

const transactionOf = async ({ transactionId }: Quoted) =>
  (await world().call("GET", `/transactions/${transactionId}`)).body;

const stateOf = async (quoted: Quoted) => {
  const transaction = await transactionOf(quoted);
  return {
    payment: transaction.status,
    ...(transaction.refund && { refund: transaction.refund.status }),
    quote: (await world().call("GET", `/quotes/${quoted.id}`)).body.status,
  };
};

const expectBooksBalanced = async () => {
  const { body } = await world().control("GET", "/ledger");
  expect(Object.values(body.totals).filter((total) => total !== 0)).toEqual([]);
};

/** Asserts the end of a payment, however its money came. */
const expectEnded = async (quoted: Quoted, { ends, refund, events }: UmaOutcomeCase) => {
  const transaction = await transactionOf(quoted);
  const { failureReason, settledAt } = transaction;
  expect({ failureReason, settledAt }).toEqual({
    failureReason: undefined,
    settledAt: undefined,
    ...ends,
  });
  expect(transaction.refund).toEqual(refund && { ...refund, reference: expect.any(String) });
  expect(paymentEvents(receiver, quoted.transactionId)).toEqual(events);
  const last = receiver.received.findLast(({ data }) => data.id === quoted.transactionId);
  expect(last?.data).toEqual(transaction);
  expect((await world().control("GET", "/timers")).body.data).toEqual([]);
};

// spec/uma-payments.md#uma-receivers
describe("a payment from an internal account", () => {
  test.each(UMA_OUTCOME_CASES)("to $name $says", async (row) => {
    const { accountId } = payer();
    const quoted = await quoteTo(row, { sourceType: "ACCOUNT", accountId });
    await goTo(world(), "09:00:10.000");
    const { status, body } = await world().call("POST", `/quotes/${quoted.id}/execute`);
    expect({ status, quote: body.status }).toEqual({ status: 200, quote: "PROCESSING" });
    for (const { at, balance, ...state } of row.moments) {
      await goTo(world(), at);
      expect({ at, ...(await stateOf(quoted)) }).toEqual({ at, ...state });
      expect(await balanceOf(world(), accountId)).toBe(balance);
      await expectBooksBalanced();
    }
    await goTo(world(), "21:00:00.000");
    await expectEnded(quoted, row);
    expect(balanceEvents(receiver, accountId)).toEqual(row.balances);
    expect(await ledgerOwn(world())).toEqual({ "Ledger:funding USD": -1_000_000, ...row.ledger });
  });

  test("has a case for each sandbox person", () => {
    expect(UMA_OUTCOME_CASES.map(({ name }) => name)).toEqual(UMA_LOCAL_PARTS);
  });
});

const pulled = async (ending: string) => {
  const usd = accountCase("USD_ACCOUNT");
  const body = creationBody(usd, { [usd.identifier]: withEnding(usd, ending) });
  const answer = await world().call("POST", "/customers/external-accounts", {
    customerId: payer().customerId,
    ...body,
  });
  expect(answer.status).toBe(201);
  return { sourceType: "ACCOUNT", accountId: answer.body.id as string };
};

/** Money from outside: the payer's own balance never changes. */
const OUTSIDE = [
  {
    from: "pulled from an external account",
    source: () => pulled("999"),
    fund: ({ id }: Quoted) => world().call("POST", `/quotes/${id}/execute`),
  },
  {
    from: "sent just in time",
    source: async () => ({
      sourceType: "REALTIME_FUNDING",
      currency: "USD",
      customerId: payer().customerId,
    }),
    fund: ({ id }: Quoted) =>
      world().call("POST", "/sandbox/send", { quoteId: id, currencyCode: "USD" }),
  },
];

describe.each(OUTSIDE)("a payment whose money is $from", ({ source, fund }) => {
  test.each(UMA_OUTCOME_CASES)("to $name $says", async (row) => {
    const quoted = await quoteTo(row, await source());
    await goTo(world(), "09:00:10.000");
    const { status, body } = await fund(quoted);
    expect({ status, payment: body.status }).toEqual({ status: 200, payment: "PROCESSING" });
    for (const { at, balance: _untouched, ...state } of row.moments) {
      await goTo(world(), at);
      expect({ at, ...(await stateOf(quoted)) }).toEqual({ at, ...state });
      await expectBooksBalanced();
    }
    await goTo(world(), "21:00:00.000");
    await expectEnded(quoted, row);
    expect(balanceEvents(receiver, payer().accountId)).toEqual([]);
    const collected = row.refund ? 0 : 25_000;
    expect(await ledgerOwn(world())).toEqual({
      "Ledger:funding USD": -1_000_000 - collected,
      ...row.ledger,
    });
  });
});

test("a refused pull decides alone: nothing was collected, nothing is refunded", async () => {
  const [row] = UMA_OUTCOME_CASES;
  const quoted = await quoteTo(row as UmaOutcomeCase, await pulled("002"));
  await goTo(world(), "09:00:10.000");
  await world().call("POST", `/quotes/${quoted.id}/execute`);
  await goTo(world(), "09:10:00.000");
  const transaction = await transactionOf(quoted);
  expect(transaction).toMatchObject({ status: "FAILED", failureReason: "QUOTE_EXECUTION_FAILED" });
  expect(transaction).not.toHaveProperty("refund");
  expect(await ledgerOwn(world())).toEqual({ "Ledger:funding USD": -1_000_000 });
});

test("a wrong amount is refunded, whoever the payee is", async () => {
  const [row] = UMA_OUTCOME_CASES;
  const source = { sourceType: "REALTIME_FUNDING", currency: "USD" };
  const quoted = await quoteTo(row as UmaOutcomeCase, source);
  const sent = { quoteId: quoted.id, currencyCode: "USD", currencyAmount: 24_999 };
  await world().call("POST", "/sandbox/send", sent);
  await goTo(world(), "09:10:00.000");
  expect(await transactionOf(quoted)).toMatchObject({
    status: "FAILED",
    failureReason: "FUNDING_AMOUNT_MISMATCH",
    refund: { status: "COMPLETED" },
  });
});

describe("a payment executed with its quote", () => {
  test.each(["an internal account", "an external account"])(
    "from %s is in progress",
    async (from) => {
      const source =
        from === "an internal account"
          ? { sourceType: "ACCOUNT", accountId: payer().accountId }
          : await pulled("999");
      const umaAddress = "$success.mxn@sandbox.uma.test";
      const { lookupId } = await lookUpUma(world(), umaAddress);
      const { status, body } = await quote({
        source,
        destination: { destinationType: "UMA_ADDRESS", umaAddress },
        lookupId,
        lockedCurrencySide: "SENDING",
        lockedCurrencyAmount: 25_000,
        senderCustomerInfo: PAYER_INFO,
        immediatelyExecute: true,
      });
      expect({ status, quote: body.status }).toEqual({ status: 201, quote: "PROCESSING" });
      await goTo(world(), "09:00:00.000");
      expect(paymentEvents(receiver, body.transactionId)).toEqual([
        ["09:00:00.000", "PENDING", "PENDING"],
        ["09:00:00.000", "PROCESSING", "PROCESSING"],
        ["09:00:00.000", "COMPLETED", "COMPLETED"],
      ]);
    },
  );
});

test("a just-in-time payment cannot be executed with its quote", async () => {
  const umaAddress = "$success.mxn@sandbox.uma.test";
  const { lookupId } = await lookUpUma(world(), umaAddress);
  const answer = await quote({
    source: { sourceType: "REALTIME_FUNDING", currency: "USD" },
    destination: { destinationType: "UMA_ADDRESS", umaAddress },
    lookupId,
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 25_000,
    senderCustomerInfo: PAYER_INFO,
    immediatelyExecute: true,
  });
  expectRefused(answer, { status: 400, code: "INVALID_INPUT", field: "immediatelyExecute" });
});

test("a quote to a UMA address that is not executed expires like any other", async () => {
  const [row] = UMA_OUTCOME_CASES;
  const { accountId } = payer();
  const quoted = await quoteTo(row as UmaOutcomeCase, { sourceType: "ACCOUNT", accountId });
  await goTo(world(), "09:05:00.000");
  expect(await stateOf(quoted)).toEqual({ payment: "EXPIRED", quote: "EXPIRED" });
  expect(paymentEvents(receiver, quoted.transactionId)).toEqual([
    ["09:00:00.000", "PENDING", "PENDING"],
    ["09:05:00.000", "EXPIRED", "EXPIRED"],
  ]);
});
