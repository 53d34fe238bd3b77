import { afterEach, beforeEach, expect } from "vitest";
import type { Activity, SimulatorOptions } from "../../../src/simulator.ts";
import { until } from "../../runtime/setup/turns.ts";
import { Receiver } from "../../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

/** A webhook attempt as it was reported, oldest first. */
export type Attempt = Extract<Activity, { kind: "webhook" }>;

/** A simulator whose receiver accepted the snapshot event; `attempts` are those after it. */
export interface Greeted extends TestSimulator {
  receiver: Receiver;
  attempts: Attempt[];
  stop(): Promise<void>;
}

/** Waits until all attempts have ended, so that a delivery's state is stable. */
export const allEnded = (world: TestSimulator) =>
  until("every attempt to end", async () => {
    const { body } = await world.control("GET", "/status");
    return body.webhooks.waiting === 0;
  });

export const startGreeted = async (options: SimulatorOptions = {}): Promise<Greeted> => {
  const attempts: Attempt[] = [];
  const world = await startTestSimulator({
    ...options,
    onActivity: (activity) => {
      if (activity.kind === "webhook") attempts.push(activity);
    },
  });
  const receiver = await new Receiver().start();
  await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
  await allEnded(world);
  receiver.received.length = 0;
  attempts.length = 0;
  const stop = async () => {
    await world.sim.close();
    await receiver.stop();
  };
  return { ...world, receiver, attempts, stop };
};

/** A customer's USD account, whose events form a lane of their own. */
export const openAccount = async ({ call }: TestSimulator): Promise<string> => {
  const { body: customer } = await call("POST", "/customers", { customerType: "INDIVIDUAL" });
  const query = `customerId=${customer.id}&currency=USD`;
  const { body } = await call("GET", `/customers/internal-accounts?${query}`);
  return body.data[0].id;
};

/**
 * Opens a simulator with a receiver and an account before each test of a file. After each test it
 * checks that no alarm was raised, and closes both.
 * @returns functions for the world and the account of the running test
 */
export const greetedPerTest = (options: SimulatorOptions = {}) => {
  let greeted: Greeted;
  let opened: string;
  beforeEach(async () => {
    greeted = await startGreeted(options);
    opened = await openAccount(greeted);
  });
  afterEach(async () => {
    expect(greeted.alarms).toEqual([]);
    await greeted.stop();
  });
  return { world: () => greeted, account: () => opened };
};

/** Puts money into an account, which sends one `INTERNAL_ACCOUNT.BALANCE_UPDATED`. */
export const fund = ({ call }: TestSimulator, accountId: string, amount = 1) =>
  call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount });

/** An address without a listener. */
export const deadUrl = async () => {
  const receiver = await new Receiver().start();
  const { url } = receiver;
  await receiver.stop();
  return url;
};

/** Deliveries of a type as the control surface lists them, oldest first. */
export const deliveries = async ({ control }: TestSimulator, type: string) => {
  const { body } = await control("GET", "/webhooks?limit=100");
  return body.data.filter((one: { type: string }) => one.type === type).reverse();
};

export const BALANCE_UPDATED = "INTERNAL_ACCOUNT.BALANCE_UPDATED";
