import { expect, test } from "vitest";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { connectAgent } from "../setup/agents.ts";
import { everyRow } from "../setup/every-row.ts";
import { createPayer } from "../setup/platform.ts";

const world = worldPerTest({ revision: "2026-08" });

const PERSON = { beneficiaryType: "INDIVIDUAL", fullName: "Lin Mei" };
const COMPANY = { beneficiaryType: "BUSINESS", legalName: "North Pier Books" };
const EVM = "0x7d1f0c3a9b5e4d2c8a6f1e0b3c5d7a9f2b4e6c80";
const x = (length: number) => "x".repeat(length);
const nines = (length: number) => "9".repeat(length);

const HOME = { line1: "Harbour 1", city: "Kingston", postalCode: "10000", country: "JM" };

/** An account of each type that is right as it is, by its type. */
const RIGHT: Record<string, object> = {
  BDT_ACCOUNT: { bankName: "Padma Bank", accountNumber: "1500000001" },
  CNY_ACCOUNT: { bankName: "AliPay", phoneNumber: "+8613800138000" },
  COP_ACCOUNT: { bankName: "Nequi", phoneNumber: "+573001234567" },
  EGP_ACCOUNT: { bankName: "NILE_DELTA_BANK", iban: "EG380019000500000000263180002" },
  EUR_ACCOUNT: {
    iban: "DE89370400440532013000",
    beneficiary: { ...PERSON, countryOfResidence: "DE" },
  },
  GHS_ACCOUNT: { bankName: "Volta Bank", accountNumber: "1400000000" },
  GTQ_ACCOUNT: {
    bankName: "Banco Quetzal",
    accountNumber: "0101019999",
    bankAccountType: "CHECKING",
    beneficiary: { ...PERSON, countryOfResidence: "GT", phoneNumber: "+50212345678" },
  },
  INR_ACCOUNT: { accountNumber: "123456789", ifsc: "HDFC0ABCDEF", rail: "NEFT" },
  JMD_ACCOUNT: {
    bankName: "Blue Mountain Bank",
    accountNumber: "1002003",
    branchCode: "12345",
    bankAccountType: "CHECKING",
    beneficiary: { ...PERSON, address: HOME, phoneNumber: "+18765551234" },
  },
  PKR_ACCOUNT: { bankName: "Indus Bank", accountNumber: "0012345678" },
  SGD_ACCOUNT: { accountNumber: "0123456789", swiftCode: "DBSSSGSG" },
  USD_ACCOUNT: { accountNumber: "000123456", routingNumber: "021000021", beneficiary: COMPANY },
  SOLANA_WALLET: { address: "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T" },
  BASE_WALLET: { address: EVM },
  POLYGON_WALLET: { address: EVM },
  ETHEREUM_WALLET: { address: EVM },
  PLASMA_WALLET: { address: EVM },
  TRON_WALLET: { address: "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE" },
  SPARK_WALLET: { address: "spark1pgss8q2v7w" },
};

const CURRENCIES: Record<string, string> = {
  SOLANA_WALLET: "USDC",
  BASE_WALLET: "USDC",
  POLYGON_WALLET: "USDC",
  ETHEREUM_WALLET: "USDC",
  PLASMA_WALLET: "USDT",
  TRON_WALLET: "USDT",
  SPARK_WALLET: "BTC",
};

const bodyOf = (type: string, members: object = {}) => ({
  currency: CURRENCIES[type] ?? type.slice(0, 3),
  accountInfo: {
    accountType: type,
    ...(type.endsWith("_ACCOUNT") && { beneficiary: PERSON }),
    ...RIGHT[type],
    ...members,
  },
});

interface Bound {
  type: string;
  /** Members that are right together, beside those of the type. */
  takes?: object[];
  /** Members that are wrong, and the member that is to blame. */
  refuses?: [members: object, field: string][];
}

const bankNames = (longest: number): Pick<Required<Bound>, "takes" | "refuses"> => ({
  takes: [{ bankName: "B" }, { bankName: x(longest) }],
  refuses: [
    [{ bankName: "" }, "bankName"],
    [{ bankName: x(longest + 1) }, "bankName"],
    [{ bankName: 7 }, "bankName"],
  ],
});

