import type { CoverageReport, Exercised } from "../contract/control/coverage.ts";
import { all, type View } from "../domain/core/draft.ts";
import { platformConfig } from "../domain/core/platform-config.ts";
import { settingsInForce } from "../domain/core/world-settings.ts";
import type { RequestReport } from "../http/log/log-entry.ts";
import type { Engine } from "../runtime/engine.ts";
import type { Send } from "../scripts/script-call.ts";
import { type CountedSettings, CoverageCounts } from "./coverage-counts.ts";
import { type CoverageFile, coverageFileIn } from "./coverage-file.ts";
import { CoverageRecorder } from "./coverage-recorder.ts";
import { unmeetableUnder } from "./out-of-reach.ts";

type Scope = "world" | "all";

/** A world that was never opened has no settings. */
const countedIn = (view: View): CountedSettings => {
  if (all(view, "PlatformConfig").length === 0) return {};
  const settings = settingsInForce(view);
  return { revision: settings.revision, unmeetable: unmeetableUnder(settings) };
};

/** The coverage of one world, as the world feeds it and the control surface asks for it. */
export class CountedWorld {
  private readonly recorder: CoverageRecorder;
  private readonly totals: CoverageTotals;
  private readonly engine: Engine;

  /** @param isCopy nothing of it counts: only a fixture on trial can reach it */
  constructor(engine: Engine, totals: CoverageTotals, isCopy: boolean) {
    this.totals = totals;
    this.engine = engine;
    this.recorder = isCopy ? new CoverageRecorder() : totals.opened(() => countedIn(engine.state));
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
    const { isUsual } = await import("./exercises/usual-platform.ts");
    const { totals, recorder, engine } = this;
    const { sandboxUmaDomains } = settingsInForce(engine.state);
    const umaDomain = sandboxUmaDomains[0] ?? "";
    const place = { umaDomain, isUsual: isUsual(platformConfig(engine.state)) };
    return coverageReport(of === "all" ? totals.merged() : totals.of(recorder), place);
  }

  clear(of: Scope) {
    if (of === "all") this.totals.clear();
    else this.recorder.counts.clear();
  }

  /** Makes the calls that meet an item; its script is loaded when somebody asks for it. */
  async exercise(text: string, send: Send): Promise<Exercised | undefined> {
    const { exerciseSteps, itemNamed } = await import("./exercises.ts");
    const { ExerciseFailure, runExercise } = await import("./exercise-run.ts");
    const item = itemNamed(text);
    if (!item) return undefined;
    const steps: Exercised["steps"] = [];
    let problem: string | undefined;
    try {
      await runExercise(exerciseSteps(item), send, (step) => steps.push(step));
    } catch (error) {
      if (!(error instanceof ExerciseFailure)) throw error;
      problem = error.message;
    }
    const { groups } = await this.report("world");
    const group = groups.find(({ name }) => name === item.group);
    const met = group?.missing.every(({ name }) => name !== item.name) ?? false;
    return { item: text, met, steps, ...(problem !== undefined && { problem }) };
  }

  /** Keeps its counts in the sum of its simulator. */
  close() {
    this.totals.closed(this.recorder);
  }
}

/** The counts of all worlds of one simulator, those that were removed included. */
export class CoverageTotals {
  /** With the settings of its world. */
  private readonly recorders = new Map<CoverageRecorder, () => CountedSettings>();
  private past = new CoverageCounts();
  private readonly file: CoverageFile | undefined;

  /** @param directory folder that the process keeps its counts in, if it does */
  constructor(directory: string | undefined) {
    this.file = directory === undefined ? undefined : coverageFileIn(directory);
    this.file?.take(this);
  }

  /**
   * Counts of a new world, which start at zero.
   * @param settings those of the world that decide about its items
   */
  opened(settings: () => CountedSettings = () => ({})): CoverageRecorder {
    const recorder = new CoverageRecorder();
    this.recorders.set(recorder, settings);
    return recorder;
  }

  /** Counts of one world. */
  of(recorder: CoverageRecorder): CoverageCounts {
    const counts = new CoverageCounts();
    counts.add(recorder.counts.image());
    counts.countWorld(this.recorders.get(recorder)?.() ?? {});
    return counts;
  }

  /** Keeps the counts of a world that closes. */
  closed(recorder: CoverageRecorder) {
    if (!this.recorders.has(recorder)) return;
    this.past.add(this.of(recorder).image());
    this.recorders.delete(recorder);
    if (this.recorders.size === 0) this.file?.leave(this);
  }

  /** All counts together. */
  merged(): CoverageCounts {
    const all = new CoverageCounts();
    all.add(this.past.image());
    for (const recorder of this.recorders.keys()) all.add(this.of(recorder).image());
    return all;
  }

  clear() {
    this.past = new CoverageCounts();
    for (const { counts } of this.recorders.keys()) counts.clear();
  }
}
