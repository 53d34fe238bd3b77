import { expect, test } from "vitest";
import {
  BALANCE_UPDATED,
  deadUrl,
  deliveries,
  fund,
  greetedPerTest,
  openAccount,
} from "./setup/greeted.ts";

const START_MS = Date.parse("2026-01-05T09:00:00Z");

const { world, account } = greetedPerTest();

const advance = async (by: string) =>
  (await world().control("POST", "/clock/advance", { by })).body;

const secondsOf = (id: string) =>
  world()
    .attempts.filter((one) => one.id === id)
    .map(({ atMs }) => (atMs - START_MS) / 1000);

// spec/webhooks.md#retries
test("a retry comes exactly its delay after the attempt: 1 s, doubling, then every 30 min", async () => {
  world().receiver.behaviour = (_event, response) => {
    response.writeHead(503).end();
  };
  await fund(world(), account());
  await advance("2h");
  const [delivery] = await deliveries(world(), BALANCE_UPDATED);
  expect(secondsOf(delivery.id)).toEqual([
    0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 1023, 2047, 3847, 5647,
  ]);
  expect(delivery).toMatchObject({
    state: "RETRYING",
    status: 503,
    attempt: 14,
    nextAttemptAt: "2026-01-05T11:04:07.000Z",
  });
});

test("an endpoint that refuses for 7 days is given up after 160 attempts at each event", async () => {
  const url = await deadUrl();
  await world().call("PATCH", "/config", { webhookEndpoint: url });
  for (const amount of [1, 2, 3]) await fund(world(), account(), amount);
  const report = await advance("8d");
  const ended = await deliveries(world(), BALANCE_UPDATED);
  // Retries wait only for their delay, so all three have the same times.
  expect(ended).toMatchObject([
    { state: "GIVEN_UP", attempt: 160, sentAt: "2026-01-08T11:34:07.000Z" },
    { state: "GIVEN_UP", attempt: 160, sentAt: "2026-01-08T11:34:07.000Z" },
    { state: "GIVEN_UP", attempt: 160, sentAt: "2026-01-08T11:34:07.000Z" },
  ]);
  expect(ended[0].error).toBe("ECONNREFUSED");
  expect(report).toMatchObject({ complete: true, open: 0 });
  expect((await world().control("GET", "/timers")).body.data).toEqual([]);
});

test("every attempt has the same id and bytes, and a signature of its own that verifies", async () => {
  world().receiver.behaviour = (_event, response, count) => {
    response.writeHead(count < 4 ? 500 : 200).end();
  };
  await fund(world(), account());
  await advance("1m");
  const { received } = world().receiver;
  expect(received).toHaveLength(4);
  expect(new Set(received.map(({ id }) => id)).size).toBe(1);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(received.map(({ signature }) => signature)).size).toBe(4);
  expect(world().receiver.allVerify(world().sim.webhookPublicKey)).toBe(true);
  expect(received[0]?.timestamp).toBe("2026-01-05T09:00:00.000Z");
});

test("a receiver that recovers gets the event exactly once more", async () => {
  world().receiver.behaviour = (_event, response, count) => {
    response.writeHead(count < 3 ? 500 : 200).end();
  };
  await fund(world(), account());
  await advance("7d");
  const [delivery] = await deliveries(world(), BALANCE_UPDATED);
  expect(secondsOf(delivery.id)).toEqual([0, 1, 3]);
  expect(delivery).toMatchObject({ state: "ACCEPTED", status: 200, attempt: 3 });
});

test("of one delivery the ten newest attempts are shown", async () => {
  world().receiver.behaviour = (_event, response) => {
    response.writeHead(500).end("down");
  };
  await fund(world(), account());
  await advance("1h");
  const [{ id }] = await deliveries(world(), BALANCE_UPDATED);
  const { body } = await world().control("GET", `/webhooks/${id}`);
  expect(body.attempts.map(({ attempt }: { attempt: number }) => attempt)).toEqual([
    3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
  ]);
  expect(body.attempts[0]).toMatchObject({
    at: "2026-01-05T09:00:03.000Z",
    status: 500,
    reply: "down",
  });
});

test("seven days of many resources behind a dead endpoint end every delivery", async () => {
  await world().call("PATCH", "/config", { webhookEndpoint: await deadUrl() });
  await fund(world(), account());
  for (let count = 1; count < 25; count += 1) await fund(world(), await openAccount(world()));
  const report = await advance("7d");
  // 25 lanes of 160 attempts, and the snapshot event of the endpoint.
  expect(world().attempts).toHaveLength(4001);
  expect(report).toMatchObject({ complete: true, open: 0 });
  expect(report.webhooks).toHaveLength(1000);
});
