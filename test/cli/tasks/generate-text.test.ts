import { expect, test } from "vitest";
import { CommandError } from "../../../src/cli/frame/command.ts";
import { generateOf } from "../../../src/cli/tasks/generate-text.ts";

test.each([
  { text: "customers=5000", means: { customers: { count: 5000 } } },
  {
    text: "customers=5000,quotes=20000",
    means: { customers: { count: 5000 }, quotes: { count: 20_000 } },
  },
  {
    text: "quotes=20000:COMPLETED=70,EXPIRED=20,FAILED=10",
    means: { quotes: { count: 20_000, states: { COMPLETED: 70, EXPIRED: 20, FAILED: 10 } } },
  },
  {
    text: "quotes=10:completed=1, expired=1, customers=3:APPROVED=9,PENDING=1",
    means: {
      quotes: { count: 10, states: { COMPLETED: 1, EXPIRED: 1 } },
      customers: { count: 3, states: { APPROVED: 9, PENDING: 1 } },
    },
  },
  { text: "quotes=0", means: { quotes: { count: 0 } } },
])("$text", ({ text, means }) => {
  expect(generateOf(text)).toEqual(means);
});

const QUOTE_STATES = "COMPLETED, FAILED, EXPIRED, PROCESSING, PENDING";

test.each([
  {
    text: "",
    says: 'Expected kind=count, or STATE=weight after a colon, in --generate but found ""',
  },
  {
    text: "customers",
    says: 'Expected kind=count, or STATE=weight after a colon, in --generate but found "customers"',
  },
  {
    text: "customers=-1",
    says: 'Expected kind=count, or STATE=weight after a colon, in --generate but found "customers=-1"',
  },
  {
    text: "qutes=20",
    says: 'Expected one of customers, quotes in --generate but found "qutes"; the closest one is quotes',
  },
  {
    text: "quotes=20,COMPLETED=70",
    says: 'Expected one of customers, quotes in --generate but found "COMPLETED"',
  },
  {
    text: "quotes=20:COMPLETE=70",
    says: `Expected one of ${QUOTE_STATES} in --generate but found "COMPLETE"; the closest one is COMPLETED`,
  },
  {
    text: "customers=2:COMPLETED=70",
    says: 'Expected one of APPROVED, PENDING, REJECTED, UNVERIFIED in --generate but found "COMPLETED"',
  },
  {
    text: "quotes=200001",
    says: 'Expected at most 200000 quotes in --generate but found "quotes=200001"',
  },
  { text: "quotes=1,quotes=2", says: 'Expected each kind once in --generate but found "quotes"' },
  {
    text: "quotes=1:FAILED=1,FAILED=2",
    says: 'Expected each state once in --generate but found "FAILED"',
  },
  {
    text: "quotes=1:FAILED=1001",
    says: 'Expected a weight up to 1000 in --generate but found "FAILED=1001"',
  },
  {
    text: "quotes=1:FAILED=0",
    says: 'Expected a weight above 0 for quotes in --generate but found "quotes=1:FAILED=0"',
  },
])("$text is refused", ({ text, says }) => {
  expect(() => generateOf(text)).toThrow(says);
  expect(() => generateOf(text)).toThrow(CommandError);
});