const NAMED = "BDT_ACCOUNT COP_ACCOUNT EGP_ACCOUNT GHS_ACCOUNT GTQ_ACCOUNT JMD_ACCOUNT PKR_ACCOUNT";

const missing = (member: string): [object, string] => [{ [member]: undefined }, member];

/** Bounds of the members that the revision brought, from its contract. */
const BOUNDS: Bound[] = [
  ...[...NAMED.split(" "), "CNY_ACCOUNT"].map((type) => {
    const { takes, refuses } = bankNames(255);
    return { type, takes, refuses: [...refuses, missing("bankName")] };
  }),
  {
    type: "CNY_ACCOUNT",
    takes: [
      { phoneNumber: "+123456" },
      { phoneNumber: "+12345678901234" },
      { phoneNumber: undefined, accountNumber: nines(34), beneficiary: COMPANY },
      { beneficiary: { ...PERSON, birthDate: "1990-01-31", nationality: "CN" } },
      { beneficiary: { ...PERSON, email: "lin@mei.test", phoneNumber: "+8613800138000" } },
      { beneficiary: { ...PERSON, countryOfResidence: "CN", address: HOME } },
    ],
    refuses: [
      [{ phoneNumber: "+12345" }, "phoneNumber"],
      [{ phoneNumber: "+123456789012345" }, "phoneNumber"],
      [{ phoneNumber: "8613800138000" }, "phoneNumber"],
      [{ accountNumber: nines(35), beneficiary: COMPANY }, "accountNumber"],
      [{ accountNumber: "", beneficiary: COMPANY }, "accountNumber"],
      [{ beneficiary: { beneficiaryType: "INDIVIDUAL" } }, "beneficiary.fullName"],
      [{ beneficiary: undefined }, "beneficiary"],
    ],
  },
  {
    type: "EGP_ACCOUNT",
    takes: [{ iban: undefined, phoneNumber: "+201012345678" }, { beneficiary: COMPANY }],
    refuses: [
      [{ iban: `EG${nines(26)}` }, "iban"],
      [{ iban: `EG${nines(28)}` }, "iban"],
      [{ iban: "DE89370400440532013000" }, "iban"],
      [{ iban: undefined }, "iban"],
    ],
  },
  {
    type: "EUR_ACCOUNT",
    takes: [{ beneficiary: COMPANY }],
    refuses: [
      [{ beneficiary: PERSON }, "beneficiary.countryOfResidence"],
      [{ beneficiary: { ...PERSON, address: HOME } }, "beneficiary.countryOfResidence"],
    ],
  },
  {
    type: "INR_ACCOUNT",
    takes: [
      { accountNumber: nines(18), rail: x(32), bankName: "Ganges Bank" },
      { accountNumber: undefined, ifsc: undefined, rail: undefined, vpa: "a@b" },
    ],
    refuses: [
      [{ accountNumber: nines(8) }, "accountNumber"],
      [{ accountNumber: nines(19) }, "accountNumber"],
      [{ accountNumber: "12345678a" }, "accountNumber"],
      [{ ifsc: "HDFC1ABCDEF" }, "ifsc"],
      [{ ifsc: "hdfc0ABCDEF" }, "ifsc"],
      [{ ifsc: "HDFC0ABCDE" }, "ifsc"],
      [{ rail: "" }, "rail"],
      [{ rail: x(33) }, "rail"],
      [{ vpa: "no address" }, "vpa"],
    ],
  },
  { type: "SGD_ACCOUNT", takes: [{}], refuses: [missing("swiftCode"), missing("accountNumber")] },
  {
    type: "USD_ACCOUNT",
    takes: [
      ...bankNames(140).takes,
      { bankAccountType: "CHECKING" },
      { bankAccountType: "SAVINGS" },
      { intermediaryBankName: x(140), intermediaryRoutingNumber: "021000021" },
      { fiToFiInformation: x(210) },
    ],
    refuses: [
      ...bankNames(140).refuses,
      [{ bankAccountType: "CURRENT" }, "bankAccountType"],
      [{ intermediaryBankName: x(141) }, "intermediaryBankName"],
      [{ intermediaryBankName: "" }, "intermediaryBankName"],
      [{ intermediaryRoutingNumber: nines(8) }, "intermediaryRoutingNumber"],
      [{ intermediaryRoutingNumber: nines(10) }, "intermediaryRoutingNumber"],
      [{ fiToFiInformation: x(211) }, "fiToFiInformation"],
    ],
  },
  {
    type: "PLASMA_WALLET",
    refuses: [missing("address"), [{ address: EVM.slice(0, -1) }, "address"]],
  },
  ...Object.keys(CURRENCIES).map(
    (type): Bound => ({
      type,
      takes: [
        {},
        { beneficiary: COMPANY },
        { beneficiary: { ...PERSON, countryOfResidence: "CN" }, vaspName: "Kraken" },
      ],
      refuses: [
        [{ vaspName: "Nowhere Coins" }, "vaspName"],
        [{ beneficiary: PERSON }, "beneficiary.countryOfResidence"],
        [
          { beneficiary: { beneficiaryType: "INDIVIDUAL", countryOfResidence: "CN" } },
          "beneficiary.fullName",
        ],
        [{ beneficiary: { beneficiaryType: "BUSINESS" } }, "beneficiary.legalName"],
      ],
    }),
  ),
];

