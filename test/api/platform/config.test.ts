import { describe, expect, test } from "vitest";
import { CUSTOMER_INFO_FIELDS } from "../../../src/contract/platform/customer-info-fields.ts";
import { createPayer } from "../../setup/platform.ts";
import { expectRefused } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const START = "2026-01-05T09:00:00.000Z";
const BOTH = ["OUTGOING", "INCOMING"];

const world = worldPerTest();

const patch = (body: unknown) => world().call("PATCH", "/config", body);
const get = async () => (await world().call("GET", "/config")).body;

const entry = (currencyCode: string, minAmount = 100, maxAmount = 10_000_000) => ({
  currencyCode,
  minAmount,
  maxAmount,
});
const shown = (currencyCode: string, minAmount = 100, maxAmount = 10_000_000) => ({
  ...entry(currencyCode, minAmount, maxAmount),
  enabledTransactionTypes: BOTH,
  requiredCounterpartyFields: [],
});

const invalid = (field: string) => ({ status: 400, code: "INVALID_INPUT", field });

describe("the configuration", () => {
  // spec/config.md#default-configuration
  test("starts with the defaults", async () => {
    expect(await get()).toEqual({
      id: expect.stringMatching(/^PlatformConfig:[0-9a-f-]{36}$/),
      umaDomain: "pay.sandbox.test",
      supportedCurrencies: [
        shown("USD"),
        shown("USDC", 100, 100_000_000_000),
        shown("USDB", 100, 100_000_000_000),
      ],
      isRegulatedFinancialInstitution: false,
      createdAt: START,
      updatedAt: START,
    });
  });

  // spec/config.md#update
  test("keeps omitted fields in a change", async () => {
    const before = await get();
    await goTo(world(), "09:00:05.000");
    const { status, body } = await patch({ umaDomain: "pay.example" });
    const after = { ...before, umaDomain: "pay.example", updatedAt: "2026-01-05T09:00:05.000Z" };
    expect({ status, body }).toEqual({ status: 200, body: after });
    expect(await get()).toEqual(after);
  });

  test("ignores members that cannot be set", async () => {
    const before = await get();
    const { status, body } = await patch({
      id: "PlatformConfig:mine",
      isRegulatedFinancialInstitution: true,
      proxyUmaSubdomain: "mine",
      createdAt: "1999-01-01T00:00:00.000Z",
      unheardOf: { deep: 1 },
    });
    expect({ status, body }).toEqual({ status: 200, body: before });
  });

  // spec/config.md#uma-domain
  test.each(["", "pay", "pay.", ".example", "pay..example", "-pay.example", "pay example", 5])(
    "does not take %j as UMA domain",
    async (umaDomain) => {
      expectRefused(await patch({ umaDomain }), invalid("umaDomain"));
    },
  );

  test("accepts UMA domains up to the largest length", async () => {
    const label = "a".repeat(63);
    const longest = `${label}.${label}.${label}.${"b".repeat(57)}.test`;
    expect(longest).toHaveLength(254);
    for (const umaDomain of [longest.slice(1), `${label}.test`, "a.co", "PAY.Example"])
      expect((await patch({ umaDomain })).body.umaDomain).toBe(umaDomain);
    for (const umaDomain of [longest, `a${label}.test`])
      expectRefused(await patch({ umaDomain }), invalid("umaDomain"));
  });

  test("can have its UMA domain removed", async () => {
    const { body } = await patch({ umaDomain: null });
    expect(body).not.toHaveProperty("umaDomain");
    expect(await get()).not.toHaveProperty("umaDomain");
  });
});

