import type { CoverageReport } from "../contract/control/coverage.ts";
import type { CoverageRecorder } from "./coverage-recorder.ts";
import type { CoverageTotals } from "./coverage-totals.ts";

type Scope = "world" | "all";

/**
 * Coverage as the control surface asks for it. The tables of a report are loaded when somebody asks
 * for one.
 */
export const worldCoverage = (own: CoverageRecorder, totals: CoverageTotals | undefined) => ({
  report: async (of: Scope): Promise<CoverageReport> => {
    const { coverageReport } = await import("./coverage-report.ts");
    return coverageReport(of === "all" && totals ? totals.merged() : own.counts);
  },
  clear: (of: Scope) => {
    if (of === "all") totals?.clear();
    else own.counts.clear();
  },
});
