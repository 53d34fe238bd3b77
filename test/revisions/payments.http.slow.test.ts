import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createDeposit, createRecipient, receive } from "../api/setup/incoming.ts";
import { createWallet } from "../api/setup/payment-parties.ts";
import { balanceOf, goTo, ledgerOwn, paymentEvents } from "../api/setup/told.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { createBank, transferInput } from "../setup/banks.ts";
import { createPayee, createPayer, type Payer, quoteInput } from "../setup/platform.ts";
import { Receiver } from "../setup/receiver.ts";

const LATER = "2026-08";
const START = "2026-01-05T09:00:00.000Z";

describe.each(["2025-10", LATER] as const)("a payment in %s", (revision) => {
  const world = worldPerTest({ revision });
  const isLater = revision === LATER;
  let payer: Payer;
  let receiver: Receiver;

  beforeEach(async () => {
    payer = await createPayer(world());
    receiver = await new Receiver().start();
  });

  afterEach(() => receiver.stop());

  const call = (method: string, path: string, body?: object) => world().call(method, path, body);
  const read = async (id: string) => (await call("GET", `/transactions/${id}`)).body;
  const bank = (suffix?: string) => createBank(world(), payer.customerId, suffix);
  const transferOut = async (to: string, members: object = {}) =>
    (
      await call("POST", "/transfer-out", {
        ...transferInput(payer.accountId, to, 500),
        ...members,
      })
    ).body;
  const paidTo = async (to: string) => {
    const quote = (await call("POST", "/quotes", quoteInput(payer.accountId, to))).body;
    await call("POST", `/quotes/${quote.id}/execute`);
    await goTo(world(), "09:01:00.000");
    return read(quote.transactionId);
  };

  const forecastOf = (one: Record<string, unknown>) => [
    one.paymentRail,
    one.railSelectionMode,
    one.expectedSettlementAt,
    one.settlementTimelineSeconds,
  ];
  const NOTHING = [undefined, undefined, undefined, undefined];

  // spec/later-payments.md#settlement-forecasts
  test("tells its rail, and when it should settle", async () => {
    const slow = await transferOut(await bank());
    expect(forecastOf(slow)).toEqual(
      isLater ? ["ACH", "AUTO", "2026-01-06T09:00:00.000Z", 86_400] : NOTHING,
    );
    const instant = await paidTo(await createPayee(world(), payer.customerId, "999"));
    expect(forecastOf(instant)).toEqual(isLater ? ["SPEI", "AUTO", null, 0] : NOTHING);
  });

  // spec/later-payments.md#remittance
  test("a transfer out may name its rail, which the account must take", async () => {
    const destination = { accountId: await bank(), paymentRail: "WIRE" };
    const wired = await transferOut("", { destination, remittanceInformation: "invoice 7" });
    expect(forecastOf(wired)).toEqual(
      isLater ? ["WIRE", "MANUAL", "2026-01-05T13:00:00.000Z", 14_400] : NOTHING,
    );
    const foreign = await transferOut("", { destination: { ...destination, paymentRail: "PIX" } });
    expect(foreign.details?.field).toBe(isLater ? "destination.paymentRail" : undefined);
    const long = await transferOut(destination.accountId, {
      remittanceInformation: "x".repeat(81),
    });
    expect(long.details?.field).toBe(isLater ? "remittanceInformation" : undefined);
  });

  // spec/later-payments.md#failure-reasons
  test.each([
    ["002", "QUOTE_EXECUTION_FAILED", "QUOTE_EXECUTION_FAILED"],
    ["004", "COUNTERPARTY_POST_TX_FAILED", "ACCOUNT_CANNOT_RECEIVE"],
    ["005", "COUNTERPARTY_POST_TX_FAILED", "PAYOUT_RETURNED"],
    ["007", "QUOTE_EXECUTION_FAILED", "QUOTE_EXECUTION_FAILED"],
  ])(
    "a quote to an account that ends in %s fails with its reason",
    async (suffix, first, later) => {
      const failed = await paidTo(await createPayee(world(), payer.customerId, suffix));
      expect([failed.status, failed.failureReason]).toEqual(["FAILED", isLater ? later : first]);
    },
  );

  // spec/later-payments.md#failure-reasons
  test.each([
    ["002", "QUOTE_EXECUTION_FAILED"],
    ["003", "ACCOUNT_INVALID"],
    ["004", "ACCOUNT_CANNOT_RECEIVE"],
    ["005", "QUOTE_EXECUTION_FAILED"],
  ])("a transfer out to %s fails with its reason", async (suffix, later) => {
    const { id } = await transferOut(await bank(suffix));
    await goTo(world(), "09:01:00.000");
    expect((await read(id)).failureReason).toBe(isLater ? later : "QUOTE_EXECUTION_FAILED");
  });

  // spec/later-payments.md#failure-reasons
  test("a transfer in that the bank rejects says that the collection failed", async () => {
    const from = await bank("004");
    const input = transferInput(from, payer.accountId, 500);
    const { id } = (await call("POST", "/transfer-in", input)).body;
    await goTo(world(), "09:01:00.000");
    expect((await read(id)).failureReason).toBe(
      isLater ? "COLLECTION_FAILED" : "QUOTE_EXECUTION_FAILED",
    );
  });

  // spec/later-payments.md#incoming-sides
  test("a UMA receipt tells what its sender pays, in its currency", async () => {
    const recipient = await createRecipient(world());
    await call("PATCH", "/config", { webhookEndpoint: receiver.url });
    const senderUmaAddress = "$success.eur@sandbox.uma.test";
    const { body } = await receive(world(), recipient, { senderUmaAddress });
    const told = [body.fees, body.sentAmount?.amount, body.sentAmount?.currency.code];
    expect([...told, body.exchangeRate]).toEqual(
      // 88.00 + 0.36 dollars are 81.2912 euros; without the fees 80.96.
      isLater ? [34, 8_130, "EUR", 0.92] : [36, undefined, undefined, undefined],
    );
    expect("rateDetails" in body).toBe(!isLater);
  });

  // spec/later-payments.md#on-chain-transactions
  test("a settled payment to a crypto wallet names the transaction of its chain", async () => {
    const wallet = await createWallet(world(), payer.customerId, "BASE_WALLET");
    const quote = (await call("POST", "/quotes", quoteInput(payer.accountId, wallet))).body;
    const before = await read(quote.transactionId);
    expect(before.destination.onChainTransaction).toBeUndefined();
    await call("POST", `/quotes/${quote.id}/execute`);
    await goTo(world(), "09:00:00.000");
    const { status, destination, source } = await read(quote.transactionId);
    expect([status, source.onChainTransaction]).toEqual(["COMPLETED", undefined]);
    expect(destination.onChainTransaction).toEqual(
      isLater
        ? { transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/), network: "BASE" }
        : undefined,
    );
  });

  // spec/later-payments.md#incoming-refunds
  test("a deposit that comes back fails with a refund, or is REFUNDED", async () => {
    const recipient = await createRecipient(world());
    await createDeposit(world(), recipient.customerId, "005");
    await call("PATCH", "/config", { webhookEndpoint: receiver.url });
    const body = { receivingCurrencyCode: "MXN", receivingCurrencyAmount: 50_000 };
    await call("PATCH", "/config", {
      supportedCurrencies: ["USD", "MXN"].map((currencyCode) => ({
        currencyCode,
        minAmount: 1,
        maxAmount: 10_000_000,
      })),
    });
    const made = await receive(world(), recipient, body);
    expect(made.status).toBe(200);
    await goTo(world(), "09:01:00.000");
    const { status, failureReason, refund } = await read(made.body.id);
    expect([status, failureReason, refund?.status, refund?.reason]).toEqual(
      isLater
        ? ["FAILED", "OFFRAMP_FAILED", "COMPLETED", "TRANSACTION_FAILED"]
        : ["REFUNDED", undefined, undefined, undefined],
    );
    const names = paymentEvents(receiver, made.body.id).map(([at, name]) => `${at} ${name}`);
    expect(names).toEqual([
      "09:00:00.000 PENDING",
      "09:00:00.000 COMPLETED",
      ...(isLater
        ? ["09:00:05.000 FAILED", "09:00:05.000 REFUND_PENDING", "09:00:06.000 REFUND_COMPLETED"]
        : []),
    ]);
    const { "Ledger:funding USD": _funded, ...rest } = await ledgerOwn(world());
    expect(rest).toEqual({});
  });

  // spec/later-payments.md#pending-reasons
  test("a reason holds a payment until it is taken away", async () => {
    const to = await createPayee(world(), payer.customerId, "003");
    const quote = (await call("POST", "/quotes", quoteInput(payer.accountId, to))).body;
    await call("POST", `/quotes/${quote.id}/execute`);
    const path = `/transactions/${quote.transactionId}`;
    const set = (pendingReason: string | null) => world().control("PATCH", path, { pendingReason });
    await goTo(world(), "09:01:00.000");
    const answer = await set("COMPLIANCE_REVIEW");
    if (!isLater) {
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).toContain("revision 2026-08 takes it");
      return;
    }
    expect(answer.body.pendingReason).toBe("COMPLIANCE_REVIEW");
    await goTo(world(), "10:00:00.000");
    expect((await read(quote.transactionId)).status).toBe("PROCESSING");
    await set(null);
    await goTo(world(), "10:04:59.999");
    expect((await read(quote.transactionId)).status).toBe("PROCESSING");
    await goTo(world(), "10:05:00.000");
    const done = await read(quote.transactionId);
    expect([done.status, "pendingReason" in done]).toEqual(["COMPLETED", false]);
    expect((await set("COMPLIANCE_REVIEW")).status).toBe(400);
  });

  // spec/later-payments.md#transaction-ends
  test("a slow bank transfer is canceled, once, and refunded", async () => {
    const { id } = await transferOut(await bank("005"));
    const canceled = await call("POST", `/transactions/${id}/cancel`, { reason: "typo" });
    if (!isLater) {
      expect(canceled.status).toBe(404);
      return;
    }
    const { status, failureReason, refund } = canceled.body;
    expect([canceled.status, status, failureReason, refund.status, refund.reason]).toEqual([
      200,
      "FAILED",
      "QUOTE_EXECUTION_FAILED",
      "PENDING",
      "USER_CANCELLATION",
    ]);
    await goTo(world(), "09:01:00.000");
    expect((await read(id)).refund.status).toBe("COMPLETED");
    expect(await balanceOf(world(), payer.accountId)).toBe(1_000_000);
    const again = await call("POST", `/transactions/${id}/cancel`);
    expect([again.status, again.body.code]).toEqual([409, "TRANSACTION_NOT_CANCELLABLE"]);
  });

  // spec/later-payments.md#transaction-ends
  test("an incoming transfer and an unexecuted quote are canceled, an instant one is not", async () => {
    const input = transferInput(await bank("005"), payer.accountId, 500);
    const { id } = (await call("POST", "/transfer-in", input)).body;
    const cancel = (one: string) => call("POST", `/transactions/${one}/cancel`);
    const instant = await createPayee(world(), payer.customerId, "003");
    const quote = async (to: string) =>
      (await call("POST", "/quotes", quoteInput(payer.accountId, to))).body;
    const fast = await quote(instant);
    const slow = await quote(await bank());
    if (!isLater) return expect((await cancel(id)).status).toBe(404);
    expect((await cancel(id)).body.status).toBe("FAILED");
    const refused = (await cancel(fast.transactionId)).body;
    expect([refused.status, refused.reason]).toEqual([400, "NOT_A_BANK_TRANSFER"]);
    const ended = (await cancel(slow.transactionId)).body;
    expect([ended.status, ended.refund]).toEqual(["FAILED", undefined]);
    expect((await call("GET", `/quotes/${slow.id}`)).body.status).toBe("FAILED");
    await goTo(world(), "09:30:00.000");
    expect((await read(id)).status).toBe("FAILED");
  });

  // spec/later-payments.md#transaction-ends
  test("a receipt is confirmed, not in the future, and again", async () => {
    const { id } = await transferOut(await bank());
    const confirm = (body?: object) => call("POST", `/transactions/${id}/confirm`, body);
    if (!isLater) return expect((await confirm()).status).toBe(404);
    expect((await confirm()).body.receiptDeliveryConfirmedAt).toBe(START);
    const receiptDeliveryConfirmedAt = "2026-01-05T08:00:00.000Z";
    await confirm({ receiptDeliveryConfirmedAt });
    expect((await read(id)).receiptDeliveryConfirmedAt).toBe(receiptDeliveryConfirmedAt);
    const future = await confirm({ receiptDeliveryConfirmedAt: "2026-01-05T09:00:00.001Z" });
    expect([future.status, future.body.details.field]).toEqual([400, "receiptDeliveryConfirmedAt"]);
  });
});
