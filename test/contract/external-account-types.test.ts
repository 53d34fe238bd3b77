import { describe, expect, test } from "vitest";
import { CURRENCY_CODES } from "../../src/contract/currencies.ts";
import {
  ACCOUNT_TYPE_NAMES,
  accountTypeRow,
  type ExternalAccountType,
  type FieldRule,
  PAYMENT_RAILS,
} from "../../src/contract/external-account-types.ts";

/** Payments digest 6.4, the rows that are simulated; rails in the order given there. */
const PUBLISHED = [
  {
    type: "USD_ACCOUNT",
    currencies: ["USD"],
    required: ["accountNumber", "routingNumber"],
    optional: [],
    individualNeeds: [],
    rails: ["ACH", "WIRE", "RTP", "FEDNOW"],
    identifiedBy: ["accountNumber"],
  },
  {
    type: "EUR_ACCOUNT",
    currencies: ["EUR"],
    required: ["iban"],
    optional: ["swiftCode"],
    individualNeeds: ["address"],
    rails: ["SEPA", "SEPA_INSTANT"],
    identifiedBy: ["iban"],
  },
  {
    type: "GBP_ACCOUNT",
    currencies: ["GBP"],
    required: ["sortCode", "accountNumber"],
    optional: [],
    individualNeeds: [],
    rails: ["FASTER_PAYMENTS"],
    identifiedBy: ["accountNumber"],
  },
  {
    type: "MXN_ACCOUNT",
    currencies: ["MXN"],
    required: ["clabeNumber"],
    optional: [],
    individualNeeds: [],
    rails: ["SPEI"],
    identifiedBy: ["clabeNumber"],
  },
  {
    type: "BRL_ACCOUNT",
    currencies: ["BRL"],
    required: ["pixKey", "pixKeyType", "taxId"],
    optional: [],
    individualNeeds: [],
    rails: ["PIX"],
    identifiedBy: ["pixKey"],
  },
  {
    type: "COP_ACCOUNT",
    currencies: ["COP"],
    required: [],
    optional: ["bankName", "accountNumber", "bankAccountType", "phoneNumber"],
    individualNeeds: [],
    rails: ["BANK_TRANSFER", "MOBILE_MONEY"],
    identifiedBy: ["accountNumber", "phoneNumber"],
  },
  {
    type: "LIGHTNING",
    currencies: ["BTC"],
    required: [],
    optional: ["invoice", "bolt12", "lightningAddress"],
    individualNeeds: "none",
    rails: [],
    identifiedBy: ["lightningAddress", "invoice", "bolt12"],
  },
  {
    type: "BASE_WALLET",
    currencies: ["USDC"],
    required: ["address"],
    optional: [],
    individualNeeds: "none",
    rails: [],
    identifiedBy: ["address"],
  },
] as const;

describe("the account type", () => {
  test.each(PUBLISHED)("$type is as published", ({ type, optional, ...wanted }) => {
    const row = accountTypeRow(type);
    expect(row).toMatchObject(wanted);
    const fields = Object.keys(row.fields).sort();
    expect(fields).toEqual([...wanted.required, ...optional].sort());
  });
});

const ALL = ACCOUNT_TYPE_NAMES.map((name) => ({ name, row: accountTypeRow(name) }));

const namedMembers = (row: ExternalAccountType) => [
  ...row.required,
  ...row.identifiedBy,
  ...(row.exactlyOneOf ?? []),
  ...Object.values(row.railsByFields ?? {}).flatMap((members) => members ?? []),
];

const isBounded = ({ pattern, values, maxLength }: FieldRule) =>
  values !== undefined || maxLength !== undefined || pattern?.source.endsWith("$") === true;

describe.each(ALL)("the row of $name holds together:", ({ row }) => {
  test("it names only members that it describes", () => {
    for (const member of namedMembers(row)) expect(Object.keys(row.fields)).toContain(member);
  });

  test("it has currencies and rails that exist", () => {
    expect(row.currencies.length).toBeGreaterThan(0);
    for (const code of row.currencies) expect(CURRENCY_CODES).toContain(code);
    for (const rail of row.rails) expect(PAYMENT_RAILS).toContain(rail);
  });

  test("it is either a wallet, without rails and holder, or has both", () => {
    expect(row.rails.length === 0).toBe(row.individualNeeds === "none");
  });

  test("it can always be identified", () => {
    expect(row.identifiedBy.length).toBeGreaterThan(0);
    const ways = row.exactlyOneOf ?? Object.values(row.railsByFields ?? {}).map((way) => way?.[0]);
    const isNeeded = row.identifiedBy.some((member) => row.required.includes(member));
    expect(isNeeded || ways.every((member) => row.identifiedBy.includes(member ?? ""))).toBe(true);
  });

  test("every member has an end", () => {
    for (const [member, rule] of Object.entries(row.fields))
      expect(isBounded(rule), member).toBe(true);
  });

  test("rails that depend on members are rails of the row", () => {
    for (const rail of Object.keys(row.railsByFields ?? {})) expect(row.rails).toContain(rail);
  });
});

test("the rails are the fifteen of payments digest 3.4", () => {
  expect([...PAYMENT_RAILS].sort()).toEqual(
    "ACH BANK_TRANSFER FAST FASTER_PAYMENTS FEDNOW MOBILE_MONEY PAYNOW PIX RTP SEPA SEPA_INSTANT SPEI SWIFT UPI WIRE".split(
      " ",
    ),
  );
});
