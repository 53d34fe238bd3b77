import { describe, expect, test } from "vitest";
import { VECTOR_NAMES } from "../../../src/contract/webhooks/lab-vectors.ts";
import { type Parsed, startTestSimulator } from "../../setup/test-simulator.ts";
import { CHECKS, VerifyingReceiver } from "../../setup/verifying-receiver.ts";
import { labWorldPerTest } from "../setup/lab-world.ts";

const world = labWorldPerTest();

const send = async (vector: string, rest: object = {}) =>
  (await world().control("POST", "/webhooks/vectors", { vector, ...rest })).body;

const rotate = () => world().control("POST", "/webhooks/keys/rotate");

const counts = async () => {
  const { webhooks } = (await world().control("GET", "/status")).body;
  return { accepted: webhooks.accepted, givenUp: webhooks.givenUp, waiting: webhooks.waiting };
};

const NOTHING = { accepted: 0, givenUp: 0, waiting: 0 };

// spec/webhooks.md#vectors
describe.each(["wrong-key", "tampered-body", "old-key"])("%s", (vector) => {
  test("is refused by whoever verifies", async () => {
    await rotate();
    world().receiver.publicPem = world().sim.webhookPublicKey;
    const body = await send(vector);
    expect(body).toMatchObject({ vector, expects: "refuse", ok: true });
    expect(body.deliveries).toMatchObject([{ lab: vector, status: 401, state: "GIVEN_UP" }]);
    expect(world().receiver.judged).toMatchObject([{ verifies: false, status: 401 }]);
  });

  test("is not retried, and counted nowhere", async () => {
    await rotate();
    world().receiver.refusal = 500;
    world().receiver.publicPem = world().sim.webhookPublicKey;
    expect(await send(vector)).toMatchObject({ ok: false });
    await world().sim.advance("8d");
    expect(world().receiver.judged).toHaveLength(1);
    expect(await counts()).toEqual(NOTHING);
    expect((await world().control("GET", "/webhooks?state=GIVEN_UP")).body.data).toEqual([]);
    expect((await world().control("GET", "/webhooks/ids?failed=true")).body.data).toEqual([]);
  });

  test.each([
    [200, "accepted it: the signature is not checked"],
    [409, "called it a duplicate before it checked the signature"],
    [500, "answered 500 to OUTGOING_PAYMENT.COMPLETED, not a rejection (4xx)"],
  ])("answered %s is a fault of the receiver", async (status, says) => {
    await rotate();
    world().receiver.check = CHECKS.never;
    world().receiver.answer = status;
    const body = await send(vector);
    expect(body).toMatchObject({
      ok: false,
      deliveries: [{ status, verdict: { ok: false, says } }],
    });
  });

  test("is sent again as wrong as it was, and rightly when it is signed again", async () => {
    await rotate();
    world().receiver.publicPem = world().sim.webhookPublicKey;
    const [{ id }] = (await send(vector)).deliveries;
    const again = await world().control("POST", `/webhooks/${id}/resend`);
    expect(again.body.status).toBe(401);
    const resigned = await world().control("POST", `/webhooks/${id}/resend`, { resign: true });
    expect(resigned.body.status).toBe(200);
    const [first, second, third] = world().receiver.judged;
    expect(second).toEqual(first);
    expect(third?.body).toEqual(first?.body);
  });
});

test("tampered-body is JSON still, and changed in one place behind its type", async () => {
  const { deliveries } = await send("tampered-body", { type: "card.state_change" });
  const { signed, base64 } = (await world().control("GET", `/webhooks/${deliveries[0].id}/request`))
    .body;
  const sent = Buffer.from(base64, "base64").toString("utf8");
  expect(world().receiver.texts).toEqual([sent]);
  expect(JSON.parse(sent)).toMatchObject({ id: deliveries[0].id, type: "card.state_change" });
  const places = [...signed].flatMap((letter, at) => (letter === sent[at] ? [] : [at]));
  expect(places).toHaveLength(1);
  expect(sent).toHaveLength(signed.length);
});

test("tampered-body is changed so that it can be parsed, whatever the seed draws", async () => {
  for (let count = 0; count < 60; count += 1) await send("tampered-body");
  expect(() => world().receiver.events).not.toThrow();
  const changed = new Set(world().receiver.texts.map((text) => text.length));
  expect(changed.size).toBe(1);
});

test("duplicate comes twice, the very same, and both answers are fine", async () => {
  const body = await send("duplicate");
  expect(body).toMatchObject({ ok: true, deliveries: [{ status: 200 }, { status: 409 }] });
  const [first, second] = world().receiver.judged;
  expect(second?.body).toEqual(first?.body);
  expect(world().receiver.judged.every(({ verifies }) => verifies)).toBe(true);
});

