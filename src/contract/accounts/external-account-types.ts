import { FIELD, type FieldRule, type PaymentRail } from "../core/account-fields.ts";
import { inPascalCase } from "../core/named-shape.ts";
import { CURRENCY_CODES, type CurrencyCode } from "../money/currencies.ts";

const { matching, sized } = FIELD;

/**
 * Members of an INDIVIDUAL beneficiary that a type can require
 * (spec/external-accounts.md#beneficiary).
 */
export type BeneficiaryField = "address" | "phoneNumber" | "countryOfResidence";

/** The members of one `accountType`, and their meaning. */
export interface ExternalAccountType {
  currencies: readonly CurrencyCode[];
  fields: Record<string, FieldRule>;
  required: readonly string[];
  /** Exactly one of these members is required. */
  exactlyOneOf?: readonly string[];
  /** At least one of these members is required. */
  oneOrMoreOf?: readonly string[];
  /** A member that some values of another member make required. */
  requiredWhen?: { member: string; values: readonly string[]; needs: string };
  /**
   * Rails that depend on members: a rail is offered if all of its members are present
   * (spec/external-accounts.md#rails-by-field).
   */
  railsByFields?: Partial<Record<PaymentRail, readonly string[]>>;
  /** Empty for a wallet, which has neither rails nor beneficiary. */
  rails: readonly PaymentRail[];
  /** "none" for wallets; otherwise the required members of an INDIVIDUAL besides its name. */
  individualNeeds: "none" | readonly BeneficiaryField[];
  /** Optional members of an INDIVIDUAL to which the type gives a form. */
  individualMay?: Record<string, FieldRule>;
  /**
   * The first of these members that is present holds the identifier
   * (spec/external-accounts.md#identifier).
   */
  identifiedBy: readonly string[];
}

type Extras = Partial<
  Pick<
    ExternalAccountType,
    "oneOrMoreOf" | "requiredWhen" | "railsByFields" | "individualNeeds" | "individualMay"
  >
>;

interface BankRow extends Extras {
  must?: Record<string, FieldRule>;
  may?: Record<string, FieldRule>;
  rails: readonly PaymentRail[];
  by: readonly string[];
}

const bank = (
  currency: CurrencyCode | readonly CurrencyCode[],
  { must = {}, may = {}, by, ...rest }: BankRow,
): ExternalAccountType => ({
  currencies: typeof currency === "string" ? [currency] : currency,
  fields: { ...must, ...may },
  required: Object.keys(must),
  identifiedBy: by,
  individualNeeds: [],
  ...rest,
});

const wallet = (currencies: readonly CurrencyCode[], address: FieldRule): ExternalAccountType => ({
  currencies,
  fields: { address },
  required: ["address"],
  rails: [],
  individualNeeds: "none",
  identifiedBy: ["address"],
});

const BANK_TRANSFER = ["BANK_TRANSFER"] as const;
const MOBILE_MONEY = ["MOBILE_MONEY"] as const;
const BANK_OR_MOBILE = ["BANK_TRANSFER", "MOBILE_MONEY"] as const;
const SEPA = ["SEPA", "SEPA_INSTANT"] as const;

const { accountNumber, bankAccountType, iban, name, phone, swift } = FIELD;
const branchCode = matching(/^[0-9]{5}$/);

/** A named bank, an account number and a BIC. */
const swiftBank = (currency: CurrencyCode, rails: readonly PaymentRail[] = BANK_TRANSFER) =>
  bank(currency, {
    must: { bankName: name, accountNumber, swiftCode: swift },
    rails,
    by: ["accountNumber"],
  });

/** A phone number at a named provider. */
const mobileMoney = (currency: CurrencyCode, phoneNumber: FieldRule = phone) =>
  bank(currency, {
    must: { phoneNumber, provider: name },
    rails: MOBILE_MONEY,
    by: ["phoneNumber"],
  });

/** A phone number at a named provider of one of several countries. */
const regionalMoney = (currency: CurrencyCode, regions: readonly string[]) =>
  bank(currency, {
    must: {
      phoneNumber: phone,
      provider: name,
      region: { name: `${inPascalCase(currency)}Region`, values: regions },
    },
    rails: MOBILE_MONEY,
    by: ["phoneNumber"],
  });

/**
 * The 44 external account types, banks first, wallets last
 * (spec/external-accounts.md#account-types). Several types share the forms of their fields
 * (spec/external-accounts.md#shared-fields).
 */
