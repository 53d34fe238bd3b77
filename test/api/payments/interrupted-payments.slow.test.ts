import { beforeEach, describe, expect, test } from "vitest";
import { createBank, from, justInTime, to, transferInput } from "../../setup/banks.ts";
import { createPayee } from "../../setup/platform.ts";
import { createParties, type Parties } from "../setup/payment-parties.ts";
import { stagePerTest } from "../setup/stage-per-test.ts";
import { balanceEvents, balanceOf, goTo, ledgerOwn, paymentEvents } from "../setup/told.ts";

const stage = stagePerTest(1_000_000);
let parties: Parties;

beforeEach(async () => {
  parties = await createParties(stage().world);
});

const LOCKED = { lockedCurrencySide: "SENDING", lockedCurrencyAmount: 25_000 };

const read = async (id: string) => (await stage().world.call("GET", `/transactions/${id}`)).body;

const post = async (path: string, body?: object) => {
  const answer = await stage().world.call("POST", path, body);
  expect(answer.status).toBeLessThan(300);
  return answer.body;
};

/**
 * Makes a quote and executes it.
 * @returns the id of its transaction
 */
const executed = async (source: object, destination: object) => {
  const quote = await post("/quotes", { ...source, ...destination, ...LOCKED });
  await post(`/quotes/${quote.id}/execute`);
  return quote.transactionId as string;
};

const sent = async (source: object, destination: object) => {
  const quote = await post("/quotes", { ...source, ...destination, ...LOCKED });
  await post("/sandbox/send", { quoteId: quote.id, currencyCode: "USD" });
  return quote.transactionId as string;
};

const payee = (suffix: string) => createPayee(stage().world, stage().payer.customerId, suffix);
const bank = (suffix: string) => createBank(stage().world, stage().payer.customerId, suffix);
const own = () => stage().payer.accountId;

const freeze = (accountId: string, status = "FROZEN") =>
  stage().world.control("PATCH", `/internal-accounts/${accountId}`, { status });
const deleteAccount = (id: string) =>
  stage().world.call("DELETE", `/customers/external-accounts/${id}`);
const deleteCustomer = () => stage().world.call("DELETE", `/customers/${stage().payer.customerId}`);

// spec/external-accounts.md#deletion
describe("a deleted account outside", () => {
  test("does not stop a delivery: the pull's source, after it was pulled from", async () => {
    const source = await bank("999");
    const id = await executed(from(source), to(await payee("003")));
    await goTo(stage().world, "09:00:01.000");
    await deleteAccount(source);
    await goTo(stage().world, "09:06:00.000");
    expect(await read(id)).toMatchObject({ status: "COMPLETED", source: { accountId: source } });
  });

  test("does not stop a refund to it: the pull's source", async () => {
    const source = await bank("999");
    const id = await executed(from(source), to(await payee("002")));
    await goTo(stage().world, "09:00:00.500");
    await deleteAccount(source);
    await goTo(stage().world, "09:00:01.000");
    expect(await read(id)).toMatchObject({ status: "FAILED", refund: { status: "COMPLETED" } });
    // 1000000 of the payer and 3 x 1000000 of the parties; the refund has taken back the pull.
    expect((await ledgerOwn(stage().world))["Ledger:funding USD"]).toBe(-4_000_000);
  });

  test("does not change how a pending transfer ends", async () => {
    const [slowIn, slowOut] = [await bank("005"), await createSlowBank()];
    const incoming = await post("/transfer-in", transferInput(slowIn, own(), 5));
    const outgoing = await post("/transfer-out", transferInput(own(), slowOut, 5));
    await goTo(stage().world, "09:00:10.000");
    for (const id of [slowIn, slowOut]) await deleteAccount(id);
    await goTo(stage().world, "09:01:00.000");
    expect(await read(incoming.id)).toMatchObject({ status: "FAILED" });
    expect(await read(outgoing.id)).toMatchObject({
      status: "FAILED",
      refund: { status: "COMPLETED", reason: "TIMEOUT" },
    });
    expect(await balanceOf(stage().world, own())).toBe(1_000_000);
  });

  /** A new account with the suffix 005. */
  const createSlowBank = async () => {
    const { body } = await stage().world.call("POST", "/customers/external-accounts", {
      customerId: stage().payer.customerId,
      currency: "USD",
      accountInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber: "000777005",
        routingNumber: "021000021",
        beneficiary: { beneficiaryType: "BUSINESS", legalName: "Prueba SA" },
      },
    });
    return body.id as string;
  };

  test("that is added again is a new account: the old quote stays refused", async () => {
    const first = await payee("999");
    const quote = await post("/quotes", { ...from(own()), ...to(first), ...LOCKED });
    await deleteAccount(first);
    expect(await payee("999")).not.toBe(first);
    const answer = await stage().world.call("POST", `/quotes/${quote.id}/execute`);
    expect(answer.body).toMatchObject({ status: 400, code: "INVALID_BANK_ACCOUNT" });
  });
});

