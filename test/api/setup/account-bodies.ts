import { PUBLISHED_ACCOUNT_TYPES } from "../../contract/setup/published-account-types.ts";

/** A person whom every bank type accepts. */
export const PERSON = {
  beneficiaryType: "INDIVIDUAL",
  fullName: "Lucie Anne Moreau",
  phoneNumber: "+33612345678",
  countryOfResidence: "FR",
  address: { line1: "4 rue des Lilas", city: "Lyon", postalCode: "69003", country: "FR" },
};

export const COMPANY = { beneficiaryType: "BUSINESS", legalName: "Moreau et Fils SARL" };

const BANK = "Banco de Prueba";
const SWIFT = "AGRIFRPP";
const ADDRESS = "0x52b7d2dcc80cd2e4000000deadc0ffee12345999";

/** One valid body per type, with every member of its row, unless members exclude each other. */
const MEMBERS: Record<string, Record<string, string>> = {
  AED_ACCOUNT: { iban: "AE070331234567890123999", swiftCode: SWIFT },
  BDT_ACCOUNT: {
    accountNumber: "1503201234999",
    phoneNumber: "+8801712345678",
    branchCode: "12345",
    swiftCode: SWIFT,
  },
  BRL_ACCOUNT: { pixKey: "lucie.999@mail.example", pixKeyType: "EMAIL", taxId: "39053344705" },
  BWP_ACCOUNT: { phoneNumber: "+26771234999", provider: "ORANGE" },
  CAD_ACCOUNT: { bankCode: "001", branchCode: "00011", accountNumber: "1234999" },
  COP_ACCOUNT: {
    bankName: BANK,
    accountNumber: "7788990999",
    bankAccountType: "SAVINGS",
    phoneNumber: "+573001234567",
  },
  DKK_ACCOUNT: { iban: "DK5000400440116999", swiftCode: SWIFT },
  EGP_ACCOUNT: {
    bankName: BANK,
    accountNumber: "00019980999",
    iban: "EG380019000500000000263180002",
    swiftCode: SWIFT,
  },
  EUR_ACCOUNT: { iban: "FR7630006000011234567890999", swiftCode: SWIFT },
  GBP_ACCOUNT: { sortCode: "200415", accountNumber: "55779999" },
  GHS_ACCOUNT: { accountNumber: "1400000000999", phoneNumber: "+233241234567" },
  GTQ_ACCOUNT: { accountNumber: "0101019999", bankAccountType: "CHECKING" },
  HKD_ACCOUNT: { bankName: BANK, accountNumber: "123456789999", swiftCode: SWIFT },
  HTG_ACCOUNT: { phoneNumber: "+50934101999" },
  IDR_ACCOUNT: {
    bankName: BANK,
    accountNumber: "1234567999",
    swiftCode: SWIFT,
    phoneNumber: "+6281234567890",
  },
  INR_ACCOUNT: { vpa: "lucie.999@okbank" },
  JMD_ACCOUNT: { accountNumber: "123456999", branchCode: "12345", bankAccountType: "SAVINGS" },
  KES_ACCOUNT: { phoneNumber: "+254712345999", provider: "M-PESA" },
  MWK_ACCOUNT: { phoneNumber: "+265991234999", provider: "AIRTEL" },
  MXN_ACCOUNT: { clabeNumber: "646180110400000999" },
  MYR_ACCOUNT: { bankName: BANK, accountNumber: "1640123456999", swiftCode: SWIFT },
  NGN_ACCOUNT: { accountNumber: "0123456999", bankName: BANK },
  PHP_ACCOUNT: { bankName: BANK, accountNumber: "001234567999" },
  PKR_ACCOUNT: {
    accountNumber: "0012345678999",
    bankName: BANK,
    phoneNumber: "+923001234567",
    iban: "PK36SCBL0000001123456702",
  },
  RWF_ACCOUNT: { phoneNumber: "+250788123999", provider: "MTN" },
  SGD_ACCOUNT: { bankName: BANK, accountNumber: "0721234999", swiftCode: SWIFT },
  SLV_ACCOUNT: {
    accountNumber: "1234567999",
    bankAccountType: "CHECKING",
    bankName: BANK,
    phoneNumber: "+50371234567",
  },
  THB_ACCOUNT: { bankName: BANK, accountNumber: "1234567999", swiftCode: SWIFT },
  TZS_ACCOUNT: { phoneNumber: "+255712345999", provider: "VODACOM" },
  UGX_ACCOUNT: { phoneNumber: "+256712345999", provider: "MTN" },
  USD_ACCOUNT: { accountNumber: "000123999", routingNumber: "021000021" },
  VND_ACCOUNT: { bankName: BANK, accountNumber: "1234567999", swiftCode: SWIFT },
  XAF_ACCOUNT: { phoneNumber: "+237671234999", provider: "MTN", region: "CM" },
  XOF_ACCOUNT: { phoneNumber: "+221771234999", provider: "ORANGE", region: "SN" },
  ZAR_ACCOUNT: { accountNumber: "62001234999", bankName: BANK },
  ZMW_ACCOUNT: { phoneNumber: "+260971234999", provider: "ZAMTEL" },
  SWIFT_ACCOUNT: {
    country: "CH",
    swiftCode: SWIFT,
    bankName: BANK,
    accountNumber: "000123999",
    iban: "CH9300762011623852002",
  },
  SPARK_WALLET: { address: "spark1pgssx2h5v0q8r3n7t999" },
  LIGHTNING: { lightningAddress: "lucie.999@node.example" },
  SOLANA_WALLET: { address: "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosg999" },
  BASE_WALLET: { address: ADDRESS },
  POLYGON_WALLET: { address: ADDRESS },
  ETHEREUM_WALLET: { address: ADDRESS },
  TRON_WALLET: { address: "TJRyWwFs9wTFGZg3JbrVriFbNfCug5t999" },
};

