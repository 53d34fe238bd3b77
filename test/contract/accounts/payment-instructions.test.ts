import { describe, expect, test } from "vitest";
import { ACCOUNT_TYPE_NAMES } from "../../../src/contract/accounts/external-account-types.ts";
import {
  fundingNetworks,
  fundingTypes,
  INSTRUCTION_TYPE_NAMES,
  INSTRUCTION_TYPES,
  type InstructionTypeName,
  PaymentInstructions,
} from "../../../src/contract/accounts/payment-instructions.ts";
import { CURRENCY_CODES, type CurrencyCode } from "../../../src/contract/money/currencies.ts";
import { everyRow } from "../../setup/every-row.ts";
import { PUBLISHED_INSTRUCTIONS } from "../setup/published-instructions.ts";

describe("the variant", () => {
  test("has the published members", () =>
    everyRow(PUBLISHED_INSTRUCTIONS, (published) => {
      const { fields, required, rails, hasReference, currencies } =
        INSTRUCTION_TYPES[published.type as InstructionTypeName];
      const always = [
        ...required,
        ...(rails.length > 0 ? ["paymentRails"] : []),
        ...(hasReference ? ["reference"] : []),
      ];
      const optional = Object.keys(fields).filter((member) => !required.includes(member));
      expect(always.sort()).toEqual([...published.required].sort());
      expect(optional.sort()).toEqual([...published.optional].sort());
      expect(rails).toEqual(published.rails);
      expect([...currencies].sort()).toEqual([...published.funds].sort());
    }));

  test("is one of 45, and no other", () => {
    const published = PUBLISHED_INSTRUCTIONS.map(({ type }) => type);
    expect(published.length).toBe(45);
    expect([...INSTRUCTION_TYPE_NAMES].sort()).toEqual(published.sort());
  });

  test("is an external account type, but for two, which are all but one of those", () => {
    const external: readonly string[] = ACCOUNT_TYPE_NAMES;
    expect(INSTRUCTION_TYPE_NAMES.filter((name) => !external.includes(name)).sort()).toEqual([
      "ARS_ACCOUNT",
      "EMBEDDED_WALLET",
    ]);
    expect(
      external.filter((name) => !INSTRUCTION_TYPE_NAMES.includes(name as InstructionTypeName)),
    ).toEqual(["SWIFT_ACCOUNT"]);
  });
});

/**
 * Networks that the service knows, and some that it does not
 * (spec/payment-instructions.md#funding-networks).
 */
const NETWORKS = `SPARK LIGHTNING SOLANA BASE POLYGON ETHEREUM TRON BITCOIN STELLAR spark`.split(
  " ",
);

const FUNDED_OVER: Partial<Record<CurrencyCode, string[]>> = {
  BTC: ["SPARK", "LIGHTNING"],
  USDB: ["SPARK"],
  USDC: ["SOLANA", "BASE", "POLYGON", "ETHEREUM"],
  USDT: ["SOLANA", "TRON"],
};

describe("networks", () => {
  test("that fund a currency are those with an instruction, in that order", () =>
    everyRow(CURRENCY_CODES, (code) => {
      expect(fundingNetworks(code)).toEqual(FUNDED_OVER[code] ?? []);
      for (const network of fundingNetworks(code)) expect(NETWORKS).toContain(network);
    }));
});

test("every currency can be paid in over something", () =>
  everyRow(CURRENCY_CODES, (code) => {
    const published = PUBLISHED_INSTRUCTIONS.filter(({ funds }) => funds.includes(code));
    expect([...fundingTypes(code)].sort()).toEqual(published.map(({ type }) => type).sort());
    expect(published.length).toBeGreaterThan(0);
  }));

const DOLLARS = {
  accountType: "USD_ACCOUNT",
  paymentRails: ["ACH", "WIRE", "RTP", "FEDNOW"],
  accountNumber: "4400128831",
  routingNumber: "091000019",
  bankName: "Service Sandbox Bank",
  reference: "FUND-K7Q2ZP",
};

const item = (accountOrWalletInfo: object, rest: object = {}) => ({ accountOrWalletInfo, ...rest });

const { bankName: _bank, ...WITHOUT_BANK } = DOLLARS;
const { reference: _reference, ...WITHOUT_REFERENCE } = DOLLARS;
const { paymentRails: _rails, ...WITHOUT_RAILS } = DOLLARS;

describe("the shape", () => {
  test.each([
    { what: "the example of section 22", value: item(DOLLARS, { isPlatformAccount: false }) },
    { what: "notes", value: item(DOLLARS, { instructionsNotes: "Put it in the memo line" }) },
    { what: "a variant without its optional member", value: item(WITHOUT_BANK) },
    {
      what: "what an embedded wallet is to sign",
      value: item({ accountType: "EMBEDDED_WALLET", payloadToSign: '{"a":1}' }),
    },
    {
      what: "a Spark wallet with an invoice",
      value: item({
        accountType: "SPARK_WALLET",
        assetType: "BTC",
        address: "spark1pgss",
        invoice: "lnbc1p",
      }),
    },
  ])("takes $what", ({ value }) => {
    expect(PaymentInstructions.parse(value)).toEqual(value);
  });

  test.each([
    { what: "no account", value: {} },
    { what: "a member of another variant", value: item({ ...DOLLARS, iban: "DE89" }) },
    { what: "a member beside the account", value: item(DOLLARS, { currency: "USD" }) },
    { what: "no reference", value: item(WITHOUT_REFERENCE) },
    { what: "no rails", value: item(WITHOUT_RAILS) },
    { what: "an empty list of rails", value: item({ ...DOLLARS, paymentRails: [] }) },
    { what: "a rail of another country", value: item({ ...DOLLARS, paymentRails: ["PIX"] }) },
    {
      what: "a routing number of 8 digits",
      value: item({ ...DOLLARS, routingNumber: "09100001" }),
    },
    { what: "a SWIFT account", value: item({ ...DOLLARS, accountType: "SWIFT_ACCOUNT" }) },
    {
      what: "a CVU of 21 digits",
      value: item({ accountType: "ARS_ACCOUNT", accountNumber: "0".repeat(21) }),
    },
    {
      what: "an asset of another network",
      value: item({ accountType: "TRON_WALLET", assetType: "USDC", address: `T${"a".repeat(33)}` }),
    },
    {
      what: "a page that is not a URL",
      value: item({ accountType: "COP_ACCOUNT", paymentUrl: "checkout.sandbox.test" }),
    },
  ])("refuses $what", ({ value }) => {
    expect(PaymentInstructions.safeParse(value).success).toBe(false);
  });
});
