import { expect, test } from "vitest";
import { ENDPOINTS_OF_ANY_REVISION } from "../../src/api/endpoints.ts";
import { OPERATION_SPEC } from "../../src/api/operation-spec.ts";
import { ruleAnchors } from "./setup/citations.ts";

test("every operation has its part of the specification, and nothing else has", () => {
  const operations = ENDPOINTS_OF_ANY_REVISION.map(({ operationId }) => operationId);
  const parts = Object.keys(OPERATION_SPEC).sort();
  expect(parts, "rows of src/api/operation-spec.ts").toEqual([...operations].sort());
});

test("every part is a rule of the specification", () => {
  const rules = ruleAnchors();
  expect(Object.values(OPERATION_SPEC).filter((place) => !rules.includes(place))).toEqual([]);
});