/** One account type with a valid body. */
export interface AccountCase {
  type: string;
  currency: string;
  isWallet: boolean;
  /** Rails that a reply adds; empty for a wallet. */
  rails: string[];
  /**
   * The member whose ending chooses the sandbox scenario (spec/external-accounts.md#identifier).
   */
  identifier: string;
  info: Record<string, unknown>;
}

export const ACCOUNT_CASES: AccountCase[] = PUBLISHED_ACCOUNT_TYPES.map((row) => {
  const members = MEMBERS[row.type] ?? {};
  const isWallet = row.personNeeds === "wallet";
  return {
    type: row.type,
    currency: row.currencies[0] === "any" ? "CAD" : (row.currencies[0] ?? ""),
    isWallet,
    rails: row.rails,
    identifier: row.identifiedBy.find((member) => member in members) ?? "",
    info: { accountType: row.type, ...members, ...(!isWallet && { beneficiary: PERSON }) },
  };
});

/** The first account type of each member that identifies accounts. */
export const CASE_OF_EACH_IDENTIFIER = [
  ...new Map(ACCOUNT_CASES.toReversed().map((one) => [one.identifier, one])).values(),
];

export const accountCase = (type: string): AccountCase => {
  const found = ACCOUNT_CASES.find((one) => one.type === type);
  if (!found) throw new Error(`Expected an account type of the table but found ${type}`);
  return found;
};

/** The identifier with another ending, in front of its domain if it has one. */
export const withEnding = ({ info, identifier }: AccountCase, suffix: string): string =>
  String(info[identifier]).replace(/...(?=@|$)/, suffix);

/** Body of a creation; `changes` replace members of `accountInfo`, and `undefined` removes them. */
export const creationBody = (
  { currency, info }: AccountCase,
  changes: Record<string, unknown> = {},
) => ({ currency, accountInfo: { ...info, ...changes } });
