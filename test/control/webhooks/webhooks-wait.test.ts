import { expect, test } from "vitest";
import { turn } from "../../runtime/setup/turns.ts";
import type { Parsed } from "../../setup/test-simulator.ts";
import {
  allEnded,
  BALANCE_UPDATED,
  fund,
  greetedPerTest,
  openAccount,
} from "../../webhooks/setup/greeted.ts";

const { world, account } = greetedPerTest();

const wait = (query: string) => world().control("GET", `/webhooks/wait?${query}`);

// spec/webhooks.md#wait
test("what was accepted before counts, and is answered at once", async () => {
  const { status, body } = await wait("type=TEST&timeout=10m");
  expect(status).toBe(200);
  expect(body).toMatchObject({ count: 1, hasMore: false, data: [{ type: "TEST" }] });
});

test("it answers as soon as the last one is accepted", async () => {
  await fund(world(), account());
  await allEnded(world());
  let answered: Parsed;
  const waiting = wait(`type=${BALANCE_UPDATED}&count=2&timeout=20s`).then(({ body }) => {
    answered = body;
  });
  for (let turns = 0; turns < 10; turns += 1) await turn();
  expect(answered).toBeUndefined();
  await fund(world(), account());
  await waiting;
  expect(answered.count).toBe(2);
  expect(answered.data.map(({ state }: Parsed) => state)).toEqual(["ACCEPTED", "ACCEPTED"]);
});

test("one that is only accepted by a retry is waited for on the simulated clock", async () => {
  world().receiver.behaviour = (_event, response, count) => {
    response.writeHead(count === 1 ? 500 : 200).end();
  };
  const waiting = wait(`type=${BALANCE_UPDATED}&timeout=20s`);
  await fund(world(), account());
  await allEnded(world());
  await world().sim.advance("1s");
  expect((await waiting).body.data[0]).toMatchObject({ attempt: 2, state: "ACCEPTED" });
});

test("about a record others do not count", async () => {
  const other = await openAccount(world());
  await fund(world(), other);
  await allEnded(world());
  const { status } = await wait(`type=${BALANCE_UPDATED}&about=${account()}&timeout=1ms`);
  expect(status).toBe(404);
  await fund(world(), account());
  const { body } = await wait(`type=${BALANCE_UPDATED}&about=${account().slice(-6)}&timeout=20s`);
  expect(body.data.map(({ about }: Parsed) => about)).toEqual([account()]);
});

test("what does not come in time is told with what came", async () => {
  const { status, body } = await wait("type=TEST&count=3&timeout=20ms");
  expect(status).toBe(404);
  expect(body.error).toEqual({
    code: "WEBHOOK_DID_NOT_COME",
    message: "Expected 3 × TEST accepted within 20ms but found 1",
    next: ["service-sim webhooks list      shows what was sent, and how it went"],
    details: { type: "TEST", count: 3, found: 1 },
  });
});

test("closing the simulator answers whoever waits", async () => {
  const waiting = wait(`type=${BALANCE_UPDATED}&timeout=10m`);
  await turn();
  await world().sim.close();
  expect((await waiting).status).toBe(503);
});

test.each([
  { query: "", code: "INVALID_INPUT" },
  { query: "type=PAYMENT.DONE", code: "INVALID_INPUT" },
  { query: "type=TEST&count=0", code: "INVALID_INPUT" },
  { query: "type=TEST&count=2001", code: "INVALID_INPUT" },
  { query: "type=TEST&timeout=soon", code: "INVALID_DURATION" },
  { query: "type=TEST&timeout=11m", code: "INVALID_INPUT" },
])("?$query is refused", async ({ query, code }) => {
  const { status, body } = await wait(query);
  expect({ status, code: body.error.code }).toEqual({ status: 400, code });
});

test("without an endpoint collected events count, until there is one", async () => {
  await world().call("PATCH", "/config", { webhookEndpoint: null });
  await fund(world(), account());
  const waiting = wait(`type=${BALANCE_UPDATED}&count=2&timeout=20s`);
  await fund(world(), account());
  const { body } = await waiting;
  expect(body).toMatchObject({ count: 2 });
  expect(body.data.map(({ state, collected }: Parsed) => [state, collected])).toEqual([
    ["UNDELIVERABLE", true],
    ["UNDELIVERABLE", true],
  ]);
  await world().call("PATCH", "/config", { webhookEndpoint: world().receiver.url });
  expect((await wait(`type=${BALANCE_UPDATED}&timeout=1ms`)).status).toBe(404);
});
