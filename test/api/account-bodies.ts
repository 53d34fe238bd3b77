/** A beneficiary that every bank type takes. */
export const PERSON = {
  beneficiaryType: "INDIVIDUAL",
  fullName: "Lucie Anne Moreau",
  address: { line1: "4 rue des Lilas", city: "Lyon", postalCode: "69003", country: "FR" },
};

export const COMPANY = { beneficiaryType: "BUSINESS", legalName: "Moreau et Fils SARL" };

export interface AccountInfoBody {
  accountType: string;
  beneficiary?: object;
  [member: string]: unknown;
}

/** One account type of payments digest 6.4 with a valid body. */
export interface AccountCase {
  type: string;
  currency: string;
  /** What a reply adds; none for a wallet. */
  rails?: string[];
  info: AccountInfoBody;
  /** The member whose ending chooses the sandbox scenario, and its value with an ending. */
  identifier: string;
  ending: (suffix: string) => string;
}

export const ACCOUNT_CASES: AccountCase[] = [
  {
    type: "USD_ACCOUNT",
    currency: "USD",
    rails: ["ACH", "WIRE", "RTP", "FEDNOW"],
    info: {
      accountType: "USD_ACCOUNT",
      accountNumber: "000123456",
      routingNumber: "021000021",
      beneficiary: PERSON,
    },
    identifier: "accountNumber",
    ending: (suffix) => `000123${suffix}`,
  },
  {
    type: "EUR_ACCOUNT",
    currency: "EUR",
    rails: ["SEPA", "SEPA_INSTANT"],
    info: {
      accountType: "EUR_ACCOUNT",
      iban: "FR7630006000011234567890189",
      swiftCode: "AGRIFRPP",
      beneficiary: PERSON,
    },
    identifier: "iban",
    ending: (suffix) => `FR7630006000011234567890${suffix}`,
  },
  {
    type: "GBP_ACCOUNT",
    currency: "GBP",
    rails: ["FASTER_PAYMENTS"],
    info: {
      accountType: "GBP_ACCOUNT",
      sortCode: "200415",
      accountNumber: "55779911",
      beneficiary: COMPANY,
    },
    identifier: "accountNumber",
    ending: (suffix) => `55779${suffix}`,
  },
  {
    type: "MXN_ACCOUNT",
    currency: "MXN",
    rails: ["SPEI"],
    info: {
      accountType: "MXN_ACCOUNT",
      clabeNumber: "646180110400000999",
      beneficiary: PERSON,
    },
    identifier: "clabeNumber",
    ending: (suffix) => `646180110400000${suffix}`,
  },
  {
    type: "BRL_ACCOUNT",
    currency: "BRL",
    rails: ["PIX"],
    info: {
      accountType: "BRL_ACCOUNT",
      pixKey: "lucie.999@mail.example",
      pixKeyType: "EMAIL",
      taxId: "39053344705",
      beneficiary: PERSON,
    },
    identifier: "pixKey",
    ending: (suffix) => `lucie.${suffix}@mail.example`,
  },
  {
    type: "COP_ACCOUNT",
    currency: "COP",
    rails: ["BANK_TRANSFER", "MOBILE_MONEY"],
    info: {
      accountType: "COP_ACCOUNT",
      bankName: "Banco de Prueba",
      accountNumber: "7788990011",
      bankAccountType: "SAVINGS",
      phoneNumber: "+573001234567",
      beneficiary: PERSON,
    },
    identifier: "accountNumber",
    ending: (suffix) => `7788990${suffix}`,
  },
  {
    type: "LIGHTNING",
    currency: "BTC",
    info: { accountType: "LIGHTNING", lightningAddress: "lucie.999@node.example" },
    identifier: "lightningAddress",
    ending: (suffix) => `lucie.${suffix}@node.example`,
  },
  {
    type: "BASE_WALLET",
    currency: "USDC",
    info: { accountType: "BASE_WALLET", address: "0x52b7d2dcc80cd2e4000000deadc0ffee12345678" },
    identifier: "address",
    ending: (suffix) => `0x52b7d2dcc80cd2e4000000deadc0ffee12345${suffix}`,
  },
];

export const accountCase = (type: string): AccountCase => {
  const found = ACCOUNT_CASES.find((one) => one.type === type);
  if (!found) throw new Error(`Expected an account type of the table but found ${type}`);
  return found;
};

/** Body of a creation; `changes` replace members of `accountInfo`, `undefined` takes them out. */
export const creationBody = (
  { currency, info }: AccountCase,
  changes: Record<string, unknown> = {},
) => ({ currency, accountInfo: { ...info, ...changes } });
