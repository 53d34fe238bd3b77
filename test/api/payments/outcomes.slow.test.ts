import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPayee, createPayer, type Payer, quoteInput } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import {
  accountCase,
  CASE_OF_EACH_IDENTIFIER,
  creationBody,
  withEnding,
} from "../setup/account-bodies.ts";
import { OUTCOME_CASES } from "../setup/outcome-cases.ts";
import { expectOutcome, stateOf as stateNow } from "../setup/outcome-run.ts";
import {
  balanceEvents,
  balanceOf,
  expectSoundDeliveries,
  goTo,
  paymentEvents,
} from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();
let receiver: Receiver;
let payer: Payer;

beforeEach(async () => {
  receiver = await new Receiver().start();
  payer = await createPayer(world());
  await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
});

afterEach(async () => {
  expectSoundDeliveries(receiver, world().sim.webhookPublicKey);
  await receiver.stop();
});

const quoteTo = async (accountId: string) => {
  const { status, body } = await world().call(
    "POST",
    "/quotes",
    quoteInput(payer.accountId, accountId),
  );
  expect(status).toBe(201);
  return body as { id: string; transactionId: string };
};

/** Creates a quote, waits ten seconds and executes it. */
const pay = async (accountId: string) => {
  const quote = await quoteTo(accountId);
  await goTo(world(), "09:00:10.000");
  const { status, body } = await world().call("POST", `/quotes/${quote.id}/execute`);
  expect({ status, payment: body.status }).toEqual({ status: 200, payment: "PROCESSING" });
  return quote;
};

const payeeOf = async (type: string, changes: Record<string, unknown>) => {
  const body = { customerId: payer.customerId, ...creationBody(accountCase(type), changes) };
  const answer = await world().call("POST", "/customers/external-accounts", body);
  expect(answer.status).toBe(201);
  return answer.body.id as string;
};

const transactionOf = async ({ transactionId }: { transactionId: string }) =>
  (await world().call("GET", `/transactions/${transactionId}`)).body;

const watchedOf = ({ id, transactionId }: { id: string; transactionId: string }) => ({
  transactionId,
  quoteId: id,
  accountId: payer.accountId,
});

const stateOf = (quote: { id: string; transactionId: string }) =>
  stateNow(world(), watchedOf(quote));

// spec/quotes.md#outcome-rows
describe("a quoted payment to an account", () => {
  test.each(OUTCOME_CASES)("ending $suffix $says", async (row) => {
    const quote = await pay(await createPayee(world(), payer.customerId, row.suffix));
    await expectOutcome({ world: world(), receiver }, watchedOf(quote), row);
  });

  test.each(["000", "001", "099", "102", "103", "104", "106", "107"])(
    "ending %s succeeds",
    async (suffix) => {
      const quote = await pay(await createPayee(world(), payer.customerId, suffix));
      await goTo(world(), "09:00:10.000");
      expect(await transactionOf(quote)).toMatchObject({
        status: "COMPLETED",
        settledAt: "2026-01-05T09:00:10.000Z",
      });
    },
  );

  test.each(CASE_OF_EACH_IDENTIFIER)(
    "of $type follows the ending of its $identifier",
    async (one) => {
      const quote = await pay(
        await payeeOf(one.type, { [one.identifier]: withEnding(one, "004") }),
      );
      await goTo(world(), "09:00:11.000");
      expect(await transactionOf(quote)).toMatchObject({
        status: "FAILED",
        failureReason: "COUNTERPARTY_POST_TX_FAILED",
        refund: { status: "COMPLETED", reason: "TRANSACTION_FAILED" },
      });
    },
  );

  test.each([
    { says: "a lightning address", changes: {} },
    {
      says: "a lightning invoice",
      changes: { lightningAddress: undefined, invoice: "lnbc10u1p3002" },
    },
    { says: "an offer", changes: { lightningAddress: undefined, bolt12: "lno1qgsqvg002" } },
  ])("that is $says ending 002 fails with LIGHTNING_PAYMENT_FAILED", async ({ changes }) => {
    const payee = await payeeOf("LIGHTNING", {
      lightningAddress: "lucie.002@node.example",
      ...changes,
    });
    const quote = await pay(payee);
    await goTo(world(), "09:00:11.000");
    expect(await transactionOf(quote)).toMatchObject({
      status: "FAILED",
      failureReason: "LIGHTNING_PAYMENT_FAILED",
      refund: { status: "COMPLETED", reason: "TRANSACTION_FAILED" },
    });
    expect(await balanceOf(world(), payer.accountId)).toBe(1_000_000);
  });

  test("that ends in a letter succeeds", async () => {
    const address = "0x52b7d2dcc80cd2e4000000deadc0ffee1234002a";
    const quote = await pay(await payeeOf("BASE_WALLET", { address }));
    await goTo(world(), "09:00:10.000");
    expect(await transactionOf(quote)).toMatchObject({ status: "COMPLETED" });
  });
});

// spec/quotes.md#immediate-execution
describe("a payment executed with its quote", () => {
  test("is PROCESSING in the reply, after an event for PENDING", async () => {
    const payee = await createPayee(world(), payer.customerId, "999");
    const { status, body } = await world().call("POST", "/quotes", {
      ...quoteInput(payer.accountId, payee),
      immediatelyExecute: true,
    });
    expect({ status, payment: body.status }).toEqual({ status: 201, payment: "PROCESSING" });
    await goTo(world(), "09:00:00.000");
    expect(paymentEvents(receiver, body.transactionId)).toEqual([
      ["09:00:00.000", "PENDING", "PENDING"],
      ["09:00:00.000", "PROCESSING", "PROCESSING"],
      ["09:00:00.000", "COMPLETED", "COMPLETED"],
    ]);
    await goTo(world(), "09:05:00.000");
    expect((await world().call("GET", `/quotes/${body.id}`)).body.status).toBe("COMPLETED");
  });
});

// spec/quotes.md#expiry
describe("a quote that is not executed", () => {
  test("can be executed until the last millisecond before its expiry", async () => {
    const quote = await quoteTo(await createPayee(world(), payer.customerId, "999"));
    await goTo(world(), "09:04:59.999");
    expect((await stateOf(quote)).quote).toBe("PENDING");
    const { status } = await world().call("POST", `/quotes/${quote.id}/execute`);
    expect(status).toBe(200);
    await goTo(world(), "09:05:00.000");
    expect(await stateOf(quote)).toEqual({
      payment: "COMPLETED",
      quote: "COMPLETED",
      balance: 975_000,
    });
  });

  test.each(["09:05:00.000", "09:05:00.001", "17:00:00.000"])(
    "is expired at %s, as of its expiry instant",
    async (at) => {
      const quote = await quoteTo(await createPayee(world(), payer.customerId, "999"));
      await goTo(world(), at);
      expect(await stateOf(quote)).toEqual({
        payment: "EXPIRED",
        quote: "EXPIRED",
        balance: 1_000_000,
      });
      const transaction = await transactionOf(quote);
      expect(transaction.updatedAt).toBe("2026-01-05T09:05:00.000Z");
      for (const member of ["failureReason", "refund", "settledAt"])
        expect(transaction).not.toHaveProperty(member);
      expect(paymentEvents(receiver, quote.transactionId)).toEqual([
        ["09:00:00.000", "PENDING", "PENDING"],
        ["09:05:00.000", "EXPIRED", "EXPIRED"],
      ]);
      expect(balanceEvents(receiver, payer.accountId)).toEqual([]);
    },
  );
});
