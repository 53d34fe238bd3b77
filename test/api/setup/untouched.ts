import { expect } from "vitest";
import type { Receiver } from "../../setup/receiver.ts";
import type { TestSimulator } from "../../setup/test-simulator.ts";
import { fingerprintOf } from "./every-operation.ts";

interface Shown {
  id: string;
  status: string;
  balance: { amount: number };
}

const LISTS = [
  "/customers?isIncludingDeleted=true",
  "/customers/external-accounts",
  "/platform/external-accounts",
  "/customers/internal-accounts?limit=100",
  "/transactions?limit=100",
];

/** Sends every webhook that can be sent, so that none of an earlier call is in transit. */
const sendWebhooks = async ({ control }: TestSimulator) => {
  const { body: clock } = await control("GET", "/clock");
  const { body } = await control("POST", "/clock/advance", { to: clock.now });
  expect(body.complete).toBe(true);
};

const accountsOf = async ({ call }: TestSimulator) => {
  const [customers, platform] = await Promise.all([
    call("GET", "/customers/internal-accounts?limit=100"),
    call("GET", "/platform/internal-accounts"),
  ]);
  const accounts = [...customers.body.data, ...platform.body.data] as Shown[];
  return accounts.map(({ id, status, balance }) => [id, status, balance.amount]);
};

const everything = async (world: TestSimulator) => {
  const counts = LISTS.map(async (path) => [path, (await world.call("GET", path)).body.totalCount]);
  return {
    ...(await fingerprintOf(world)),
    accounts: await accountsOf(world),
    counts: await Promise.all(counts),
  };
};

/**
 * Asserts that an act leaves everything unchanged. This covers records, timers, money, the state of
 * accounts, the length of every list, and the webhooks.
 */
export const expectUntouched = async (
  { world, receiver }: { world: TestSimulator; receiver: Receiver },
  act: () => Promise<unknown>,
) => {
  await sendWebhooks(world);
  const before = await everything(world);
  const told = receiver.types();
  await act();
  // Compared before the clock is told to send, since that makes a record of its own.
  expect(await everything(world)).toEqual(before);
  await sendWebhooks(world);
  expect(receiver.types()).toEqual(told);
};
