import { afterEach, beforeEach, expect } from "vitest";
import type { SimulatorOptions } from "../../../src/simulator.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

/**
 * Opens a simulator before each test of a file. After each test there must be no alarm, the ledger
 * must sum to zero, and the simulator is closed.
 * @returns the world of the running test
 */
export const worldPerTest = (options: SimulatorOptions = {}): (() => TestSimulator) => {
  let world: TestSimulator;
  beforeEach(async () => {
    world = await startTestSimulator(options);
  });
  afterEach(async () => {
    const { body } = await world.control("GET", "/ledger");
    expect(world.alarms).toEqual([]);
    for (const total of Object.values(body.totals)) expect(total).toBe(0);
    await world.sim.close();
  });
  return () => world;
};
