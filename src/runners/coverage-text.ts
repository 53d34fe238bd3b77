import { coverageSummary, isAnythingMet } from "../coverage/coverage-text.ts";
import type { CoverageReport } from "../library/contract-types.ts";

/** Most missing items that a report of a run suggests. */
const MOST_SUGGESTED = 5;

/**
 * The summary of a run's coverage, with some lines that would exercise what is missing.
 * @returns nothing where the tests have exercised nothing
 */
export const coverageText = (report: CoverageReport): string | undefined => {
  if (!isAnythingMet(report)) return undefined;
  const missing = report.groups.flatMap((group) => group.missing).slice(0, MOST_SUGGESTED);
  const lines = missing.map(({ name, exercise }) => `  ${name}    ${exercise}`);
  return [`\nservice-sim: ${coverageSummary(report)}`, ...lines].join("\n");
};
