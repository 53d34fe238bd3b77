import { describe, expect, test } from "vitest";
import {
  ACCOUNT_TYPE_NAMES,
  type AccountTypeName,
  accountTypeChange,
  accountTypeRow,
  accountTypesOf,
  latestTypeRow,
} from "../../src/contract/accounts/external-account-types.ts";
import { LATER_RAILS, PAYMENT_RAILS } from "../../src/contract/core/account-fields.ts";
import { CURRENCY_CODES, currencyCodesOf } from "../../src/contract/money/currencies.ts";
import { everyRow } from "../setup/every-row.ts";

const LATER = "2026-08";

/** Copied from the contract of the later revision: what it says of each type that it changed. */
const PUBLISHED: Partial<
  Record<AccountTypeName, { required: string; optional?: string; rails: string; needs?: string }>
> = {
  BDT_ACCOUNT: {
    required: "bankName",
    optional: "accountNumber phoneNumber branchCode swiftCode",
    rails: "BANK_TRANSFER:accountNumber+bankName MOBILE_MONEY:bankName+phoneNumber",
  },
  CNY_ACCOUNT: {
    required: "bankName",
    optional: "accountNumber phoneNumber",
    rails: "BANK_TRANSFER:accountNumber+bankName MOBILE_MONEY:bankName+phoneNumber",
  },
  COP_ACCOUNT: {
    required: "bankName",
    optional: "accountNumber bankAccountType phoneNumber",
    rails: "BANK_TRANSFER:accountNumber+bankAccountType+bankName MOBILE_MONEY:bankName+phoneNumber",
  },
  EGP_ACCOUNT: {
    required: "bankName",
    optional: "iban phoneNumber",
    rails: "BANK_TRANSFER:bankName+iban MOBILE_MONEY:bankName+phoneNumber",
  },
  EUR_ACCOUNT: {
    required: "iban",
    optional: "swiftCode",
    rails: "SEPA SEPA_INSTANT",
    needs: "countryOfResidence",
  },
  GHS_ACCOUNT: {
    required: "bankName",
    optional: "accountNumber phoneNumber",
    rails: "BANK_TRANSFER:accountNumber+bankName MOBILE_MONEY:bankName+phoneNumber",
  },
  GTQ_ACCOUNT: {
    required: "accountNumber bankAccountType bankName",
    rails: "BANK_TRANSFER",
    needs: "countryOfResidence phoneNumber",
  },
  JMD_ACCOUNT: {
    required: "accountNumber branchCode bankAccountType bankName",
    rails: "BANK_TRANSFER",
    needs: "address phoneNumber",
  },
  INR_ACCOUNT: {
    required: "",
    optional: "vpa accountNumber ifsc rail bankName",
    rails: "UPI:vpa NEFT:accountNumber+ifsc+rail RTGS:accountNumber+ifsc+rail",
  },
  PKR_ACCOUNT: {
    required: "bankName",
    optional: "accountNumber phoneNumber iban",
    rails: "BANK_TRANSFER:accountNumber+bankName MOBILE_MONEY:bankName+phoneNumber",
  },
  SGD_ACCOUNT: {
    required: "accountNumber swiftCode",
    optional: "bankName",
    rails: "PAYNOW FAST BANK_TRANSFER",
  },
  USD_ACCOUNT: {
    required: "accountNumber routingNumber",
    optional:
      "bankName bankAccountType intermediaryBankName intermediaryRoutingNumber fiToFiInformation",
    rails: "ACH WIRE RTP FEDNOW",
  },
  SWIFT_ACCOUNT: {
    required: "country swiftCode bankName",
    optional: "accountNumber iban",
    rails: "SWIFT",
  },
};

const WALLETS = [
  "SPARK_WALLET",
  "SOLANA_WALLET",
  "BASE_WALLET",
  "POLYGON_WALLET",
  "ETHEREUM_WALLET",
  "TRON_WALLET",
  "PLASMA_WALLET",
] as const;

