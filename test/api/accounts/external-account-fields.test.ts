import { describe, expect, test } from "vitest";
import { PUBLISHED_ACCOUNT_TYPES } from "../../contract/setup/published-account-types.ts";
import { accountCase, creationBody, PERSON, withEnding } from "../setup/account-bodies.ts";
import { ACCOUNT_MEMBERS } from "../setup/account-members.ts";
import { expectRefused } from "../setup/refused.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const PLATFORM = "/platform/external-accounts";
const X256 = "x".repeat(256);

const world = worldPerTest();

const post = (body: unknown) => world().call("POST", PLATFORM, body);
const count = async () => (await world().call("GET", PLATFORM)).body.totalCount;

const MEMBERS = Object.entries(ACCOUNT_MEMBERS).flatMap(([type, members]) =>
  Object.entries(members).map(([member, values]) => ({ type, member, ...values })),
);

/** The identifiers of LIGHTNING exclude each other. */
const without = (type: string, member: string) =>
  type === "LIGHTNING" && member !== "lightningAddress" ? { lightningAddress: undefined } : {};

describe("a member of accountInfo", () => {
  test.each(MEMBERS)("$type.$member is refused when it is malformed", async (row) => {
    const { type, member, bad } = row;
    for (const value of bad) {
      const changes = { ...without(type, member), [member]: value };
      const answer = await post(creationBody(accountCase(type), changes));
      expectRefused(answer, { status: 400, code: "INVALID_INPUT", field: `accountInfo.${member}` });
    }
    expect(await count()).toBe(0);
  });

  test.each(MEMBERS)("$type.$member is accepted at the limits of its form", async (row) => {
    const { type, member, good } = row;
    const one = accountCase(type);
    for (const [at, value] of good.entries()) {
      const fresh = { [one.identifier]: withEnding(one, `90${at}`) };
      const changes = { ...fresh, ...without(type, member), [member]: value };
      const answer = await post(creationBody(one, changes));
      expect({ value, status: answer.status }).toEqual({ value, status: 201 });
      expect(answer.body.accountInfo[member]).toBe(value);
    }
  });

  test("has values here for every member of every type", () => {
    for (const { type, required, optional } of PUBLISHED_ACCOUNT_TYPES) {
      const members = Object.keys(ACCOUNT_MEMBERS[type] ?? {}).sort();
      expect({ type, members }).toEqual({ type, members: [...required, ...optional].sort() });
    }
  });
});

/** Required members (spec/external-accounts.md#account-types). */
const REQUIRED = PUBLISHED_ACCOUNT_TYPES.flatMap(({ type, required, personNeeds }) => [
  ...required.map((member) => ({ type, member })),
  ...(personNeeds === "wallet" ? [] : [{ type, member: "beneficiary" }]),
]);

const NO_WAY = { accountNumber: undefined, phoneNumber: undefined, iban: undefined };

/** Combinations of members, and the field that the refusal names. */
const COMBINATIONS = [
  { type: "BDT_ACCOUNT", changes: NO_WAY, field: "accountNumber" },
  { type: "COP_ACCOUNT", changes: NO_WAY, field: "accountNumber" },
  { type: "GHS_ACCOUNT", changes: NO_WAY, field: "accountNumber" },
  { type: "PKR_ACCOUNT", changes: NO_WAY, field: "accountNumber" },
  { type: "SLV_ACCOUNT", changes: NO_WAY, field: "accountNumber" },
  { type: "SWIFT_ACCOUNT", changes: NO_WAY, field: "accountNumber" },
  {
    type: "COP_ACCOUNT",
    changes: { bankName: undefined, phoneNumber: undefined },
    field: "bankName",
  },
  {
    type: "COP_ACCOUNT",
    changes: { bankAccountType: undefined, phoneNumber: undefined },
    field: "bankAccountType",
  },
  {
    type: "SLV_ACCOUNT",
    changes: { bankAccountType: undefined, phoneNumber: undefined },
    field: "bankAccountType",
  },
  { type: "SWIFT_ACCOUNT", changes: { country: "GB", iban: undefined }, field: "iban" },
  { type: "SWIFT_ACCOUNT", changes: { country: "BR", iban: undefined }, field: "iban" },
  { type: "LIGHTNING", changes: { lightningAddress: undefined }, field: "lightningAddress" },
];

