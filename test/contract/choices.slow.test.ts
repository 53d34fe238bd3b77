import { expect, test } from "vitest";
import { PLATFORM_ENDPOINTS } from "../../src/api/endpoints.ts";
import { openApiDocument } from "../../src/api/openapi.ts";
import { choiceOf, printerOf } from "../../src/contract/choices.ts";
import { EVENT_TYPES } from "../../src/contract/webhooks/events.ts";
import { CONTROL_ENDPOINTS } from "../../src/control/control-surface.ts";
import { errorBody, type Refusal } from "../../src/domain/core/refusal.ts";
import { inShape, queryInShape } from "../../src/http/body/shape.ts";
import type { Endpoint } from "../../src/http/door/endpoint.ts";
import { shapesIn } from "./setup/shapes-in.ts";

const ENDPOINTS: readonly Endpoint[] = [...PLATFORM_ENDPOINTS, ...CONTROL_ENDPOINTS];

const LETTERS = [..."ABCDEFGHIJKLMN"];

test.each([
  { values: ["A"], found: "B", says: "A" },
  { values: ["AB", "CD"], found: "CX", says: "one of AB, CD (closest: CD)" },
  {
    values: LETTERS.slice(0, 12),
    found: 5,
    says: "one of A, B, C, D, E, F, G, H, I, J, K, L",
  },
  {
    values: LETTERS,
    found: 5,
    says: "one of A, B, C, D, E, F, G, H, I, J, K, L and 2 more (service-sim openapi prints all)",
  },
])("$values are said in short", ({ values, found, says }) => {
  expect(choiceOf(values, found)).toBe(says);
});

const said = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return errorBody(error as Refusal).message.split(" but found ")[0] ?? "";
  }
  return "";
};

const bodyOf = (operationId: string) => {
  const { body } = ENDPOINTS.find((one) => one.operationId === operationId) ?? {};
  if (!body) throw new Error(`Expected a body of ${operationId}`);
  return body;
};

test("of 44 account types twelve are named, with the closest and where the rest is", () => {
  const document = { currency: "MXN", accountInfo: { accountType: "MXN_ACOUNT" } };
  expect(said(() => inShape(bodyOf("createPlatformExternalAccount"), document, "body"))).toBe(
    "Expected one of AED_ACCOUNT, BDT_ACCOUNT, BRL_ACCOUNT, BWP_ACCOUNT, CAD_ACCOUNT, " +
      "COP_ACCOUNT, DKK_ACCOUNT, EGP_ACCOUNT, EUR_ACCOUNT, GBP_ACCOUNT, GHS_ACCOUNT, " +
      "GTQ_ACCOUNT and 32 more (closest: MXN_ACCOUNT; service-sim openapi prints all) " +
      "in accountInfo.accountType",
  );
});

test("of fault codes twelve are named, with the closest", () => {
  const document = { fault: { code: "QUOTE_NOT_FOND" } };
  const message = said(() => inShape(bodyOf("addFault"), document, "body"));
  expect(message).toMatch(/^Expected one of (\w+, ){11}\w+ and \d+ more \(closest: \w+\) in/);
  expect(message).toContain("(closest: QUOTE_NOT_FOUND)");
});

test("of event types twelve are named, with the command that prints all", () => {
  const { query = {} } = ENDPOINTS.find(({ operationId }) => operationId === "webhooks") ?? {};
  const asked = new URLSearchParams({ type: "nothing of the sort" });
  const message = said(() => queryInShape(query, asked));
  const more = EVENT_TYPES.length - 12;
  expect(message).toContain(` and ${more} more (service-sim webhooks trigger prints all) in type`);
});

const longLists = ENDPOINTS.flatMap(({ body, query }) => shapesIn([body, query])).flatMap(
  ({ _zod: { def } }) => {
    const { entries = {} } = def as { entries?: Record<string, string> };
    return Object.keys(entries).length > 12 ? [Object.values(entries)] : [];
  },
);

test("the document that a message names has all values of the list", () => {
  const document = JSON.stringify(openApiDocument("test"));
  const printed = longLists.filter((values) => printerOf(values) === "service-sim openapi");
  expect(printed.length).toBeGreaterThan(5);
  for (const values of printed)
    expect(values.filter((value) => !document.includes(JSON.stringify(value)))).toEqual([]);
  expect(printerOf(EVENT_TYPES)).toBe("service-sim webhooks trigger");
});
