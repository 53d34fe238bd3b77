import { describe, expect, test } from "vitest";
import { accountIn } from "../api/setup/payment-parties.ts";
import { balanceEvents, balanceOf, goTo, ledgerOwn } from "../api/setup/told.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { connectAgent } from "../setup/agents.ts";
import { createBank, transferInput } from "../setup/banks.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { Receiver } from "../setup/receiver.ts";

const LATER = "2026-08";
const FEE = {
  feeType: "CROSS_CURRENCY_TRANSACTION",
  sourceCurrency: "USD",
  variableFeeBps: 30,
  fixedFee: { amount: 50, currency: "USD" },
};
const OVERRIDE = {
  platformFixedFee: { amount: 50, currency: "USD" },
  platformVariableFeeBps: 30,
};

describe.each(["2025-10", LATER] as const)("in %s", (revision) => {
  const world = worldPerTest({ revision });
  const isLater = revision === LATER;
  const call = (method: string, path: string, body?: object) => world().call(method, path, body);
  const setFees = (...feeConfigs: object[]) => call("PATCH", "/config", { feeConfigs });

  /** A quote of 10.00 dollars to a Mexican account with an ending, and its execution. */
  const pay = async (suffix: string, members: object = {}) => {
    const payer = await createPayer(world(), 10_000);
    const to = await createPayee(world(), payer.customerId, suffix);
    const input = { ...quoteInput(payer.accountId, to, 1_000), ...members };
    const { status, body } = await call("POST", "/quotes", input);
    const execute = () => call("POST", `/quotes/${body.id}/execute`, {});
    return { payer, status, quote: body, execute };
  };

  // spec/later-payments.md#platform-fees
  test("a standing fee is a part of the fees, and the platform's account is credited", async () => {
    await setFees(FEE);
    const platform = await accountIn(world(), "USD");
    const { quote, execute } = await pay("999");
    // Base 1000 - 50 - 10 = 940: 50 + 2.82 for the platform, 10 + 2.82 for the service, and
    // 10 centavos are 1 cent more.
    expect([quote.feesIncluded, quote.platformFeesIncluded]).toEqual(
      isLater ? [53 + 13 + 1, 53] : [14, undefined],
    );
    await execute();
    expect(await balanceOf(world(), platform)).toBe(isLater ? 53 : 0);
    await goTo(world(), "09:00:00.000");
    const { status, fees, platformFees } = (
      await call("GET", `/transactions/${quote.transactionId}`)
    ).body;
    expect([status, fees, platformFees]).toEqual(
      isLater ? ["COMPLETED", 67, 53] : ["COMPLETED", 14, undefined],
    );
    expect((await ledgerOwn(world()))["Ledger:fees USD"]).toBe(14);
  });

  // spec/later-payments.md#platform-fees
  test("a refund takes the fee back from the platform", async () => {
    await setFees(FEE);
    const platform = await accountIn(world(), "USD");
    const { payer, execute } = await pay("005");
    await execute();
    await goTo(world(), "09:00:04.000");
    expect(await balanceOf(world(), platform)).toBe(isLater ? 53 : 0);
    await goTo(world(), "09:00:10.000");
    expect(await balanceOf(world(), platform)).toBe(0);
    expect(await balanceOf(world(), payer.accountId)).toBe(10_000);
  });

  // spec/later-payments.md#platform-fees
  test("a refund after the platform has spent the fee is paid by the operator", async () => {
    await setFees(FEE);
    const platform = await accountIn(world(), "USD");
    const bank = await createBank(world(), undefined);
    const { payer, quote, execute } = await pay("005");
    await execute();
    const receiver = await new Receiver().start();
    await call("PATCH", "/config", { webhookEndpoint: receiver.url });
    const spent = await call("POST", "/transfer-out", transferInput(platform, bank, 53));
    expect(spent.status).toBe(isLater ? 201 : 400);
    await goTo(world(), "09:00:10.000");
    await receiver.stop();
    const { body } = await call("GET", `/transactions/${quote.transactionId}`);
    expect([body.status, body.refund.status]).toEqual(["FAILED", "COMPLETED"]);
    expect(await balanceOf(world(), payer.accountId)).toBe(10_000);
    expect(await balanceOf(world(), platform)).toBe(0);
    // The refund changed the payer's balance alone.
    expect(balanceEvents(receiver, platform)).toEqual(isLater ? [["09:00:00.000", 0]] : []);
    expect(balanceEvents(receiver, payer.accountId)).toEqual([["09:00:06.000", 10_000]]);
    const { "Ledger:funding USD": _funded, ...rest } = await ledgerOwn(world());
    expect(rest).toEqual(isLater ? { "Ledger:losses USD": -53, "Ledger:payouts USD": 53 } : {});
  });

  // spec/later-payments.md#platform-fees
  test("an agent sets no fee, and the standing one applies to its quotes", async () => {
    await setFees(FEE);
    const payer = await createPayer(world(), 10_000);
    const to = await createPayee(world(), payer.customerId, "999");
    const agent = await connectAgent(world(), payer.customerId);
    const input = quoteInput(payer.accountId, to, 1_000);
    const ask = (members: object = {}) =>
      agent.call("POST", "/agents/me/quotes", { ...input, ...members });
    const own = await ask({ platformFeeOverride: OVERRIDE });
    expect([own.status, own.body.code, own.body.details?.field]).toEqual(
      isLater ? [400, "INVALID_INPUT", "platformFeeOverride"] : [201, undefined, undefined],
    );
    const kept = (await call("GET", "/transactions")).body.totalCount;
    expect(kept).toBe(isLater ? 0 : 1);
    expect((await ask()).body.platformFeesIncluded).toBe(isLater ? 53 : undefined);
    const free = { platformFixedFee: { amount: 0, currency: "USD" }, platformVariableFeeBps: 0 };
    expect((await ask({ platformFeeOverride: free })).status).toBe(isLater ? 400 : 201);
  });

  // spec/later-payments.md#platform-fees
  test("a quote sets its own fee, in dollars and across currencies", async () => {
    const { quote } = await pay("999", { platformFeeOverride: OVERRIDE });
    expect(quote.platformFeesIncluded).toBe(isLater ? 53 : undefined);
    const foreign = { ...OVERRIDE, platformFixedFee: { amount: 50, currency: "EUR" } };
    const refused = await pay("999", { platformFeeOverride: foreign });
    expect(refused.quote.details?.field).toBe(
      isLater ? "platformFeeOverride.platformFixedFee.currency" : undefined,
    );
    const payer = await createPayer(world());
    const bank = await createBank(world(), payer.customerId);
    const input = { ...quoteInput(payer.accountId, bank), platformFeeOverride: OVERRIDE };
    const same = await call("POST", "/quotes", input);
    expect([same.status, same.body.details?.field]).toEqual(
      isLater ? [400, "platformFeeOverride"] : [201, undefined],
    );
  });

  // spec/later-payments.md#platform-fees
  test("fees are merged by key; zero switches one off; other currencies are not there", async () => {
    const set = await setFees(FEE);
    expect(set.body.feeConfigs).toEqual(isLater ? [FEE] : undefined);
    const off = { ...FEE, variableFeeBps: 0, fixedFee: { amount: 0, currency: "USD" } };
    expect((await setFees(off)).body.feeConfigs).toEqual(isLater ? [] : undefined);
    const euros = await setFees({ ...FEE, sourceCurrency: "EUR" });
    expect([euros.status, euros.body.code]).toEqual(
      isLater ? [501, "NOT_IMPLEMENTED"] : [200, undefined],
    );
  });

  // spec/later-payments.md#platform-fees
  test("without an account of the platform the payment fails and is refunded", async () => {
    await setFees(FEE);
    const platform = await accountIn(world(), "USD");
    // The document of the control surface describes accounts of the first revision.
    await world()
      .control("PATCH", `/internal-accounts/${platform}`, { status: "FROZEN" })
      .catch(() => undefined);
    const { payer, quote, execute } = await pay("999");
    await execute();
    await goTo(world(), "09:00:10.000");
    const { body } = await call("GET", `/transactions/${quote.transactionId}`);
    expect([body.status, body.failureReason, body.refund?.status]).toEqual(
      isLater
        ? ["FAILED", "QUOTE_EXECUTION_FAILED", "COMPLETED"]
        : ["COMPLETED", undefined, undefined],
    );
    expect(await balanceOf(world(), payer.accountId)).toBe(isLater ? 10_000 : 9_000);
  });

  // spec/later-payments.md#platform-fees
  test("rates tell the total of the fees", async () => {
    const rates = async () => {
      const path = "/exchange-rates?sourceCurrency=USD&destinationCurrency=MXN&sendingAmount=1000";
      return (await call("GET", path)).body.data[0].fees;
    };
    expect(await rates()).toEqual(isLater ? { fixed: 10, total: 13 } : { fixed: 10 });
    await setFees(FEE);
    expect(await rates()).toEqual(isLater ? { fixed: 10, total: 66 } : { fixed: 10 });
  });

  // spec/later-payments.md#card-token-texts
  test("texts for card tokens are merged member by member", async () => {
    const patch = (cardTokenization2faConfig: object) =>
      call("PATCH", "/config", { cardTokenization2faConfig });
    await patch({ displayName: "Harbour", sms: { bodyText: "Code {code}" } });
    const { body } = await patch({ sms: { templateSid: "T1" }, email: { subject: "Your card" } });
    expect(body.cardTokenization2faConfig).toEqual(
      isLater
        ? {
            displayName: "Harbour",
            sms: { bodyText: "Code {code}", templateSid: "T1" },
            email: { subject: "Your card" },
          }
        : undefined,
    );
    expect((await patch({ logoUrl: "http://logo.test/a.png" })).status).toBe(isLater ? 400 : 200);
  });

  // spec/later-payments.md#transaction-limits
  test("limits of one payment and of a day", async () => {
    const limits = { USD: { maxTransactionAmount: 900, dailyVolume: 1_500 } };
    expect((await world().control("PATCH", "/limits", limits)).body).toEqual(limits);
    const payer = await createPayer(world());
    const bank = await createBank(world(), payer.customerId);
    const out = (amount: number) =>
      call("POST", "/transfer-out", transferInput(payer.accountId, bank, amount));
    const large = await out(901);
    expect([large.status, large.body.code]).toEqual(
      isLater ? [400, "TRANSACTION_SIZE_LIMIT_EXCEEDED"] : [201, undefined],
    );
    expect((await pay("999")).status).toBe(isLater ? 400 : 201);
    expect((await out(900)).status).toBe(201);
    const second = await out(601);
    const after = second.headers.get("retry-after");
    const should = second.headers.get("x-should-retry");
    expect([second.status, second.body.code, after, should]).toEqual(
      isLater
        ? [429, "DAILY_VOLUME_LIMIT_EXCEEDED", `${15 * 3_600}`, "false"]
        : [201, undefined, null, null],
    );
    expect((await out(600)).status).toBe(201);
    await world().control("PATCH", "/limits", { USD: null });
    expect((await out(901)).status).toBe(201);
  });

  // spec/later-payments.md#sca-factors
  test("a factor is checked and has no effect", async () => {
    const { status, quote, execute } = await pay("999", { scaFactor: "TOTP" });
    expect([status, quote.details?.field]).toEqual(isLater ? [400, "scaFactor"] : [201, undefined]);
    if (!isLater) expect((await execute()).status).toBe(200);
    const factored = await pay("999", { scaFactor: "PASSKEY" });
    const path = `/quotes/${factored.quote.id}/execute`;
    const wrong = await call("POST", path, { scaFactor: "TOTP" });
    expect(wrong.status).toBe(isLater ? 400 : 200);
    if (isLater) expect((await call("POST", path)).body.status).toBe("PROCESSING");
  });

  // spec/later-payments.md#service-unavailable
  test("a fault of 503 has the code of the revision", async () => {
    await world().control("POST", "/faults", {
      match: { operation: "getConfig", times: 1 },
      fault: { status: 503 },
    });
    expect((await call("GET", "/config")).body.code).toBe(
      isLater ? "SERVICE_UNAVAILABLE" : "UNAVAILABLE",
    );
  });

  // spec/later-payments.md#wallet-quote-signatures
  test("a wallet's quote is signed at once", async () => {
    const payer = await createPayer(world());
    const wallet = await accountIn(world(), "USDB", payer.customerId);
    await call("POST", `/sandbox/internal-accounts/${wallet}/fund`, { amount: 100_000_000 });
    const to = await createPayee(world(), payer.customerId, "999");
    const quote = (await call("POST", "/quotes", quoteInput(wallet, to, 50_000_000))).body;
    const { status, body } = await call("POST", `/quotes/${quote.id}/execute`);
    expect([status, body.code]).toEqual(
      isLater ? [401, "WALLET_SIGNATURE_MISSING"] : [202, undefined],
    );
  });
});
