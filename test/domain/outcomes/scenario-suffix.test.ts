import { describe, expect, test } from "vitest";
import type { AccountInfo } from "../../../src/contract/accounts/external-accounts.ts";
import { scenarioSuffix } from "../../../src/domain/outcomes/scenario-suffix.ts";
import { primaryIdentifier } from "../../../src/domain/records/primary-identifier.ts";

const DOMAIN = "mail.example";

/**
 * The characters that are read, by type (spec/external-accounts.md#identifier,
 * spec/sandbox.md#suffix-reading).
 */
const READINGS: { says: string; info: AccountInfo; field: string; suffix: string | undefined }[] = [
  {
    says: "the account number of a US account, not its routing number",
    info: { accountType: "USD_ACCOUNT", accountNumber: "000123003", routingNumber: "021000002" },
    field: "accountNumber",
    suffix: "003",
  },
  {
    says: "the IBAN of a EUR account, not its BIC",
    info: {
      accountType: "EUR_ACCOUNT",
      iban: "FR7630006000011234567890005",
      swiftCode: "AGRIF002",
    },
    field: "iban",
    suffix: "005",
  },
  {
    says: "the account number of a GBP account, not its sort code",
    info: { accountType: "GBP_ACCOUNT", sortCode: "200002", accountNumber: "55779004" },
    field: "accountNumber",
    suffix: "004",
  },
  {
    says: "the CLABE of an MXN account",
    info: { accountType: "MXN_ACCOUNT", clabeNumber: "646180110400000007" },
    field: "clabeNumber",
    suffix: "007",
  },
  {
    says: "the PIX key of a BRL account, not its tax id",
    info: {
      accountType: "BRL_ACCOUNT",
      pixKey: "39053344006",
      pixKeyType: "CPF",
      taxId: "39053344002",
    },
    field: "pixKey",
    suffix: "006",
  },
  {
    says: "a PIX key that is an email in front of its @",
    info: {
      accountType: "BRL_ACCOUNT",
      pixKey: `ana.003@${DOMAIN}`,
      pixKeyType: "EMAIL",
      taxId: "39053344002",
    },
    field: "pixKey",
    suffix: "003",
  },
  {
    says: "the account number of a COP account before its phone number",
    info: { accountType: "COP_ACCOUNT", accountNumber: "7788004", phoneNumber: "+573001234002" },
    field: "accountNumber",
    suffix: "004",
  },
  {
    says: "the phone number of a COP account that has no account number",
    info: { accountType: "COP_ACCOUNT", phoneNumber: "+573001234002" },
    field: "phoneNumber",
    suffix: "002",
  },
  {
    says: "a lightning address in front of its @, whatever its domain ends in",
    info: { accountType: "LIGHTNING", lightningAddress: "ana.002@node.003" },
    field: "lightningAddress",
    suffix: "002",
  },
  {
    says: "a lightning invoice",
    info: { accountType: "LIGHTNING", invoice: "lnbc10u1p3003" },
    field: "invoice",
    suffix: "003",
  },
  {
    says: "a bolt12 offer",
    info: { accountType: "LIGHTNING", bolt12: "lno1qgsqvgnwgcg004" },
    field: "bolt12",
    suffix: "004",
  },
  {
    says: "the address of a wallet",
    info: { accountType: "BASE_WALLET", address: "0x52b7d2dcc80cd2e4000000deadc0ffee12345005" },
    field: "address",
    suffix: "005",
  },
];

/** Endings of one US account number; `undefined` chooses `otherwise`. */
const ENDINGS = [
  { number: "002", suffix: "002", because: "three digits are enough" },
  { number: "000 123 002", suffix: "002", because: "spaces do not count" },
  { number: "0001-2300-3", suffix: "003", because: "dashes do not count" },
  { number: "12300 - 4 ", suffix: "004", because: "neither counts at the end" },
  { number: "acct002", suffix: "002", because: "only the last three are read" },
  { number: "00002a", suffix: undefined, because: "a letter is among the last three" },
  { number: "0000O2", suffix: undefined, because: "a letter O is not a zero" },
  { number: "02", suffix: undefined, because: "two digits are too few" },
  { number: "00.2", suffix: undefined, because: "a dot is neither digit nor ignored" },
  { number: "٠٠٢", suffix: undefined, because: "only ASCII digits are digits" },
  { number: "000123002\n4", suffix: "024", because: "a newline is white space, not an end" },
  { number: "@002", suffix: undefined, because: "nothing stands in front of the @" },
  { number: "1002@003@004", suffix: "002", because: "the first @ cuts" },
  { number: "123000", suffix: "000", because: "000 is read, and chooses no row" },
  { number: "123001", suffix: "001", because: "001 is read, and chooses no row" },
];

describe("the suffix of an account", () => {
  test.each(READINGS)("is $says", ({ info, field, suffix }) => {
    expect(primaryIdentifier(info).field).toBe(field);
    expect(scenarioSuffix(info)).toBe(suffix);
  });
});

describe("the ending of an identifier", () => {
  test.each(ENDINGS)("of $number is $suffix, since $because", ({ number, suffix }) => {
    const info: AccountInfo = { accountType: "USD_ACCOUNT", accountNumber: number };
    expect(scenarioSuffix(info)).toBe(suffix);
  });
});
