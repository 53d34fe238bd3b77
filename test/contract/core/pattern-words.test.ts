import { expect, test } from "vitest";
import * as z from "zod";
import { PLATFORM_ENDPOINTS } from "../../../src/api/endpoints.ts";
import type { ExternalAccountType } from "../../../src/contract/accounts/account-type-rows.ts";
import { EXTERNAL_ACCOUNT_TYPES } from "../../../src/contract/accounts/external-account-types.ts";
import { fieldShape } from "../../../src/contract/accounts/external-accounts.ts";
import { NAMED_PATTERNS, patternWords } from "../../../src/contract/core/pattern-words.ts";
import { IN_OUR_WORDS } from "../../../src/contract/expectations.ts";
import { CONTROL_ENDPOINTS } from "../../../src/control/control-surface.ts";
import { errorBody, type Refusal } from "../../../src/domain/core/refusal.ts";
import { inShape } from "../../../src/http/body/shape.ts";
import type { Endpoint } from "../../../src/http/door/endpoint.ts";
import { shapesIn } from "../setup/shapes-in.ts";

const ENDPOINTS: readonly Endpoint[] = [...PLATFORM_ENDPOINTS, ...CONTROL_ENDPOINTS];

const requestShapes = ENDPOINTS.flatMap(({ body, query }) => shapesIn([body, query]));

const patternOf = (shape: z.ZodType) => {
  const { format, pattern } = shape._zod.def as { format?: string; pattern?: RegExp };
  return format === "regex" ? pattern : undefined;
};

const checked = requestShapes.flatMap((shape) => {
  const checks = (shape._zod.def.checks ?? []) as unknown as z.ZodType[];
  return checks.filter((check) => patternOf(check) !== undefined);
});

const ofAccounts = Object.values(EXTERNAL_ACCOUNT_TYPES as Record<string, ExternalAccountType>)
  .flatMap(({ fields, individualMay = {} }) => [fields, individualMay])
  .flatMap((rules) => Object.values(rules))
  .flatMap((rule) => (rule.pattern ? [{ pattern: String(rule.pattern), rule }] : []));

test("the walk finds the patterns of account fields and of others", () => {
  const found = new Set(checked.map((check) => String(patternOf(check))));
  expect(ofAccounts.length).toBeGreaterThan(30);
  for (const { pattern } of ofAccounts) expect([...found]).toContain(pattern);
  expect(found.size).toBeGreaterThan(30);
});

const MISFITS = ["", "\n", "~", " x "];

test("no message about a pattern of a request shows a regular expression", () => {
  const said = checked.flatMap((check) => {
    const shape = z.string().check(check as unknown as z.core.$ZodCheck<string>);
    const failed = MISFITS.map((text) => shape.safeParse(text, IN_OUR_WORDS).error?.issues[0]);
    const [issue] = failed.filter((one) => one !== undefined);
    return [{ pattern: String(patternOf(check)), message: issue?.message ?? "" }];
  });
  for (const { pattern, message } of said) {
    expect({ pattern, message }).toEqual({ pattern, message: expect.stringMatching(/^Expected /) });
    expect({ pattern, message }).not.toEqual({
      pattern,
      message: expect.stringMatching(/\/\^|\$\/|\[0-9|\\|another form/),
    });
  }
});

test("every row of the table is for a pattern that an account field has", () => {
  expect(
    NAMED_PATTERNS.filter((name) => !ofAccounts.some(({ pattern }) => pattern === name)),
  ).toEqual([]);
});

test.each([
  { pattern: /^[0-9]{18}$/, says: "18 digits" },
  { pattern: /^[0-9]{1}$/, says: "1 digit" },
  { pattern: /^[0-9]{11,14}$/, says: "11 to 14 digits" },
  { pattern: /^[0-9]{3,}$/, says: "at least 3 digits" },
  { pattern: /^[0-9]+$/, says: "at least 1 digit" },
  { pattern: /^[A-Z]{2}$/, says: "2 capital letters" },
  { pattern: /^[A-Z0-9]{4}$/, says: "4 capital letters and digits" },
  { pattern: /^[A-Za-z0-9]{32,44}$/, says: "32 to 44 letters and digits" },
  { pattern: /^0x[0-9a-fA-F]{40}$/, says: "0x and 40 hex digits" },
  { pattern: /^\+62[0-9]{9,12}$/, says: "+62 and 9 to 12 digits" },
  { pattern: /^T[A-Za-z0-9]{33}$/, says: "T and 33 letters and digits" },
  { pattern: /^\d{4}-\d{2}$/, says: "4 digits, - and 2 digits" },
  { pattern: /^AE[0-9]{21}$/, says: "an IBAN of 23 characters: AE and 21 digits" },
  { pattern: /^(a|b)$/, says: undefined },
  { pattern: /[0-9]{3}/, says: undefined },
  { pattern: /^[^x]{3}$/, says: undefined },
  { pattern: /^[0-9]{3}$/i, says: undefined },
])("$pattern is read as $says", ({ pattern, says }) => {
  expect(patternWords(String(pattern))).toBe(says);
});

test("a CLABE is asked for in words, and its pattern is in the details", () => {
  const rule = EXTERNAL_ACCOUNT_TYPES.MXN_ACCOUNT.fields.clabeNumber;
  const shape = z.object({ clabeNumber: fieldShape(rule ?? {}) });
  let refusal: unknown;
  try {
    inShape(shape, { clabeNumber: "123" }, "body");
  } catch (error) {
    refusal = error;
  }
  const { message, details } = errorBody(refusal as Refusal);
  expect(message).toContain('Expected 18 digits in clabeNumber but found "123"');
  expect(details).toEqual({ field: "clabeNumber", value: "123", pattern: "^[0-9]{18}$" });
});
