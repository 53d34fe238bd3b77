import { FIELD } from "../core/account-fields.ts";
import {
  FIRST_REVISION,
  LATEST_REVISION,
  REVISIONS,
  type Revision,
} from "../core/revision-names.ts";
import { CURRENCY_CODES, currencyCodesOf } from "../money/currencies.ts";
import {
  bank,
  brought,
  changed,
  type ExternalAccountType,
  mobileMoney,
  regionalMoney,
  rowIn,
  swiftBank,
  wallet,
} from "./account-type-rows.ts";

const { matching, sized } = FIELD;

const BANK_TRANSFER = ["BANK_TRANSFER"] as const;
const MOBILE_MONEY = ["MOBILE_MONEY"] as const;
const BANK_OR_MOBILE = ["BANK_TRANSFER", "MOBILE_MONEY"] as const;
/** A bank account and a mobile wallet at a named provider. */
const BANK_OR_WALLET = {
  BANK_TRANSFER: ["accountNumber", "bankName"],
  MOBILE_MONEY: ["bankName", "phoneNumber"],
} as const;
const SEPA = ["SEPA", "SEPA_INSTANT"] as const;

const { accountNumber, bankAccountType, iban, name, phone, swift } = FIELD;
const routingNumber = matching(/^[0-9]{9}$/);
const branchCode = matching(/^[0-9]{5}$/);

const LATER_CODES = currencyCodesOf(LATEST_REVISION);

/**
 * The external account types of all revisions, 44 in the first one, banks first, wallets last
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
  BDT_ACCOUNT: changed(
    bank("BDT", {
      may: { accountNumber, phoneNumber: phone, branchCode, swiftCode: swift },
      rails: BANK_OR_MOBILE,
      railsByFields: { BANK_TRANSFER: ["accountNumber"], MOBILE_MONEY: ["phoneNumber"] },
      by: ["accountNumber", "phoneNumber"],
    }),
    { adds: { bankName: name }, required: ["bankName"], railsByFields: BANK_OR_WALLET },
  ),
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
  CNY_ACCOUNT: brought(
    bank("CNY", {
      must: { bankName: name },
      may: { accountNumber, phoneNumber: phone },
      rails: BANK_OR_MOBILE,
      railsByFields: BANK_OR_WALLET,
      businessRails: ["BANK_TRANSFER"],
      by: ["phoneNumber", "accountNumber"],
    }),
  ),
  COP_ACCOUNT: changed(
    bank("COP", {
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
    {
      required: ["bankName"],
      railsByFields: {
        BANK_TRANSFER: ["accountNumber", "bankAccountType", "bankName"],
        MOBILE_MONEY: ["bankName", "phoneNumber"],
      },
    },
  ),
  DKK_ACCOUNT: bank("DKK", {
    must: { iban: matching(/^DK[0-9]{16}$/) },
    may: { swiftCode: swift },
    rails: SEPA,
    by: ["iban"],
  }),
  EGP_ACCOUNT: changed(
    bank("EGP", {
      must: { bankName: name, accountNumber },
      may: { iban: matching(/^EG[0-9]{27}$/), swiftCode: swift },
      rails: BANK_TRANSFER,
      individualNeeds: ["address", "countryOfResidence", "phoneNumber"],
      by: ["accountNumber"],
    }),
    {
      loses: ["accountNumber", "swiftCode"],
      adds: { phoneNumber: phone },
      required: ["bankName"],
      rails: BANK_OR_MOBILE,
      railsByFields: {
        BANK_TRANSFER: ["bankName", "iban"],
        MOBILE_MONEY: ["bankName", "phoneNumber"],
      },
      individualNeeds: [],
      // Accounts of the first revision keep the identifier that they had.
      identifiedBy: ["accountNumber", "iban", "phoneNumber"],
    },
  ),
  EUR_ACCOUNT: changed(
    bank("EUR", {
      must: { iban },
      may: { swiftCode: swift },
      rails: SEPA,
      individualNeeds: ["address"],
      by: ["iban"],
    }),
    { individualNeeds: ["countryOfResidence"] },
  ),
  GBP_ACCOUNT: bank("GBP", {
    must: { sortCode: matching(/^[0-9]{6}$/), accountNumber: matching(/^[0-9]{8}$/) },
    rails: ["FASTER_PAYMENTS"],
    by: ["accountNumber"],
  }),
  GHS_ACCOUNT: changed(
    bank("GHS", {
      may: { accountNumber, phoneNumber: phone },
      rails: BANK_OR_MOBILE,
      railsByFields: { BANK_TRANSFER: ["accountNumber"], MOBILE_MONEY: ["phoneNumber"] },
      by: ["accountNumber", "phoneNumber"],
    }),
    { adds: { bankName: name }, required: ["bankName"], railsByFields: BANK_OR_WALLET },
  ),
  GTQ_ACCOUNT: changed(
    bank("GTQ", {
      must: { accountNumber, bankAccountType },
      rails: BANK_TRANSFER,
      individualNeeds: ["countryOfResidence", "phoneNumber"],
      by: ["accountNumber"],
    }),
    { adds: { bankName: name }, required: ["accountNumber", "bankAccountType", "bankName"] },
  ),
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
  INR_ACCOUNT: changed(
    bank("INR", {
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
    {
      adds: {
        accountNumber: matching(/^[0-9]{9,18}$/),
        ifsc: matching(/^[A-Z]{4}0[A-Z0-9]{6}$/),
        rail: sized(1, 32),
        bankName: name,
      },
      required: [],
      rails: ["UPI", "NEFT", "RTGS"],
      railsByFields: {
        UPI: ["vpa"],
        NEFT: ["accountNumber", "ifsc", "rail"],
        RTGS: ["accountNumber", "ifsc", "rail"],
      },
      identifiedBy: ["vpa", "accountNumber"],
    },
  ),
  JMD_ACCOUNT: changed(
    bank("JMD", {
      must: { accountNumber, branchCode, bankAccountType },
      rails: BANK_TRANSFER,
      individualNeeds: ["address", "phoneNumber"],
      by: ["accountNumber"],
    }),
    {
      adds: { bankName: name },
      required: ["accountNumber", "branchCode", "bankAccountType", "bankName"],
    },
  ),
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
  PKR_ACCOUNT: changed(
    bank("PKR", {
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
    {
      required: ["bankName"],
      railsByFields: BANK_OR_WALLET,
    },
  ),
  RWF_ACCOUNT: mobileMoney("RWF", matching(/^\+250[0-9]{9}$/)),
  SGD_ACCOUNT: changed(swiftBank("SGD", ["PAYNOW", "FAST", "BANK_TRANSFER"]), {
    required: ["accountNumber", "swiftCode"],
  }),
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
  USD_ACCOUNT: changed(
    bank("USD", {
      must: { accountNumber, routingNumber: routingNumber },
      rails: ["ACH", "WIRE", "RTP", "FEDNOW"],
      by: ["accountNumber"],
    }),
    {
      adds: {
        bankName: sized(1, 140),
        bankAccountType,
        intermediaryBankName: sized(1, 140),
        intermediaryRoutingNumber: routingNumber,
        fiToFiInformation: sized(0, 210),
      },
    },
  ),
  VND_ACCOUNT: swiftBank("VND"),
  XAF_ACCOUNT: regionalMoney("XAF", ["CM", "CG"]),
  XOF_ACCOUNT: regionalMoney("XOF", ["BJ", "CI", "SN", "TG"]),
  ZAR_ACCOUNT: bank("ZAR", {
    must: { accountNumber: matching(/^[0-9]{9,13}$/), bankName: name },
    rails: BANK_TRANSFER,
    by: ["accountNumber"],
  }),
  ZMW_ACCOUNT: mobileMoney("ZMW", matching(/^\+260[0-9]{9}$/)),
  SWIFT_ACCOUNT: changed(
    bank(CURRENCY_CODES, {
      must: { country: matching(/^[A-Z]{2}$/), swiftCode: swift, bankName: name },
      may: { accountNumber, iban },
      rails: ["SWIFT"],
      oneOrMoreOf: ["accountNumber", "iban"],
      requiredWhen: { member: "country", values: ["BR", "GB"], needs: "iban" },
      by: ["accountNumber", "iban"],
    }),
    { currencies: LATER_CODES },
  ),
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
  PLASMA_WALLET: brought(wallet(["USDT"], FIELD.evmAddress)),
} as const satisfies Record<string, ExternalAccountType>;

/** Name of a type of any revision. */
export type AccountTypeName = keyof typeof EXTERNAL_ACCOUNT_TYPES;