// spec/config.md#supported-currencies
describe("the supported currencies", () => {
  // spec/config.md#currency-replacement
  test("are replaced by the sent list, with defaults for omitted fields", async () => {
    const required = [{ name: "FULL_NAME", mandatory: true }];
    const { body } = await patch({
      supportedCurrencies: [
        { ...entry("MXN", 500, 9_000_000), requiredCounterpartyFields: required },
        { ...entry("EUR", 0, 0), enabledTransactionTypes: ["OUTGOING"] },
      ],
    });
    expect(body.supportedCurrencies).toEqual([
      { ...shown("MXN", 500, 9_000_000), requiredCounterpartyFields: required },
      { ...shown("EUR", 0, 0), enabledTransactionTypes: ["OUTGOING"] },
    ]);
  });

  test("ignore the fields that only the provider sets", async () => {
    const { body } = await patch({
      supportedCurrencies: [{ ...entry("USD"), providerRequiredCustomerFields: ["FULL_NAME"] }],
    });
    expect(body.supportedCurrencies).toEqual([shown("USD")]);
    expect((await world().call("POST", "/customers", { customerType: "INDIVIDUAL" })).status).toBe(
      201,
    );
  });

  // spec/config.md#provider-fields
  test("keep the provider's fields, even while a currency is off the list", async () => {
    const usd = { ...entry("USD"), providerRequiredCustomerFields: ["FULL_NAME"] };
    const usdc = { ...entry("USDC"), providerRequiredCounterpartyCustomerFields: ["TAX_ID"] };
    const supportedCurrencies = [usd, usdc];
    await world().control("POST", "/seed", {
      fixture: { name: "f", config: { supportedCurrencies } },
    });
    const required = (list: { currencyCode: string }[]) =>
      list.map(({ currencyCode, ...rest }) => [
        currencyCode,
        ...Object.keys(rest).filter((name) => name.startsWith("provider")),
      ]);
    const set = async (...codes: string[]) => {
      const sent = codes.map((code) => ({ ...entry(code), providerRequiredCustomerFields: [] }));
      return required((await patch({ supportedCurrencies: sent })).body.supportedCurrencies);
    };
    const USD = ["USD", "providerRequiredCustomerFields"];
    const USDC = ["USDC", "providerRequiredCounterpartyCustomerFields"];
    expect(required((await get()).supportedCurrencies)).toEqual([USD, USDC]);
    expect(await set("EUR", "USD")).toEqual([["EUR"], USD]);
    expect(await set("EUR")).toEqual([["EUR"]]);
    expect(await set("USDC", "EUR", "USD")).toEqual([USDC, ["EUR"], USD]);
    expect(await set("USD", "USDC")).toEqual([USD, USDC]);
    expect(JSON.stringify(await get())).not.toContain("former");
  });

  test("open every missing account, and close none", async () => {
    const { call } = world();
    const { customerId } = await createPayer(world(), 0);
    const held = async () => {
      const path = `/customers/internal-accounts?customerId=${customerId}`;
      const accounts = [
        (await call("GET", path)).body.data,
        (await call("GET", "/platform/internal-accounts")).body.data,
      ] as { balance: { currency: { code: string } }; status: string }[][];
      return accounts.map((some) =>
        some.map(({ balance, status }) => `${balance.currency.code} ${status}`).sort(),
      );
    };
    const first = ["USD ACTIVE", "USDB ACTIVE", "USDC ACTIVE"];
    expect(await held()).toEqual([first, first]);
    await patch({ supportedCurrencies: [entry("EUR")] });
    const then = ["EUR ACTIVE", ...first];
    expect(await held()).toEqual([then, then]);
    await patch({ supportedCurrencies: [entry("EUR"), entry("USD")] });
    expect(await held()).toEqual([then, then]);
  });

  test("do not open accounts for a deleted customer", async () => {
    const { call } = world();
    const { customerId } = await createPayer(world(), 0);
    await call("DELETE", `/customers/${customerId}`);
    await patch({ supportedCurrencies: [entry("EUR")] });
    const path = `/customers/internal-accounts?customerId=${customerId}&currency=EUR`;
    expect((await call("GET", path)).body.totalCount).toBe(0);
  });

  // spec/config.md#currency-checks
  test.each([
    { says: "empty", list: [], field: "supportedCurrencies" },
    { says: "no list", list: entry("USD"), field: "supportedCurrencies" },
    { says: "null", list: null, field: "supportedCurrencies" },
    { says: "unknown", list: [entry("XYZ")], field: "supportedCurrencies.0.currencyCode" },
    { says: "lower case", list: [entry("usd")], field: "supportedCurrencies.0.currencyCode" },
    {
      says: "named twice",
      list: [entry("USD"), entry("EUR"), entry("USD")],
      field: "supportedCurrencies.2.currencyCode",
    },
    {
      says: "upside down",
      list: [entry("EUR"), entry("USD", 101, 100)],
      field: "supportedCurrencies.1.minAmount",
    },
    {
      says: "without bound",
      list: [{ currencyCode: "USD", minAmount: 1 }],
      field: "supportedCurrencies.0.maxAmount",
    },
    { says: "negative", list: [entry("USD", -1)], field: "supportedCurrencies.0.minAmount" },
    { says: "broken", list: [entry("USD", 0.5)], field: "supportedCurrencies.0.minAmount" },
    {
      says: "of an unknown direction",
      list: [{ ...entry("USD"), enabledTransactionTypes: ["SIDEWAYS"] }],
      field: "supportedCurrencies.0.enabledTransactionTypes.0",
    },
    {
      says: "asking for an unknown field",
      list: [
        { ...entry("USD"), requiredCounterpartyFields: [{ name: "ADDRESS", mandatory: true }] },
      ],
      field: "supportedCurrencies.0.requiredCounterpartyFields.0.name",
    },
    {
      says: "asking half",
      list: [{ ...entry("USD"), requiredCounterpartyFields: [{ name: "EMAIL" }] }],
      field: "supportedCurrencies.0.requiredCounterpartyFields.0.mandatory",
    },
  ])("may not be $says", async ({ list, field }) => {
    const before = await get();
    const answer = await patch({ supportedCurrencies: list });
    expect({ status: answer.status, field: answer.body.details.field }).toEqual({
      status: 400,
      field,
    });
    expect(answer.body.code).toBe("INVALID_INPUT");
    expect(await get()).toEqual(before);
  });

  // spec/config.md#errors
  test.each([9_000_000_000_000_001, 2 ** 53 + 2, 1e300])(
    "may not be bounded by %d",
    async (bound) => {
      expectRefused(await patch({ supportedCurrencies: [entry("USD", 0, bound)] }), {
        status: 400,
        code: "AMOUNT_OUT_OF_RANGE",
        field: "supportedCurrencies.0.maxAmount",
      });
    },
  );

  // spec/config.md#counterparty-fields
  test("may be bounded by 9000000000000000, and may ask for every published field", async () => {
    const all = CUSTOMER_INFO_FIELDS.map((name) => ({ name, mandatory: false }));
    const { status, body } = await patch({
      supportedCurrencies: [
        { ...entry("USD", 0, 9_000_000_000_000_000), requiredCounterpartyFields: all },
      ],
    });
    expect(status).toBe(200);
    expect(body.supportedCurrencies[0].requiredCounterpartyFields).toEqual(all);
    expect(CUSTOMER_INFO_FIELDS).toHaveLength(18);
  });
});

