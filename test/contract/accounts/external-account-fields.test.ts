import { describe, expect, test } from "vitest";
import { PlatformExternalAccountInput } from "../../../src/contract/accounts/external-accounts.ts";
import { Refusal } from "../../../src/domain/core/refusal.ts";
import { inShape } from "../../../src/http/body/shape.ts";
import { accountCase, creationBody, PERSON, withEnding } from "../../api/setup/account-bodies.ts";
import { everyRow } from "../../setup/every-row.ts";
import { ACCOUNT_MEMBERS } from "../setup/account-members.ts";
import { PUBLISHED_ACCOUNT_TYPES } from "../setup/published-account-types.ts";

const X256 = "x".repeat(256);

const parse = (body: unknown) =>
  inShape(PlatformExternalAccountInput, body, "body") as {
    accountInfo: Record<string, unknown>;
  };

/** The field that the refusal of a body names; undefined where the body is accepted. */
const refusedField = (body: unknown): unknown => {
  try {
    parse(body);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    expect((error as Refusal).word).toBe("INVALID_INPUT");
    return (error as Refusal).details.field;
  }
};

const fieldOf = (type: string, changes: Record<string, unknown>) =>
  refusedField(creationBody(accountCase(type), changes));

const MEMBERS = Object.entries(ACCOUNT_MEMBERS).flatMap(([type, members]) =>
  Object.entries(members).map(([member, values]) => ({ type, member, ...values })),
);

/** The identifiers of LIGHTNING exclude each other. */
const without = (type: string, member: string) =>
  type === "LIGHTNING" && member !== "lightningAddress" ? { lightningAddress: undefined } : {};

describe("a member of accountInfo", () => {
  const malformed = MEMBERS.flatMap(({ bad, ...row }) => bad.map((value) => ({ ...row, value })));
  const fitting = MEMBERS.flatMap(({ good, ...row }) => good.map((value) => ({ ...row, value })));

  test("is refused when it is malformed", () =>
    everyRow(malformed, ({ type, member, value }) =>
      expect(fieldOf(type, { ...without(type, member), [member]: value })).toBe(
        `accountInfo.${member}`,
      ),
    ));

  test("is accepted at the limits of its form", () =>
    everyRow(fitting, ({ type, member, value }) => {
      const one = accountCase(type);
      const fresh = { [one.identifier]: withEnding(one, "900") };
      const changes = { ...fresh, ...without(type, member), [member]: value };
      expect(parse(creationBody(one, changes)).accountInfo[member]).toBe(value);
    }));

  test("has values here for every member of every type", () =>
    everyRow(PUBLISHED_ACCOUNT_TYPES, ({ type, required, optional }) =>
      expect(Object.keys(ACCOUNT_MEMBERS[type] ?? {}).sort()).toEqual(
        [...required, ...optional].sort(),
      ),
    ));
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
  test("is refused without a required member", () =>
    everyRow(REQUIRED, ({ type, member }) =>
      expect(fieldOf(type, { [member]: undefined })).toBe(`accountInfo.${member}`),
    ));

  test("is refused when its members do not suffice", () =>
    everyRow(COMBINATIONS, ({ type, changes, field }) =>
      expect(fieldOf(type, changes)).toBe(`accountInfo.${field}`),
    ));

  test("is refused without currency or accountInfo", () =>
    everyRow(["currency", "accountInfo"], (field) =>
      expect(
        refusedField({ ...creationBody(accountCase("MXN_ACCOUNT")), [field]: undefined }),
      ).toBe(field),
    ));

  test("is accepted where SWIFT_ACCOUNT needs one number only", () =>
    everyRow(
      [
        { country: "CH", iban: undefined },
        { country: "GB", accountNumber: undefined },
        { country: "BR", accountNumber: undefined },
        { country: "DE", accountNumber: undefined },
      ],
      (changes) => expect(fieldOf("SWIFT_ACCOUNT", changes)).toBeUndefined(),
    ));
});

