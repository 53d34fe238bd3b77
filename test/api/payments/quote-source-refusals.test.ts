import { beforeEach, describe, expect, test } from "vitest";
import { createBank, from, justInTime, to } from "../../setup/banks.ts";
import { createPayee, createPayer } from "../../setup/platform.ts";
import type { Answer } from "../../setup/test-simulator.ts";
import {
  createParties,
  createWallet,
  NOBODY,
  type Parties,
  WALLETS,
} from "../setup/payment-parties.ts";
import {
  expectNothing as expectNothingOf,
  expectRefused,
  invalid,
  type Refused,
} from "../setup/refused.ts";
import { balanceOf, goTo } from "../setup/told.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();
let parties: Parties;

const madeParties = preparedOnce(createParties);

beforeEach(async () => {
  parties = await madeParties(world());
});

/** Asserts a refusal that changes nothing. */
const expectNothing = (act: () => Promise<Answer>, refused: Refused) =>
  expectNothingOf(world(), act, refused);

const LOCKED = { lockedCurrencySide: "SENDING", lockedCurrencyAmount: 25_000 };

/** A quote to the payer's Mexican account, with changes. */
const ask = (source: object, changes: object = {}) =>
  world().call("POST", "/quotes", { ...source, ...to(parties.mexican), ...LOCKED, ...changes });

const execute = (id: string) => world().call("POST", `/quotes/${id}/execute`);

const made = async (source: object, changes: object = {}) => {
  const { status, body } = await ask(source, changes);
  expect(status).toBe(201);
  return body as { id: string; transactionId: string };
};

// spec/quotes.md#immediate-execution
describe("immediatelyExecute", () => {
  const sources = {
    "an internal account": () => from(parties.payer.accountId),
    "the platform's account": () => from(parties.platform),
    "a bank": () => from(parties.bank),
    "the platform's bank": () => from(parties.platformBank),
  };

  test.each(Object.keys(sources) as (keyof typeof sources)[])(
    "starts a quote from %s",
    async (one) => {
      const { status, body } = await ask(sources[one](), { immediatelyExecute: true });
      expect({ status, quote: body.status }).toEqual({ status: 201, quote: "PROCESSING" });
      const { body: transaction } = await world().call(
        "GET",
        `/transactions/${body.transactionId}`,
      );
      expect(transaction.status).toBe("COMPLETED");
      await goTo(world(), "09:05:00.000");
      expect((await world().call("GET", `/quotes/${body.id}`)).body.status).toBe("COMPLETED");
      expectRefused(await execute(body.id), {
        status: 409,
        code: "CONFLICT",
        reason: "QUOTE_ALREADY_EXECUTED",
      });
    },
  );

  test.each(Object.keys(sources) as (keyof typeof sources)[])(
    "false starts nothing from %s",
    async (one) => {
      const { body } = await ask(sources[one](), { immediatelyExecute: false });
      expect(body.status).toBe("PENDING");
    },
  );

  test.each([
    { says: "of the platform", source: () => justInTime("USD") },
    { says: "of a customer", source: () => justInTime("USD", parties.payer.customerId) },
    { says: "of an unknown customer", source: () => justInTime("USD", NOBODY) },
    { says: "in an unknown currency", source: () => justInTime("XYZ") },
  ])("is refused for a source that is funded just in time: $says", ({ source }) =>
    expectNothing(() => ask(source(), { immediatelyExecute: true }), invalid("immediatelyExecute")),
  );

  test("is refused for an embedded wallet, empty or not", async () => {
    const { wallet } = parties;
    const act = () => ask(from(wallet), { immediatelyExecute: true });
    await expectNothing(act, invalid("immediatelyExecute"));
    await world().call("POST", `/sandbox/internal-accounts/${wallet}/fund`, { amount: 1_000_000 });
    await expectNothing(act, invalid("immediatelyExecute"));
  });

  test.each([null, "true", 1, {}])("is no %j", (immediatelyExecute) =>
    expectNothing(
      () => ask(from(parties.payer.accountId), { immediatelyExecute }),
      invalid("immediatelyExecute"),
    ),
  );

  test("beyond the balance keeps no quote", async () => {
    const changes = { immediatelyExecute: true, lockedCurrencyAmount: 1_000_001 };
    await expectNothing(() => ask(from(parties.payer.accountId), changes), {
      status: 400,
      code: "AMOUNT_OUT_OF_RANGE",
      reason: "INSUFFICIENT_BALANCE",
    });
    expect((await ask(from(parties.bank), changes)).status).toBe(201);
  });
});