// spec/config.md#embedded-wallet-settings
describe("the embedded wallet configuration", () => {
  /**
   * Settings in force while nothing else is set (spec/config.md#embedded-wallet-settings). Other
   * members have no default.
   */
  const DEFAULTS = {
    otpLength: 6,
    alphanumeric: false,
    expirationSeconds: 300,
    sendFromEmailSenderName: "Notifications",
  };

  test("is present once it was set, and is merged afterwards", async () => {
    await patch({ embeddedWalletConfig: { appName: "Pocket", otpLength: 8 } });
    const { body } = await patch({ embeddedWalletConfig: { otpLength: 6, alphanumeric: true } });
    expect(body.embeddedWalletConfig).toEqual({
      ...DEFAULTS,
      appName: "Pocket",
      otpLength: 6,
      alphanumeric: true,
    });
    await patch({ umaDomain: "pay.example" });
    expect((await get()).embeddedWalletConfig).toEqual(body.embeddedWalletConfig);
  });

  test.each([
    {
      member: "appName",
      bad: ["x".repeat(256), 5, null, "a\nb", "a\u001b[31mb", "a\u009bb", "a\u2028b", "\u0000"],
    },
    { member: "sendFromEmailSenderName", bad: ["a\r\nBcc: eve@example.com", "a\u0085b", "\u007f"] },
    { member: "logoUrl", bad: ["https://example.com/\u001b[2J"] },
    { member: "otpLength", bad: [3, 13, 6.5, "6", null] },
    { member: "alphanumeric", bad: ["true", 1, null] },
    { member: "expirationSeconds", bad: [0, 86_401, 1.5, "300", null] },
    { member: "sendFromEmailAddress", bad: ["", "lena", 5, null] },
    { member: "sendFromEmailSenderName", bad: ["x".repeat(256), 5] },
    { member: "replyToEmailAddress", bad: ["", "lena", 5] },
    { member: "logoUrl", bad: ["", "logo", `https://a.example/${"x".repeat(512)}`, 5] },
  ])("refuses a bad $member", async ({ member, bad }) => {
    for (const value of bad)
      expectRefused(
        await patch({ embeddedWalletConfig: { [member]: value } }),
        invalid(`embeddedWalletConfig.${member}`),
      );
    expect(await get()).not.toHaveProperty("embeddedWalletConfig");
  });

  test("accepts values at its bounds", async () => {
    const url = "https://a.example/";
    const ends = {
      appName: "x".repeat(255),
      otpLength: 12,
      alphanumeric: false,
      expirationSeconds: 86_400,
      sendFromEmailAddress: "lena@shop.example",
      sendFromEmailSenderName: "x".repeat(255),
      replyToEmailAddress: "help@shop.example",
      logoUrl: url + "x".repeat(512 - url.length),
    };
    const { status, body } = await patch({ embeddedWalletConfig: ends });
    expect({ status, shown: body.embeddedWalletConfig }).toEqual({ status: 200, shown: ends });
    const least = { otpLength: 4, expirationSeconds: 1, appName: "" };
    const { body: then } = await patch({ embeddedWalletConfig: least });
    expect(then.embeddedWalletConfig).toEqual({ ...ends, ...least });
  });

  test("is created by an empty object, and ignores unknown members", async () => {
    expect(await get()).not.toHaveProperty("embeddedWalletConfig");
    expect((await patch({ embeddedWalletConfig: {} })).body.embeddedWalletConfig).toEqual(DEFAULTS);
    const { body } = await patch({ embeddedWalletConfig: { appName: "Pocket", color: "red" } });
    expect(body.embeddedWalletConfig).toEqual({ ...DEFAULTS, appName: "Pocket" });
  });

  test.each([null, "Pocket", 5, []])("is not %j", async (embeddedWalletConfig) => {
    expectRefused(await patch({ embeddedWalletConfig }), invalid("embeddedWalletConfig"));
  });
});

// spec/config.md#webhook-endpoint