describe("blanks and dashes in an identifier", () => {
  const refused = [
    { type: "EUR_ACCOUNT", changes: { iban: "FR76 3000 6000 0112 3456 7890 999" } },
    { type: "DKK_ACCOUNT", changes: { iban: "DK50-0040-0440-1169-99" } },
    { type: "SWIFT_ACCOUNT", changes: { iban: "CH93 0076 2011 6238 5299 9" } },
    { type: "MXN_ACCOUNT", changes: { clabeNumber: "646180-110400000-999" } },
    { type: "GBP_ACCOUNT", changes: { accountNumber: "1234 999" } },
    { type: "KES_ACCOUNT", changes: { phoneNumber: "+254 712345999" } },
    { type: "INR_ACCOUNT", changes: { vpa: "ana 999@okbank" } },
  ];
  const kept = [
    { type: "USD_ACCOUNT", changes: { accountNumber: "000-123 999" } },
    { type: "HKD_ACCOUNT", changes: { accountNumber: "000 123-99 9" } },
    { type: "BRL_ACCOUNT", changes: { pixKey: "123.456.789-99" } },
    { type: "INR_ACCOUNT", changes: { vpa: "ana-9-9-9@okbank" } },
  ];

  test("are refused where a pattern is published", () =>
    everyRow(refused, ({ type, changes }) =>
      expect(fieldOf(type, changes)).toBe(`accountInfo.${Object.keys(changes)[0]}`),
    ));

  test("are kept where the pattern allows them", () =>
    everyRow(kept, ({ type, changes }) =>
      expect(parse(creationBody(accountCase(type), changes)).accountInfo).toMatchObject(changes),
    ));
});

test("LIGHTNING is identified in one way", () =>
  everyRow(
    [
      { invoice: "lnbc10u1p3unwfu" },
      { bolt12: "lno1qgsqvgnwgcg" },
      { invoice: "lnbc10u1p3unwfu", bolt12: "lno1qgsqvgnwgcg" },
      { lightningAddress: undefined, invoice: "lnbc10u1p3unwfu", bolt12: "lno1qgsqvgnwgcg" },
    ],
    (changes) => expect(fieldOf("LIGHTNING", changes)).toBe("accountInfo.lightningAddress"),
  ));

const { address } = PERSON;

// spec/external-accounts.md#beneficiary
describe("a beneficiary", () => {
  const refused = [
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
  ];

  test("is refused when it is malformed", () =>
    everyRow(refused, ({ holder, field }) => {
      const path = ["accountInfo.beneficiary", field].filter((part) => part !== "").join(".");
      expect(fieldOf("MXN_ACCOUNT", { beneficiary: holder })).toBe(path);
    }));

  test("who is a person has the members that the type needs", () =>
    everyRow(
      PUBLISHED_ACCOUNT_TYPES.filter(({ personNeeds }) => personNeeds !== "wallet").flatMap(
        ({ type, personNeeds }) =>
          ["address", "phoneNumber", "countryOfResidence"].map((member) => ({
            type,
            member,
            isNeeded: personNeeds.includes(member),
          })),
      ),
      ({ type, member, isNeeded }) =>
        expect(fieldOf(type, { beneficiary: { ...PERSON, [member]: undefined } })).toBe(
          isNeeded ? `accountInfo.beneficiary.${member}` : undefined,
        ),
    ));

  const documents = [
    { document: { documentType: "CC", documentNumber: "1020304050" }, field: undefined },
    { document: { documentType: "PP", documentNumber: "1".repeat(50) }, field: undefined },
    { document: { documentType: "DNI" }, field: "documentType" },
    { document: { documentNumber: "" }, field: "documentNumber" },
    { document: { documentNumber: "1".repeat(51) }, field: "documentNumber" },
    { document: { documentNumber: 5 }, field: "documentNumber" },
  ];

  test("in Colombia may have a document", () =>
    everyRow(documents, ({ document, field }) =>
      expect(fieldOf("COP_ACCOUNT", { beneficiary: { ...PERSON, ...document } })).toBe(
        field && `accountInfo.beneficiary.${field}`,
      ),
    ));
});

test("a type that is none is refused", () =>
  everyRow(
    ["", "US_ACCOUNT", "CLABE", "PIX", "IBAN", "UPI", "FBO", "LIGHTNING_ACCOUNT", 5, null],
    (accountType) =>
      expect(fieldOf("MXN_ACCOUNT", { accountType })).toBe("accountInfo.accountType"),
  ));
