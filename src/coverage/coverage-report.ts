import type { CoverageGroup, CoverageReport } from "../contract/control/coverage.ts";
import type { CoverageCounts } from "./coverage-counts.ts";
import { coverageItems, type ItemGroup } from "./coverage-items.ts";
import { exerciseLine, type LinePlace, NEW_PLATFORM } from "./exercises.ts";
import { needsOf } from "./out-of-reach.ts";

/** Percent with one decimal, never rounded up: 100 means everything. */
const percent = (met: number, total: number) => Math.floor((met / total) * 1000) / 10;

const groupReport = (
  { group, items }: ItemGroup,
  counts: CoverageCounts,
  place: LinePlace,
): CoverageGroup => {
  const unmet = items.filter((name) => counts.timesMet(group, name) === 0);
  const isMissing = (name: string) => !counts.isUnmeetable(`${group}.${name}`);
  const missing = unmet.filter(isMissing);
  const outOfReach = unmet.filter((name) => !isMissing(name));
  return {
    name: group,
    met: items.length - unmet.length,
    total: items.length - outOfReach.length,
    missing: missing.map((name) => ({ name, exercise: exerciseLine({ group, name }, place) })),
    outOfReach: outOfReach.map((name) => ({ name, needs: needsOf(group, name) ?? "" })),
  };
};

/**
 * Makes a report: the share of each group, and a line for each missing item.
 * @param place the platform that the lines are for
 */
export const coverageReport = (
  counts: CoverageCounts,
  place: LinePlace = NEW_PLATFORM,
): CoverageReport => {
  const groups = coverageItems(counts.revision).map((items) => groupReport(items, counts, place));
  const met = groups.reduce((sum, group) => sum + group.met, 0);
  const total = groups.reduce((sum, group) => sum + group.total, 0);
  return { score: percent(met, total), groups };
};
