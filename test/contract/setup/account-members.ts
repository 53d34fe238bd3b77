/**
 * Values of one member: just outside and just inside its form
 * (spec/external-accounts.md#account-types, spec/external-accounts.md#shared-fields).
 */
export interface MemberValues {
  bad: unknown[];
  good: string[];
}

const text = (longest: number): MemberValues => ({
  bad: ["", "9".repeat(longest + 1), 5, null, ["9"]],
  good: ["9", "9".repeat(longest)],
});

const digits = (...lengths: number[]): MemberValues => {
  const [least = 0] = lengths;
  const most = lengths.at(-1) ?? 0;
  const nines = (length: number) => "9".repeat(length);
  return {
    bad: ["", nines(least - 1), nines(most + 1), `${nines(least - 1)}a`, ` ${nines(least)}`, 5],
    good: lengths.map(nines),
  };
};

/** A phone number: a country's prefix, then N digits. */
const phoneOf = (start: string, ...lengths: number[]): MemberValues => {
  const { bad, good } = digits(...lengths);
  const prefixed = bad.slice(1, -1).map((value) => start + value);
  return {
    bad: ["", ...prefixed, `00${start.slice(1)}999999999`, 5],
    good: good.map((value) => start + value),
  };
};

const oneOf = (values: string[]): MemberValues => ({
  bad: ["", values.map((value) => value.toLowerCase())[0], "OTHER_VALUE", null],
  good: values,
});

const NAME = text(255);
const ACCOUNT = text(34);
const PHONE = phoneOf("+", 6, 14);
const BRANCH = digits(5);
const CHECKING = oneOf(["CHECKING", "SAVINGS"]);
const SWIFT: MemberValues = {
  bad: ["", "AGRIFRP", "AGRIFRPPX", "AGRIFRPPXXXX", "agrifrpp", "AGR1FRPP", "AGRIF1PP", null],
  good: ["AGRIFRPP", "AGRIFR22", "AGRIFRPPX9Z"],
};
const IBAN: MemberValues = {
  bad: [
    "",
    "FR763000600001",
    `FR76${"1".repeat(31)}`,
    "fr7630006000011234567890189",
    "F17630006000011234567890189",
    "FRA630006000011234567890189",
    "FR76 3000 6000 0112 34",
  ],
  good: ["FR7630006000012", `FR76${"1".repeat(30)}`, "FR76abc06000011234567890189"],
};
const ibanOf = (country: string, length: number): MemberValues => ({
  bad: ["", country, `FR${"9".repeat(length)}`, ...endsOf(country, length), 5],
  good: [country + "9".repeat(length)],
});
const endsOf = (country: string, length: number) =>
  [length - 1, length + 1].map((wrong) => country + "9".repeat(wrong));
const EVM: MemberValues = {
  bad: ["", "a".repeat(40), `0x${"a".repeat(39)}`, `0x${"a".repeat(41)}`, `0x${"g".repeat(40)}`],
  good: [`0x${"a".repeat(40)}`, `0x${"A9".repeat(20)}`],
};
const MOBILE = { phoneNumber: PHONE, provider: NAME };
const SWIFT_BANK = { bankName: NAME, accountNumber: ACCOUNT, swiftCode: SWIFT };
const REGIONAL = (regions: string[]) => ({ ...MOBILE, region: oneOf(regions) });

