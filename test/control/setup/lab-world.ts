import { afterEach, beforeEach, expect } from "vitest";
import type { SimulatorOptions } from "../../../src/simulator.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { VerifyingReceiver } from "../../setup/verifying-receiver.ts";

/** An empty world whose webhooks go to a receiver that verifies them. */
export interface LabWorld extends TestSimulator {
  receiver: VerifyingReceiver;
}

/**
 * Opens one before each test of a file; after each, expects no alarms.
 * @returns the world of the running test
 */
export const labWorldPerTest = (options: SimulatorOptions = {}): (() => LabWorld) => {
  let world: LabWorld;
  beforeEach(async () => {
    const receiver = await new VerifyingReceiver().start();
    const started = await startTestSimulator({ webhookEndpoint: receiver.url, ...options });
    receiver.publicPem = started.sim.webhookPublicKey;
    world = { ...started, receiver };
  });
  afterEach(async () => {
    expect(world.alarms).toEqual([]);
    await world.sim.close();
    await world.receiver.stop();
  });
  return () => world;
};
