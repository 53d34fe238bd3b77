import { relative } from "node:path";
import type { Simulator } from "../library/simulator.ts";
import { type ExpectedWebhook, toBalance, toHaveReceived } from "./matchers.ts";
import { SHARED_VARIABLE } from "./shared-variable.ts";
import {
  connectShared,
  forkFor,
  isKept,
  keptLine,
  removeAllEnded,
  removeWithNextFork,
  type SharedAddress,
} from "./test-worlds.ts";

declare global {
  /** World of the test that runs: every test gets its own. */
  var sim: Simulator;
  namespace jest {
    interface Matchers<R> {
      /** Webhooks were accepted or, without an endpoint, collected: `await expect(sim)…`. */
      toHaveReceived(expected: ExpectedWebhook): Promise<R>;
      /** The ledger's totals are zero: `await expect(sim).toBalance()`. */
      toBalance(): Promise<R>;
    }
  }
}

/** The part of jest's globals that a setup file uses. */
interface JestGlobals {
  beforeEach(hook: () => Promise<void>): void;
  afterEach(hook: () => Promise<void>): void;
  afterAll(hook: () => Promise<void>): void;
  expect: {
    extend(matchers: object): void;
    getState(): {
      testPath?: string;
      currentTestName?: string;
      numPassingAsserts: number;
      suppressedErrors: readonly unknown[];
    };
  };
}

const { beforeEach, afterEach, afterAll, expect } = globalThis as never as JestGlobals;

const addressOf = (text: string | undefined): SharedAddress => {
  if (text === undefined)
    throw new Error(
      'Expected a simulator that the tests share but found none: add globalSetup: "service-sim/jest/setup" ' +
        "to jest.config",
    );
  return JSON.parse(text) as SharedAddress;
};

let shared: Promise<Simulator> | undefined;

/** Runs of each title in this file: a further one is a retry. */
const runs = new Map<string, number>();

expect.extend({ toHaveReceived, toBalance });

beforeEach(async () => {
  shared ??= connectShared(addressOf(process.env[SHARED_VARIABLE]));
  const { testPath = "", currentTestName = "" } = expect.getState();
  const retry = runs.get(currentTestName) ?? 0;
  runs.set(currentTestName, retry + 1);
  const file = relative(process.cwd(), testPath);
  globalThis.sim = await forkFor(await shared, { file, titles: [currentTestName], retry });
});

afterEach(async () => {
  // jest tells hooks of no failure: with SERVICE_SIM_KEEP the worlds of all tests stay.
  if (isKept(process.env))
    console.error(keptLine(globalThis.sim, expect.getState().currentTestName ?? ""));
  else await removeWithNextFork(globalThis.sim);
});

afterAll(async () => {
  await removeAllEnded();
  await (await shared)?.close();
});
