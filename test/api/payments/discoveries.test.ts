import { describe, expect, test } from "vitest";
import type { Parsed } from "../../setup/test-simulator.ts";
import { expectRefused, invalid } from "../setup/refused.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();

const list = async (query = ""): Promise<Parsed[]> => {
  const { status, body } = await world().call("GET", `/discoveries${query}`);
  expect({ status, members: Object.keys(body) }).toEqual({ status: 200, members: ["data"] });
  return body.data;
};

/** Countries and their currencies (spec/discoveries.md#banks). */
const COUNTRIES = [
  { country: "CO", currency: "COP" },
  { country: "EG", currency: "EGP" },
  { country: "HK", currency: "HKD" },
  { country: "ID", currency: "IDR" },
  { country: "MY", currency: "MYR" },
  { country: "NG", currency: "NGN" },
  { country: "PH", currency: "PHP" },
  { country: "PK", currency: "PKR" },
  { country: "SG", currency: "SGD" },
  { country: "SV", currency: "USD" },
  { country: "TH", currency: "THB" },
  { country: "VN", currency: "VND" },
  { country: "ZA", currency: "ZAR" },
];

test("without a filter every bank of every country is listed, each once", async () => {
  const banks = await list();
  expect([...new Set(banks.map(({ country }) => country))].sort()).toEqual(
    COUNTRIES.map(({ country }) => country),
  );
  expect(new Set(banks.map(({ bankName }) => bankName)).size).toBe(banks.length);
  for (const bank of banks)
    expect(Object.keys(bank).sort()).toEqual(["bankName", "country", "currency", "displayName"]);
});

describe.each(COUNTRIES)("the banks of $country", ({ country, currency }) => {
  test(`are two or three, in ${currency}`, async () => {
    const banks = await list(`?country=${country}`);
    expect([2, 3]).toContain(banks.length);
    for (const bank of banks) {
      expect(bank).toMatchObject({ country, currency });
      expect(bank.bankName).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
      expect(bank.displayName).toMatch(/^\S.*\S$/);
    }
    expect(await list(`?currency=${currency}`)).toEqual(banks);
    expect(await list(`?country=${country}&currency=${currency}`)).toEqual(banks);
  });
});

// spec/discoveries.md#filters
test.each(["?country=US", "?country=ph", "?country=", "?currency=XXX", "?currency=EUR"])(
  "%s finds nothing",
  async (query) => {
    expect(await list(query)).toEqual([]);
  },
);

test("both filters count", async () => {
  expect(await list("?country=PH&currency=NGN")).toEqual([]);
});

// spec/discoveries.md#errors
test("a filter given twice is refused", async () => {
  const answer = await world().call("GET", "/discoveries?country=PH&country=NG");
  expectRefused(answer, invalid("country"));
});

/** New accounts are not checked against the list (spec/discoveries.md#fields). */
test("an account may be at a bank of the list, and at one that is not", async () => {
  const [bank] = await list("?country=PH");
  for (const bankName of [bank.bankName, "Bank of Elsewhere"]) {
    const { status, body } = await world().call("POST", "/platform/external-accounts", {
      currency: "PHP",
      accountInfo: {
        accountType: "PHP_ACCOUNT",
        bankName,
        accountNumber: bankName === bank.bankName ? "001234567999" : "001234567998",
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Flores" },
      },
    });
    expect({ status, bankName: body.accountInfo?.bankName }).toEqual({ status: 201, bankName });
  }
});
