import { describe, expect, test } from "vitest";
import { PaymentInstructions } from "../../../src/contract/accounts/payment-instructions.ts";
import { CURRENCY_CODES, type CurrencyCode } from "../../../src/contract/money/currencies.ts";
import {
  accountInstructions,
  quoteInstructions,
  requireFundingNetwork,
} from "../../../src/domain/accounts/payment-instructions.ts";
import { Refusal } from "../../../src/domain/core/refusal.ts";
import { PUBLISHED_INSTRUCTIONS } from "../../contract/setup/published-instructions.ts";
import { everyRow } from "../../setup/every-row.ts";

const ACCOUNT_ID = "InternalAccount:01a1f878-0552-7000-8000-40b5dfd97210";
const QUOTE_ID = "Quote:01a1f878-0552-7000-8000-0ab5dfd97213";
const CUSTOMER_ID = "Customer:01a1f878-0552-7000-8000-02b5dfd97218";

const ofAccount = (currency: CurrencyCode, region?: string) =>
  accountInstructions(
    { id: ACCOUNT_ID, currency, type: "INTERNAL_FIAT", customerId: CUSTOMER_ID },
    region,
  );

const ofQuote = (
  currency: CurrencyCode,
  rest: Partial<Parameters<typeof quoteInstructions>[0]> = {},
) =>
  quoteInstructions({
    id: QUOTE_ID,
    currency,
    reference: "REF-9XKD27QAB",
    isPlatform: false,
    ...rest,
  });

const infos = (items: PaymentInstructions[]) => items.map((item) => item.accountOrWalletInfo);
const types = (items: PaymentInstructions[]) => infos(items).map(({ accountType }) => accountType);

const produced = PUBLISHED_INSTRUCTIONS.filter(({ producedBy }) => producedBy !== undefined);

describe("the variant", () => {
  test("is produced complete", () =>
    everyRow(produced, ({ type, ...published }) => {
      const { on = "account", currency = "", region } = published.producedBy ?? {};
      const items =
        on === "account"
          ? ofAccount(currency as CurrencyCode, region)
          : ofQuote(currency as CurrencyCode);
      const [item] = items.filter(
        ({ accountOrWalletInfo }) => accountOrWalletInfo.accountType === type,
      );
      const members = ["accountType", ...published.required, ...published.optional];
      expect(Object.keys(item?.accountOrWalletInfo ?? {}).sort()).toEqual(members.sort());
      expect(PaymentInstructions.parse(item)).toEqual(item);
      if (published.rails.length > 0 && on === "account")
        expect(item?.accountOrWalletInfo.paymentRails).toEqual(published.rails);
      expect(item?.instructionsNotes !== undefined).toBe(published.required.includes("reference"));
    }));

  test("that is a shape only is EMBEDDED_WALLET, which nothing produces", () => {
    const rest = PUBLISHED_INSTRUCTIONS.filter(({ producedBy }) => producedBy === undefined);
    expect(rest.map(({ type }) => type)).toEqual(["EMBEDDED_WALLET"]);
    const everything = CURRENCY_CODES.flatMap((code) => [
      ...ofAccount(code, "SV"),
      ...ofQuote(code, { region: "SV" }),
    ]);
    expect([...new Set(types(everything))].sort()).toEqual(produced.map(({ type }) => type).sort());
  });
});

