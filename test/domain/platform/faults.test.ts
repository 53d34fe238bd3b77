import { describe, expect, test } from "vitest";
import { FAULT_CODES, GENERAL_CODES } from "../../../src/contract/core/error-codes.ts";
import type { FaultMatch } from "../../../src/contract/platform/faults.ts";
import { errorOf, fits, strikes } from "../../../src/domain/platform/faults.ts";

const NINE_MS = Date.parse("2026-01-05T09:00:00.000Z");

const faultWith = (match: FaultMatch) => ({
  id: "Fault:1",
  match,
  fault: { status: 503 },
  createdAtMs: NINE_MS,
  updatedAtMs: NINE_MS,
});

const EXECUTE = {
  operationId: "executeQuote",
  method: "POST",
  template: "/quotes/{quoteId}/execute",
  path: "/quotes/Quote:1/execute",
};

// spec/faults.md#matching
test.each([
  { match: {}, is: true },
  { match: { operation: "executeQuote" }, is: true },
  { match: { operation: "createQuote" }, is: false },
  { match: { path: "/quotes/{quoteId}/execute" }, is: true },
  { match: { path: "/quotes/{id}/execute" }, is: true },
  { match: { path: "POST /quotes/{anything}/execute" }, is: true },
  { match: { path: "/quotes/{quoteId}" }, is: false },
  { match: { path: "/{resource}/Quote:1/execute" }, is: false },
  { match: { path: "/quotes/Quote:1/execute" }, is: true },
  { match: { path: "POST /quotes/Quote:1/execute" }, is: true },
  { match: { path: "GET /quotes/Quote:1/execute" }, is: false },
  { match: { path: "/quotes/Quote:2/execute" }, is: false },
  { match: { path: "/quotes" }, is: false },
  { match: { operation: "executeQuote", path: "/quotes" }, is: false },
  { match: { from: "2026-01-05T09:00:00Z" }, is: true },
  { match: { from: "2026-01-05T09:00:00.001Z" }, is: false },
  { match: { until: "2026-01-05T09:00:00.001Z" }, is: true },
  { match: { until: "2026-01-05T09:00:00Z" }, is: false },
  { match: { from: "2026-01-05T10:00:00+01:00", until: "2026-01-05T09:00:01Z" }, is: true },
])("$match matches the call: $is", ({ match, is }) => {
  expect(fits(faultWith(match), EXECUTE, NINE_MS)).toBe(is);
});

const struckOf = (match: FaultMatch, seed = "test", calls = 6) =>
  Array.from({ length: calls }, (_, at) => at + 1).filter((count) =>
    strikes(faultWith(match), { seed, count }),
  );

test.each([
  { match: {}, struck: [1, 2, 3, 4, 5, 6] },
  { match: { times: 2 }, struck: [1, 2] },
  { match: { nth: 3 }, struck: [3] },
  { match: { nth: 3, times: 2 }, struck: [3, 4] },
  { match: { probability: 0 }, struck: [] },
  { match: { probability: 1 }, struck: [1, 2, 3, 4, 5, 6] },
  { match: { probability: 1, nth: 2 }, struck: [2] },
])("$match strikes the calls $struck", ({ match, struck }) => {
  expect(struckOf(match)).toEqual(struck);
});

describe("a probability", () => {
  test("draws the same for one seed, and differently for another", () => {
    const once = struckOf({ probability: 0.3 }, "a", 200);
    expect(struckOf({ probability: 0.3 }, "a", 200)).toEqual(once);
    expect(struckOf({ probability: 0.3 }, "b", 200)).not.toEqual(once);
  });

  test("strikes about as often as given", () => {
    const { length } = struckOf({ probability: 0.3 }, "test", 10_000);
    expect(length).toBeGreaterThan(2800);
    expect(length).toBeLessThan(3200);
  });
});

test.each([
  { fault: { status: 503 }, error: { status: 503, code: "UNAVAILABLE" } },
  { fault: { code: "UNAVAILABLE" as const }, error: { status: 503, code: "UNAVAILABLE" } },
  { fault: { status: 504 }, error: { status: 504, code: "INTERNAL_ERROR" } },
  { fault: { status: 429 }, error: { status: 429, code: "RATE_LIMITED" } },
  { fault: { status: 409 }, error: { status: 409, code: "CONFLICT" } },
  {
    fault: { code: "EMAIL_OTP_CREDENTIAL_SYNC_FAILED" as const },
    error: { status: 424, code: "EMAIL_OTP_CREDENTIAL_SYNC_FAILED" },
  },
  {
    fault: { code: "SERVICE_SWITCH_ERROR" as const },
    error: { status: 500, code: "SERVICE_SWITCH_ERROR" },
  },
  {
    fault: { status: 502, code: "INTERNAL_ERROR" as const },
    error: { status: 502, code: "INTERNAL_ERROR" },
  },
  { fault: { latencyMs: 5 }, error: undefined },
  { fault: { dropResponse: true as const }, error: undefined },
])("$fault answers $error", ({ fault, error }) => {
  expect(errorOf(fault, "2025-10")).toEqual(error);
});

// spec/later-payments.md#service-unavailable
test("503 has another code in the later revision, and no other status has", () => {
  const codes = [{ status: 503 }, { code: "UNAVAILABLE" as const }, { status: 501 }].map(
    (fault) => errorOf(fault, "2026-08")?.code,
  );
  expect(codes).toEqual(["SERVICE_UNAVAILABLE", "SERVICE_UNAVAILABLE", "NOT_IMPLEMENTED"]);
});

test("the general code of a status has that status", () => {
  for (const [status, code] of Object.entries(GENERAL_CODES))
    expect(FAULT_CODES[code]).toBe(Number(status));
});
