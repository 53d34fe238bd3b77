import { CoverageCounts } from "./coverage-counts.ts";
import { type CoverageFile, coverageFileIn } from "./coverage-file.ts";
import { CoverageRecorder } from "./coverage-recorder.ts";

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
