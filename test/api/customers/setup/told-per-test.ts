import { afterEach, beforeEach, expect } from "vitest";
import { type Received, Receiver } from "../../../setup/receiver.ts";
import type { Answer, TestSimulator } from "../../../setup/test-simulator.ts";
import { expectNothing, type Refused } from "../../setup/refused.ts";
import { expectSoundDeliveries } from "../../setup/told.ts";
import { worldPerTest } from "../../setup/world-per-test.ts";

/** Sends what may be sent: after it, no webhook of an earlier call is on its way. */
const settle = async ({ control }: TestSimulator) => {
  const { body: clock } = await control("GET", "/clock");
  const { body } = await control("POST", "/clock/advance", { to: clock.now });
  expect(body.complete).toBe(true);
};

/**
 * Opens a world before each test of a file, and a receiver of its webhooks; after each, every
 * delivery must have been sound.
 */
export const toldPerTest = () => {
  const world = worldPerTest();
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await new Receiver().start();
    await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
  });
  afterEach(async () => {
    expectSoundDeliveries(receiver, world().sim.webhookPublicKey);
    await receiver.stop();
  });
  return {
    world: (): TestSimulator => world(),
    receiver: (): Receiver => receiver,
    /** Asserts that a call is refused as said, and that nothing happens by it. */
    expectNothing: async (act: () => Promise<Answer>, refused: Refused) => {
      await settle(world());
      await expectNothing(world(), act, refused);
    },
    /** Everything told after TEST, in the order it happened: ids rise with it. */
    told: async (): Promise<Received[]> => {
      await settle(world());
      const events = receiver.received.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      expect(events[0]?.type).toBe("TEST");
      return events.slice(1);
    },
  };
};