describe("an incomplete body", () => {
  test.each(REQUIRED)("is refused: $type without $member", async ({ type, member }) => {
    const answer = await post(creationBody(accountCase(type), { [member]: undefined }));
    expectRefused(answer, { status: 400, code: "INVALID_INPUT", field: `accountInfo.${member}` });
    expect(await count()).toBe(0);
  });

  test.each(COMBINATIONS)("is refused: $type with $changes", async ({ type, changes, field }) => {
    const answer = await post(creationBody(accountCase(type), changes));
    expectRefused(answer, { status: 400, code: "INVALID_INPUT", field: `accountInfo.${field}` });
    expect(await count()).toBe(0);
  });

  test.each(["currency", "accountInfo"])("is refused: without %s", async (field) => {
    const answer = await post({ ...creationBody(accountCase("MXN_ACCOUNT")), [field]: undefined });
    expectRefused(answer, { status: 400, code: "INVALID_INPUT", field });
  });

  test.each([
    { country: "CH", iban: undefined },
    { country: "GB", accountNumber: undefined },
    { country: "BR", accountNumber: undefined },
    { country: "DE", accountNumber: undefined },
  ])("is accepted where SWIFT_ACCOUNT needs one number only: %j", async (changes) => {
    expect((await post(creationBody(accountCase("SWIFT_ACCOUNT"), changes))).status).toBe(201);
  });
});

describe("blanks and dashes in an identifier", () => {
  test.each([
    { type: "EUR_ACCOUNT", changes: { iban: "FR76 3000 6000 0112 3456 7890 999" } },
    { type: "DKK_ACCOUNT", changes: { iban: "DK50-0040-0440-1169-99" } },
    { type: "SWIFT_ACCOUNT", changes: { iban: "CH93 0076 2011 6238 5299 9" } },
    { type: "MXN_ACCOUNT", changes: { clabeNumber: "646180-110400000-999" } },
    { type: "GBP_ACCOUNT", changes: { accountNumber: "1234 999" } },
    { type: "KES_ACCOUNT", changes: { phoneNumber: "+254 712345999" } },
    { type: "INR_ACCOUNT", changes: { vpa: "ana 999@okbank" } },
  ])("are refused where a pattern is published: $type $changes", async ({ type, changes }) => {
    const answer = await post(creationBody(accountCase(type), changes));
    const [member] = Object.keys(changes);
    expectRefused(answer, { status: 400, code: "INVALID_INPUT", field: `accountInfo.${member}` });
    expect(await count()).toBe(0);
  });

  test.each([
    { type: "USD_ACCOUNT", changes: { accountNumber: "000-123 999" } },
    { type: "HKD_ACCOUNT", changes: { accountNumber: "000 123-99 9" } },
    { type: "BRL_ACCOUNT", changes: { pixKey: "123.456.789-99" } },
    { type: "INR_ACCOUNT", changes: { vpa: "ana-9-9-9@okbank" } },
  ])("are kept where the pattern allows them: $type $changes", async ({ type, changes }) => {
    const { status, body } = await post(creationBody(accountCase(type), changes));
    expect({ status, info: body.accountInfo }).toMatchObject({ status: 201, info: changes });
  });
});

describe("LIGHTNING is identified in one way:", () => {
  test.each([
    { invoice: "lnbc10u1p3unwfu" },
    { bolt12: "lno1qgsqvgnwgcg" },
    { invoice: "lnbc10u1p3unwfu", bolt12: "lno1qgsqvgnwgcg" },
    { lightningAddress: undefined, invoice: "lnbc10u1p3unwfu", bolt12: "lno1qgsqvgnwgcg" },
  ])("a second one is refused: %j", async (changes) => {
    const answer = await post(creationBody(accountCase("LIGHTNING"), changes));
    expectRefused(answer, {
      status: 400,
      code: "INVALID_INPUT",
      field: "accountInfo.lightningAddress",
    });
  });
});

const { address } = PERSON;

