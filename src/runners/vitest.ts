import { afterAll, test as base, expect, inject } from "vitest";
import type { Simulator } from "../library/simulator.ts";
import { type FailedTest, failureReport } from "./failure-report.ts";
import { type ExpectedWebhook, toBalance, toHaveReceived } from "./matchers.ts";
import {
  connectShared,
  forkFor,
  isKept,
  keptLine,
  removeAllEnded,
  removeWithNextFork,
  type SharedAddress,
} from "./test-worlds.ts";
import { isTriedAgain, namedTest, type Task, titleOf } from "./vitest-tasks.ts";

declare module "vitest" {
  interface Matchers<T> {
    /** Passes when such webhooks were accepted (collected, without an endpoint): `await expect(sim)…`. */
    toHaveReceived(expected: ExpectedWebhook): Promise<T>;
    /** Passes when the ledger's totals are zero: `await expect(sim).toBalance()`. */
    toBalance(): Promise<T>;
  }
  interface ProvidedContext {
    /** Set by `service-sim/vitest/setup`. */
    serviceSimAddress?: SharedAddress;
  }
}

expect.extend({ toHaveReceived, toBalance });

// Where files share a worker, this module is loaded once and the first file alone has this hook: the
// last world of another one is removed by a timer.
afterAll(() => removeAllEnded());

let shared: Promise<Simulator> | undefined;

/** Connects once in each worker, or in each file where files are isolated. */
const sharedSimulator = () => {
  const address = inject("serviceSimAddress");
  if (address === undefined)
    throw new Error(
      'Expected a simulator that the tests share but found none: add globalSetup: "service-sim/vitest/setup" ' +
        "to the test options of vitest.config",
    );
  shared ??= connectShared(address);
  return shared;
};

/** The part of a test's context that the fixture uses. */
interface Context {
  task: unknown;
  onTestFailed(hook: () => Promise<void>): void;
  onTestFinished(hook: () => Promise<void>): void;
}

const printReport = async (shared: Simulator, failed: FailedTest) => {
  const report = await failureReport(shared, failed);
  if (report) console.error(report.text);
};

/** vitest's `test`, which gives each test `sim`: a world of its own. */
export const test = base.extend<{ sim: Simulator }>({
  sim: async ({ task, onTestFailed, onTestFinished }: Context, use) => {
    const current = task as Task;
    const simulator = await sharedSimulator();
    const sim = await forkFor(simulator, namedTest(current));
    const { world } = sim;
    // Decided after all hooks, since one of them may be what failed. The recording of a removed world
    // is kept for a while.
    onTestFailed(async () => {
      if (!current.fails && !isTriedAgain(current))
        await printReport(simulator, { world, title: titleOf(current) });
    });
    onTestFinished(async () => {
      // vitest turns the state of `test.fails` round later: here it is still that of the body.
      const isUnexpected = current.fails && current.result?.state === "pass";
      if (isUnexpected) await printReport(simulator, { world, title: titleOf(current) });
    });
    await use(sim);
    const hasFailed = current.result?.state === "fail" && !current.fails;
    if (isKept(process.env) && hasFailed) console.error(keptLine(sim, current.name));
    else await removeWithNextFork(sim);
  },
});

export { expect };
export const it = test;