/** Every member of every row; a test proves it complete against the published table. */
export const ACCOUNT_MEMBERS: Record<string, Record<string, MemberValues>> = {
  AED_ACCOUNT: { iban: ibanOf("AE", 21), swiftCode: SWIFT },
  BDT_ACCOUNT: { accountNumber: ACCOUNT, phoneNumber: PHONE, branchCode: BRANCH, swiftCode: SWIFT },
  BRL_ACCOUNT: {
    pixKey: text(77),
    pixKeyType: oneOf(["CPF", "CNPJ", "EMAIL", "PHONE", "RANDOM"]),
    taxId: digits(11, 14),
  },
  BWP_ACCOUNT: MOBILE,
  CAD_ACCOUNT: { bankCode: digits(3), branchCode: BRANCH, accountNumber: digits(7, 12) },
  COP_ACCOUNT: {
    bankName: NAME,
    accountNumber: ACCOUNT,
    bankAccountType: CHECKING,
    phoneNumber: PHONE,
  },
  DKK_ACCOUNT: { iban: ibanOf("DK", 16), swiftCode: SWIFT },
  EGP_ACCOUNT: {
    bankName: NAME,
    accountNumber: ACCOUNT,
    iban: ibanOf("EG", 27),
    swiftCode: SWIFT,
  },
  EUR_ACCOUNT: { iban: IBAN, swiftCode: SWIFT },
  GBP_ACCOUNT: { sortCode: digits(6), accountNumber: digits(8) },
  GHS_ACCOUNT: { accountNumber: ACCOUNT, phoneNumber: PHONE },
  GTQ_ACCOUNT: { accountNumber: ACCOUNT, bankAccountType: CHECKING },
  HKD_ACCOUNT: SWIFT_BANK,
  HTG_ACCOUNT: { phoneNumber: PHONE },
  IDR_ACCOUNT: { ...SWIFT_BANK, phoneNumber: phoneOf("+62", 9, 12) },
  INR_ACCOUNT: {
    vpa: {
      bad: [
        "",
        "lucie",
        "@okbank",
        "lucie@",
        "lu cie@okbank",
        "lucie@ok.bank",
        "l@b@c",
        `${"l".repeat(254)}@b`,
      ],
      good: ["l@b", "Lucie.A-b_9@OkBank9", `${"l".repeat(253)}@b`],
    },
  },
  JMD_ACCOUNT: { accountNumber: ACCOUNT, branchCode: BRANCH, bankAccountType: CHECKING },
  KES_ACCOUNT: { phoneNumber: phoneOf("+254", 9), provider: NAME },
  MWK_ACCOUNT: MOBILE,
  MXN_ACCOUNT: { clabeNumber: digits(18) },
  MYR_ACCOUNT: SWIFT_BANK,
  NGN_ACCOUNT: { accountNumber: digits(10), bankName: NAME },
  PHP_ACCOUNT: { bankName: NAME, accountNumber: digits(8, 16) },
  PKR_ACCOUNT: {
    accountNumber: ACCOUNT,
    bankName: NAME,
    phoneNumber: PHONE,
    iban: {
      bad: ["", "PK36SCB10000001123456702", "PK36SCBL000000112345670", "FR36SCBL0000001123456702"],
      good: ["PK36SCBL0000001123456702"],
    },
  },
  RWF_ACCOUNT: { phoneNumber: phoneOf("+250", 9), provider: NAME },
  SGD_ACCOUNT: SWIFT_BANK,
  SLV_ACCOUNT: {
    accountNumber: ACCOUNT,
    bankAccountType: CHECKING,
    bankName: NAME,
    phoneNumber: PHONE,
  },
  THB_ACCOUNT: SWIFT_BANK,
  TZS_ACCOUNT: { phoneNumber: phoneOf("+255", 9), provider: NAME },
  UGX_ACCOUNT: MOBILE,
  USD_ACCOUNT: { accountNumber: ACCOUNT, routingNumber: digits(9) },
  VND_ACCOUNT: SWIFT_BANK,
  XAF_ACCOUNT: REGIONAL(["CM", "CG"]),
  XOF_ACCOUNT: REGIONAL(["BJ", "CI", "SN", "TG"]),
  ZAR_ACCOUNT: { accountNumber: digits(9, 13), bankName: NAME },
  ZMW_ACCOUNT: { phoneNumber: phoneOf("+260", 9), provider: NAME },
  SWIFT_ACCOUNT: {
    country: { bad: ["", "C", "CHE", "ch", 5], good: ["CH", "GB"] },
    swiftCode: SWIFT,
    bankName: NAME,
    accountNumber: ACCOUNT,
    iban: IBAN,
  },
  SPARK_WALLET: {
    address: {
      bad: ["", "park1pgss", "SPARK1pgss", " spark1pgss", 5],
      good: ["sparkrt1pgssx2h5v"],
    },
  },
  LIGHTNING: {
    lightningAddress: {
      bad: ["", "lucie", "@node.example", "lucie@", 5],
      good: ["l@node.example"],
    },
    invoice: { bad: ["", "bc10u1p3unwfu", 5], good: ["lnbc10u1p3unwfu", "LNBC10U1P3UNWFU"] },
    bolt12: { bad: ["", 5], good: ["lno1qgsqvgnwgcg35z6ee2h3yczraddm72xrfua9uve2r"] },
  },
  SOLANA_WALLET: {
    address: {
      bad: ["", "a".repeat(31), "a".repeat(45), `${"a".repeat(40)}-`],
      good: ["a".repeat(32), "a".repeat(44)],
    },
  },
  BASE_WALLET: { address: EVM },
  POLYGON_WALLET: { address: EVM },
  ETHEREUM_WALLET: { address: EVM },
  TRON_WALLET: {
    address: {
      bad: ["", `T${"a".repeat(32)}`, `T${"a".repeat(34)}`, "a".repeat(34), `t${"a".repeat(33)}`],
      good: [`T${"a".repeat(33)}`],
    },
  },
};
