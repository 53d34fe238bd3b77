import { cpSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  answered,
  answering,
  createRecipient,
  PENDING,
  type Recipient,
  receive,
} from "../api/setup/incoming.ts";
import { until } from "../runtime/setup/turns.ts";
import type { TestSimulator } from "../setup/test-simulator.ts";
import { reopen } from "../storage/setup/reopen.ts";
import { StateDirectory } from "../storage/setup/state-directory.ts";
import { allEnded, deliveries, type Greeted, startGreeted } from "./setup/greeted.ts";

let directory: StateDirectory;
let killed: StateDirectory;
let before: Greeted;
let after: TestSimulator | undefined;
let recipient: Recipient;

beforeEach(async () => {
  directory = new StateDirectory();
  killed = new StateDirectory();
  before = await startGreeted({ storage: directory.url });
  recipient = await createRecipient(before);
});

afterEach(async () => {
  expect([...before.alarms, ...(after?.alarms ?? [])]).toEqual([]);
  await after?.sim.close();
  after = undefined;
  await before.stop();
  directory.remove();
  killed.remove();
});

/** Simulates a kill -9: the directory stays as it is, its lock without an owner. */
const kill = async (): Promise<TestSimulator> => {
  cpSync(directory.file("worlds"), killed.file("worlds"), { recursive: true });
  after = await reopen(killed);
  return after;
};

const transaction = async ({ call }: TestSimulator, id: string) =>
  (await call("GET", `/transactions/${id}`)).body;

const requests = () => before.receiver.received.filter(({ type }) => type === PENDING);

/** A payment whose request was sent and not answered. */
const hanging = async () => {
  before.receiver.behaviour = answering(() => {});
  const { body: payment } = await receive(before, recipient);
  await until("the request", () => requests().length === 1);
  return payment.id as string;
};

/** A payment whose request was answered 202 at 09:00:00. */
const waiting = async () => {
  before.receiver.behaviour = answering(answered(202));
  const { body: payment } = await receive(before, recipient);
  await allEnded(before);
  await before.sim.advance("2s");
  return payment.id as string;
};

test("after a 202 the five seconds continue where they were", async () => {
  const id = await waiting();
  const world = await kill();
  expect((await transaction(world, id)).status).toBe("PENDING");
  await world.sim.advance("2s999ms");
  expect((await transaction(world, id)).status).toBe("PENDING");
  await world.sim.advance("1ms");
  expect(await transaction(world, id)).toMatchObject({
    status: "FAILED",
    failureReason: "PAYMENT_APPROVAL_TIMED_OUT",
    updatedAt: "2026-01-05T09:00:05.000Z",
  });
  expect(requests()).toHaveLength(1);
});

test.each([
  ["approve", "COMPLETED"],
  ["reject", "REJECTED"],
])("after a 202 a call still decides: %s", async (verb, status) => {
  const id = await waiting();
  const world = await kill();
  expect((await world.call("POST", `/transactions/${id}/${verb}`)).status).toBe(200);
  await world.sim.advance("1h");
  expect((await transaction(world, id)).status).toBe(status);
});

test.each([
  [200, "COMPLETED", 8_800],
  [403, "REJECTED", 0],
  [500, "FAILED", 0],
])("in the middle of the request it is asked again, and %d decides", async (status, ends, paid) => {
  const id = await hanging();
  before.receiver.behaviour = answering(answered(status));
  const world = await kill();
  await until("the request again", () => requests().length === 2);
  const [first, second] = requests();
  expect(second).toMatchObject({ id: first?.id, body: first?.body });
  await allEnded(world);
  expect((await transaction(world, id)).status).toBe(ends);
  expect(await deliveries(world, PENDING)).toMatchObject([{ attempt: 1, status }]);
  const { body } = await world.control("GET", "/ledger");
  const balances = body.balances as { account: string; amount: number }[];
  expect(balances.find(({ account }) => account === recipient.accountId)?.amount ?? 0).toBe(paid);
});

test("what a call decided before stays, whatever the second request is answered", async () => {
  const id = await hanging();
  await before.call("POST", `/transactions/${id}/approve`);
  before.receiver.behaviour = answering(answered(403));
  const world = await kill();
  await until("the request again", () => requests().length === 2);
  await allEnded(world);
  expect((await transaction(world, id)).status).toBe("COMPLETED");
  const told = before.receiver.received.filter(({ data }) => data.id === id);
  expect(told.map(({ type }) => type)).toEqual([PENDING, PENDING, "INCOMING_PAYMENT.COMPLETED"]);
});

test("an approved payment under way arrives after the restart, at its instant", async () => {
  const { body: payment } = await receive(before, recipient, {
    senderUmaAddress: "$pending.long.usd@sandbox.uma.test",
  });
  await allEnded(before);
  const world = await kill();
  expect((await transaction(world, payment.id)).status).toBe("PROCESSING");
  await world.sim.advance("1h");
  expect(await transaction(world, payment.id)).toMatchObject({
    status: "COMPLETED",
    settledAt: "2026-01-05T09:06:00.000Z",
  });
});
