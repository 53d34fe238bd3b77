import { afterEach, beforeEach } from "vitest";
import { createPayer, type Payer } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import type { Stage } from "./outcome-run.ts";
import { expectSoundDeliveries } from "./told.ts";
import { preparedOnce, worldPerTest } from "./world-per-test.ts";

/** A world with a receiver of webhooks and a customer. */
export interface PaymentStage extends Stage {
  payer: Payer;
}

/**
 * Opens a world before each test of a file, with a funded customer and then a receiver. After each
 * test every delivery must have been sound.
 * @returns the stage of the running test
 */
export const stagePerTest = (fundMinor: number): (() => PaymentStage) => {
  const world = worldPerTest();
  const madePayer = preparedOnce((one) => createPayer(one, fundMinor));
  let receiver: Receiver;
  let payer: Payer;
  beforeEach(async () => {
    receiver = await new Receiver().start();
    payer = await madePayer(world());
    await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
  });
  afterEach(async () => {
    expectSoundDeliveries(receiver, world().sim.webhookPublicKey);
    await receiver.stop();
  });
  return () => ({ world: world(), receiver, payer });
};
