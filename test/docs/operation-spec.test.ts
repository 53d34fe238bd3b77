import { expect, test } from "vitest";
import { LATER_ENDPOINTS, PLATFORM_ENDPOINTS } from "../../src/api/endpoints.ts";
import { OPERATION_SPEC } from "../../src/api/operation-spec.ts";
import { ruleAnchors } from "./setup/citations.ts";

test("every operation has its part of the specification, and nothing else has", () => {
  const operations = [...PLATFORM_ENDPOINTS, ...LATER_ENDPOINTS].map(
    ({ operationId }) => operationId,
  );
  const parts = Object.keys(OPERATION_SPEC).sort();
  expect(parts, "rows of src/api/operation-spec.ts").toEqual([...operations].sort());
});

test("every part is a rule of the specification", () => {
  const rules = ruleAnchors();
  expect(Object.values(OPERATION_SPEC).filter((place) => !rules.includes(place))).toEqual([]);
});