// spec/external-accounts.md#beneficiary
describe("a beneficiary", () => {
  test.each([
    { says: "without type", holder: { fullName: "Ana Flores" }, field: "beneficiaryType" },
    { says: "of another type", holder: { beneficiaryType: "TRUST" }, field: "beneficiaryType" },
    { says: "without name", holder: { beneficiaryType: "INDIVIDUAL" }, field: "fullName" },
    { says: "with an empty name", holder: { ...PERSON, fullName: "" }, field: "fullName" },
    { says: "with a name too long", holder: { ...PERSON, fullName: X256 }, field: "fullName" },
    { says: "without legal name", holder: { beneficiaryType: "BUSINESS" }, field: "legalName" },
    { says: "born on Feb 30", holder: { ...PERSON, birthDate: "1990-02-30" }, field: "birthDate" },
    { says: "of country FRA", holder: { ...PERSON, nationality: "FRA" }, field: "nationality" },
    { says: "with a bad email", holder: { ...PERSON, email: "lucie" }, field: "email" },
    {
      says: "with an address without postal code",
      holder: { ...PERSON, address: { line1: "4 rue des Lilas", country: "FR" } },
      field: "address.postalCode",
    },
    {
      says: "with an address in no country",
      holder: { ...PERSON, address: { ...address, country: "France" } },
      field: "address.country",
    },
    { says: "that is text", holder: "Lucie", field: "" },
    { says: "that is a list", holder: [PERSON], field: "" },
  ])("$says is refused", async ({ holder, field }) => {
    const answer = await post(creationBody(accountCase("MXN_ACCOUNT"), { beneficiary: holder }));
    const path = ["accountInfo.beneficiary", field].filter((part) => part !== "").join(".");
    expectRefused(answer, { status: 400, code: "INVALID_INPUT", field: path });
  });

  test.each(
    PUBLISHED_ACCOUNT_TYPES.filter(({ personNeeds }) => personNeeds !== "wallet").flatMap(
      ({ type, personNeeds }) =>
        ["address", "phoneNumber", "countryOfResidence"].map((member) => ({
          type,
          member,
          status: personNeeds.includes(member) ? 400 : 201,
        })),
    ),
  )("who is a person without $member gives $status for $type", async (row) => {
    const { type, member, status } = row;
    const changes = { beneficiary: { ...PERSON, [member]: undefined } };
    const answer = await post(creationBody(accountCase(type), changes));
    expect(answer.status).toBe(status);
    if (status === 400)
      expectRefused(answer, {
        status,
        code: "INVALID_INPUT",
        field: `accountInfo.beneficiary.${member}`,
      });
  });

  test.each([
    { document: { documentType: "CC", documentNumber: "1020304050" }, field: undefined },
    { document: { documentType: "PP", documentNumber: "1".repeat(50) }, field: undefined },
    { document: { documentType: "DNI" }, field: "documentType" },
    { document: { documentNumber: "" }, field: "documentNumber" },
    { document: { documentNumber: "1".repeat(51) }, field: "documentNumber" },
    { document: { documentNumber: 5 }, field: "documentNumber" },
  ])("in Colombia may have a document: $document", async ({ document, field }) => {
    const changes = { beneficiary: { ...PERSON, ...document } };
    const answer = await post(creationBody(accountCase("COP_ACCOUNT"), changes));
    if (field === undefined) expect(answer.status).toBe(201);
    else
      expectRefused(answer, {
        status: 400,
        code: "INVALID_INPUT",
        field: `accountInfo.beneficiary.${field}`,
      });
  });
});

describe("the type", () => {
  test.each(["", "US_ACCOUNT", "CLABE", "PIX", "IBAN", "UPI", "FBO", "LIGHTNING_ACCOUNT", 5, null])(
    "%j creates nothing",
    async (accountType) => {
      const answer = await post(creationBody(accountCase("MXN_ACCOUNT"), { accountType }));
      expectRefused(answer, {
        status: 400,
        code: "INVALID_INPUT",
        field: "accountInfo.accountType",
      });
    },
  );
});

/**
 * Currencies that a type does not hold; SWIFT_ACCOUNT takes every known one
 * (spec/external-accounts.md#account-types).
 */
const WRONG_CURRENCIES = PUBLISHED_ACCOUNT_TYPES.flatMap(({ type, currencies }) =>
  ["USD", "EUR", "BTC", "XYZ", "", (currencies[0] ?? "").toLowerCase()]
    .filter((code) => !currencies.includes(code))
    .filter((code) => currencies[0] !== "any" || !["USD", "EUR", "BTC"].includes(code))
    .map((wrong) => ({ type, wrong })),
);

// spec/currencies.md#unknown-codes
describe("the currency", () => {
  test.each(WRONG_CURRENCIES)("of $type cannot be '$wrong'", async ({ type, wrong }) => {
    const answer = await post({ ...creationBody(accountCase(type)), currency: wrong });
    expectRefused(answer, { status: 400, code: "INVALID_CURRENCY", field: "currency" });
    expect(await count()).toBe(0);
  });

  test.each([
    { type: "SPARK_WALLET", currency: "USDB" },
    { type: "SOLANA_WALLET", currency: "USDT" },
    { type: "SWIFT_ACCOUNT", currency: "USD" },
    { type: "SWIFT_ACCOUNT", currency: "VND" },
  ])("of $type may be $currency", async ({ type, currency }) => {
    const answer = await post({ ...creationBody(accountCase(type)), currency });
    expect(answer).toMatchObject({ status: 201, body: { currency } });
  });

  test("that is not a text is ill-typed, not unknown", async () => {
    const answer = await post({ ...creationBody(accountCase("MXN_ACCOUNT")), currency: 5 });
    expectRefused(answer, { status: 400, code: "INVALID_INPUT", field: "currency" });
  });
});
