import { describe, expect, test } from "vitest";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { everyRow } from "../setup/every-row.ts";

const LATER = "2026-08";
const PERSON = { beneficiaryType: "INDIVIDUAL", fullName: "Lin Mei" };
const COMPANY = { beneficiaryType: "BUSINESS", legalName: "North Pier Books" };
const HOME = { line1: "Calle 1", city: "Cairo", postalCode: "11511", country: "EG" };
const EVM = "0x7d1f0c3a9b5e4d2c8a6f1e0b3c5d7a9f2b4e6c80";
const EGYPTIAN = "EG380019000500000000263180002";

const body = (accountType: string, info: object, currency = accountType.slice(0, 3)) => ({
  currency,
  accountInfo: { accountType, beneficiary: PERSON, ...info },
});

const wallet = (accountType: string, currency: string, more: object = {}) => ({
  currency,
  accountInfo: { accountType, address: EVM, ...more },
});

interface Taken {
  what: string;
  sent: object;
  /** Rails of the answer in the later revision. */
  rails?: string[];
  /** The member that is refused in each revision: nothing where the account is made. */
  refused: { first?: string; later?: string };
}

/** Accounts that a revision takes or refuses, by the contract of both. */
const TAKEN: Taken[] = [
  {
    what: "a Chinese wallet",
    sent: body("CNY_ACCOUNT", { bankName: "AliPay", phoneNumber: "+8613800138000" }),
    rails: ["MOBILE_MONEY"],
    refused: { first: "accountInfo.accountType" },
  },
  {
    what: "a Chinese bank account of a company",
    sent: body("CNY_ACCOUNT", { bankName: "ICBC", accountNumber: "622202", beneficiary: COMPANY }),
    rails: ["BANK_TRANSFER"],
    refused: { first: "accountInfo.accountType" },
  },
  {
    what: "a Chinese bank account of a person",
    sent: body("CNY_ACCOUNT", { bankName: "ICBC", accountNumber: "622202" }),
    refused: { first: "accountInfo.accountType", later: "accountInfo.beneficiary" },
  },
  {
    what: "a Bangladeshi account without its bank",
    sent: body("BDT_ACCOUNT", { accountNumber: "1500000001" }),
    refused: { later: "accountInfo.bankName" },
  },
  {
    what: "a Bangladeshi wallet",
    sent: body("BDT_ACCOUNT", { bankName: "bKash", phoneNumber: "+8801712345678" }),
    rails: ["MOBILE_MONEY"],
    refused: {},
  },
  {
    what: "a Colombian wallet without its provider",
    sent: body("COP_ACCOUNT", { phoneNumber: "+573001234567" }),
    refused: { later: "accountInfo.bankName" },
  },
  {
    what: "an Egyptian IBAN alone",
    sent: body("EGP_ACCOUNT", { bankName: "NILE_DELTA_BANK", iban: EGYPTIAN }),
    rails: ["BANK_TRANSFER"],
    refused: { first: "accountInfo.accountNumber" },
  },
  {
    what: "an Egyptian wallet",
    sent: body("EGP_ACCOUNT", { bankName: "Felucca Cash", phoneNumber: "+201012345678" }),
    rails: ["MOBILE_MONEY"],
    refused: { first: "accountInfo.accountNumber" },
  },
  {
    what: "an Egyptian account number alone",
    sent: body("EGP_ACCOUNT", {
      bankName: "NILE_DELTA_BANK",
      accountNumber: "100200300",
      beneficiary: {
        ...PERSON,
        address: HOME,
        countryOfResidence: "EG",
        phoneNumber: "+201012345678",
      },
    }),
    refused: { later: "accountInfo.iban" },
  },
  {
    what: "an IBAN of a person with an address but no country",
    sent: body("EUR_ACCOUNT", {
      iban: "DE89370400440532013000",
      beneficiary: { ...PERSON, address: HOME },
    }),
    refused: { later: "accountInfo.beneficiary.countryOfResidence" },
  },
  {
    what: "an IBAN of a person with a country but no address",
    sent: body("EUR_ACCOUNT", {
      iban: "DE89370400440532013000",
      beneficiary: { ...PERSON, countryOfResidence: "DE" },
    }),
    rails: ["SEPA", "SEPA_INSTANT"],
    refused: { first: "accountInfo.beneficiary.address" },
  },
  {
    what: "a Ghanaian account without its bank",
    sent: body("GHS_ACCOUNT", { phoneNumber: "+233201234567" }),
    refused: { later: "accountInfo.bankName" },
  },
  {
    what: "a Jamaican account without its bank",
    sent: body("JMD_ACCOUNT", {
      accountNumber: "1002003",
      branchCode: "12345",
      bankAccountType: "CHECKING",
      beneficiary: { ...PERSON, address: HOME, phoneNumber: "+18765551234" },
    }),
    refused: { later: "accountInfo.bankName" },
  },
  {
    what: "an Indian bank account",
    sent: body("INR_ACCOUNT", { accountNumber: "123456789", ifsc: "HDFC0ABCDEF", rail: "NEFT" }),
    rails: ["NEFT", "RTGS"],
    refused: { first: "accountInfo.vpa" },
  },
  {
    what: "an Indian bank account without its branch",
    sent: body("INR_ACCOUNT", { accountNumber: "123456789" }),
    refused: { first: "accountInfo.vpa", later: "accountInfo.vpa" },
  },
  {
    what: "a Singaporean account without its bank",
    sent: body("SGD_ACCOUNT", { accountNumber: "0123456789", swiftCode: "DBSSSGSG" }),
    rails: ["PAYNOW", "FAST", "BANK_TRANSFER"],
    refused: { first: "accountInfo.bankName" },
  },
  {
    what: "a Plasma wallet",
    sent: wallet("PLASMA_WALLET", "USDT"),
    refused: { first: "accountInfo.accountType" },
  },
  {
    what: "a Plasma wallet in another coin",
    sent: wallet("PLASMA_WALLET", "USDC"),
    refused: { first: "accountInfo.accountType", later: "currency" },
  },
  {
    what: "Chinese money over SWIFT",
    sent: body(
      "SWIFT_ACCOUNT",
      { country: "CN", swiftCode: "ICBKCNBJ", bankName: "ICBC", accountNumber: "622202" },
      "CNY",
    ),
    rails: ["SWIFT"],
    refused: { first: "currency" },
  },
  {
    what: "a short intermediary of a dollar account",
    sent: body("USD_ACCOUNT", {
      accountNumber: "1002003",
      routingNumber: "021000021",
      intermediaryRoutingNumber: "0210",
    }),
    rails: ["ACH", "WIRE", "RTP", "FEDNOW"],
    refused: { later: "accountInfo.intermediaryRoutingNumber" },
  },
  {
    what: "a wallet at an exchange that is not in the directory",
    sent: wallet("BASE_WALLET", "USDC", { vaspName: "Nowhere Coins" }),
    refused: { later: "accountInfo.vaspName" },
  },
  {
    what: "a wallet of a person without a country",
    sent: wallet("POLYGON_WALLET", "USDC", { beneficiary: PERSON }),
    refused: { later: "accountInfo.beneficiary.countryOfResidence" },
  },
  {
    what: "an owner that is no kind of owner",
    sent: { ...wallet("ETHEREUM_WALLET", "USDC"), ownershipType: "SECOND_PARTY" },
    refused: { later: "ownershipType" },
  },
];

