import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { askQuote, createAgentParties } from "../api/agents/setup/agent-parties.ts";
import { accountIn } from "../api/setup/payment-parties.ts";
import { goTo } from "../api/setup/told.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { Receiver } from "../setup/receiver.ts";

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

const without = (whole: object, member: string) =>
  Object.fromEntries(Object.entries(whole).filter(([name]) => name !== member));

describe("a platform of 2026-08", () => {
  const world = worldPerTest({ revision: "2026-08" });
  const call = (method: string, path: string, body?: object) => world().call(method, path, body);
  const patch = (body: object) => call("PATCH", "/config", body);
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await new Receiver().start();
  });

  afterEach(() => receiver.stop());

  // spec/later-payments.md#platform-fees
  test.each([
    [{ ...FEE, variableFeeBps: 10_000 }, undefined],
    [{ ...FEE, variableFeeBps: 0 }, undefined],
    [{ ...FEE, fixedFee: { amount: 0, currency: "USD" } }, undefined],
    [{ ...FEE, variableFeeBps: 10_001 }, "feeConfigs.0.variableFeeBps"],
    [{ ...FEE, variableFeeBps: -1 }, "feeConfigs.0.variableFeeBps"],
    [{ ...FEE, variableFeeBps: 2.5 }, "feeConfigs.0.variableFeeBps"],
    [{ ...FEE, fixedFee: { amount: -1, currency: "USD" } }, "feeConfigs.0.fixedFee.amount"],
    [{ ...FEE, feeType: "SAME_CURRENCY_TRANSACTION" }, "feeConfigs.0.feeType"],
    [without(FEE, "feeType"), "feeConfigs.0.feeType"],
    [without(FEE, "sourceCurrency"), "feeConfigs.0.sourceCurrency"],
    [without(FEE, "variableFeeBps"), "feeConfigs.0.variableFeeBps"],
    [without(FEE, "fixedFee"), "feeConfigs.0.fixedFee"],
  ])("has the fee %j, or is refused for %s", async (fee, field) => {
    const { status, body } = await patch({ feeConfigs: [fee] });
    expect([status, body.details?.field]).toEqual(
      field === undefined ? [200, undefined] : [400, field],
    );
    expect((await call("GET", "/config")).body.feeConfigs).toEqual(
      field === undefined ? [fee] : [],
    );
  });

  // spec/later-payments.md#card-token-texts
  test.each([
    ["displayName", 255],
    ["email.fromAddress", 255],
    ["email.fromName", 255],
    ["email.replyToAddress", 255],
    ["email.subject", 255],
    ["email.bodyText", 2_000],
    ["sms.templateSid", 64],
    ["sms.bodyText", 480],
  ])("has %s of %i characters at most", async (path, most) => {
    const [outer = "", inner] = path.split(".");
    const texts = (length: number) => {
      const text = "x".repeat(length);
      return { cardTokenization2faConfig: { [outer]: inner ? { [inner]: text } : text } };
    };
    expect((await patch(texts(most))).body).toMatchObject(texts(most));
    const { status, body } = await patch(texts(most + 1));
    expect([status, body.details.field]).toEqual([400, `cardTokenization2faConfig.${path}`]);
  });

  // spec/later-payments.md#platform-fees
  test.each([
    [{ ...OVERRIDE, platformVariableFeeBps: 10_001 }, "platformVariableFeeBps"],
    [{ ...OVERRIDE, platformVariableFeeBps: -1 }, "platformVariableFeeBps"],
    [{ ...OVERRIDE, platformFixedFee: { amount: -1, currency: "USD" } }, "platformFixedFee.amount"],
    [without(OVERRIDE, "platformFixedFee"), "platformFixedFee"],
    [without(OVERRIDE, "platformVariableFeeBps"), "platformVariableFeeBps"],
  ])("sets no fee %j on a quote", async (platformFeeOverride, member) => {
    const payer = await createPayer(world());
    const to = await createPayee(world(), payer.customerId, "999");
    const body = { ...quoteInput(payer.accountId, to), platformFeeOverride };
    const refused = await call("POST", "/quotes", body);
    expect([refused.status, refused.body.details?.field]).toEqual([
      400,
      `platformFeeOverride.${member}`,
    ]);
  });

  // spec/later-payments.md#platform-fees
  test("takes no fee on a quote where its own says zero", async () => {
    await patch({ feeConfigs: [FEE] });
    const payer = await createPayer(world());
    const to = await createPayee(world(), payer.customerId, "999");
    const none = { platformFixedFee: { amount: 0, currency: "USD" }, platformVariableFeeBps: 0 };
    const body = { ...quoteInput(payer.accountId, to), platformFeeOverride: none };
    expect((await call("POST", "/quotes", body)).body.platformFeesIncluded).toBe(0);
  });

  // spec/later-payments.md#platform-fees
  test("has its fee on a quote of an agent, who sets none", async () => {
    await patch({ feeConfigs: [FEE] });
    const parties = await createAgentParties(world());
    const asked = await askQuote(parties, { lockedCurrencyAmount: 1_000 });
    expect([asked.status, asked.body.platformFeesIncluded]).toEqual([201, 53]);
    const refused = await askQuote(parties, { platformFeeOverride: OVERRIDE });
    expect([refused.status, refused.body.details?.field]).toEqual([400, "platformFeeOverride"]);
  });

  // spec/later-payments.md#platform-fees
  test("tells of its balance when a fee comes and when it goes back", async () => {
    await patch({ feeConfigs: [FEE] });
    const own = await accountIn(world(), "USD");
    const payer = await createPayer(world(), 10_000);
    const to = await createPayee(world(), payer.customerId, "005");
    const quote = (await call("POST", "/quotes", quoteInput(payer.accountId, to, 1_000))).body;
    await patch({ webhookEndpoint: receiver.url });
    await call("POST", `/quotes/${quote.id}/execute`, {});
    await goTo(world(), "09:01:00.000");
    const told = receiver.received.filter(
      ({ type, data }) => type === "INTERNAL_ACCOUNT.BALANCE_UPDATED" && data.id === own,
    );
    expect(told.map(({ data }) => data.balance.amount)).toEqual([53, 0]);
  });
});
