import { describe, expect, test } from "vitest";
import type { ExternalAccountType } from "../../../src/contract/accounts/account-type-rows.ts";
import {
  ACCOUNT_TYPE_NAMES,
  type AccountTypeName,
  accountTypeRow,
} from "../../../src/contract/accounts/external-account-types.ts";
import { type FieldRule, PAYMENT_RAILS } from "../../../src/contract/core/account-fields.ts";
import { CURRENCY_CODES } from "../../../src/contract/money/currencies.ts";
import { everyRow } from "../../setup/every-row.ts";
import { PUBLISHED_ACCOUNT_TYPES } from "../setup/published-account-types.ts";

test("every account type is as published", () =>
  everyRow(
    PUBLISHED_ACCOUNT_TYPES,
    (published) => {
      const row = accountTypeRow(published.type as AccountTypeName);
      const { currencies, required, optional, rails, identifiedBy } = published;
      const wanted = currencies[0] === "any" ? CURRENCY_CODES : currencies;
      expect([...row.currencies].sort()).toEqual([...wanted].sort());
      expect([...row.required].sort()).toEqual([...required].sort());
      expect(Object.keys(row.fields).sort()).toEqual([...required, ...optional].sort());
      expect(row.rails).toEqual(rails);
      expect(row.identifiedBy).toEqual(identifiedBy);
      const needs = published.personNeeds === "wallet" ? "none" : published.personNeeds;
      expect(row.individualNeeds).toEqual(needs);
    },
    ({ type }) => type,
  ));

test("an account type is one of 44, and no other", () => {
  expect(PUBLISHED_ACCOUNT_TYPES.length).toBe(44);
  const published = PUBLISHED_ACCOUNT_TYPES.map(({ type }) => type);
  expect([...ACCOUNT_TYPE_NAMES].sort()).toEqual(published.sort());
});

const ALL = ACCOUNT_TYPE_NAMES.map((name) => ({ name, row: accountTypeRow(name) }));

const namedMembers = (row: ExternalAccountType) => [
  ...row.required,
  ...row.identifiedBy,
  ...(row.exactlyOneOf ?? []),
  ...(row.oneOrMoreOf ?? []),
  ...(row.requiredWhen ? [row.requiredWhen.member, row.requiredWhen.needs] : []),
  ...Object.values(row.railsByFields ?? {}).flatMap((members) => members ?? []),
];

const isBounded = ({ pattern, values, maxLength }: FieldRule) =>
  values !== undefined || maxLength !== undefined || pattern?.source.endsWith("$") === true;

const everyType = (check: (row: ExternalAccountType) => unknown) =>
  everyRow(
    ALL,
    ({ row }) => check(row),
    ({ name }) => name,
  );

describe("every row holds together:", () => {
  test("it names only members that it describes", () =>
    everyType((row) => {
      for (const member of namedMembers(row)) expect(Object.keys(row.fields)).toContain(member);
    }));

  test("it has currencies and rails that exist", () =>
    everyType((row) => {
      expect(row.currencies.length).toBeGreaterThan(0);
      for (const code of row.currencies) expect(CURRENCY_CODES).toContain(code);
      for (const rail of row.rails) expect(PAYMENT_RAILS).toContain(rail);
      // Rails that depend on members are rails of the row.
      for (const rail of Object.keys(row.railsByFields ?? {})) expect(row.rails).toContain(rail);
    }));

  test("it is either a wallet, without rails and holder, or has both", () =>
    everyType((row) => expect(row.rails.length === 0).toBe(row.individualNeeds === "none")));

  test("it can always be identified", () =>
    everyType((row) => {
      expect(row.identifiedBy.length).toBeGreaterThan(0);
      const isIdentifier = (member: string) => row.identifiedBy.includes(member);
      const ways = Object.values(row.railsByFields ?? {});
      const always =
        row.required.some(isIdentifier) ||
        (row.exactlyOneOf ?? row.oneOrMoreOf)?.every(isIdentifier) ||
        (ways.length > 0 && ways.every((members) => members?.some(isIdentifier)));
      expect(always).toBe(true);
    }));

  test("every member has an end", () =>
    everyType((row) => {
      for (const [member, rule] of Object.entries(row.fields))
        expect(isBounded(rule), member).toBe(true);
    }));
});

test("the rails are the fifteen published ones", () => {
  const published = `ACH BANK_TRANSFER FAST FASTER_PAYMENTS FEDNOW MOBILE_MONEY PAYNOW PIX RTP SEPA
    SEPA_INSTANT SPEI SWIFT UPI WIRE`;
  expect([...PAYMENT_RAILS].sort()).toEqual(published.split(/\s+/));
});
