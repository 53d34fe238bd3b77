import { describe, expect, test } from "vitest";
import { FUNDING_OUTCOMES, PULL_OUTCOMES } from "../../../src/domain/outcomes/outcomes.ts";
import { createBank, from, justInTime, to } from "../../setup/banks.ts";
import { createPayee } from "../../setup/platform.ts";
import { CASE_OF_EACH_IDENTIFIER, creationBody, withEnding } from "../setup/account-bodies.ts";
import { FROM_OUTSIDE_CASES } from "../setup/outcome-cases.ts";
import { expectOutcome } from "../setup/outcome-run.ts";
import { MISMATCH_CASES, PULL_REFUSED_CASES } from "../setup/outside-outcome-cases.ts";
import { stagePerTest } from "../setup/stage-per-test.ts";
import { balanceEvents, balanceOf, goTo, ledgerOwn, paymentEvents } from "../setup/told.ts";

const stage = stagePerTest(0);

const LOCKED = { lockedCurrencySide: "SENDING", lockedCurrencyAmount: 25_000 };

const quote = async (source: object, destination: object) => {
  const body = { ...source, ...destination, ...LOCKED };
  const answer = await stage().world.call("POST", "/quotes", body);
  expect({ status: answer.status, quote: answer.body.status }).toEqual({
    status: 201,
    quote: "PENDING",
  });
  expect(answer.body).toMatchObject({ totalSendingAmount: 25_000, feesIncluded: 86 });
  return watched(answer.body);
};

const watched = ({ id, transactionId }: { id: string; transactionId: string }) => ({
  quoteId: id,
  transactionId,
  accountId: stage().payer.accountId,
});

const payee = (suffix: string) => createPayee(stage().world, stage().payer.customerId, suffix);
const bank = (suffix: string) => createBank(stage().world, stage().payer.customerId, suffix);

/** Creates a quote that pulls, waits ten seconds and executes it. */
const pull = async (source: string, destination: string) => {
  const { world } = stage();
  const made = await quote(from(source), to(destination));
  await goTo(world, "09:00:10.000");
  const { status, body } = await world.call("POST", `/quotes/${made.quoteId}/execute`);
  expect({ status, quote: body.status }).toEqual({ status: 200, quote: "PROCESSING" });
  return made;
};

/** Creates a just-in-time quote, waits ten seconds and sends the money. */
const send = async (destination: string, currencyAmount?: number) => {
  const { world, payer } = stage();
  const made = await quote(justInTime("USD", payer.customerId), to(destination));
  await goTo(world, "09:00:10.000");
  const { status, body } = await world.call("POST", "/sandbox/send", {
    quoteId: made.quoteId,
    currencyCode: "USD",
    ...(currencyAmount !== undefined && { currencyAmount }),
  });
  expect({ status, id: body.id, payment: body.status }).toEqual({
    status: 200,
    id: made.transactionId,
    payment: "PROCESSING",
  });
  return made;
};

test("every row of a pull and of its funding has a case here", () => {
  expect([...PULL_REFUSED_CASES.map(({ suffix }) => suffix), "otherwise"]).toEqual(
    Object.keys(PULL_OUTCOMES).sort(),
  );
  expect(Object.keys(FUNDING_OUTCOMES).sort()).toEqual(["mismatch", "otherwise"]);
});