test("reordered tells one payment in an order in which it did not happen", async () => {
  const orders = new Set<string>();
  for (let count = 0; count < 12; count += 1) {
    const body = await send("reordered");
    expect(body.ok).toBe(true);
    const sent = world().receiver.events.slice(-3);
    expect(new Set(sent.map(({ data }) => data.id)).size).toBe(1);
    const ids = sent.map(({ id }) => id);
    expect(ids).not.toEqual([...ids].sort());
    orders.add(sent.map(({ data }) => data.status).join());
  }
  expect(world().receiver.statuses.every((status) => status === 200)).toBe(true);
  expect(orders.size).toBeGreaterThan(1);
  expect([...orders]).not.toContain("PENDING,PROCESSING,COMPLETED");
});

test("delayed is sent when the clock has come so far, once", async () => {
  const body = await send("delayed", { after: "1h", type: "CUSTOMER.KYC_APPROVED" });
  const [{ id, nextAttemptAt, verdict }] = body.deliveries;
  expect({ nextAttemptAt, says: verdict.says }).toEqual({
    nextAttemptAt: "2026-01-05T10:00:00.000Z",
    says: "sent later",
  });
  await world().sim.advance("59m");
  expect(world().receiver.judged).toEqual([]);
  await world().sim.advance("1m");
  expect(world().receiver.events).toMatchObject([{ id, timestamp: "2026-01-05T09:00:00.000Z" }]);
  expect(world().receiver.statuses).toEqual([200]);
  expect((await world().control("GET", `/webhooks/${id}`)).body.state).toBe("ACCEPTED");
});

test("delayed is ten minutes late by itself, and is not retried", async () => {
  world().receiver.answer = 500;
  await send("delayed");
  await world().sim.advance("10m");
  expect(world().receiver.judged).toHaveLength(1);
  await world().sim.advance("8d");
  expect(world().receiver.judged).toHaveLength(1);
});

test("dropped is never sent, unless by hand", async () => {
  const body = await send("dropped");
  const [{ id }] = body.deliveries;
  expect(body).toMatchObject({ ok: true, deliveries: [{ state: "DROPPED", status: null }] });
  await world().sim.advance("8d");
  expect(world().receiver.judged).toEqual([]);
  await world().control("POST", `/webhooks/${id}/resend`);
  expect(world().receiver.judged).toMatchObject([{ verifies: true, status: 200 }]);
});

test("the old key of a world that has none is refused, and nothing is recorded", async () => {
  const { status, body } = await world().control("POST", "/webhooks/vectors", {
    vector: "old-key",
  });
  expect({ status, code: body.error.code }).toEqual({ status: 409, code: "NO_RETIRED_KEY" });
  expect((await world().control("GET", "/webhooks")).body.data).toEqual([]);
});

test.each([
  [{ vector: "nonsense" }, "INVALID_INPUT"],
  [{ vector: "delayed", after: "soon" }, "INVALID_DURATION"],
  [{ vector: "duplicate", type: "NONE" }, "EVENT_TYPE_UNKNOWN"],
])("%j is refused with %s", async (input, code) => {
  const { status, body } = await world().control("POST", "/webhooks/vectors", input);
  expect({ status, code: body.error.code }).toEqual({ status: 400, code });
});

test("no lane of the world waits for one, or is mixed with one", async () => {
  const { body: customer } = await world().call("POST", "/customers", {
    customerType: "INDIVIDUAL",
  });
  const path = `/customers/internal-accounts?customerId=${customer.id}&currency=USD`;
  const { id } = (await world().call("GET", path)).body.data[0];
  const type = "INTERNAL_ACCOUNT.BALANCE_UPDATED";
  await send("delayed", { type, after: "1h", set: [`data.id=${id}`] });
  await send("wrong-key", { type, set: [`data.id=${id}`] });
  await world().call("POST", `/sandbox/internal-accounts/${id}/fund`, { amount: 100 });
  await world().sim.advance("1s");
  const told = world().receiver.events.filter(({ data }: Parsed) => data.id === id);
  expect(told.map(({ data }: Parsed) => data.balance.amount)).toEqual([250_000, 100]);
});

test.each(VECTOR_NAMES.filter((vector) => vector !== "old-key"))(
  "%s is the same, byte for byte, in another world of the same seed",
  async (vector) => {
    const receiver = await new VerifyingReceiver().start();
    const twin = await startTestSimulator({ webhookEndpoint: receiver.url });
    await send(vector);
    await twin.control("POST", "/webhooks/vectors", { vector });
    for (const { sim } of [world(), twin]) await sim.advance("10m");
    await twin.sim.close();
    await receiver.stop();
    expect(receiver.texts).toEqual(world().receiver.texts);
    expect(receiver.texts.length > 0).toBe(vector !== "dropped");
  },
);