// spec/quotes.md#source
describe("a quote that pulls", () => {
  test.each(WALLETS)("cannot pull from a $type", async ({ type }) => {
    const wallet = await createWallet(world(), parties.payer.customerId, type);
    const refused = invalid("source.accountId", "SOURCE_NOT_PULLABLE");
    await expectNothing(() => ask(from(wallet)), refused);
    await expectNothing(() => ask(from(wallet), { immediatelyExecute: true }), refused);
  });

  // spec/quotes.md#self-payment
  test("cannot pay the account it pulls from", () =>
    expectNothing(() => ask(from(parties.bank), to(parties.bank)), {
      status: 400,
      code: "SELF_PAYMENT",
      field: "destination.accountId",
    }));

  test("cannot pay another customer's external account, but can pay an internal one", async () => {
    const { bank, otherBank, other } = parties;
    await expectNothing(
      () => ask(from(bank), to(otherBank)),
      invalid("destination.accountId", "OWNER_MISMATCH"),
    );
    expect((await ask(from(bank), to(other.accountId))).status).toBe(201);
    expect((await ask(from(parties.platformBank), to(otherBank))).status).toBe(201);
  });

  test("cannot act for another customer than the account's owner", async () => {
    const { bank, other, payer, platformBank } = parties;
    const refused = invalid("source.customerId", "OWNER_MISMATCH");
    await expectNothing(() => ask(from(bank, other.customerId)), refused);
    await expectNothing(
      () => ask(from(bank, NOBODY)),
      invalid("source.customerId", "USER_NOT_FOUND"),
    );
    const quote = await made(from(platformBank, payer.customerId));
    const { body } = await world().call("GET", `/transactions/${quote.transactionId}`);
    expect(body.customerId).toBe(payer.customerId);
  });

  test("needs a currency that the platform sends", async () => {
    const eur = { currencyCode: "EUR", minAmount: 0, maxAmount: 10_000_000 };
    await world().call("PATCH", "/config", { supportedCurrencies: [eur] });
    await expectNothing(() => ask(from(parties.bank)), {
      status: 400,
      code: "INVALID_CURRENCY",
      field: "source.accountId",
    });
  });

  test.each(["PENDING", "REJECTED"])("needs a customer that is ready: %s", async (kycStatus) => {
    const quote = await made(from(parties.bank));
    const { customerId } = parties.payer;
    await world().control("PATCH", `/customers/${customerId}`, { kycStatus });
    const refused = { status: 403, code: "USER_NOT_READY" };
    await expectNothing(() => ask(from(parties.bank)), refused);
    await expectNothing(() => execute(quote.id), refused);
  });

  test("needs both its accounts when it is executed", async () => {
    const [first, second] = [await made(from(parties.bank)), await made(from(parties.bank))];
    await world().call("DELETE", `/customers/external-accounts/${parties.mexican}`);
    const gone = { status: 400, code: "INVALID_BANK_ACCOUNT" };
    await expectNothing(() => execute(first.id), { ...gone, field: "destination.accountId" });
    await world().call("DELETE", `/customers/external-accounts/${parties.bank}`);
    await expectNothing(() => execute(second.id), { ...gone, field: "source.accountId" });
    await expectNothing(
      () => ask(from(parties.bank)),
      invalid("source.accountId", "ACCOUNT_NOT_FOUND"),
    );
  });

  test("cannot be made or executed for a deleted customer", async () => {
    const quote = await made(from(parties.bank), to(parties.other.accountId));
    await world().call("DELETE", `/customers/${parties.payer.customerId}`);
    const refused = invalid("source.accountId", "CUSTOMER_DELETED");
    await expectNothing(() => execute(quote.id), refused);
    await expectNothing(() => ask(from(parties.bank), to(parties.other.accountId)), refused);
  });

  test("cannot be executed again during the pull", async () => {
    const { customerId } = parties.payer;
    const slow = await createBank(world(), customerId, "005");
    const quote = await made(from(slow));
    await execute(quote.id);
    await goTo(world(), "09:00:29.999");
    const refused = { status: 409, code: "CONFLICT", reason: "QUOTE_ALREADY_EXECUTED" };
    await expectNothing(() => execute(quote.id), refused);
    await goTo(world(), "09:00:30.000");
    await expectNothing(() => execute(quote.id), refused);
  });

  test("expires like any other", async () => {
    const quote = await made(from(parties.bank));
    await goTo(world(), "09:05:00.000");
    await expectNothing(() => execute(quote.id), {
      status: 409,
      code: "CONFLICT",
      reason: "QUOTE_EXPIRED",
    });
  });
});