const words = (text = "") => text.split(/\s+/).filter(Boolean).sort();

const railsOf = (name: AccountTypeName) => {
  const { rails, railsByFields } = accountTypeRow(name, LATER);
  return rails.map((rail) => {
    const needs = railsByFields?.[rail];
    return needs ? `${rail}:${[...needs].sort().join("+")}` : rail;
  });
};

// spec/later-accounts.md#bank-accounts
describe("the later revision", () => {
  test("has each changed type as published", () =>
    everyRow(
      Object.entries(PUBLISHED),
      ([name, { required, optional, rails, needs }]) => {
        const row = accountTypeRow(name as AccountTypeName, LATER);
        expect([...row.required].sort()).toEqual(words(required));
        expect(Object.keys(row.fields).sort()).toEqual(
          [...words(required), ...words(optional)].sort(),
        );
        expect(railsOf(name as AccountTypeName).sort()).toEqual(words(rails));
        expect([...row.individualNeeds].sort()).toEqual(words(needs));
      },
      ([name]) => name,
    ));

  test("changed these types, and no other", () => {
    const changed = accountTypesOf(LATER).filter(
      (name) => accountTypeChange(name) || !ACCOUNT_TYPE_NAMES.includes(name),
    );
    expect(changed.sort()).toEqual([...Object.keys(PUBLISHED), ...WALLETS].sort());
  });

  test("has 46 types and 41 currencies, the first one 44 and 40", () => {
    expect(accountTypesOf(LATER).length).toBe(46);
    expect(ACCOUNT_TYPE_NAMES.length).toBe(44);
    expect(currencyCodesOf(LATER).length).toBe(41);
    expect(CURRENCY_CODES.length).toBe(40);
    expect(accountTypeRow("SWIFT_ACCOUNT", LATER).currencies).toContain("CNY");
    expect(accountTypeRow("SWIFT_ACCOUNT").currencies).not.toContain("CNY");
  });

  test("lets a wallet have a holder and an exchange, which no bank and no invoice has", () =>
    everyRow(
      accountTypesOf(LATER),
      (name) => {
        const isWallet = (WALLETS as readonly string[]).includes(name);
        expect(accountTypeRow(name, LATER).hasCustody ?? false).toBe(isWallet);
        expect(accountTypeRow(name).hasCustody).toBeUndefined();
      },
      (name) => name,
    ));

  test("has rows that hold together", () =>
    everyRow(
      accountTypesOf(LATER),
      (name) => {
        const row = accountTypeRow(name, LATER);
        const ways = Object.values(row.railsByFields ?? {}).flatMap((way) => way ?? []);
        for (const member of [...row.required, ...ways])
          expect(Object.keys(row.fields)).toContain(member);
        for (const rail of row.rails) expect([...PAYMENT_RAILS, ...LATER_RAILS]).toContain(rail);
        for (const rail of Object.keys(row.railsByFields ?? {})) expect(row.rails).toContain(rail);
        // A record keeps its identifier when its world changes the revision.
        expect(latestTypeRow(name).identifiedBy.slice(0, 1)).toEqual(
          accountTypeRow(name).identifiedBy.slice(0, 1),
        );
        const isIdentifier = (member: string) => row.identifiedBy.includes(member);
        const always =
          row.required.some(isIdentifier) ||
          (row.exactlyOneOf ?? row.oneOrMoreOf)?.every(isIdentifier) ||
          Object.values(row.railsByFields ?? {}).every((way) => way?.some(isIdentifier));
        expect(always).toBe(true);
      },
      (name) => name,
    ));

  test("has eight rails more", () => {
    expect([...LATER_RAILS]).toEqual(
      "ACH_COLOMBIA BRE_B CIPS INSTAPAY NEFT PESONET RTGS UNIONPAY".split(" "),
    );
  });
});
