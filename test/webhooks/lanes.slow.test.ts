import type { ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { DELIVERY_BOUNDS } from "../../src/domain/webhooks/deliveries.ts";
import { ATTEMPT_LIMITS } from "../../src/webhooks/attempt-limiter.ts";
import { turn, until } from "../runtime/setup/turns.ts";
import type { Received } from "../setup/receiver.ts";
import {
  BALANCE_UPDATED,
  deliveries,
  fund,
  greetedPerTest,
  openAccount,
  startGreeted,
} from "./setup/greeted.ts";

const { world } = greetedPerTest();

const advance = async (by: string) =>
  (await world().control("POST", "/clock/advance", { by })).body;

const balances = () => world().receiver.received.map(({ data }) => data.balance?.amount);

/** Answers that wait until the test gives them. */
const keepBack = () => {
  const kept: { event: Received; response: ServerResponse }[] = [];
  world().receiver.behaviour = (event, response) => void kept.push({ event, response });
  return kept;
};

test("the next event of a resource waits for the first attempt before it, not for retries", async () => {
  const account = await openAccount(world());
  let refusals = 2;
  world().receiver.behaviour = (_event, response) => {
    refusals -= 1;
    response.writeHead(refusals >= 0 ? 500 : 200).end();
  };
  for (const amount of [1, 10, 100]) await fund(world(), account, amount);
  await advance("2s");
  expect(balances().slice(0, 3)).toEqual([1, 11, 111]);
  expect(balances().slice(3).toSorted()).toEqual([1, 11]);
  expect(world().attempts.map(({ atMs }) => atMs - Date.parse("2026-01-05T09:00:00Z"))).toEqual([
    0, 0, 0, 1000, 1000,
  ]);
});

test("a type that a receiver always rejects holds back nothing of its resource", async () => {
  const account = await openAccount(world());
  world().receiver.behaviour = ({ data }, response) => {
    response.writeHead(data.balance.amount === 1 ? 400 : 200).end();
  };
  for (let count = 0; count < 4; count += 1) await fund(world(), account);
  await advance("1s");
  const states = (await deliveries(world(), BALANCE_UPDATED)).map(
    ({ state }: { state: string }) => state,
  );
  expect(states).toEqual(["RETRYING", "ACCEPTED", "ACCEPTED", "ACCEPTED"]);
});

test("while one resource's event is refused those of others are sent", async () => {
  const [bad, good] = [await openAccount(world()), await openAccount(world())];
  world().receiver.behaviour = ({ data }, response) => {
    response.writeHead(data.id === bad ? 500 : 200).end();
  };
  await fund(world(), bad, 1);
  for (const amount of [2, 3]) await fund(world(), good, amount);
  await fund(world(), bad, 4);
  await until("four attempts", () => world().attempts.length === 4);
  const sent = world().receiver.received.map(({ data }) => [data.id, data.balance.amount]);
  expect(sent.filter(([id]) => id === good)).toEqual([
    [good, 2],
    [good, 5],
  ]);
  expect(sent.filter(([id]) => id === bad)).toEqual([
    [bad, 1],
    [bad, 5],
  ]);
});

test("of one resource one attempt is out at a time, of others as well as may be", async () => {
  const kept = keepBack();
  const [a, b] = [await openAccount(world()), await openAccount(world())];
  for (const account of [a, a, b, b]) await fund(world(), account);
  await until("an attempt of each", () => kept.length === 2);
  for (let turns = 0; turns < 50; turns += 1) await turn();
  expect(new Set(kept.map(({ event }) => event.data.id))).toEqual(new Set([a, b]));
  expect(kept).toHaveLength(2);
  kept.find(({ event }) => event.data.id === a)?.response.end();
  await until("the next of the one", () => kept.length === 3);
  expect(kept[2]?.event.data).toMatchObject({ id: a, balance: { amount: 2 } });
});

test("at most 64 attempts are under way; one that ends makes room for another", async () => {
  const { slowAfterMs } = ATTEMPT_LIMITS;
  Object.assign(ATTEMPT_LIMITS, { slowAfterMs: 600_000 });
  onTestFinished(() => void Object.assign(ATTEMPT_LIMITS, { slowAfterMs }));
  const kept = keepBack();
  for (let count = 0; count < 70; count += 1) await fund(world(), await openAccount(world()));
  await until("64 attempts", () => kept.length >= 64);
  for (let turns = 0; turns < 200; turns += 1) await turn();
  expect(kept).toHaveLength(64);
  kept[0]?.response.end();
  await until("one more", () => kept.length === 65);
  for (let turns = 0; turns < 200; turns += 1) await turn();
  expect(kept).toHaveLength(65);
  world().receiver.behaviour = (_event, response) => void response.end();
  for (const { response } of kept) response.end();
  await until("all of them", () => world().receiver.received.length === 70);
});

test("however many receivers hang, healthy lanes continue and sockets are bounded", async () => {
  const world = await startGreeted({ webhookTimeoutMs: 3_000 });
  onTestFinished(() => world.stop());
  const before = { ...ATTEMPT_LIMITS };
  Object.assign(ATTEMPT_LIMITS, { perWorld: 4, slow: 4, slowInAll: 10, slowAfterMs: 5 });
  onTestFinished(() => void Object.assign(ATTEMPT_LIMITS, before));
  const hanging = new Set<string>();
  let open = 0;
  let mostOpen = 0;
  world.receiver.behaviour = ({ data }, response) => {
    if (!hanging.has(data.id)) return void response.end();
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    response.on("close", () => {
      open -= 1;
    });
  };
  for (let count = 0; count < 24; count += 1) {
    const account = await openAccount(world);
    hanging.add(account);
    await fund(world, account);
  }
  const healthy = await openAccount(world);
  for (let count = 0; count < 3; count += 1) await fund(world, healthy);
  const healthyOnes = () =>
    world.attempts.filter(({ about, httpStatus }) => about === healthy && httpStatus === 200);
  await until("the healthy ones", () => healthyOnes().length === 3);
  await until("every lane to have had its turn", () => world.attempts.length >= 24 - 10 + 3);
  expect(mostOpen).toBeLessThan(24);
});

test("a test event waits behind nothing, and nothing waits behind it", async () => {
  world().receiver.behaviour = (event, response) => {
    response.writeHead(event.type === "TEST" ? 200 : 500).end();
  };
  const account = await openAccount(world());
  await fund(world(), account);
  const { status, body } = await world().call("POST", "/sandbox/webhooks/test");
  expect([status, body.response_status]).toEqual([200, 200]);
  expect(world().receiver.types()).toContain("TEST");
});

test("however often a resource's events are refused, all of them are accepted", async () => {
  const account = await openAccount(world());
  const tries = new Map<string, number>();
  world().receiver.behaviour = ({ id }, response) => {
    tries.set(id, (tries.get(id) ?? 0) + 1);
    response.writeHead(tries.get(id) === 3 ? 200 : 500).end(); // each event at its third attempt
  };
  for (let count = 0; count < 5; count += 1) await fund(world(), account);
  await advance("1h");
  const accepted = world().attempts.filter(({ httpStatus }) => httpStatus === 200);
  expect(accepted).toHaveLength(5);
  expect(balances().slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
});

test("an event accepted after 2,000 others ended lets its lane continue", async () => {
  const { ended } = DELIVERY_BOUNDS;
  Object.assign(DELIVERY_BOUNDS, { ended: 3 });
  onTestFinished(() => void Object.assign(DELIVERY_BOUNDS, { ended }));
  const [down, up] = [await openAccount(world()), await openAccount(world())];
  let isDown = true;
  world().receiver.behaviour = ({ data }, response) => {
    response.writeHead(isDown && data.id === down ? 503 : 200).end();
  };
  for (let count = 0; count < 6; count += 1) await fund(world(), down);
  for (let count = 0; count < 10; count += 1) await fund(world(), up);
  await until("first attempts", () => world().attempts.length === 16);
  isDown = false;
  expect(await advance("7d")).toMatchObject({ complete: true, open: 0 });
  const taken = world().attempts.filter(
    ({ about, httpStatus }) => about === down && httpStatus === 200,
  );
  expect(taken).toHaveLength(6);
});