// spec/internal-accounts.md#funding-instructions
describe("an account", () => {
  test("in dollars is paid into by bank or with USDC on Solana", () => {
    expect(ofAccount("USD")).toEqual([
      {
        accountOrWalletInfo: {
          accountType: "USD_ACCOUNT",
          paymentRails: ["ACH", "WIRE", "RTP", "FEDNOW"],
          accountNumber: "6466612670",
          routingNumber: "091085445",
          bankName: "Service Sandbox Bank",
          reference: "FUND-ZSABPQ",
        },
        instructionsNotes: "Put FUND-ZSABPQ in the memo line",
        isPlatformAccount: false,
      },
      {
        accountOrWalletInfo: {
          accountType: "SOLANA_WALLET",
          assetType: "USDC",
          address: "DaWbKvGgBXVx6E3wroo1G6qu77xxKqZZEDjApYCqf2Q8",
        },
        isPlatformAccount: false,
      },
    ]);
  });

  test.each([
    { currency: "USD", region: "SV", wanted: ["USD_ACCOUNT", "SOLANA_WALLET", "SLV_ACCOUNT"] },
    { currency: "USD", region: "US", wanted: ["USD_ACCOUNT", "SOLANA_WALLET"] },
    { currency: "EUR", region: "SV", wanted: ["EUR_ACCOUNT"] },
    { currency: "BTC", wanted: ["SPARK_WALLET"] },
    { currency: "USDB", wanted: ["SPARK_WALLET"] },
    {
      currency: "USDC",
      wanted: ["SOLANA_WALLET", "BASE_WALLET", "POLYGON_WALLET", "ETHEREUM_WALLET"],
    },
    { currency: "USDT", wanted: ["SOLANA_WALLET", "TRON_WALLET"] },
  ] as const)("in $currency, region $region, has $wanted", ({ currency, wanted, ...rest }) => {
    expect(types(ofAccount(currency, "region" in rest ? rest.region : undefined))).toEqual(wanted);
  });

  test("that is a wallet is paid into with USDB over Spark, and with nothing else", () => {
    const wallet = { id: ACCOUNT_ID, currency: "USDB", customerId: CUSTOMER_ID } as const;
    expect(infos(accountInstructions({ ...wallet, type: "EMBEDDED_WALLET" }))).toEqual([
      {
        accountType: "SPARK_WALLET",
        assetType: "USDB",
        address: expect.stringMatching(/^spark1/),
      },
    ]);
  });

  test("in every currency shows its owner", () =>
    everyRow(CURRENCY_CODES, (currency) => {
      const platforms = accountInstructions({ id: ACCOUNT_ID, currency, type: "INTERNAL_FIAT" });
      expect(new Set(platforms.map((item) => item.isPlatformAccount))).toEqual(new Set([true]));
      const customers = ofAccount(currency);
      expect(new Set(customers.map((item) => item.isPlatformAccount))).toEqual(new Set([false]));
      expect(infos(platforms)).toEqual(infos(customers));
    }));

  test("in a currency of several countries has the customer's country, or the first", () => {
    const regionOf = (currency: CurrencyCode, region?: string) =>
      infos(ofAccount(currency, region)).map((info) => [info.region, info.phoneNumber]);
    expect(regionOf("XOF", "SN")).toEqual([["SN", expect.stringMatching(/^\+221[0-9]{9}$/)]]);
    expect(regionOf("XOF", "CI")).toEqual([["CI", expect.stringMatching(/^\+225[0-9]{10}$/)]]);
    expect(regionOf("XOF", "TG")).toEqual([["TG", expect.stringMatching(/^\+228[0-9]{8}$/)]]);
    expect(regionOf("XOF", "FR")).toEqual([["BJ", expect.stringMatching(/^\+229[0-9]{8}$/)]]);
    expect(regionOf("XAF", "CG")).toEqual([["CG", expect.stringMatching(/^\+242[0-9]{9}$/)]]);
    expect(regionOf("XAF")).toEqual([["CM", expect.stringMatching(/^\+237[0-9]{9}$/)]]);
  });
});

