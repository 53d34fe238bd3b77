import { expect, test } from "vitest";
import {
  type InstructionInfo,
  type InstructionTypeName,
  instructionTypesOf,
} from "../../src/contract/accounts/payment-instructions.ts";
import type { CurrencyCode } from "../../src/contract/money/currencies.ts";
import { quoteInstructions } from "../../src/domain/accounts/payment-instructions.ts";
import { everyRow } from "../setup/every-row.ts";

const LATER = "2026-08";

/** Copied from the contract of the later revision: members of each instruction that it changed. */
const PUBLISHED: Partial<
  Record<InstructionTypeName, { required: string; optional?: string; reference?: true }>
> = {
  BITCOIN_L1: { required: "address network" },
  PLASMA_WALLET: { required: "address assetType" },
  ETHEREUM_WALLET: { required: "address assetType" },
  SPARK_WALLET: { required: "address assetType", optional: "invoice" },
  SWIFT_ACCOUNT: {
    required: "accountHolderName bankName country swiftCode",
    optional: "accountNumber bankAddress iban reference",
  },
  CNY_ACCOUNT: { required: "bankName", optional: "accountNumber phoneNumber", reference: true },
  USD_ACCOUNT: {
    required: "accountNumber routingNumber",
    optional:
      "bankAccountType bankAddress bankName fiToFiInformation intermediaryBankName intermediaryRoutingNumber",
    reference: true,
  },
  BDT_ACCOUNT: {
    required: "bankName",
    optional: "accountNumber branchCode phoneNumber swiftCode",
    reference: true,
  },
  COP_ACCOUNT: { required: "bankName paymentUrl" },
  EGP_ACCOUNT: { required: "bankName", optional: "iban phoneNumber", reference: true },
  GHS_ACCOUNT: { required: "bankName", optional: "accountNumber phoneNumber", reference: true },
  GTQ_ACCOUNT: { required: "accountNumber bankAccountType bankName", reference: true },
  INR_ACCOUNT: { required: "", optional: "accountNumber bankName ifsc rail vpa" },
  JMD_ACCOUNT: { required: "accountNumber bankAccountType bankName branchCode", reference: true },
  PKR_ACCOUNT: {
    required: "bankName",
    optional: "accountNumber iban phoneNumber",
    reference: true,
  },
  SGD_ACCOUNT: { required: "accountNumber swiftCode", optional: "bankName", reference: true },
};

const words = (text = "") => text.split(" ").filter(Boolean).sort();

// spec/later-accounts.md#payment-instructions
test("instructions of the later revision have the members of its contract", () =>
  everyRow(
    Object.entries(PUBLISHED),
    ([name, { required, optional, reference = false }]) => {
      const type = instructionTypesOf(LATER)[name as InstructionTypeName];
      expect([...type.required].sort()).toEqual(words(required));
      expect(Object.keys(type.fields).sort()).toEqual(
        [...words(required), ...words(optional)].sort(),
      );
      expect(type.hasReference).toBe(reference);
    },
    ([name]) => name,
  ));

const offered = (currency: CurrencyCode, revision: "2025-10" | "2026-08") =>
  quoteInstructions({
    ...{ id: "Quote:1", currency, revision, reference: "REF-1", isPlatform: true },
  }).map(({ accountOrWalletInfo }) => accountOrWalletInfo);

/** Offers of a quote in the later revision: all members, and rails in their order. */
const OFFERED: [CurrencyCode, InstructionTypeName, members: string, rails?: string][] = [
  [
    "BDT",
    "BDT_ACCOUNT",
    "accountNumber bankName branchCode phoneNumber reference swiftCode",
    "BANK_TRANSFER MOBILE_MONEY",
  ],
  ["CNY", "CNY_ACCOUNT", "accountNumber bankName reference", "BANK_TRANSFER"],
  ["COP", "COP_ACCOUNT", "bankName paymentUrl"],
  ["EGP", "EGP_ACCOUNT", "bankName iban phoneNumber reference", "BANK_TRANSFER MOBILE_MONEY"],
  [
    "GHS",
    "GHS_ACCOUNT",
    "accountNumber bankName phoneNumber reference",
    "BANK_TRANSFER MOBILE_MONEY",
  ],
  ["GTQ", "GTQ_ACCOUNT", "accountNumber bankAccountType bankName reference", "BANK_TRANSFER"],
  ["INR", "INR_ACCOUNT", "vpa", "UPI"],
  [
    "JMD",
    "JMD_ACCOUNT",
    "accountNumber bankAccountType bankName branchCode reference",
    "BANK_TRANSFER",
  ],
  [
    "PKR",
    "PKR_ACCOUNT",
    "accountNumber bankName iban phoneNumber reference",
    "BANK_TRANSFER MOBILE_MONEY",
  ],
  ["SGD", "SGD_ACCOUNT", "accountNumber bankName reference swiftCode", "PAYNOW FAST"],
  [
    "USD",
    "USD_ACCOUNT",
    "accountNumber bankAddress bankName reference routingNumber",
    "RTP FEDNOW WIRE",
  ],
  ["USDT", "PLASMA_WALLET", "address assetType"],
  ["USDT", "ETHEREUM_WALLET", "address assetType"],
];

// spec/later-accounts.md#payment-instructions
test("a quote of the later revision is funded as its contract says", () =>
  everyRow(
    OFFERED,
    ([currency, name, members, rails]) => {
      const info = offered(currency, LATER).find(({ accountType }) => accountType === name);
      const { accountType: _type, paymentRails, ...rest } = info as InstructionInfo;
      expect(Object.keys(rest).sort()).toEqual(words(members));
      expect(paymentRails).toEqual(rails?.split(" "));
    },
    ([currency, name]) => `${currency} ${name}`,
  ));

// spec/later-accounts.md#payment-instructions
test("values that both revisions have are the same", () =>
  everyRow(
    [...new Set(OFFERED.map(([currency]) => currency))].filter((code) => code !== "CNY"),
    (currency) => {
      const later = new Map(offered(currency, LATER).map((info) => [info.accountType, info]));
      for (const first of offered(currency, "2025-10"))
        for (const [member, value] of Object.entries(later.get(first.accountType) ?? {}))
          if (member in first && member !== "paymentRails") expect(value).toBe(first[member]);
    },
    (currency) => currency,
  ));
