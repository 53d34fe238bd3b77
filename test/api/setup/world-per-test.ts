import { afterAll, afterEach, beforeEach, expect } from "vitest";
import type { SimulatorOptions } from "../../../src/simulator.ts";
import { isRepeated } from "../../setup/repeated.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { copyWorld, putWorld, type WorldCopy } from "../../setup/world-copy.ts";

/** Checks that nothing has raised an alarm and that the ledger sums to zero. */
const expectSound = async ({ control, alarms }: TestSimulator) => {
  const { body } = await control("GET", "/ledger");
  expect(alarms.splice(0)).toEqual([]);
  for (const total of Object.values(body.totals)) expect(total).toBe(0);
};

/**
 * Opens a simulator for a file, puts its default world in place before each test, and checks
 * after each that its world is sound.
 * @returns the world of the running test
 */
export const worldPerTest = (options: SimulatorOptions = {}): (() => TestSimulator) => {
  let world: TestSimulator | undefined;
  let start: WorldCopy;
  const opened = () => world as TestSimulator;
  beforeEach(async () => {
    if (world && !isRepeated()) return putWorld(world.sim, start);
    world = await startTestSimulator(options);
    start = copyWorld(world.sim);
  });
  afterEach(async () => {
    await expectSound(opened());
    // A copy that is put in place comes from nowhere for whoever writes a run down.
    if (isRepeated()) await opened().sim.close();
  });
  afterAll(() => world?.sim.close());
  return opened;
};

/**
 * Opens a simulator of its own for each test. The request log, the feed and the counts of faults
 * start empty, since a copy of a world does not hold them.
 */
export const simulatorPerTest = (options: SimulatorOptions = {}): (() => TestSimulator) => {
  let world: TestSimulator;
  beforeEach(async () => {
    world = await startTestSimulator(options);
  });
  afterEach(async () => {
    await expectSound(world);
    await world.sim.close();
  });
  return () => world;
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
    if (first && !isRepeated()) putWorld(world.sim, first.copy);
    else first = { prepared: await prepare(world), copy: copyWorld(world.sim) };
    return first.prepared;
  };
};
