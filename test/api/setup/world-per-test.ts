import { afterAll, afterEach, beforeEach, expect } from "vitest";
import type { SimulatorOptions } from "../../../src/simulator.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { copyWorld, putWorld, type WorldCopy } from "../../setup/world-copy.ts";

/**
 * Opens a simulator for a file and puts its starting world in place before each test; after each,
 * nothing may have raised an alarm and the ledger must sum to zero.
 * @returns the world of the running test
 */
export const worldPerTest = (options: SimulatorOptions = {}): (() => TestSimulator) => {
  let world: TestSimulator | undefined;
  let start: WorldCopy;
  const opened = () => world as TestSimulator;
  beforeEach(async () => {
    if (world) return putWorld(world.sim, start);
    world = await startTestSimulator(options);
    start = copyWorld(world.sim);
  });
  afterEach(async () => {
    const { body } = await opened().control("GET", "/ledger");
    const alarms = opened().alarms.splice(0);
    expect(alarms).toEqual([]);
    for (const total of Object.values(body.totals)) expect(total).toBe(0);
  });
  afterAll(() => world?.sim.close());
  return opened;
};

/**
 * Prepares the world of the first test of a file; each later test is given a copy of it.
 * @returns prepares a world in which nothing happened yet, and returns what `prepare` did
 */
export const preparedOnce = <Prepared>(
  prepare: (world: TestSimulator) => Promise<Prepared>,
): ((world: TestSimulator) => Promise<Prepared>) => {
  let first: { prepared: Prepared; copy: WorldCopy } | undefined;
  return async (world) => {
    if (first) putWorld(world.sim, first.copy);
    else first = { prepared: await prepare(world), copy: copyWorld(world.sim) };
    return first.prepared;
  };
};
