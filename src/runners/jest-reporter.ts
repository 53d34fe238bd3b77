import { relative } from "node:path";
import type { Simulator } from "../library/simulator.ts";
import { failureReport, reportsOfLeft } from "./failure-report.ts";
import { keptForTeardown } from "./jest-shared.ts";
import { connectShared, isKept, worldNameOf } from "./test-worlds.ts";

/** Results of one file, as far as the reporter reads them. */
interface FileResult {
  testFilePath: string;
  testResults: readonly {
    fullName: string;
    status: string;
    /** Runs of it: one, and one for each retry. */
    invocations?: number;
  }[];
}

/**
 * A reporter of jest that leads from a failed test to its replay: jest tells the hooks of a test of
 * no failure.
 */
export default class FailureReporter {
  private connected: Promise<Simulator> | undefined;

  /** Called by jest when the tests of a file have ended. */
  async onTestResult(_test: unknown, { testFilePath, testResults }: FileResult): Promise<void> {
    const file = relative(process.cwd(), testFilePath);
    const runs = new Map<string, number>();
    for (const { fullName, status, invocations = 1 } of testResults) {
      const retry = (runs.get(fullName) ?? 0) + invocations - 1;
      runs.set(fullName, retry + 1);
      if (status !== "failed") continue;
      const shared = await this.shared();
      const world = worldNameOf({ file, titles: [fullName], retry });
      const report = shared && (await failureReport(shared, { world, title: fullName }));
      if (report) console.error(report.text);
    }
  }

  /** Called by jest before the shared simulator is stopped. */
  async onRunComplete(): Promise<void> {
    const shared = await this.shared();
    const isOurs = keptForTeardown()?.isOurs ?? false;
    if (shared && isOurs && !isKept(process.env))
      for (const text of await reportsOfLeft(shared)) console.error(text);
    await shared?.close();
  }

  /** The simulator that the tests share; nothing where setup started none. */
  private async shared(): Promise<Simulator | undefined> {
    const kept = keptForTeardown();
    if (!kept) return undefined;
    this.connected ??= connectShared(kept.address);
    return this.connected.catch(() => undefined);
  }
}
