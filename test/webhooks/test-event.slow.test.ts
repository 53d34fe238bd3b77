import { expect, test } from "vitest";
import { deadUrl, deliveries, fund, greetedPerTest, openAccount } from "./setup/greeted.ts";

/** Enough time for a receiver on a busy machine. */
const TIMEOUT_MS = 1000;

const { world } = greetedPerTest({ webhookTimeoutMs: TIMEOUT_MS });

const send = () => world().call("POST", "/sandbox/webhooks/test");

// spec/webhooks.md#test-webhook
test.each([
  { status: 200, reply: "thanks" },
  { status: 204, reply: "" },
  { status: 302, reply: "" },
  { status: 401, reply: "bad signature" },
  { status: 409, reply: "" },
  { status: 500, reply: "<h1>down</h1>" },
])("a receiver that answers $status is shown with a 200", async ({ status, reply }) => {
  world().receiver.behaviour = (_event, response) => void response.writeHead(status).end(reply);
  expect(await send()).toMatchObject({
    status: 200,
    body: { response_status: status, url: world().receiver.url, response_body: reply },
  });
  expect(world().receiver.types()).toEqual(["TEST"]);
  expect(world().receiver.allVerify(world().sim.webhookPublicKey)).toBe(true);
});

test("without an endpoint it is refused, and nothing is recorded", async () => {
  await world().call("PATCH", "/config", { webhookEndpoint: null });
  const before = await deliveries(world(), "TEST");
  expect(await send()).toMatchObject({ status: 400, body: { code: "WEBHOOK_ENDPOINT_NOT_SET" } });
  expect(await deliveries(world(), "TEST")).toEqual(before);
});

test("an endpoint without a listener is a delivery error that names it", async () => {
  const url = await deadUrl();
  await world().call("PATCH", "/config", { webhookEndpoint: url });
  const { status, body } = await send();
  expect([status, body.code]).toEqual([400, "WEBHOOK_DELIVERY_ERROR"]);
  expect(body.message).toContain(url);
  expect(body.message).toContain("ECONNREFUSED");
});

test("an endpoint that does not answer in time is a delivery error", async () => {
  world().receiver.behaviour = () => {};
  expect(await send()).toMatchObject({ status: 400, body: { code: "WEBHOOK_DELIVERY_ERROR" } });
});

test("whatever came of it, it is attempted once", async () => {
  world().receiver.behaviour = (_event, response) => void response.writeHead(500).end();
  await send();
  await world().control("POST", "/clock/advance", { by: "7d" });
  expect(world().receiver.types()).toEqual(["TEST"]);
  const [, test] = await deliveries(world(), "TEST");
  expect(test).toMatchObject({ state: "GIVEN_UP", status: 500, attempt: 1 });
});

test("it does not wait for other events, nor for room among them", async () => {
  world().receiver.behaviour = (event, response) => {
    if (event.type === "TEST") response.end("thanks");
  };
  for (let count = 0; count < 66; count += 1) await fund(world(), await openAccount(world()));
  expect(await send()).toMatchObject({ status: 200, body: { response_body: "thanks" } });
});
