import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRecipient, receive } from "../api/setup/incoming.ts";
import { createWallet } from "../api/setup/payment-parties.ts";
import { goTo } from "../api/setup/told.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { justInTime, to } from "../setup/banks.ts";
import {
  createPayee,
  createPayer,
  type Payer,
  quoteInput,
  umaQuoteInput,
} from "../setup/platform.ts";
import { Receiver } from "../setup/receiver.ts";

const LATER = "2026-08";

describe.each(["2025-10", LATER] as const)("in %s", (revision) => {
  const world = worldPerTest({ revision });
  const isLater = revision === LATER;
  let payer: Payer;
  let receiver: Receiver;

  beforeEach(async () => {
    payer = await createPayer(world());
    receiver = await new Receiver().start();
    await call("PATCH", "/config", { webhookEndpoint: receiver.url });
  });

  afterEach(() => receiver.stop());

  const call = (method: string, path: string, body?: object) => world().call(method, path, body);
  const read = async (id: string) => (await call("GET", `/transactions/${id}`)).body;

  /** The payment of a quote of 250 dollars to an account, and what its last webhook told. */
  const paidTo = async (account: string) => {
    const quote = (await call("POST", "/quotes", quoteInput(payer.accountId, account))).body;
    await call("POST", `/quotes/${quote.id}/execute`);
    await goTo(world(), "09:10:00.000");
    const told = receiver.received.filter(({ data }) => data.id === quote.transactionId);
    return { payment: await read(quote.transactionId), told: told.map(({ data }) => data) };
  };

  /** A payment whose quote is funded just in time, before and after its money came. */
  const funded = async (source: object, amount: number, send: object = {}) => {
    const payee = await createPayee(world(), payer.customerId, "999");
    const supportedCurrencies = ["USD", "EUR", "MXN", "USDC", "USDT", "BTC"].map(
      (currencyCode) => ({ currencyCode, minAmount: 1, maxAmount: 1_000_000_000 }),
    );
    await call("PATCH", "/config", { supportedCurrencies });
    const input = { ...quoteInput("", payee, amount), ...source, ...to(payee) };
    const { status, body } = await call("POST", "/quotes", input);
    expect([status, body.details]).toEqual([201, undefined]);
    const before = await read(body.transactionId);
    const currencyCode = body.sendingCurrency.code;
    const sent = await call("POST", "/sandbox/send", { quoteId: body.id, currencyCode, ...send });
    expect(sent.status).toBe(200);
    await goTo(world(), "09:10:00.000");
    return { quote: body, before, after: await read(body.transactionId) };
  };

  // spec/later-payments.md#on-chain-transactions
  test.each([
    ["SOLANA_WALLET", "SOLANA", /^[1-9A-HJ-NP-Za-km-z]{86,88}$/],
    ["BASE_WALLET", "BASE", /^0x[0-9a-f]{64}$/],
    ["POLYGON_WALLET", "POLYGON", /^0x[0-9a-f]{64}$/],
    ["ETHEREUM_WALLET", "ETHEREUM", /^0x[0-9a-f]{64}$/],
    ["TRON_WALLET", "TRON", /^[0-9a-f]{64}$/],
    ["SPARK_WALLET", "SPARK", /^[0-9a-f]{64}$/],
    ["LIGHTNING", undefined, undefined],
  ])("money to a %s goes over the chain %s", async (type, network, form) => {
    const account = await createWallet(world(), payer.customerId, type);
    const { payment, told } = await paidTo(account);
    const onChain =
      isLater && form ? { transactionHash: expect.stringMatching(form), network } : undefined;
    expect([payment.status, payment.destination.onChainTransaction]).toEqual([
      "COMPLETED",
      onChain,
    ]);
    expect(told.map(({ status, destination }) => [status, destination.onChainTransaction])).toEqual(
      [
        ["PENDING", undefined],
        ["PROCESSING", undefined],
        ["COMPLETED", onChain],
      ],
    );
    expect(payment.source.onChainTransaction).toBeUndefined();
    const repeated = payment.reconciliationInstructions.transactionHash;
    expect(repeated).toBe(
      isLater ? payment.destination.onChainTransaction?.transactionHash : undefined,
    );
  });

  // spec/later-payments.md#on-chain-transactions
  test("a payment to a person has the hash of its settlement, once it is settled", async () => {
    const input = await umaQuoteInput(world(), payer.accountId, "$success.eur@sandbox.uma.test");
    const { id, transactionId } = (await call("POST", "/quotes", input)).body;
    const hashOf = async () => (await read(transactionId)).reconciliationInstructions;
    const before = await hashOf();
    expect(before).toEqual({ reference: before.reference });
    await call("POST", `/quotes/${id}/execute`);
    await goTo(world(), "09:10:00.000");
    expect(await hashOf()).toEqual({
      ...before,
      ...(isLater && { transactionHash: expect.stringMatching(/^[0-9a-f]{64}$/) }),
    });
  });

  // spec/later-payments.md#on-chain-transactions
  test("money to a Plasma wallet goes over its chain, to a bank over none", async () => {
    const address = "0x7d1f0c3a9b5e4d2c8a6f1e0b3c5d7a9f2b4e6c80";
    const { status, body } = await call("POST", "/customers/external-accounts", {
      customerId: payer.customerId,
      currency: "USDT",
      accountInfo: { accountType: "PLASMA_WALLET", address },
    });
    expect(status).toBe(isLater ? 201 : 400);
    if (isLater) {
      const { payment } = await paidTo(body.id);
      expect(payment.destination.onChainTransaction).toEqual({
        transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        network: "PLASMA",
      });
    }
    const { payment } = await paidTo(await createPayee(world(), payer.customerId, "999"));
    expect(payment.destination.onChainTransaction).toBeUndefined();
  });

  // spec/later-payments.md#on-chain-transactions
  test.each([
    { currency: "BTC", network: "SPARK", later: true },
    { currency: "BTC", over: "BITCOIN", network: "BITCOIN", later: true },
    { currency: "USDC", over: "POLYGON", network: "POLYGON" },
    { currency: "USDT", over: "TRON", network: "TRON" },
    { currency: "USDT", over: "PLASMA", network: "PLASMA", later: true },
    { currency: "USDT", over: "ETHEREUM", network: "ETHEREUM", later: true },
  ])("$currency of a quote over $over comes over $network", async (row) => {
    const { currency, over: cryptoNetwork, network, later } = row;
    if (!isLater && later) return;
    const source = { ...justInTime(currency, payer.customerId).source, cryptoNetwork };
    const { before, after, quote } = await funded({ source }, 100_000_000);
    const assets = quote.paymentInstructions.map(
      (item: { accountOrWalletInfo: { assetType?: string } }) => item.accountOrWalletInfo.assetType,
    );
    if (currency !== "BTC") expect(assets).toEqual([currency]);
    expect(before.source.onChainTransaction).toBeUndefined();
    expect([after.status, after.source.onChainTransaction?.network]).toEqual([
      "COMPLETED",
      isLater ? network : undefined,
    ]);
    expect([after.source.bankName, after.source.paymentRail]).toEqual([undefined, undefined]);
  });

  // spec/later-payments.md#funding-origins
  test("dollars for a quote tell who sent them, once they have come", async () => {
    await call("PATCH", `/customers/${payer.customerId}`, {
      customerType: "INDIVIDUAL",
      fullName: "Tomas Reyes",
    });
    const { before, after } = await funded(justInTime("USD", payer.customerId), 25_000);
    const asked = {
      sourceType: "REALTIME_FUNDING",
      currency: "USD",
      customerId: payer.customerId,
    };
    expect(before.source).toEqual(asked);
    expect(after.source).toEqual(
      isLater
        ? {
            ...asked,
            accountHolderName: "Tomas Reyes",
            accountIdentifier: expect.stringMatching(/^\*{4}\d{4}$/),
            bankName: "Sandbox Payer Bank",
            bankIdentifier: "091000019",
            paymentRail: "RTP",
            remittanceInformation: after.reconciliationInstructions.reference,
            endToEndId: expect.stringMatching(/^E2E-[0-9A-F]{20}$/),
            traceNumber: expect.stringMatching(/^\d{15}$/),
          }
        : asked,
    );
    const told = receiver.received.filter(({ data }) => data.id === after.id);
    expect(told.map(({ data }) => [data.status, data.source.paymentRail])).toEqual([
      ["PENDING", undefined],
      ["PROCESSING", isLater ? "RTP" : undefined],
      ["COMPLETED", isLater ? "RTP" : undefined],
    ]);
  });

  // spec/later-payments.md#funding-origins
  test.each([
    ["EUR", { paymentRail: "SEPA_INSTANT", bankIdentifier: undefined, traceNumber: undefined }],
    ["MXN", { paymentRail: "SPEI", bankIdentifier: undefined, traceNumber: undefined }],
  ])("%s of the platform tell their rail, and no holder", async (currency, members) => {
    const { after } = await funded(justInTime(currency), 25_000);
    const { accountHolderName, paymentRail, bankIdentifier, traceNumber } = after.source;
    expect(accountHolderName).toBeUndefined();
    expect({ paymentRail, bankIdentifier, traceNumber }).toEqual(
      isLater ? members : { paymentRail: undefined },
    );
  });

  // spec/later-payments.md#funding-origins
  test("money of a wrong amount tells it too", async () => {
    const wrong = { currencyAmount: 24_000 };
    const { after } = await funded(justInTime("USD", payer.customerId), 25_000, wrong);
    expect([after.failureReason, after.source.paymentRail]).toEqual([
      "FUNDING_AMOUNT_MISMATCH",
      isLater ? "RTP" : undefined,
    ]);
  });

  // spec/later-payments.md#failure-reasons
  test("an invoice that ends in 002 fails as any other account", async () => {
    const { status, body } = await call("POST", "/customers/external-accounts", {
      customerId: payer.customerId,
      currency: "BTC",
      accountInfo: { accountType: "LIGHTNING", lightningAddress: "lin002@wallet.test" },
    });
    expect(status).toBe(201);
    const { payment, told } = await paidTo(body.id);
    const reason = isLater ? "QUOTE_EXECUTION_FAILED" : "LIGHTNING_PAYMENT_FAILED";
    expect([payment.status, payment.failureReason]).toEqual(["FAILED", reason]);
    expect(told.findLast((one) => one.failureReason)?.failureReason).toBe(reason);
  });

  // spec/later-payments.md#failure-reasons
  test("a quote to an account that ends in 006 is refunded and complete in both", async () => {
    const { payment } = await paidTo(await createPayee(world(), payer.customerId, "006"));
    const { status, failureReason, refund } = payment;
    expect([status, failureReason, refund.reason]).toEqual([
      "COMPLETED",
      undefined,
      "USER_CANCELLATION",
    ]);
  });

  // spec/later-payments.md#failure-reasons
  test("a person that fails the screening fails with its reason", async () => {
    const address = "$fail.compliance.usd@sandbox.uma.test";
    const quote = await call(
      "POST",
      "/quotes",
      await umaQuoteInput(world(), payer.accountId, address),
    );
    await call("POST", `/quotes/${quote.body.id}/execute`);
    await goTo(world(), "09:10:00.000");
    expect((await read(quote.body.transactionId)).failureReason).toBe(
      isLater ? "COMPLIANCE_REJECTED" : "COUNTERPARTY_POST_TX_FAILED",
    );
  });

  // spec/later-payments.md#incoming-sides
  test("no incoming payment has a quote, and its direction is CREDIT", async () => {
    const { body } = await receive(world(), await createRecipient(world()));
    expect([body.quoteId, body.direction]).toEqual([undefined, isLater ? "CREDIT" : undefined]);
  });
});
