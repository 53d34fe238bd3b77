import { relative } from "node:path";
import { afterAll, test as base, expect, inject } from "vitest";
import type { Simulator } from "../library/simulator.ts";
import { type ExpectedWebhook, toBalance, toHaveReceived } from "./matchers.ts";
import {
  allRemoved,
  connectShared,
  forkFor,
  isKept,
  keptLine,
  type NamedTest,
  removeBeside,
  type SharedAddress,
} from "./test-worlds.ts";

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

interface Task {
  name: string;
  suite?: Task | undefined;
  file: { filepath: string; name: string; projectName?: string | undefined };
  result?: { state: string; retryCount?: number; repeatCount?: number } | undefined;
}

const titlesOf = ({ name, suite }: Task): string[] => [
  ...(suite === undefined ? [] : titlesOf(suite)),
  name,
];

const namedTest = (task: Task): NamedTest => ({
  file: relative(process.cwd(), task.file.filepath),
  titles: titlesOf(task),
  retry: (task.result?.retryCount ?? 0) + (task.result?.repeatCount ?? 0),
});

/** vitest's `test`, which gives each test `sim`: a world of its own. */
export const test = base.extend<{ sim: Simulator }>({
  sim: async ({ task }: { task: unknown }, use) => {
    const one = task as Task;
    const sim = await forkFor(await sharedSimulator(), namedTest(one));
    await use(sim);
    if (isKept(process.env) && one.result?.state === "fail") console.error(keptLine(sim, one.name));
    else await removeBeside(sim);
  },
});

export { expect };
export const it = test;
