import { expect, test } from "vitest";
import type { CoverageReport } from "../../src/library/contract-types.ts";
import { coverageText } from "../../src/runners/coverage-text.ts";

const report = (met: number): CoverageReport => ({
  score: met * 50,
  groups: [
    {
      name: "operations",
      met,
      total: 2,
      missing: [{ name: "getQuote", exercise: "service-sim api GET /quotes/{quoteId}" }],
      outOfReach: [],
    },
  ],
});

test("a run that has exercised something ends with what it has, and what is missing", () => {
  expect(coverageText(report(1))).toBe(
    "\nservice-sim: coverage 50 %, 1 of 2 items: operations 1/2\n" +
      "  getQuote    service-sim api GET /quotes/{quoteId}",
  );
});

test("a run that has exercised nothing ends without a word", () => {
  expect(coverageText(report(0))).toBeUndefined();
});