/** Creates an account and takes it away again, since a second one of its number is refused. */
const create = async (body: object, at = "/platform/external-accounts") => {
  const { status, body: made } = await world().call("POST", at, body);
  if (status === 201) await world().call("DELETE", `${at}/${made.id}`);
  return status === 201 ? [status] : [status, made.code, made.details?.field];
};

// spec/later-accounts.md#bank-accounts
// spec/later-accounts.md#wallets
test("each new member has the bounds of the contract", () =>
  everyRow(
    BOUNDS,
    async ({ type, takes = [], refuses = [] }) => {
      expect(await create(bodyOf(type))).toEqual([201]);
      for (const members of takes)
        expect([members, ...(await create(bodyOf(type, members)))]).toEqual([members, 201]);
      for (const [members, field] of refuses)
        expect([members, ...(await create(bodyOf(type, members)))]).toEqual([
          members,
          400,
          "INVALID_INPUT",
          `accountInfo.${field}`,
        ]);
    },
    ({ type }) => type,
  ));

// spec/later-accounts.md#bank-accounts
test("customers' and agents' accounts have the same rules, and echo what was sent", async () => {
  const { customerId } = await createPayer(world());
  const agent = await connectAgent(world(), customerId);
  const owned = (body: object) => ({ customerId, ...body });
  const nameless = bodyOf("GHS_ACCOUNT", { bankName: undefined });
  const refused = [400, "INVALID_INPUT", "accountInfo.bankName"];
  expect(await create(owned(nameless), "/customers/external-accounts")).toEqual(refused);
  const sent = { ...bodyOf("CNY_ACCOUNT"), ownershipType: "THIRD_PARTY" };
  const made = [
    await world().call("POST", "/customers/external-accounts", owned(sent)),
    await agent.call("POST", "/agents/me/external-accounts", owned(bodyOf("PLASMA_WALLET"))),
    await agent.call("POST", "/agents/me/external-accounts", owned(nameless)),
  ];
  expect(made.map(({ status }) => status)).toEqual([201, 201, 400]);
  expect(made[0]?.body).toMatchObject({
    ...sent,
    accountInfo: { ...sent.accountInfo, paymentRails: ["MOBILE_MONEY"] },
  });
  expect(made[1]?.body.accountInfo).toEqual({ accountType: "PLASMA_WALLET", address: EVM });
  expect(made[2]?.body.details.field).toBe("accountInfo.bankName");
});

// spec/later-accounts.md#accounts-of-earlier-revisions
test.each([
  ["DBSSSGSG", "DBS Bank"],
  ["OCBCSGSGXXX", "OCBC Bank"],
  ["UOVBSGSG", "United Overseas Bank"],
  ["CITISGSG", undefined],
])("a Singaporean account at %s has the bank name %s", async (swiftCode, bankName) => {
  const { body } = await world().call(
    "POST",
    "/platform/external-accounts",
    bodyOf("SGD_ACCOUNT", { swiftCode }),
  );
  expect(body.accountInfo.bankName).toBe(bankName);
});
