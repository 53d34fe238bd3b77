import { beforeEach, describe, expect, test } from "vitest";
import { from, justInTime, to } from "../../setup/banks.ts";
import type { Answer } from "../../setup/test-simulator.ts";
import { createParties, type Parties } from "../setup/payment-parties.ts";
import { expectNothing as expectNothingOf, invalid, type Refused } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();
let parties: Parties;
let quoteId: string;
let transactionId: string;

const LOCKED = { lockedCurrencySide: "SENDING", lockedCurrencyAmount: 25_000 };

const quote = async (source: object, destination: object) => {
  const body = { ...source, ...destination, ...LOCKED };
  const { body: made } = await world().call("POST", "/quotes", body);
  return made as { id: string; transactionId: string };
};

const madeParties = preparedOnce(createParties);

beforeEach(async () => {
  parties = await madeParties(world());
  const made = await quote(justInTime("USD", parties.payer.customerId), to(parties.mexican));
  quoteId = made.id;
  transactionId = made.transactionId;
});

const send = (changes: object = {}) =>
  world().call("POST", "/sandbox/send", { quoteId, currencyCode: "USD", ...changes });

/** Asserts a refusal that changes nothing. */
const expectNothing = (act: () => Promise<Answer>, refused: Refused) =>
  expectNothingOf(world(), act, refused);

const CURRENCY: Refused = { status: 400, code: "INVALID_CURRENCY", field: "currencyCode" };