// spec/later-accounts.md#bank-accounts
describe.each(["2025-10", LATER] as const)("an external account in %s", (revision) => {
  const world = worldPerTest({ revision });
  const isLater = revision === LATER;

  test("is taken as the revision has its type", () =>
    everyRow(
      TAKEN,
      async ({ sent, rails, refused }) => {
        const member = isLater ? refused.later : refused.first;
        const { status, body: made } = await world().call(
          "POST",
          "/platform/external-accounts",
          sent,
        );
        expect([status, made.details?.field]).toEqual(member ? [400, member] : [201, undefined]);
        if (!member && isLater) expect(made.accountInfo.paymentRails).toEqual(rails);
      },
      ({ what }) => what,
    ));

  // spec/later-accounts.md#wallets
  // spec/later-accounts.md#ownership
  test("keeps the exchange of a wallet as the directory spells it", async () => {
    const beneficiary = { ...PERSON, countryOfResidence: "US" };
    const sent = wallet("BASE_WALLET", "USDC", { vaspName: "kRAKEN", beneficiary });
    const { body: made } = await world().call("POST", "/platform/external-accounts", {
      ...sent,
      ownershipType: "FIRST_PARTY",
    });
    expect(made.accountInfo.vaspName).toBe(isLater ? "Kraken" : "kRAKEN");
    expect(made.accountInfo.beneficiary).toEqual(beneficiary);
    expect(made.ownershipType).toBe(isLater ? "FIRST_PARTY" : undefined);
    expect(made.beneficiaryVerificationStatus).toBeUndefined();
    const { body: read } = await world().call("GET", `/platform/external-accounts/${made.id}`);
    expect(read).toEqual(made);
  });

  test("loses the members that its type has no longer", async () => {
    const { body: made } = await world().call(
      "POST",
      "/platform/external-accounts",
      body("EGP_ACCOUNT", {
        bankName: "NILE_DELTA_BANK",
        accountNumber: "100200300",
        iban: EGYPTIAN,
        beneficiary: {
          ...PERSON,
          address: HOME,
          countryOfResidence: "EG",
          phoneNumber: "+201012345678",
        },
      }),
    );
    expect(made.accountInfo.accountNumber).toBe(isLater ? undefined : "100200300");
    expect(made.accountInfo.iban).toBe(EGYPTIAN);
  });

  // spec/later-accounts.md#chinese-yuan
  test("knows the yuan in the later revision alone", async () => {
    const { call } = world();
    const rates = (await call("GET", "/exchange-rates?destinationCurrency=CNY")) as {
      status: number;
      body: { data: { destinationPaymentRail: string }[] };
    };
    expect(rates.status).toBe(isLater ? 200 : 400);
    if (isLater)
      expect(rates.body.data.map((row) => row.destinationPaymentRail)[0]).toBe("BANK_TRANSFER");
    const { body: banks } = await call("GET", "/discoveries?country=CN");
    expect(banks.data.map((bank: { currency: string }) => bank.currency)).toEqual(
      isLater ? ["CNY", "CNY", "CNY"] : [],
    );
    const egyptian = await call("GET", "/discoveries?country=EG");
    expect(egyptian.body.data.length).toBe(isLater ? 3 : 2);
    const supportedCurrencies = [{ currencyCode: "CNY", minAmount: 1, maxAmount: 1_000_000 }];
    const config = await call("PATCH", "/config", { supportedCurrencies });
    expect(config.status).toBe(isLater ? 200 : 400);
  });
});
