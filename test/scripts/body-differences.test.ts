import { expect, test } from "vitest";
import { bodyDifferences } from "../../src/scripts/body-differences.ts";

const FOUND = {
  id: "Quote:1",
  status: "PENDING",
  balance: { amount: 5, currency: { code: "USD" } },
  data: [{ id: "a" }, { id: "b" }],
  nothing: null,
};

test.each([
  { expected: { status: "PENDING" } },
  { expected: { "balance.amount": 5 } },
  { expected: { "balance.currency": { code: "USD" } } },
  { expected: { data: [{ id: "a" }, {}] } },
  { expected: { "data.length": 2, "data.1.id": "b" } },
  { expected: { nothing: null } },
  { expected: {} },
])("$expected fits", ({ expected }) => {
  expect(bodyDifferences(expected, FOUND)).toEqual([]);
});

interface Row {
  expected: Readonly<Record<string, unknown>>;
  differences: object[];
}

test.each<Row>([
  {
    expected: { status: "COMPLETED" },
    differences: [{ at: "status", expected: '"COMPLETED"', found: '"PENDING"' }],
  },
  {
    expected: { "balance.amount": "5" },
    differences: [{ at: "balance.amount", expected: '"5"', found: "5" }],
  },
  {
    expected: { balance: { currency: { code: "EUR" } } },
    differences: [{ at: "balance.currency.code", expected: '"EUR"', found: '"USD"' }],
  },
  {
    expected: { data: [{ id: "a" }] },
    differences: [{ at: "data.length", expected: "1", found: "2" }],
  },
  {
    expected: { data: [{ id: "b" }, { id: "a" }] },
    differences: [
      { at: "data.0.id", expected: '"b"', found: '"a"' },
      { at: "data.1.id", expected: '"a"', found: '"b"' },
    ],
  },
  {
    expected: { "data.2.id": "c", toString: "x" },
    differences: [
      { at: "data.2.id", expected: '"c"', found: "nothing" },
      { at: "toString", expected: '"x"', found: "nothing" },
    ],
  },
])("$expected differs, by the path of each member", ({ expected, differences }) => {
  expect(bodyDifferences(expected, FOUND)).toEqual(differences);
});
