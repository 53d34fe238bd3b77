import { afterEach, beforeEach, expect } from "vitest";
import { type Received, Receiver } from "../../../setup/receiver.ts";
import type { Answer, TestSimulator } from "../../../setup/test-simulator.ts";
import { expectNothing, type Refused } from "../../setup/refused.ts";
import { expectSoundDeliveries } from "../../setup/told.ts";
import { worldPerTest } from "../../setup/world-per-test.ts";

/** Sends everything that is due, so that no earlier webhook is on its way. */
const settle = async ({ control }: TestSimulator) => {
  const { body: clock } = await control("GET", "/clock");
  const { body } = await control("POST", "/clock/advance", { to: clock.now });
  expect(body.complete).toBe(true);
};

/**
 * Opens a world and a webhook receiver before each test. Asserts after each that every delivery was
 * sound.
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
    /** Asserts that a call gets the given refusal and changes nothing. */
    expectNothing: async (act: () => Promise<Answer>, refused: Refused) => {
      await settle(world());
      await expectNothing(world(), act, refused);
    },
    /** Events after TEST in the order in which they happened, which is that of their ids. */
    told: async (): Promise<Received[]> => {
      await settle(world());
      const events = receiver.received.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      expect(events[0]?.type).toBe("TEST");
      return events.slice(1);
    },
  };
};
