import { cpSync } from "node:fs";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { until } from "../runtime/setup/turns.ts";
import { reopen } from "../storage/setup/reopen.ts";
import { StateDirectory } from "../storage/setup/state-directory.ts";
import {
  allEnded,
  BALANCE_UPDATED,
  deliveries,
  fund,
  type Greeted,
  openAccount,
  startGreeted,
} from "./setup/greeted.ts";

let directory: StateDirectory;
let before: Greeted;
let account: string;
let opened: { close(): Promise<void> }[];

beforeEach(async () => {
  opened = [];
  directory = new StateDirectory();
  before = await startGreeted({ storage: directory.url });
  account = await openAccount(before);
});

afterEach(async () => {
  for (const { close } of opened) await close();
  await before.stop();
  directory.remove();
});

const ofBalance = () => before.receiver.received.filter(({ type }) => type === BALANCE_UPDATED);

const restart = async (of = directory) => {
  const after = await reopen(of);
  opened.push({ close: () => after.sim.close() });
  return after;
};

test("what was out when it stopped is sent after the restart, same id and bytes", async () => {
  before.receiver.behaviour = () => {};
  for (const amount of [1, 10]) await fund(before, account, amount);
  await until("the first attempt", () => ofBalance().length === 1);
  await before.sim.close();

  before.receiver.behaviour = (_event, response) => void response.end();
  const after = await restart();
  await until("both events", () => ofBalance().length === 3);
  const [first, again, second] = ofBalance();
  expect(again).toMatchObject({ id: first?.id, body: first?.body });
  expect(second?.data.balance.amount).toBe(11);
  await allEnded(after);
  expect(before.receiver.allVerify(before.sim.webhookPublicKey)).toBe(true);
  expect(await deliveries(after, BALANCE_UPDATED)).toMatchObject([
    { id: first?.id, state: "ACCEPTED", attempt: 1 },
    { id: second?.id, state: "ACCEPTED", attempt: 1 },
  ]);
});

test("what waits for its retry waits on, to the same instant", async () => {
  before.receiver.behaviour = (_event, response) => void response.writeHead(500).end();
  await fund(before, account);
  await before.sim.advance("10s");
  expect(ofBalance()).toHaveLength(4); // at 0, 1, 3 and 7 seconds
  await before.sim.close();

  const after = await restart();
  before.receiver.behaviour = (_event, response) => void response.end();
  const { body } = await after.control("POST", "/clock/advance", { by: "1m" });
  expect(body.webhooks).toMatchObject([
    { at: "2026-01-05T09:00:15.000Z", attempt: 5, status: 200, state: "ACCEPTED" },
  ]);
  expect(new Set(ofBalance().map((event) => event.body)).size).toBe(1);
});

test("what was accepted is not sent again", async () => {
  await fund(before, account);
  await allEnded(before);
  await before.sim.close();
  const after = await restart();
  await after.sim.advance("7d");
  expect(ofBalance()).toHaveLength(1);
});

test("after a kill in the middle of an attempt the event is sent again, not lost", async () => {
  before.receiver.behaviour = () => {};
  await fund(before, account);
  await until("the attempt", () => ofBalance().length === 1);
  // Simulates a kill -9: the directory stays as it is, its lock without an owner.
  const killed = new StateDirectory();
  onTestFinished(() => killed.remove());
  cpSync(directory.file("worlds"), killed.file("worlds"), { recursive: true });

  before.receiver.behaviour = (_event, response) => void response.end();
  const after = await restart(killed);
  await until("a second attempt", () => ofBalance().length === 2);
  const [first, second] = ofBalance();
  expect(second).toMatchObject({ id: first?.id, body: first?.body });
  await allEnded(after);
});

test("what comes of an attempt after closing does no harm to what is opened next", async () => {
  before.receiver.behaviour = () => {};
  await fund(before, account);
  await until("the attempt", () => ofBalance().length === 1);
  await before.sim.close();
  const after = await restart();
  await until("the next attempt", () => ofBalance().length === 2);
  await before.receiver.stop(); // both attempts end now, also the one of the closed world
  await allEnded(after);
  await after.sim.close();
  const again = await restart();
  const [delivery] = await deliveries(again, BALANCE_UPDATED);
  expect(delivery).toMatchObject({ state: "RETRYING", attempt: 1 });
  expect(before.alarms).toEqual([]);
});

// spec/clock.md#determinism
test("after the restart the lane with the oldest waiting event is first", async () => {
  const accounts = [account, await openAccount(before), await openAccount(before)].reverse();
  before.receiver.behaviour = () => {};
  const ids = [];
  for (const one of accounts) {
    const known = ofBalance().length;
    await fund(before, one, 1);
    await until("the first attempt", () => ofBalance().length === known + 1);
    ids.push(ofBalance().at(-1)?.id);
  }
  await before.sim.close();
  before.receiver.received.splice(0);

  before.receiver.behaviour = (_event, response) => void response.end();
  await allEnded(await restart());
  const sentAgain = ofBalance().map(({ id }) => id);
  expect(sentAgain).toEqual(ids);
});