const ROWS: Readonly<Record<AccountTypeName, ExternalAccountType>> = EXTERNAL_ACCOUNT_TYPES;

const rowsOf = (revision: Revision) =>
  new Map(
    (Object.keys(ROWS) as AccountTypeName[]).flatMap((name) => {
      const row = rowIn(ROWS[name], revision);
      return row ? [[name, row] as const] : [];
    }),
  );

const ROWS_BY_REVISION = new Map(REVISIONS.map((revision) => [revision, rowsOf(revision)]));

/** The change that made a type of the first revision another one, if there is one. */
export const accountTypeChange = (name: AccountTypeName) => ROWS[name].later?.since;

/** Names of the types that a revision has, banks first. */
export const accountTypesOf = (revision: Revision): AccountTypeName[] => [
  ...(ROWS_BY_REVISION.get(revision)?.keys() ?? []),
];

export const ACCOUNT_TYPE_NAMES = accountTypesOf(FIRST_REVISION);

/**
 * The row of a type as a revision has it, with all optional properties. A type that the revision has
 * not yet, of a record that a later one made, keeps the row that it came with.
 */
export const accountTypeRow = (
  accountType: AccountTypeName,
  revision: Revision = FIRST_REVISION,
): ExternalAccountType => ROWS_BY_REVISION.get(revision)?.get(accountType) ?? ROWS[accountType];

/** The row of a type with its latest changes. */
export const latestTypeRow = (accountType: AccountTypeName) =>
  accountTypeRow(accountType, LATEST_REVISION);
