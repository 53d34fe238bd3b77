import { afterAll, test as base, expect, inject } from "vitest";
import type { Simulator } from "../library/simulator.ts";
import { type FailedTest, failureReport } from "./failure-report.ts";
import { type ExpectedWebhook, toBalance, toHaveReceived } from "./matchers.ts";
import {
  allRemoved,
  connectShared,
  forkFor,
  isKept,
  keptLine,
  removeBeside,
  type SharedAddress,
} from "./test-worlds.ts";
import { isTriedAgain, namedTest, type Task, titleOf } from "./vitest-tasks.ts";

declare module "vitest" {
  interface Matchers<T> {
    /** Webhooks were accepted or, without an endpoint, collected: `await expect(sim)…`. */
    toHaveReceived(expected: ExpectedWebhook): Promise<T>;
    /** The ledger's totals are zero: `await expect(sim).toBalance()`. */
    toBalance(): Promise<T>;
  }
  interface ProvidedContext {
    /** Set by `service-sim/vitest/setup`. */
    serviceSimAddress?: SharedAddress;
  }
}

expect.extend({ toHaveReceived, toBalance });

// Of the first file alone where files share a worker; in others the last world goes a moment later.
afterAll(() => allRemoved());

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

const tellFailed = async (all: Simulator, failed: FailedTest) => {
  const report = await failureReport(all, failed);
  if (report) console.error(report.text);
};

/** vitest's `test`, which gives each test `sim`: a world of its own. */
export const test = base.extend<{ sim: Simulator }>({
  sim: async ({ task, onTestFailed, onTestFinished }: Context, use) => {
    const one = task as Task;
    const all = await sharedSimulator();
    const sim = await forkFor(all, namedTest(one));
    const { world } = sim;
    // Asked for once all hooks have ended: they may have failed alone.
    onTestFailed(async () => {
      if (!one.fails && !isTriedAgain(one)) await tellFailed(all, { world, title: titleOf(one) });
    });
    onTestFinished(async () => {
      const isUnexpected = one.fails && one.result?.state === "pass";
      if (isUnexpected) await tellFailed(all, { world, title: titleOf(one) });
    });
    await use(sim);
    if (isKept(process.env) && one.result?.state === "fail") console.error(keptLine(sim, one.name));
    else await removeBeside(sim);
  },
});

export { expect };
export const it = test;