// spec/payment-instructions.md#quote-instructions
describe("a quote", () => {
  test.each([
    { currency: "USD", wanted: [["USD_ACCOUNT", ["RTP", "FEDNOW", "WIRE"]]] },
    { currency: "EUR", wanted: [["EUR_ACCOUNT", ["SEPA_INSTANT"]]] },
    { currency: "DKK", wanted: [["DKK_ACCOUNT", ["SEPA_INSTANT"]]] },
    { currency: "SGD", wanted: [["SGD_ACCOUNT", ["PAYNOW", "FAST"]]] },
    { currency: "MXN", wanted: [["MXN_ACCOUNT", ["SPEI"]]] },
    { currency: "GBP", wanted: [["GBP_ACCOUNT", ["FASTER_PAYMENTS"]]] },
    { currency: "INR", wanted: [["INR_ACCOUNT", ["UPI"]]] },
    { currency: "BRL", wanted: [["BRL_ACCOUNT", undefined]] },
    { currency: "GHS", wanted: [["GHS_ACCOUNT", ["BANK_TRANSFER", "MOBILE_MONEY"]]] },
    { currency: "BTC", wanted: [["SPARK_WALLET"], ["LIGHTNING"]] },
    { currency: "USDT", wanted: [["SOLANA_WALLET"], ["TRON_WALLET"]] },
  ] as const)("in $currency is paid by $wanted", ({ currency, wanted }) => {
    expect(
      infos(ofQuote(currency)).map(({ accountType, paymentRails }) => [accountType, paymentRails]),
    ).toEqual(wanted.map(([type, rails]) => [type, rails]));
  });

  // spec/payment-instructions.md#instant-rails
  test("in no currency is paid over a slow rail", () =>
    everyRow(CURRENCY_CODES, (currency) => {
      const items = ofQuote(currency, { region: "SV" });
      expect(items.length).toBeGreaterThan(0);
      const rails = infos(items).flatMap(({ paymentRails }) => paymentRails ?? []);
      expect(rails).not.toContain("ACH");
      expect(rails).not.toContain("SEPA");
      for (const item of items) expect(PaymentInstructions.parse(item)).toEqual(item);
    }));

  // spec/payment-instructions.md#references
  test("has the payment's reference, and shows its owner", () => {
    const quote = { id: QUOTE_ID, currency: "USD", reference: "REF-AAAAAAAAA" } as const;
    expect(quoteInstructions({ ...quote, isPlatform: true })).toMatchObject([
      {
        accountOrWalletInfo: { reference: "REF-AAAAAAAAA" },
        instructionsNotes: "Put REF-AAAAAAAAA in the memo line",
        isPlatformAccount: true,
      },
    ]);
    expect(quoteInstructions({ ...quote, isPlatform: false })).toMatchObject([
      { isPlatformAccount: false },
    ]);
  });

  test("of a customer in El Salvador can be paid there", () => {
    expect(types(ofQuote("USD", { region: "SV" }))).toEqual(["USD_ACCOUNT", "SLV_ACCOUNT"]);
  });

  test("has the quote's invoice for bitcoin, also over Spark, and for nothing else", () => {
    const invoice = "lnbcrt314150n1p";
    expect(infos(ofQuote("BTC", { invoice }))).toEqual([
      expect.objectContaining({ accountType: "SPARK_WALLET", assetType: "BTC", invoice }),
      { accountType: "LIGHTNING", invoice },
    ]);
    expect(JSON.stringify(ofQuote("USDB", { invoice }))).not.toContain(invoice);
  });

  test("without a stored invoice has the unsigned text of older quotes", () => {
    const invoice = expect.stringMatching(/^lnbc1/);
    expect(infos(ofQuote("BTC"))).toEqual([
      expect.objectContaining({ accountType: "SPARK_WALLET", assetType: "BTC", invoice }),
      { accountType: "LIGHTNING", invoice },
    ]);
    expect(infos(ofQuote("USDB"))).toEqual([
      { accountType: "SPARK_WALLET", assetType: "USDB", address: expect.any(String) },
    ]);
  });

  test.each([
    { currency: "USDC", cryptoNetwork: "SOLANA", wanted: "SOLANA_WALLET" },
    { currency: "USDC", cryptoNetwork: "BASE", wanted: "BASE_WALLET" },
    { currency: "USDC", cryptoNetwork: "POLYGON", wanted: "POLYGON_WALLET" },
    { currency: "USDC", cryptoNetwork: "ETHEREUM", wanted: "ETHEREUM_WALLET" },
    { currency: "USDT", cryptoNetwork: "SOLANA", wanted: "SOLANA_WALLET" },
    { currency: "USDT", cryptoNetwork: "TRON", wanted: "TRON_WALLET" },
    { currency: "BTC", cryptoNetwork: "SPARK", wanted: "SPARK_WALLET" },
    { currency: "BTC", cryptoNetwork: "LIGHTNING", wanted: "LIGHTNING" },
    { currency: "USDB", cryptoNetwork: "SPARK", wanted: "SPARK_WALLET" },
  ] as const)(
    "in $currency over $cryptoNetwork is paid to one $wanted, the same as without",
    (row) => {
      const { currency, cryptoNetwork, wanted } = row;
      const [one, ...others] = ofQuote(currency, { cryptoNetwork });
      expect(one?.accountOrWalletInfo.accountType).toBe(wanted);
      expect(others).toEqual([]);
      expect(ofQuote(currency)).toContainEqual(one);
    },
  );
});

const NETWORKS = [
  "SPARK",
  "LIGHTNING",
  "SOLANA",
  "BASE",
  "POLYGON",
  "ETHEREUM",
  "TRON",
  "BITCOIN",
  "STELLAR",
  "solana",
  "",
];

const ALLOWED: Partial<Record<CurrencyCode, string[]>> = {
  BTC: ["SPARK", "LIGHTNING"],
  USDB: ["SPARK"],
  USDC: ["SOLANA", "BASE", "POLYGON", "ETHEREUM"],
  USDT: ["SOLANA", "TRON"],
};

const refusalOf = (currency: CurrencyCode, network: string | undefined) => {
  try {
    requireFundingNetwork(currency, network);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
};

// spec/payment-instructions.md#funding-networks
describe("the network to fund a quote over", () => {
  test("is checked for every currency against every network", () =>
    everyRow(CURRENCY_CODES, (currency) => {
      const allowed = ALLOWED[currency] ?? [];
      expect(refusalOf(currency, undefined)).toBeUndefined();
      for (const network of NETWORKS) {
        const refusal = refusalOf(currency, network);
        if (allowed.includes(network)) expect(refusal).toBeUndefined();
        else if (currency === "BTC" && network === "BITCOIN")
          expect(refusal?.word).toBe("NOT_IMPLEMENTED");
        else
          expect(refusal).toMatchObject({
            word: "INVALID_INPUT",
            details: { field: "source.cryptoNetwork", value: network, allowed },
          });
      }
    }));

  test.each([
    {
      currency: "USDT",
      network: "BASE",
      says: "Expected source.cryptoNetwork of USDT to be SOLANA or TRON but found BASE",
    },
    {
      currency: "USD",
      network: "SOLANA",
      says: "Expected source.cryptoNetwork of USD to be left out but found SOLANA",
    },
  ] as const)("is refused in words: $says", ({ currency, network, says }) => {
    expect(refusalOf(currency, network)?.sentence).toBe(says);
  });
});
