import { expect, test } from "vitest";
import { until } from "../runtime/setup/turns.ts";
import { allEnded, BALANCE_UPDATED, deliveries, fund, greetedPerTest } from "./setup/greeted.ts";

const { world, account } = greetedPerTest();

const resend = (id: string) => world().control("POST", `/webhooks/${id}/resend`);

const first = async () => (await deliveries(world(), BALANCE_UPDATED))[0];

// spec/webhooks.md#redelivery
test("an event that was accepted is sent once more: same id, same bytes", async () => {
  await fund(world(), account());
  await allEnded(world());
  const { id } = await first();
  expect(await resend(id)).toMatchObject({ status: 200, body: { id, state: "ACCEPTED" } });
  const [sent, again] = world().receiver.received;
  expect(again).toMatchObject({ id: sent?.id, body: sent?.body });
  expect(world().receiver.allVerify(world().sim.webhookPublicKey)).toBe(true);
});

test("a given-up delivery stays given up after a failed resend, without a retry", async () => {
  world().receiver.behaviour = (_event, response) => void response.writeHead(500).end();
  await fund(world(), account());
  await world().sim.advance("8d");
  const { id } = await first();
  const sent = world().receiver.received.length;
  expect((await resend(id)).body.state).toBe("GIVEN_UP");
  await world().sim.advance("1d");
  expect(world().receiver.received).toHaveLength(sent + 1);
});

test("a waiting retry is unaffected by a failed resend, and ended by a successful one", async () => {
  world().receiver.behaviour = (_event, response) => void response.writeHead(500).end();
  for (const amount of [1, 10]) await fund(world(), account(), amount);
  await until("the first attempts", () => world().attempts.length === 2);
  const { id, nextAttemptAt } = await first();
  await resend(id);
  expect(await first()).toMatchObject({ state: "RETRYING", nextAttemptAt });

  world().receiver.behaviour = (_event, response) => void response.end();
  expect((await resend(id)).body.state).toBe("ACCEPTED");
  expect(await deliveries(world(), BALANCE_UPDATED)).toMatchObject([
    { state: "ACCEPTED" },
    { state: "RETRYING" },
  ]);
  await world().sim.advance("1m");
  expect((await deliveries(world(), BALANCE_UPDATED))[1].state).toBe("ACCEPTED");
  expect(world().receiver.received.filter((event) => event.id === id)).toHaveLength(3);
});

test("an event that was undeliverable can be sent by hand", async () => {
  await world().call("PATCH", "/config", { webhookEndpoint: null });
  await fund(world(), account());
  const { id } = await first();
  expect(await resend(id)).toMatchObject({
    status: 400,
    body: { error: { code: "WEBHOOK_ENDPOINT_NOT_SET" } },
  });
  await world().call("PATCH", "/config", { webhookEndpoint: world().receiver.url });
  expect((await resend(id)).body.state).toBe("ACCEPTED");
  expect(world().receiver.received.map((event) => event.id)).toContain(id);
});

const failedIds = async () => (await world().control("GET", "/webhooks/ids?failed=true")).body.data;
const status = async () => (await world().control("GET", "/status")).body.webhooks;

test("a redelivery that is accepted ends what was given up: lists, status, wait, --failed", async () => {
  world().receiver.behaviour = (_event, response) => void response.writeHead(500).end();
  await fund(world(), account());
  await world().sim.advance("8d");
  const { id } = await first();
  expect(await failedIds()).toEqual([id]);
  world().receiver.behaviour = (_event, response) => void response.writeHead(409).end();
  const before = await status();
  expect((await resend(id)).body).toMatchObject({ status: 409, state: "ACCEPTED" });
  expect(await failedIds()).toEqual([]);
  expect(await status()).toMatchObject({ accepted: before.accepted + 1, givenUp: 0 });
  const waited = await world().control("GET", `/webhooks/wait?type=${BALANCE_UPDATED}&timeout=1s`);
  expect(waited).toMatchObject({ status: 200, body: { count: 1, data: [{ id }] } });
});

test("an unknown delivery is not found", async () => {
  expect(await resend("Webhook:none")).toMatchObject({
    status: 404,
    body: { error: { code: "ID_NOT_FOUND" } },
  });
});
