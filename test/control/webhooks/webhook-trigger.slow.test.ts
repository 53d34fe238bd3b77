import { describe, expect, test } from "vitest";
import { eventShape } from "../../../src/contract/webhooks/event-payloads.ts";
import { EVENT_TYPES, eventSince } from "../../../src/contract/webhooks/events.ts";
import { startTestSimulator } from "../../setup/test-simulator.ts";
import { VerifyingReceiver } from "../../setup/verifying-receiver.ts";
import { labWorldPerTest } from "../setup/lab-world.ts";

const world = labWorldPerTest();

const trigger = (type: string, rest: object = {}) =>
  world().control("POST", "/webhooks/trigger", { type, ...rest });

const LATER_TYPES = EVENT_TYPES.filter((type) => eventSince(type));
const FIRST_TYPES = EVENT_TYPES.filter((type) => !eventSince(type));

test.each(LATER_TYPES)(
  "%s is refused in the first revision, which has no such type",
  async (type) => {
    const { status, body } = await trigger(type);
    expect([status, body.error.code]).toEqual([400, "EVENT_TYPE_UNKNOWN"]);
    expect(JSON.stringify(body.error.next)).toContain("Revision 2026-08 takes it");
  },
);

test.each(FIRST_TYPES)("%s is sent in an empty world, whole and correctly signed", async (type) => {
  const { status, body } = await trigger(type);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    type,
    lab: "triggered",
    status: 200,
    state: "ACCEPTED",
    attempt: 1,
  });
  expect(world().receiver.statuses).toEqual([200]);
  const [event] = world().receiver.events;
  expect(eventShape(type).safeParse(event).error).toBeUndefined();
  expect(event).toMatchObject({ id: body.id, type, timestamp: "2026-01-05T09:00:00.000Z" });
});

test("members are set, nested ones and in their types", async () => {
  const set = ["data.sentAmount.amount=4242", "status=FAILED", "data.platformCustomerId=77"];
  await trigger("OUTGOING_PAYMENT.COMPLETED", { set });
  expect(world().receiver.events[0].data).toMatchObject({
    sentAmount: { amount: 4242 },
    status: "FAILED",
    platformCustomerId: "77",
  });
  expect(world().receiver.statuses).toEqual([200]);
});

test("what is about a record can be listed by it", async () => {
  const { body } = await trigger("card.state_change");
  expect(body.about).toMatch(/^Card:/);
});

test("bytes of one's own are sent as they are, text or not, and signed rightly", async () => {
  const bytes = [Buffer.from('{ "own": 1 }\n'), Buffer.from([0xff, 0x00, 0x80])];
  for (const one of bytes) {
    const { body } = await trigger("TEST", { raw: one.toString("base64") });
    const shown = (await world().control("GET", `/webhooks/${body.id}`)).body;
    const sent = shown.bodyBase64 ?? Buffer.from(shown.body).toString("base64");
    expect(sent).toBe(one.toString("base64"));
    expect(shown.signature.valid).toBe(true);
  }
  expect(world().receiver.judged.map(({ body }) => body)).toEqual(bytes);
  expect(world().receiver.statuses).toEqual([200, 200]);
});

// spec/webhooks.md#test-deliveries
test("it is attempted once, whatever the answer, and nothing waits for it", async () => {
  world().receiver.answer = 500;
  const { body } = await trigger("CUSTOMER.KYC_APPROVED");
  expect(body).toMatchObject({ status: 500, state: "GIVEN_UP" });
  await world().sim.advance("8d");
  expect(world().receiver.judged).toHaveLength(1);
});

test("its answer decides about no payment", async () => {
  const set = ["data.id=Transaction:019b8d62-a190-7000-8000-9cd07a9f3c2e"];
  world().receiver.answer = 403;
  expect((await trigger("INCOMING_PAYMENT.PENDING", { set })).status).toBe(200);
  expect((await world().control("GET", "/status")).body.stopped).toBeUndefined();
});

test("it takes no place of a delivery, also with the id of one", async () => {
  const first = (await trigger("TEST")).body;
  const second = (await trigger("TEST", { set: [`id=${first.id}`] })).body;
  expect(second).toMatchObject({ status: 409, state: "ACCEPTED" });
  expect(second.id).not.toBe(first.id);
  expect(world().receiver.events[1].id).toBe(first.id);
});

test("it counts among what was accepted", async () => {
  await trigger("CUSTOMER.KYC_APPROVED");
  const path = "/webhooks/wait?type=CUSTOMER.KYC_APPROVED&timeout=1s";
  expect((await world().control("GET", path)).body.count).toBe(1);
});

test("another world of the same seed sends the same bytes", async () => {
  const receiver = await new VerifyingReceiver().start();
  const twin = await startTestSimulator({ webhookEndpoint: receiver.url });
  await trigger("OUTGOING_PAYMENT.FAILED");
  await twin.control("POST", "/webhooks/trigger", { type: "OUTGOING_PAYMENT.FAILED" });
  await twin.sim.close();
  await receiver.stop();
  expect(receiver.texts).toEqual(world().receiver.texts);
});

describe("refused is", () => {
  test.each([
    [{ type: "CUSTOMER.KYC" }, "EVENT_TYPE_UNKNOWN"],
    [{ type: "toString" }, "EVENT_TYPE_UNKNOWN"],
    [{ type: "TEST", set: ["data"] }, "INVALID_INPUT"],
    [{ type: "card.state_change", set: ["state=MELTED"] }, "INVALID_INPUT"],
    [{ type: "TEST", raw: "no base64!" }, "INVALID_INPUT"],
    [{ type: "TEST", raw: "e30=", set: ["data.a=1"] }, "INVALID_INPUT"],
    [{}, "INVALID_INPUT"],
  ])("%j, with %s", async (body, code) => {
    const answer = await world().control("POST", "/webhooks/trigger", body);
    expect({ status: answer.status, code: answer.body.error.code }).toEqual({ status: 400, code });
    expect(world().receiver.judged).toEqual([]);
    expect((await world().control("GET", "/webhooks")).body.data).toEqual([]);
  });

  test("everything, without an endpoint", async () => {
    await world().call("PATCH", "/config", { webhookEndpoint: null });
    expect((await trigger("TEST")).body.error).toMatchObject({
      code: "WEBHOOK_ENDPOINT_NOT_SET",
      next: ["service-sim webhooks endpoint http://127.0.0.1:3000      sets one"],
    });
  });
});
