import { afterEach, beforeEach } from "vitest";
import { Receiver } from "../../setup/receiver.ts";
import type { TestSimulator } from "../../setup/test-simulator.ts";
import { createRecipient, greet, type Recipient } from "./incoming.ts";
import { expectSoundDeliveries } from "./told.ts";
import { worldPerTest } from "./world-per-test.ts";

/** The parts of a test of incoming payments; call each of them while the test runs. */
export interface RecipientStage {
  world: () => TestSimulator;
  /** It has accepted the TEST event and forgotten it. */
  receiver: () => Receiver;
  recipient: () => Recipient;
}

/**
 * Opens a world before each test of a file, with a customer to be paid and a receiver of webhooks.
 * After each test every delivery must have been sound.
 * @param prepare configures the platform before the customer is created
 */
export const recipientPerTest = (
  prepare: (world: TestSimulator) => Promise<unknown> = async () => {},
): RecipientStage => {
  const world = worldPerTest();
  let receiver: Receiver;
  let recipient: Recipient;
  beforeEach(async () => {
    receiver = await new Receiver().start();
    await prepare(world());
    recipient = await createRecipient(world());
    await greet(world(), receiver);
  });
  afterEach(async () => {
    expectSoundDeliveries(receiver, world().sim.webhookPublicKey);
    await receiver.stop();
  });
  return { world, receiver: () => receiver, recipient: () => recipient };
};
