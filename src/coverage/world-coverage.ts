import type { CoverageReport } from "../contract/control/coverage.ts";
import type { RequestReport } from "../http/request-log.ts";
import type { Engine } from "../runtime/engine.ts";
import { CoverageCounts } from "./coverage-counts.ts";
import { type CoverageFile, coverageFileIn } from "./coverage-file.ts";
import { CoverageRecorder } from "./coverage-recorder.ts";

type Scope = "world" | "all";

/** The coverage of one world, as the world feeds it and the control surface asks for it. */
export class CountedWorld {
  private readonly recorder: CoverageRecorder;
  private readonly totals: CoverageTotals;

  /** @param isCopy nothing of it counts: only a fixture on trial can reach it */
  constructor(engine: Engine, totals: CoverageTotals, isCopy: boolean) {
    this.totals = totals;
    this.recorder = isCopy ? new CoverageRecorder() : totals.opened();
    if (!isCopy) engine.listeners.add(this.recorder);
  }

  /** Counts a request. */
  requested(report: RequestReport) {
    this.recorder.requested(report);
  }

  /** Runs work that counts nothing (spec/coverage.md#fixtures). */
  apart<Result>(work: () => Result): Result {
    return this.recorder.apart(work);
  }

  /** Makes a report. Its tables are loaded when somebody asks for one. */
  async report(of: Scope): Promise<CoverageReport> {
    const { coverageReport } = await import("./coverage-report.ts");
    return coverageReport(of === "all" ? this.totals.merged() : this.recorder.counts);
  }

  clear(of: Scope) {
    if (of === "all") this.totals.clear();
    else this.recorder.counts.clear();
  }

  /** Keeps its counts in the sum of its simulator. */
  close() {
    this.totals.closed(this.recorder);
  }
}

/** The counts of all worlds of one simulator, those that were removed included. */
export class CoverageTotals {
  private readonly recorders = new Set<CoverageRecorder>();
  private past = new CoverageCounts();
  private readonly file: CoverageFile | undefined;

  /** @param directory folder that the process keeps its counts in, if it does */
  constructor(directory: string | undefined) {
    this.file = directory === undefined ? undefined : coverageFileIn(directory);
    this.file?.take(this);
  }

  /** Counts of a new world, which start at zero. */
  opened(): CoverageRecorder {
    const recorder = new CoverageRecorder();
    this.recorders.add(recorder);
    return recorder;
  }

  /** Keeps the counts of a world that closes. */
  closed(recorder: CoverageRecorder) {
    if (!this.recorders.delete(recorder)) return;
    this.past.add(recorder.counts.image());
    if (this.recorders.size === 0) this.file?.leave(this);
  }

  /** All counts together. */
  merged(): CoverageCounts {
    const all = new CoverageCounts();
    all.add(this.past.image());
    for (const { counts } of this.recorders) all.add(counts.image());
    return all;
  }

  clear() {
    this.past = new CoverageCounts();
    for (const { counts } of this.recorders) counts.clear();
  }
}
