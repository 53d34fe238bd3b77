import type { CoverageReport } from "../contract/control/coverage.ts";
import type { CoverageCounts } from "./coverage-counts.ts";
import { coverageItems } from "./coverage-items.ts";
import { exerciseLine } from "./exercises.ts";

/** Percent with one decimal, never rounded up: 100 means everything. */
const percent = (met: number, total: number) => Math.floor((met / total) * 1000) / 10;

/** Makes a report: the share of each group, and a line for each missing item. */
export const coverageReport = (counts: CoverageCounts): CoverageReport => {
  const groups = coverageItems().map(({ group, items }) => {
    const missing = items.filter((name) => counts.timesMet(group, name) === 0);
    return {
      name: group,
      met: items.length - missing.length,
      total: items.length,
      missing: missing.map((name) => ({ name, exercise: exerciseLine({ group, name }) })),
    };
  });
  const met = groups.reduce((sum, group) => sum + group.met, 0);
  const total = groups.reduce((sum, group) => sum + group.total, 0);
  return { score: percent(met, total), groups };
};