// spec/sandbox.md#sending-funds
describe("sending money to a quote", () => {
  test("answers with its transaction in PROCESSING", async () => {
    const { status, body } = await send();
    const { body: quoted } = await world().call("GET", `/quotes/${quoteId}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: transactionId,
      status: "PROCESSING",
      type: "OUTGOING",
      quoteId,
      customerId: parties.payer.customerId,
      source: {
        sourceType: "REALTIME_FUNDING",
        currency: "USD",
        customerId: parties.payer.customerId,
      },
      destination: { destinationType: "ACCOUNT", accountId: parties.mexican, currency: "MXN" },
      sentAmount: { amount: 25_000, currency: { code: "USD" } },
      receivedAmount: { amount: 429_766, currency: { code: "MXN" } },
      fees: 86,
    });
    for (const member of ["settledAt", "refund", "failureReason"])
      expect(body).not.toHaveProperty(member);
    expect(quoted.status).toBe("COMPLETED");
  });

  test.each([
    { at: "09:00:00.000", amount: undefined },
    { at: "09:04:59.999", amount: 25_000 },
    { at: "09:04:59.999", amount: 24_999 },
  ])("is possible at $at", async ({ at, amount }) => {
    await goTo(world(), at);
    const { status } = await send(amount === undefined ? {} : { currencyAmount: amount });
    expect(status).toBe(200);
    await goTo(world(), "09:30:00.000");
    const { body } = await world().call("GET", `/transactions/${transactionId}`);
    expect(body.status).toBe(amount === 24_999 ? "FAILED" : "COMPLETED");
  });

  test.each(["09:05:00.000", "09:05:00.001", "21:00:00.000"])("is too late at %s", async (at) => {
    await goTo(world(), at);
    await expectNothing(send, invalid("quoteId"));
    const { body } = await world().call("GET", `/transactions/${transactionId}`);
    expect(body.status).toBe("EXPIRED");
  });

  test("is refused the second time, during the payment and after it", async () => {
    const slow = await quote(justInTime("USD"), to(parties.mexican));
    await send({ quoteId: slow.id });
    await expectNothing(() => send({ quoteId: slow.id }), invalid("quoteId"));
    await send({ currencyAmount: 1 });
    await expectNothing(send, invalid("quoteId"));
    await goTo(world(), "09:00:01.000");
    await expectNothing(send, invalid("quoteId"));
  });

  test("twice at the same time happens once", async () => {
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test("that pays from an account is refused, pending or not", async () => {
    for (const account of [parties.payer.accountId, parties.bank]) {
      const made = await quote(from(account), to(parties.mexican));
      await expectNothing(() => send({ quoteId: made.id }), invalid("quoteId"));
      await world().call("POST", `/quotes/${made.id}/execute`);
      await expectNothing(() => send({ quoteId: made.id }), invalid("quoteId"));
    }
  });

  test("that does not exist is not found", async () => {
    const ids = ["", "none", "Quote:none", "__proto__", transactionId, parties.bank];
    for (const id of ids)
      await expectNothing(() => send({ quoteId: id }), {
        status: 404,
        code: "QUOTE_NOT_FOUND",
        field: "quoteId",
      });
  });

  test("in another currency is refused", async () => {
    for (const currencyCode of ["MXN", "USDC", "usd", "XYZ", ""])
      await expectNothing(() => send({ currencyCode }), CURRENCY);
  });

  test.each([
    { amount: 0, code: "INVALID_AMOUNT" },
    { amount: -25_000, code: "INVALID_AMOUNT" },
    { amount: 0.5, code: "INVALID_AMOUNT" },
    { amount: 9_000_000_000_000_001, code: "AMOUNT_OUT_OF_RANGE" },
    { amount: 1e300, code: "AMOUNT_OUT_OF_RANGE" },
    { amount: null, code: "INVALID_INPUT" },
    { amount: "25000", code: "INVALID_INPUT" },
    { amount: [], code: "INVALID_INPUT" },
  ])("of $amount is refused as $code", ({ amount, code }) =>
    expectNothing(() => send({ currencyAmount: amount }), {
      status: 400,
      code,
      field: "currencyAmount",
    }),
  );

  test.each([
    { changes: { quoteId: undefined }, field: "quoteId" },
    { changes: { quoteId: null }, field: "quoteId" },
    { changes: { quoteId: 7 }, field: "quoteId" },
    { changes: { currencyCode: undefined }, field: "currencyCode" },
    { changes: { currencyCode: null }, field: "currencyCode" },
    { changes: { currencyCode: ["USD"] }, field: "currencyCode" },
  ])("with a malformed body is refused: $changes", ({ changes, field }) =>
    expectNothing(() => send(changes), invalid(field)),
  );
});

describe("a change of the parties before the money arrives", () => {
  test("a deleted account is refused, and the quote expires as if nothing had been sent", async () => {
    await world().call("DELETE", `/customers/external-accounts/${parties.mexican}`);
    await expectNothing(send, {
      status: 400,
      code: "INVALID_BANK_ACCOUNT",
      field: "destination.accountId",
    });
    await goTo(world(), "09:05:00.000");
    const { body } = await world().call("GET", `/transactions/${transactionId}`);
    expect(body.status).toBe("EXPIRED");
  });

  test("a deleted customer is refused, as payer and as payee", async () => {
    const own = await quote(justInTime("USD", parties.other.customerId), to(parties.platformBank));
    await world().call("DELETE", `/customers/${parties.other.customerId}`);
    await expectNothing(
      () => send({ quoteId: own.id }),
      invalid("source.customerId", "CUSTOMER_DELETED"),
    );
    const theirs = await quote(justInTime("USD"), to(parties.payer.accountId));
    await world().call("DELETE", `/customers/${parties.payer.customerId}`);
    await expectNothing(
      () => send({ quoteId: theirs.id }),
      invalid("destination.accountId", "CUSTOMER_DELETED"),
    );
  });

  test("a frozen payee is refused until it is ACTIVE again", async () => {
    const { accountId } = parties.payer;
    const made = await quote(justInTime("USD"), to(accountId));
    await world().control("PATCH", `/internal-accounts/${accountId}`, { status: "FROZEN" });
    await expectNothing(
      () => send({ quoteId: made.id }),
      invalid("destination.accountId", "ACCOUNT_NOT_ACTIVE"),
    );
    await world().control("PATCH", `/internal-accounts/${accountId}`, { status: "ACTIVE" });
    expect((await send({ quoteId: made.id })).status).toBe(200);
  });
});

describe("of two mistakes", () => {
  test("a malformed body is reported before an unknown quote", () =>
    expectNothing(() => send({ quoteId: "none", currencyCode: 7 }), invalid("currencyCode")));

  test("an amount of nothing is reported before an unknown quote", () =>
    expectNothing(() => send({ quoteId: "none", currencyAmount: 0 }), {
      status: 400,
      code: "INVALID_AMOUNT",
      field: "currencyAmount",
    }));

  test("a quote of another kind is reported before a wrong currency", async () => {
    const made = await quote(from(parties.bank), to(parties.mexican));
    const act = () => send({ quoteId: made.id, currencyCode: "MXN" });
    await expectNothing(act, invalid("quoteId"));
  });

  test("a deleted account is reported before a wrong currency", async () => {
    await world().call("DELETE", `/customers/external-accounts/${parties.mexican}`);
    await expectNothing(() => send({ currencyCode: "MXN" }), {
      status: 400,
      code: "INVALID_BANK_ACCOUNT",
      field: "destination.accountId",
    });
  });

  test("a wrong currency is reported before an amount out of range", () =>
    expectNothing(
      () => send({ currencyCode: "MXN", currencyAmount: 9_000_000_000_000_001 }),
      CURRENCY,
    ));

  test("a wrong currency and a range are reported before the quote's state", async () => {
    await goTo(world(), "09:05:00.000");
    await expectNothing(() => send({ currencyCode: "MXN" }), CURRENCY);
    await expectNothing(() => send({ currencyAmount: 9_000_000_000_000_001 }), {
      status: 400,
      code: "AMOUNT_OUT_OF_RANGE",
      field: "currencyAmount",
    });
    await expectNothing(send, invalid("quoteId"));
  });
});