// spec/quotes.md#just-in-time-funding
describe("a quote that is funded just in time", () => {
  test("needs a currency that exists and that the platform sends", async () => {
    const refused = { status: 400, code: "INVALID_CURRENCY", field: "source.currency" };
    for (const currency of ["XYZ", "", "usd", "EUR", "MXN", "__proto__"])
      await expectNothing(() => ask(justInTime(currency)), refused);
  });

  test.each([null, 7, undefined])("needs a currency: %j", (currency) =>
    expectNothing(
      () => ask({ source: { sourceType: "REALTIME_FUNDING", currency } }),
      invalid("source.currency"),
    ),
  );

  test("needs a customer that exists, or none", async () => {
    const refused = invalid("source.customerId", "USER_NOT_FOUND");
    await expectNothing(() => ask(justInTime("USD", NOBODY)), refused);
    const { customerId } = await createPayer(world(), 0);
    await world().call("DELETE", `/customers/${customerId}`);
    await expectNothing(() => ask(justInTime("USD", customerId)), refused);
    const { status, body } = await ask(justInTime("USD"));
    expect({ status, source: body.source }).toEqual({ status: 201, ...justInTime("USD") });
  });

  test.each(["PENDING", "REJECTED"])("needs a customer that is ready: %s", async (kycStatus) => {
    const { customerId } = parties.payer;
    await world().control("PATCH", `/customers/${customerId}`, { kycStatus });
    await expectNothing(() => ask(justInTime("USD", customerId)), {
      status: 403,
      code: "USER_NOT_READY",
    });
    expect((await ask(justInTime("USD"))).status).toBe(201);
  });

  test("of a customer pays that customer's accounts or the platform's; the platform pays all", async () => {
    const { payer, otherBank, platformBank, bank } = parties;
    const foreign = invalid("destination.accountId", "OWNER_MISMATCH");
    await expectNothing(() => ask(justInTime("USD", payer.customerId), to(otherBank)), foreign);
    for (const account of [bank, platformBank, parties.other.accountId])
      expect((await ask(justInTime("USD", payer.customerId), to(account))).status).toBe(201);
    for (const account of [bank, otherBank, platformBank, parties.platform])
      expect((await ask(justInTime("USD"), to(account))).status).toBe(201);
  });

  test("stays within the bounds of its currency", async () => {
    const refused = { status: 400, code: "AMOUNT_OUT_OF_RANGE", field: "lockedCurrencyAmount" };
    for (const lockedCurrencyAmount of [99, 10_000_001, 9_000_000_000_000_001])
      await expectNothing(() => ask(justInTime("USD"), { lockedCurrencyAmount }), refused);
    for (const lockedCurrencyAmount of [100, 10_000_000])
      expect((await ask(justInTime("USD"), { lockedCurrencyAmount })).status).toBe(201);
  });

  test("is never executed: it starts when its money arrives", async () => {
    const quote = await made(justInTime("USD", parties.payer.customerId));
    await expectNothing(() => execute(quote.id), invalid("quoteId"));
    await world().call("POST", "/sandbox/send", { quoteId: quote.id, currencyCode: "USD" });
    await expectNothing(() => execute(quote.id), invalid("quoteId"));
    await goTo(world(), "09:05:00.000");
    await expectNothing(() => execute(quote.id), invalid("quoteId"));
    const late = await made(justInTime("USD"));
    await goTo(world(), "09:30:00.000");
    await expectNothing(() => execute(late.id), invalid("quoteId"));
  });

  test("moves no money while it waits", async () => {
    const { customerId, accountId } = parties.payer;
    await made(justInTime("USD", customerId), to(await createPayee(world(), customerId, "002")));
    expect(await balanceOf(world(), accountId)).toBe(1_000_000);
  });
});
