import type { CurrencyCode } from "./currencies.ts";

/** Payment rails (payments digest 3.4). */
export const PAYMENT_RAILS = [
  "ACH",
  "BANK_TRANSFER",
  "FAST",
  "FASTER_PAYMENTS",
  "FEDNOW",
  "MOBILE_MONEY",
  "PAYNOW",
  "PIX",
  "RTP",
  "SEPA",
  "SEPA_INSTANT",
  "SPEI",
  "SWIFT",
  "UPI",
  "WIRE",
] as const;

export type PaymentRail = (typeof PAYMENT_RAILS)[number];

/** How one member of `accountInfo` must look. */
export interface FieldRule {
  pattern?: RegExp;
  minLength?: number;
  maxLength?: number;
  values?: readonly string[];
}

/** Members of an INDIVIDUAL beneficiary that a row can make required (payments digest 6.5). */
export type BeneficiaryField = "address" | "phoneNumber" | "countryOfResidence";

/** What one `accountType` takes, and what it means. */
export interface ExternalAccountType {
  currencies: readonly CurrencyCode[];
  fields: Record<string, FieldRule>;
  required: readonly string[];
  /** Exactly one of these members must be there. */
  exactlyOneOf?: readonly string[];
  /** Rails that depend on members: a rail is offered when all of its members are there. */
  railsByFields?: Partial<Record<PaymentRail, readonly string[]>>;
  /** Empty: a wallet, which has neither rails nor beneficiary. */
  rails: readonly PaymentRail[];
  /** "none" for wallets; else what an INDIVIDUAL must add to its name. */
  individualNeeds: "none" | readonly BeneficiaryField[];
  /** First member that is there holds the identifier whose last three characters count. */
  identifiedBy: readonly string[];
}

const TEXT: FieldRule = { minLength: 1, maxLength: 255 };
const ACCOUNT_NUMBER: FieldRule = { minLength: 1, maxLength: 34 };
const PHONE: FieldRule = { pattern: /^\+[0-9]{6,14}$/ };
const SWIFT: FieldRule = { pattern: /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/ };
const CHECKING_OR_SAVINGS: FieldRule = { values: ["CHECKING", "SAVINGS"] };
const EVM_ADDRESS: FieldRule = { pattern: /^0x[0-9a-fA-F]{40}$/ };

const wallet = (currencies: readonly CurrencyCode[], address: FieldRule): ExternalAccountType => ({
  currencies,
  fields: { address },
  required: ["address"],
  rails: [],
  individualNeeds: "none",
  identifiedBy: ["address"],
});

/**
 * The external account types (payments digest 6.4; address forms O-23, rails by member O-21).
 * The rest of the 44 rows enters with the breadth of accounts.
 */
export const EXTERNAL_ACCOUNT_TYPES = {
  BRL_ACCOUNT: {
    currencies: ["BRL"],
    fields: {
      pixKey: { minLength: 1, maxLength: 77 },
      pixKeyType: { values: ["CPF", "CNPJ", "EMAIL", "PHONE", "RANDOM"] },
      taxId: { pattern: /^[0-9]{11,14}$/ },
    },
    required: ["pixKey", "pixKeyType", "taxId"],
    rails: ["PIX"],
    individualNeeds: [],
    identifiedBy: ["pixKey"],
  },
  COP_ACCOUNT: {
    currencies: ["COP"],
    fields: {
      bankName: TEXT,
      accountNumber: ACCOUNT_NUMBER,
      bankAccountType: CHECKING_OR_SAVINGS,
      phoneNumber: PHONE,
    },
    required: [],
    railsByFields: {
      BANK_TRANSFER: ["accountNumber", "bankName", "bankAccountType"],
      MOBILE_MONEY: ["phoneNumber"],
    },
    rails: ["BANK_TRANSFER", "MOBILE_MONEY"],
    individualNeeds: [],
    identifiedBy: ["accountNumber", "phoneNumber"],
  },
  EUR_ACCOUNT: {
    currencies: ["EUR"],
    fields: {
      iban: { pattern: /^[A-Z]{2}[0-9]{2}[A-Za-z0-9]{11,30}$/ },
      swiftCode: SWIFT,
    },
    required: ["iban"],
    rails: ["SEPA", "SEPA_INSTANT"],
    individualNeeds: ["address"],
    identifiedBy: ["iban"],
  },
  GBP_ACCOUNT: {
    currencies: ["GBP"],
    fields: {
      sortCode: { pattern: /^[0-9]{6}$/ },
      accountNumber: { pattern: /^[0-9]{8}$/ },
    },
    required: ["sortCode", "accountNumber"],
    rails: ["FASTER_PAYMENTS"],
    individualNeeds: [],
    identifiedBy: ["accountNumber"],
  },
  MXN_ACCOUNT: {
    currencies: ["MXN"],
    fields: { clabeNumber: { pattern: /^[0-9]{18}$/ } },
    required: ["clabeNumber"],
    rails: ["SPEI"],
    individualNeeds: [],
    identifiedBy: ["clabeNumber"],
  },
  USD_ACCOUNT: {
    currencies: ["USD"],
    fields: {
      accountNumber: ACCOUNT_NUMBER,
      routingNumber: { pattern: /^[0-9]{9}$/ },
    },
    required: ["accountNumber", "routingNumber"],
    rails: ["ACH", "WIRE", "RTP", "FEDNOW"],
    individualNeeds: [],
    identifiedBy: ["accountNumber"],
  },
  LIGHTNING: {
    currencies: ["BTC"],
    fields: {
      invoice: { pattern: /^ln/i, maxLength: 2048 },
      bolt12: { minLength: 1, maxLength: 2048 },
      lightningAddress: { pattern: /^[^@\s]+@[^@\s]+$/, maxLength: 255 },
    },
    required: [],
    exactlyOneOf: ["lightningAddress", "invoice", "bolt12"],
    rails: [],
    individualNeeds: "none",
    identifiedBy: ["lightningAddress", "invoice", "bolt12"],
  },
  BASE_WALLET: wallet(["USDC"], EVM_ADDRESS),
} as const satisfies Record<string, ExternalAccountType>;

export type AccountTypeName = keyof typeof EXTERNAL_ACCOUNT_TYPES;

export const ACCOUNT_TYPE_NAMES = Object.keys(EXTERNAL_ACCOUNT_TYPES) as AccountTypeName[];

/** The row of a type, in its general form. */
export const accountTypeRow = (name: AccountTypeName): ExternalAccountType =>
  EXTERNAL_ACCOUNT_TYPES[name];