// spec/quotes.md#outcome-rows
describe("a quote that pulls its money", () => {
  test.each(FROM_OUTSIDE_CASES)("for an account ending $suffix $says", async (row) => {
    await expectOutcome(stage(), await pull(await bank("999"), await payee(row.suffix)), row);
  });

  test.each(PULL_REFUSED_CASES)("from an account ending $suffix $says", async (row) => {
    // The destination's row would show: it takes six minutes.
    await expectOutcome(stage(), await pull(await bank(row.suffix), await payee("003")), row);
  });

  test.each(["000", "001", "006", "007", "102", "106", "107"])(
    "from an account ending %s brings the money",
    async (suffix) => {
      const { world } = stage();
      const { transactionId } = await pull(await bank(suffix), await payee("999"));
      await goTo(world, "09:00:10.000");
      const { body } = await world.call("GET", `/transactions/${transactionId}`);
      expect(body.status).toBe("COMPLETED");
    },
  );

  test("into an internal account credits it, with a single balance event", async () => {
    const { world, payer, receiver } = stage();
    const source = await bank("999");
    const body = { ...from(source), ...to(payer.accountId), ...LOCKED };
    const { body: made } = await world.call("POST", "/quotes", body);
    await world.call("POST", `/quotes/${made.id}/execute`);
    await goTo(world, "09:00:00.000");
    // 25000 - (10 + 75 + 10)
    expect(await balanceOf(world, payer.accountId)).toBe(24_905);
    expect(balanceEvents(receiver, payer.accountId)).toEqual([["09:00:00.000", 24_905]]);
    expect(paymentEvents(receiver, made.transactionId)).toEqual([
      ["09:00:00.000", "PENDING", "PENDING"],
      ["09:00:00.000", "PROCESSING", "PROCESSING"],
      ["09:00:00.000", "COMPLETED", "COMPLETED"],
    ]);
    expect(await ledgerOwn(world)).toEqual({
      "Ledger:funding USD": -25_000,
      "Ledger:fees USD": 95,
    });
  });

  test.each(CASE_OF_EACH_IDENTIFIER.filter(({ isWallet }) => !isWallet))(
    "from a $type follows the ending of its $identifier",
    async (one) => {
      const { world, payer } = stage();
      const currency = { currencyCode: one.currency, minAmount: 0, maxAmount: 10_000_000_000 };
      const supportedCurrencies = [currency];
      await world.call("PATCH", "/config", { supportedCurrencies });
      const { customerId } = payer;
      const { body: source } = await world.call("POST", "/customers/external-accounts", {
        customerId,
        ...creationBody(one, { [one.identifier]: withEnding(one, "003") }),
      });
      const input = { ...from(source.id), ...to(payer.accountId), ...LOCKED };
      const { body: made } = await world.call("POST", "/quotes", {
        ...input,
        lockedCurrencyAmount: 100_000_000,
      });
      await world.call("POST", `/quotes/${made.id}/execute`);
      await goTo(world, "09:00:00.000");
      const { body } = await world.call("GET", `/transactions/${made.transactionId}`);
      expect(body).toMatchObject({ status: "FAILED", failureReason: "QUOTE_EXECUTION_FAILED" });
      expect(body).not.toHaveProperty("refund");
    },
  );

  test("that fails at its source has the pull's failure reason, whoever the payee is", async () => {
    const { world, payer } = stage();
    const { body: lightning } = await world.call("POST", "/customers/external-accounts", {
      customerId: payer.customerId,
      currency: "BTC",
      accountInfo: { accountType: "LIGHTNING", lightningAddress: "lucie.002@node.example" },
    });
    const input = { ...to(lightning.id), ...LOCKED };
    const reasons: string[] = [];
    for (const suffix of ["004", "999"]) {
      const { body } = await world.call("POST", "/quotes", {
        ...from(await bank(suffix)),
        ...input,
      });
      await world.call("POST", `/quotes/${body.id}/execute`);
      await goTo(world, "09:00:00.000");
      const ended = await world.call("GET", `/transactions/${body.transactionId}`);
      reasons.push(ended.body.failureReason);
    }
    expect(reasons).toEqual(["QUOTE_EXECUTION_FAILED", "LIGHTNING_PAYMENT_FAILED"]);
  });
});

// spec/quotes.md#just-in-time-funding
describe("a quote funded just in time", () => {
  test.each(FROM_OUTSIDE_CASES)("for an account ending $suffix $says", async (row) => {
    await expectOutcome(stage(), await send(await payee(row.suffix)), row);
  });

  test("with the exact amount ends the same way", async () => {
    const row = FROM_OUTSIDE_CASES.find(({ suffix }) => suffix === "004");
    if (!row) throw new Error("Expected a row 004");
    await expectOutcome(stage(), await send(await payee("004"), 25_000), row);
  });

  // spec/transactions.md#refund-amount
  test.each(MISMATCH_CASES)("that gets $amount $says", async (row) => {
    // The destination's row has no effect: nothing is delivered.
    await expectOutcome(stage(), await send(await payee("007"), row.amount), row);
  });

  test("into an internal account credits it", async () => {
    const { world, payer, receiver } = stage();
    const body = { ...justInTime("USD"), ...to(payer.accountId), ...LOCKED };
    const { body: made } = await world.call("POST", "/quotes", body);
    await world.call("POST", "/sandbox/send", { quoteId: made.id, currencyCode: "USD" });
    await goTo(world, "09:00:00.000");
    expect(balanceEvents(receiver, payer.accountId)).toEqual([["09:00:00.000", 24_905]]);
    expect(await ledgerOwn(world)).toEqual({
      "Ledger:funding USD": -25_000,
      "Ledger:fees USD": 95,
    });
  });

  test.each(["09:05:00.000", "21:00:00.000"])("that is not paid is EXPIRED at %s", async (at) => {
    const { world, receiver, payer } = stage();
    const made = await quote(justInTime("USD", payer.customerId), to(await payee("999")));
    await goTo(world, "09:04:59.999");
    expect((await world.call("GET", `/quotes/${made.quoteId}`)).body.status).toBe("PENDING");
    await goTo(world, at);
    expect((await world.call("GET", `/quotes/${made.quoteId}`)).body.status).toBe("EXPIRED");
    expect(paymentEvents(receiver, made.transactionId)).toEqual([
      ["09:00:00.000", "PENDING", "PENDING"],
      ["09:05:00.000", "EXPIRED", "EXPIRED"],
    ]);
    expect(await ledgerOwn(world)).toEqual({});
  });
});
