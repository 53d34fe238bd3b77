import type { ServerResponse } from "node:http";
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
import { deliveries, fund, type Greeted, openAccount, startGreeted } from "./setup/greeted.ts";

const FAILED = "INCOMING_PAYMENT.FAILED";
/** Attempts at once in one world. */
const MAX_IN_FLIGHT = 64;

let world: Greeted;
let recipient: Recipient;

beforeEach(async () => {
  world = await startGreeted();
  recipient = await createRecipient(world);
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.stop();
});

const transaction = async (id: string) => (await world.call("GET", `/transactions/${id}`)).body;

const configure = (webhookEndpoint: string | null) =>
  world.call("PATCH", "/config", { webhookEndpoint });

const BROKEN = { status: "FAILED", failureReason: "PAYMENT_APPROVAL_WEBHOOK_ERROR" };

/** Uses all room with hanging attempts, so that nothing else can be sent. */
const fillHouse = async (): Promise<ServerResponse[]> => {
  const hanging: ServerResponse[] = [];
  world.receiver.behaviour = (_event, response) => void hanging.push(response);
  for (let count = 0; count < MAX_IN_FLIGHT; count += 1)
    await fund(world, await openAccount(world));
  await until("a full house", () => hanging.length === MAX_IN_FLIGHT);
  return hanging;
};

test("an endpoint that is cleared before the request leaves fails the payment", async () => {
  const [first] = await fillHouse();
  const { body: payment } = await receive(world, recipient);
  await configure(null);
  first?.end();
  await until(
    "the payment to end",
    async () => (await transaction(payment.id)).status === "FAILED",
  );
  expect(await transaction(payment.id)).toMatchObject(BROKEN);
  expect(await deliveries(world, PENDING)).toMatchObject([{ state: "UNDELIVERABLE", attempt: 0 }]);
  expect(await deliveries(world, FAILED)).toMatchObject([{ state: "UNDELIVERABLE" }]);
  expect(world.receiver.types()).not.toContain(PENDING);
});

test("an endpoint that is cleared while the request is out leaves its answer as it is", async () => {
  world.receiver.behaviour = answering(async (_event, response) => {
    await configure(null);
    response.writeHead(200).end();
  });
  const { body: payment } = await receive(world, recipient);
  await world.sim.advance("1s");
  expect((await transaction(payment.id)).status).toBe("COMPLETED");
});

test("the request goes to the endpoint of that moment", async () => {
  const [first] = await fillHouse();
  const { body: payment } = await receive(world, recipient);
  world.receiver.behaviour = answering(answered(403));
  await configure(`${world.receiver.url}/other`);
  first?.end();
  await until(
    "the payment to end",
    async () => (await transaction(payment.id)).status === "REJECTED",
  );
});

const isPending = async (id: string) => (await transaction(id)).status === "PENDING";

const requestId = async () => (await deliveries(world, PENDING))[0].id;
const resend = async () =>
  (await world.control("POST", `/webhooks/${await requestId()}/resend`)).body;

test.each([200, 202, 403, 422, 500])(
  "a request that is sent again and answered %d decides nothing more",
  async (status) => {
    world.receiver.behaviour = answering(answered(202));
    const { body: payment } = await receive(world, recipient);
    await world.sim.advance("1s");
    world.receiver.behaviour = answering(answered(status));
    expect(await resend()).toMatchObject({ status, state: "ACCEPTED" });
    expect((await transaction(payment.id)).status).toBe("PENDING");
    await world.sim.advance("3s");
    expect((await transaction(payment.id)).status).toBe("PENDING");
    await world.sim.advance("1s"); // five seconds after the first answer, not after the second
    expect(await transaction(payment.id)).toMatchObject({
      status: "FAILED",
      failureReason: "PAYMENT_APPROVAL_TIMED_OUT",
    });
  },
);

test("sent again while it is under way, it is decided by the first answer that accepts it", async () => {
  const kept: ServerResponse[] = [];
  world.receiver.behaviour = answering((_event, response) => void kept.push(response));
  const { body: payment } = await receive(world, recipient);
  await until("the request", () => kept.length === 1);
  world.receiver.behaviour = answering(answered(200));
  expect(await resend()).toMatchObject({ status: 200, state: "ACCEPTED" });
  await until("the answer", async () => !(await isPending(payment.id)));
  kept[0]?.writeHead(403).end();
  await until("its end", async () => (await deliveries(world, PENDING))[0].attempt === 2);
  expect((await transaction(payment.id)).status).toBe("COMPLETED");
  expect((await deliveries(world, PENDING))[0].state).toBe("ACCEPTED");
});

test("a payment that failed by a broken answer stays failed when a redelivery is accepted", async () => {
  world.receiver.behaviour = answering(answered(500));
  const { body: payment } = await receive(world, recipient);
  await world.sim.advance("1s");
  world.receiver.behaviour = answering(answered(200));
  expect(await resend()).toMatchObject({ status: 200, state: "ACCEPTED" });
  expect(await transaction(payment.id)).toMatchObject(BROKEN);
});
