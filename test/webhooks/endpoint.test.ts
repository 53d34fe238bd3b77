import type { ServerResponse } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { patchConfig } from "../../src/api/platform/config.ts";
import type { Rule } from "../../src/domain/core/draft.ts";
import { emit } from "../../src/domain/core/events.ts";
import { getConfig } from "../../src/domain/platform/config.ts";
import { turn, until } from "../runtime/setup/turns.ts";
import { Receiver } from "../setup/receiver.ts";
import {
  allEnded,
  BALANCE_UPDATED,
  deadUrl,
  deliveries,
  fund,
  greetedPerTest,
} from "./setup/greeted.ts";

const { world, account } = greetedPerTest();

const configure = (webhookEndpoint: string | null) =>
  world().call("PATCH", "/config", { webhookEndpoint });

const advance = (by: string) => world().control("POST", "/clock/advance", { by });

const another = async () => {
  const receiver = await new Receiver().start();
  onTestFinished(() => receiver.stop());
  return receiver;
};

test.each([null, ""])(
  "cleared with %j: events are collected as undeliverable and never sent later",
  async (cleared) => {
    await configure(cleared as null);
    await fund(world(), account());
    await configure(world().receiver.url);
    await fund(world(), account());
    await advance("7d");
    expect(await deliveries(world(), BALANCE_UPDATED)).toMatchObject([
      { state: "UNDELIVERABLE", collected: true, attempt: 0, status: null },
      { state: "ACCEPTED", attempt: 1 },
    ]);
    expect(world().receiver.types().toSorted()).toEqual([BALANCE_UPDATED, "TEST"]);
  },
);

test("a retry goes to the endpoint configured at that moment", async () => {
  const next = await another();
  world().receiver.behaviour = (_event, response) => void response.writeHead(500).end();
  await fund(world(), account());
  await allEnded(world());
  await configure(next.url);
  await advance("1s");
  expect(world().receiver.types()).toEqual([BALANCE_UPDATED]);
  expect(next.types().toSorted()).toEqual([BALANCE_UPDATED, "TEST"]);
  const retried = next.received.find(({ type }) => type === BALANCE_UPDATED);
  expect(retried?.body).toBe(world().receiver.received[0]?.body);
});

const retrying = async () =>
  (await deliveries(world(), BALANCE_UPDATED)).filter(
    ({ state }: { state: string }) => state === "RETRYING",
  );

test("clearing the endpoint ends what waits, without the clock; --failed sends it later", async () => {
  world().receiver.behaviour = (_event, response) => void response.writeHead(500).end();
  await fund(world(), account());
  await fund(world(), account());
  await until("both attempts", () => world().attempts.length === 2);
  await configure(null);
  await until("both to end", async () => (await retrying()).length === 0);
  expect(await deliveries(world(), BALANCE_UPDATED)).toMatchObject([
    { state: "UNDELIVERABLE", collected: true, attempt: 1 },
    { state: "UNDELIVERABLE", collected: true, attempt: 1 },
  ]);
  expect((await world().control("GET", "/timers")).body.data).toEqual([]);
  world().receiver.behaviour = (_event, response) => void response.end();
  await configure(world().receiver.url);
  await advance("7d");
  expect(world().receiver.types()).toEqual([BALANCE_UPDATED, BALANCE_UPDATED, "TEST"]);
  const { body: failed } = await world().control("GET", "/webhooks/ids?failed=true");
  for (const id of failed.data) await world().control("POST", `/webhooks/${id}/resend`);
  expect(await deliveries(world(), BALANCE_UPDATED)).toMatchObject([
    { state: "ACCEPTED", attempt: 2 },
    { state: "ACCEPTED", attempt: 2 },
  ]);
});

test("an attempt under way when the endpoint is cleared keeps its answer", async () => {
  const kept: ServerResponse[] = [];
  world().receiver.behaviour = (_event, response) => void kept.push(response);
  await fund(world(), account());
  await until("the attempt", () => kept.length === 1);
  await configure(null);
  for (let turns = 0; turns < 20; turns += 1) await turn();
  expect((await deliveries(world(), BALANCE_UPDATED))[0].state).toBe("WAITING");
  kept[0]?.end();
  await allEnded(world());
  expect((await deliveries(world(), BALANCE_UPDATED))[0].state).toBe("ACCEPTED");
});

// spec/webhooks.md#new-endpoint
test("a changed endpoint gets a TEST event, one that is set again does not", async () => {
  const next = await another();
  await configure(world().receiver.url);
  await configure(next.url);
  await allEnded(world());
  await configure(next.url);
  await configure(world().receiver.url);
  await allEnded(world());
  expect([next.types(), world().receiver.types()]).toEqual([["TEST"], ["TEST"]]);
  const [test] = next.received;
  expect(JSON.parse(test?.body ?? "{}")).toEqual({
    id: test?.id,
    type: "TEST",
    timestamp: "2026-01-05T09:00:00.000Z",
    data: {},
  });
});

test("a change of other settings sends no TEST event", async () => {
  await world().call("PATCH", "/config", { umaDomain: "other.example" });
  await advance("1s");
  expect(world().receiver.received).toEqual([]);
});

test("a greeting is attempted once", async () => {
  await configure(await deadUrl());
  await advance("7d");
  const tests = await deliveries(world(), "TEST");
  expect(tests.at(-1)).toMatchObject({ state: "GIVEN_UP", attempt: 1, error: "ECONNREFUSED" });
  expect((await world().control("GET", "/timers")).body.data).toEqual([]);
});

test("the events of a call are sent after its reply was handed over, not before", async () => {
  const { port } = await world().sim.listen();
  const order: string[] = [];
  world().receiver.behaviour = (event, response) => {
    order.push(event.type);
    response.end();
  };
  const authorization = `Basic ${btoa(`${world().sim.clientId}:${world().sim.clientSecret}`)}`;
  const path = `/2025-10-13/sandbox/internal-accounts/${account()}/fund`;
  for (let count = 1; count <= 10; count += 1) {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ amount: 1 }),
    });
    order.push("reply");
    expect(reply.status).toBe(200);
    await reply.text();
    await until("the event", () => order.length === 2 * count);
  }
  expect(order).toEqual(Array.from({ length: 10 }, () => ["reply", BALANCE_UPDATED]).flat());
});

test("while the reply of a call is not ready its events wait", async () => {
  let isReplied = false;
  vi.spyOn(patchConfig, "handle").mockImplementation(async (_input, call) => {
    call.commit(emitTest, undefined);
    for (let turns = 0; turns < 50; turns += 1) await turn();
    expect(world().receiver.received).toEqual([]);
    isReplied = true;
    return (await call.read(getConfig, {})) as never;
  });
  world().receiver.behaviour = (_event, response) => {
    expect(isReplied).toBe(true);
    response.end();
  };
  expect((await world().call("PATCH", "/config", {})).status).toBe(200);
  vi.restoreAllMocks();
  await until("the event", () => world().receiver.types().length === 1);
});

const emitTest: Rule<void, void> = (draft, _input, moment) => {
  emit(draft, moment, { type: "TEST", data: {} });
};