describe("a customer deleted while money is on its way", () => {
  test("gets its refund, though its empty account was closed", async () => {
    const { world, receiver } = stage();
    const all = await post("/transfer-out", transferInput(own(), await bank("002")));
    await goTo(world, "09:00:00.500");
    await deleteCustomer();
    await goTo(world, "09:00:01.000");
    expect(await read(all.id)).toMatchObject({ refund: { status: "COMPLETED" } });
    expect(await balanceOf(world, own())).toBe(1_000_000);
    expect(balanceEvents(receiver, own())).toEqual([
      ["09:00:00.000", 0],
      ["09:00:01.000", 1_000_000],
    ]);
    const last = receiver.received.findLast(({ data }) => data.id === own());
    expect(last?.data).toMatchObject({ status: "CLOSED", balance: { amount: 1_000_000 } });
  });

  test("still pays and still sends events", async () => {
    const { world, receiver, payer } = stage();
    const slow = await executed(from(own()), to(await payee("003")));
    const funded = await sent(justInTime("USD", payer.customerId), to(await payee("006")));
    await deleteCustomer();
    await goTo(world, "09:06:00.000");
    expect((await read(slow)).status).toBe("COMPLETED");
    expect((await read(funded)).status).toBe("COMPLETED");
    expect(paymentEvents(receiver, slow)).toEqual([
      ["09:00:00.000", "PENDING", "PENDING"],
      ["09:00:00.000", "PROCESSING", "PROCESSING"],
      ["09:06:00.000", "COMPLETED", "COMPLETED"],
    ]);
  });

  test("has its quotes expire", async () => {
    const { world, payer } = stage();
    const quote = await post("/quotes", {
      ...justInTime("USD", payer.customerId),
      ...to(await payee("999")),
      ...LOCKED,
    });
    await deleteCustomer();
    await goTo(world, "09:05:00.000");
    expect((await read(quote.transactionId)).status).toBe("EXPIRED");
  });
});

// spec/transactions.md#refund-amount
describe("an account frozen while money is on its way", () => {
  test("completes its payments, and takes refunds back", async () => {
    const { world } = stage();
    const slow = await executed(from(own()), to(await payee("003")));
    const returned = await executed(from(own()), to(await payee("005")));
    const late = await post("/transfer-out", transferInput(own(), await bank("005"), 100));
    await freeze(own());
    expect(await balanceOf(world, own())).toBe(1_000_000 - 25_000 - 25_000 - 100);
    await goTo(world, "09:06:00.000");
    expect((await read(slow)).status).toBe("COMPLETED");
    expect(await read(returned)).toMatchObject({
      status: "FAILED",
      refund: { status: "COMPLETED" },
    });
    expect(await read(late.id)).toMatchObject({
      status: "FAILED",
      refund: { status: "COMPLETED" },
    });
    expect(await balanceOf(world, own())).toBe(975_000);
  });

  test.each(["FROZEN", "CLOSED", "PENDING"])(
    "that is %s has its pending transfer in fail as usual",
    async (status) => {
      const { world } = stage();
      const slow = await post("/transfer-in", transferInput(await bank("005"), own(), 100));
      await freeze(own(), status);
      await goTo(world, "09:00:30.000");
      expect(await read(slow.id)).toMatchObject({
        status: "FAILED",
        failureReason: "QUOTE_EXECUTION_FAILED",
      });
      expect(await balanceOf(world, own())).toBe(1_000_000);
    },
  );
});

describe("a customer that is no longer approved", () => {
  test("still has its money arrive", async () => {
    const { world, payer } = stage();
    const slow = await executed(from(own()), to(await payee("003")));
    const quote = await post("/quotes", {
      ...justInTime("USD", payer.customerId),
      ...to(await payee("999")),
      ...LOCKED,
    });
    await world.control("PATCH", `/customers/${payer.customerId}`, { kycStatus: "REJECTED" });
    // Readiness does not stop money from outside (spec/sandbox.md#sending-funds).
    await post("/sandbox/send", { quoteId: quote.id, currencyCode: "USD" });
    await goTo(world, "09:06:00.000");
    expect((await read(slow)).status).toBe("COMPLETED");
    expect((await read(quote.transactionId)).status).toBe("COMPLETED");
  });
});

describe("a transfer", () => {
  test("of money that came in at the same instant", async () => {
    const { world, receiver } = stage();
    await post("/transfer-in", transferInput(await bank("999"), own(), 500_000));
    const { id } = await post("/transfer-out", transferInput(own(), await bank("998"), 1_500_000));
    await goTo(world, "09:00:00.000");
    expect((await read(id)).status).toBe("COMPLETED");
    expect(balanceEvents(receiver, own())).toEqual([
      ["09:00:00.000", 1_500_000],
      ["09:00:00.000", 0],
    ]);
  });

  test("of a pending refund is refused until the refund is COMPLETED", async () => {
    const { world } = stage();
    const failing = await bank("002");
    await post("/transfer-out", transferInput(own(), failing));
    const again = () =>
      world.call("POST", "/transfer-out", transferInput(own(), failing, 1_000_000));
    await goTo(world, "09:00:00.999");
    expect((await again()).body).toMatchObject({ status: 400, reason: "INSUFFICIENT_BALANCE" });
    await goTo(world, "09:00:01.000");
    expect((await again()).status).toBe(201);
  });
});

test("two payments of the platform to one account each end by their own row", async () => {
  const { world } = stage();
  const { platform, platformBank } = parties;
  const okay = await post("/transfer-out", transferInput(platform, platformBank, 10));
  const lost = await executed(from(platform), to(await payee("007")));
  await goTo(world, "09:00:01.000");
  expect((await read(okay.id)).status).toBe("COMPLETED");
  expect(await read(lost)).toMatchObject({ status: "FAILED", refund: { status: "FAILED" } });
  expect(await balanceOf(world, platform)).toBe(1_000_000 - 10 - 25_000);
});