export const EXTERNAL_ACCOUNT_TYPES = {
  AED_ACCOUNT: bank("AED", {
    must: { iban: matching(/^AE[0-9]{21}$/) },
    may: { swiftCode: swift },
    rails: BANK_TRANSFER,
    individualNeeds: ["address"],
    by: ["iban"],
  }),
  BDT_ACCOUNT: bank("BDT", {
    may: { accountNumber, phoneNumber: phone, branchCode, swiftCode: swift },
    rails: BANK_OR_MOBILE,
    railsByFields: { BANK_TRANSFER: ["accountNumber"], MOBILE_MONEY: ["phoneNumber"] },
    by: ["accountNumber", "phoneNumber"],
  }),
  BRL_ACCOUNT: bank("BRL", {
    must: {
      pixKey: sized(1, 77),
      pixKeyType: { values: ["CPF", "CNPJ", "EMAIL", "PHONE", "RANDOM"] },
      taxId: matching(/^[0-9]{11,14}$/),
    },
    rails: ["PIX"],
    by: ["pixKey"],
  }),
  BWP_ACCOUNT: mobileMoney("BWP"),
  CAD_ACCOUNT: bank("CAD", {
    must: {
      bankCode: matching(/^[0-9]{3}$/),
      branchCode,
      accountNumber: matching(/^[0-9]{7,12}$/),
    },
    rails: BANK_TRANSFER,
    individualMay: { registrationNumber: name },
    by: ["accountNumber"],
  }),
  COP_ACCOUNT: bank("COP", {
    may: { bankName: name, accountNumber, bankAccountType, phoneNumber: phone },
    rails: BANK_OR_MOBILE,
    railsByFields: {
      BANK_TRANSFER: ["accountNumber", "bankName", "bankAccountType"],
      MOBILE_MONEY: ["phoneNumber"],
    },
    individualMay: {
      documentType: { values: ["CC", "CE", "TI", "NIT", "PP"] },
      documentNumber: sized(1, 50),
    },
    by: ["accountNumber", "phoneNumber"],
  }),
  DKK_ACCOUNT: bank("DKK", {
    must: { iban: matching(/^DK[0-9]{16}$/) },
    may: { swiftCode: swift },
    rails: SEPA,
    by: ["iban"],
  }),
  EGP_ACCOUNT: bank("EGP", {
    must: { bankName: name, accountNumber },
    may: { iban: matching(/^EG[0-9]{27}$/), swiftCode: swift },
    rails: BANK_TRANSFER,
    individualNeeds: ["address", "countryOfResidence", "phoneNumber"],
    by: ["accountNumber"],
  }),
  EUR_ACCOUNT: bank("EUR", {
    must: { iban },
    may: { swiftCode: swift },
    rails: SEPA,
    individualNeeds: ["address"],
    by: ["iban"],
  }),
  GBP_ACCOUNT: bank("GBP", {
    must: { sortCode: matching(/^[0-9]{6}$/), accountNumber: matching(/^[0-9]{8}$/) },
    rails: ["FASTER_PAYMENTS"],
    by: ["accountNumber"],
  }),
  GHS_ACCOUNT: bank("GHS", {
    may: { accountNumber, phoneNumber: phone },
    rails: BANK_OR_MOBILE,
    railsByFields: { BANK_TRANSFER: ["accountNumber"], MOBILE_MONEY: ["phoneNumber"] },
    by: ["accountNumber", "phoneNumber"],
  }),
  GTQ_ACCOUNT: bank("GTQ", {
    must: { accountNumber, bankAccountType },
    rails: BANK_TRANSFER,
    individualNeeds: ["countryOfResidence", "phoneNumber"],
    by: ["accountNumber"],
  }),
  HKD_ACCOUNT: swiftBank("HKD"),
  HTG_ACCOUNT: bank("HTG", {
    must: { phoneNumber: phone },
    rails: MOBILE_MONEY,
    by: ["phoneNumber"],
  }),
  IDR_ACCOUNT: bank("IDR", {
    must: {
      bankName: name,
      accountNumber,
      swiftCode: swift,
      phoneNumber: matching(/^\+62[0-9]{9,12}$/),
    },
    rails: BANK_TRANSFER,
    by: ["accountNumber"],
  }),
  INR_ACCOUNT: bank("INR", {
    must: {
      vpa: {
        name: "UpiAddress",
        pattern: /^[a-zA-Z0-9.\-_]+@[a-zA-Z0-9]+$/,
        minLength: 3,
        maxLength: 255,
      },
    },
    rails: ["UPI"],
    by: ["vpa"],
  }),
  JMD_ACCOUNT: bank("JMD", {
    must: { accountNumber, branchCode, bankAccountType },
    rails: BANK_TRANSFER,
    individualNeeds: ["address", "phoneNumber"],
    by: ["accountNumber"],
  }),
  KES_ACCOUNT: mobileMoney("KES", matching(/^\+254[0-9]{9}$/)),
  MWK_ACCOUNT: mobileMoney("MWK"),
  MXN_ACCOUNT: bank("MXN", {
    must: { clabeNumber: matching(/^[0-9]{18}$/) },
    rails: ["SPEI"],
    by: ["clabeNumber"],
  }),
  MYR_ACCOUNT: swiftBank("MYR"),
  NGN_ACCOUNT: bank("NGN", {
    must: { accountNumber: matching(/^[0-9]{10}$/), bankName: name },
    rails: BANK_TRANSFER,
    by: ["accountNumber"],
  }),
  PHP_ACCOUNT: bank("PHP", {
    must: { bankName: name, accountNumber: matching(/^[0-9]{8,16}$/) },
    rails: BANK_TRANSFER,
    by: ["accountNumber"],
  }),
  PKR_ACCOUNT: bank("PKR", {
    may: {
      accountNumber,
      bankName: name,
      phoneNumber: phone,
      iban: matching(/^PK[0-9]{2}[A-Z]{4}[0-9]{16}$/),
    },
    rails: BANK_OR_MOBILE,
    railsByFields: {
      BANK_TRANSFER: ["accountNumber"],
      MOBILE_MONEY: ["bankName", "phoneNumber"],
    },
    by: ["accountNumber", "iban", "phoneNumber"],
  }),
  RWF_ACCOUNT: mobileMoney("RWF", matching(/^\+250[0-9]{9}$/)),
  SGD_ACCOUNT: swiftBank("SGD", ["PAYNOW", "FAST", "BANK_TRANSFER"]),
  SLV_ACCOUNT: bank("USD", {
    may: { accountNumber, bankAccountType, bankName: name, phoneNumber: phone },
    rails: BANK_OR_MOBILE,
    railsByFields: {
      BANK_TRANSFER: ["accountNumber", "bankAccountType"],
      MOBILE_MONEY: ["phoneNumber"],
    },
    by: ["accountNumber", "phoneNumber"],
  }),
  THB_ACCOUNT: swiftBank("THB"),
  TZS_ACCOUNT: mobileMoney("TZS", matching(/^\+255[0-9]{9}$/)),
  UGX_ACCOUNT: mobileMoney("UGX"),
  USD_ACCOUNT: bank("USD", {
    must: { accountNumber, routingNumber: matching(/^[0-9]{9}$/) },
    rails: ["ACH", "WIRE", "RTP", "FEDNOW"],
    by: ["accountNumber"],
  }),
  VND_ACCOUNT: swiftBank("VND"),
  XAF_ACCOUNT: regionalMoney("XAF", ["CM", "CG"]),
  XOF_ACCOUNT: regionalMoney("XOF", ["BJ", "CI", "SN", "TG"]),
  ZAR_ACCOUNT: bank("ZAR", {
    must: { accountNumber: matching(/^[0-9]{9,13}$/), bankName: name },
    rails: BANK_TRANSFER,
    by: ["accountNumber"],
  }),
  ZMW_ACCOUNT: mobileMoney("ZMW", matching(/^\+260[0-9]{9}$/)),
  SWIFT_ACCOUNT: bank(CURRENCY_CODES, {
    must: { country: matching(/^[A-Z]{2}$/), swiftCode: swift, bankName: name },
    may: { accountNumber, iban },
    rails: ["SWIFT"],
    oneOrMoreOf: ["accountNumber", "iban"],
    requiredWhen: { member: "country", values: ["BR", "GB"], needs: "iban" },
    by: ["accountNumber", "iban"],
  }),
  SPARK_WALLET: wallet(["BTC", "USDB"], {
    name: "SparkAddress",
    pattern: /^(spark1|sparkrt1)/,
    maxLength: 255,
  }),
  LIGHTNING: {
    currencies: ["BTC"],
    fields: {
      invoice: { pattern: /^[lL][nN]/, maxLength: 2048 },
      bolt12: sized(1, 2048),
      lightningAddress: { pattern: /^[^@\s]+@[^@\s]+$/, maxLength: 255 },
    },
    required: [],
    exactlyOneOf: ["lightningAddress", "invoice", "bolt12"],
    rails: [],
    individualNeeds: "none",
    identifiedBy: ["lightningAddress", "invoice", "bolt12"],
  },
  SOLANA_WALLET: wallet(["USDC", "USDT"], matching(/^[A-Za-z0-9]{32,44}$/)),
  BASE_WALLET: wallet(["USDC"], FIELD.evmAddress),
  POLYGON_WALLET: wallet(["USDC"], FIELD.evmAddress),
  ETHEREUM_WALLET: wallet(["USDC"], FIELD.evmAddress),
  TRON_WALLET: wallet(["USDT"], matching(/^T[A-Za-z0-9]{33}$/)),
} as const satisfies Record<string, ExternalAccountType>;

export type AccountTypeName = keyof typeof EXTERNAL_ACCOUNT_TYPES;

export const ACCOUNT_TYPE_NAMES = Object.keys(EXTERNAL_ACCOUNT_TYPES) as AccountTypeName[];

/** The row of a type, with all optional properties. */
export const accountTypeRow = (accountType: AccountTypeName): ExternalAccountType =>
  EXTERNAL_ACCOUNT_TYPES[accountType];
