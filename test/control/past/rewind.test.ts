import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { Engine } from "../../../src/runtime/engine.ts";
import { until } from "../../runtime/setup/turns.ts";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { createToken } from "../../setup/tokens.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

const rewind = (body: object) => world.control("POST", "/clock/rewind", body);

/** A payment of six minutes that was executed at 09:00:00. */
const slowPayment = async () => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  const { body: quote } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  const { body } = await world.call("POST", `/quotes/${quote.id}/execute`);
  return { payer, payee, quote: body };
};

const statusOf = async (transactionId: string) =>
  (await world.call("GET", `/transactions/${transactionId}`)).body.status;

test("a span back: the payment is on its way again, and settles again", async () => {
  const { quote } = await slowPayment();
  await world.sim.advance("10m");
  expect(await statusOf(quote.transactionId)).toBe("COMPLETED");
  const { status, body } = await rewind({ by: "5m" });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    from: "2026-01-05T09:10:00.000Z",
    to: "2026-01-05T09:05:00.000Z",
    snapshot: "before-rewind-1",
    next: ["service-sim snapshot load before-rewind-1"],
    undone: { requests: 0, timers: 1, webhooks: 1 },
  });
  expect((await world.control("GET", "/clock")).body.now).toBe("2026-01-05T09:05:00.000Z");
  expect(await statusOf(quote.transactionId)).toBe("PROCESSING");
  await world.sim.advance("1m");
  expect(await statusOf(quote.transactionId)).toBe("COMPLETED");
});

test("the undone part is a snapshot, and loading it brings the undone part back", async () => {
  const { quote } = await slowPayment();
  await world.sim.advance("10m");
  const { body } = await rewind({ to: "2026-01-05T09:00:01Z" });
  const restored = await world.control("POST", `/snapshots/${body.snapshot}/restore`);
  expect(restored.body).toMatchObject({ now: "2026-01-05T09:10:00.000Z", mode: "manual" });
  expect(await statusOf(quote.transactionId)).toBe("COMPLETED");
});

test("five undone parts are kept", async () => {
  await createPayer(world);
  for (let times = 0; times < 7; times += 1) await rewind({ by: "1ms" }).catch(() => {});
  await world.sim.advance("10m");
  for (let times = 0; times < 7; times += 1) expect((await rewind({ by: "1m" })).status).toBe(200);
  const { body } = await world.control("GET", "/snapshots");
  expect(body.data.map(({ name }: { name: string }) => name)).toHaveLength(5);
  expect(body.data.at(-1).name).toBe("before-rewind-7");
});

describe("before", () => {
  test("a record: it was never made, and what stood before it stands", async () => {
    const { payer, quote } = await slowPayment();
    expect((await rewind({ before: quote.id })).status).toBe(200);
    expect((await world.call("GET", `/quotes/${quote.id}`)).status).toBe(404);
    expect((await world.call("GET", `/customers/${payer.customerId}`)).status).toBe(200);
  });

  test("a request, and one that only read", async () => {
    const { payer } = await slowPayment();
    const path = `/customers/${payer.customerId}`;
    const read = await world.call("GET", path);
    const changed = await world.call("PATCH", path, { customerType: "INDIVIDUAL", fullName: "B" });
    expect(changed.status).toBe(200);
    const id = changed.headers.get("x-sim-request-id") ?? "";
    expect((await rewind({ before: id, dryRun: true })).body.undone).toMatchObject({
      requests: 1,
      acts: [{ by: "patchCustomer", cause: id, at: "2026-01-05T09:00:00.000Z" }],
    });
    const target = read.headers.get("x-sim-request-id") ?? "";
    expect((await rewind({ before: target })).body.undone.requests).toBe(1);
    expect((await world.call("GET", path)).body.fullName).toBeUndefined();
  });

  test("a webhook of a timer: it can go another way this time", async () => {
    const { quote } = await slowPayment();
    await world.sim.advance("10m");
    const { body: list } = await world.control("GET", "/webhooks");
    const settled = list.data.find(({ type }: { type: string }) => /COMPLETED/.test(type));
    const { body } = await rewind({ before: settled.id });
    expect(body.to).toBe("2026-01-05T09:00:00.000Z");
    expect(await statusOf(quote.transactionId)).toBe("PROCESSING");
  });

  test("a timer: before it was set", async () => {
    const { quote } = await slowPayment();
    const { body } = await world.control("GET", "/timers");
    const { timer, subject } = body.data[0];
    expect((await rewind({ before: `${timer} ${subject}` })).status).toBe(200);
    expect((await world.call("GET", `/quotes/${quote.id}`)).body.status).toBe("PENDING");
  });

  test("last: the last act, a request with all its changes", async () => {
    const { quote } = await slowPayment();
    const { body } = await rewind({ before: "last" });
    expect(body.undone.acts).toMatchObject([{ by: "executeQuote" }]);
    expect((await world.call("GET", `/quotes/${quote.id}`)).body.status).toBe("PENDING");
  });

  test("an id that nothing has", async () => {
    const { status, body } = await rewind({ before: "Quote:ffffffff" });
    expect({ status, code: body.error.code }).toEqual({ status: 404, code: "ID_NOT_FOUND" });
  });

  test("what was undone is not there to go back to", async () => {
    const { quote } = await slowPayment();
    await rewind({ before: quote.id });
    expect((await rewind({ before: quote.id })).status).toBe(404);
  });
});

test.each([
  {
    body: { to: "2026-01-05T08:00:00Z" },
    code: "BEFORE_HORIZON",
    names: "2026-01-05T09:00:00.000Z",
  },
  { body: { by: "1d" }, code: "BEFORE_HORIZON", names: "2026-01-05T09:00:00.000Z" },
  { body: { to: "2026-01-05T10:00:00Z" }, code: "TIME_AHEAD", names: "2026-01-05T09:00:00.000Z" },
  { body: { to: "yesterday" }, code: "INVALID_INSTANT", names: "yesterday" },
  { body: { by: "soon" }, code: "INVALID_DURATION", names: "soon" },
  { body: {}, code: "INVALID_INPUT", names: "one of by, to and before" },
])("$body is refused with $code, and nothing changes", async ({ body, code, names }) => {
  const refused = await rewind(body);
  expect({ status: refused.status, code: refused.body.error.code }).toEqual({ status: 400, code });
  expect(refused.body.error.message).toContain(names);
  expect((await world.control("GET", "/snapshots")).body.data).toEqual([]);
});

test("what a caller was given later is unknown: tokens, stored answers", async () => {
  const payer = await createPayer(world);
  const key = { "idempotency-key": "k", "content-type": "application/json" };
  const path = `/customers/${payer.customerId}/kyc-link`;
  await world.sim.advance("1m");
  const link = () => world.raw("POST", path, { headers: key, body: "{}" });
  const first = await link();
  const token = await createToken(world, ["VIEW"]);
  expect((await token.call("GET", "/config")).status).toBe(200);
  await rewind({ by: "30s" });
  expect((await token.call("GET", "/config")).status).toBe(401);
  expect((await link()).body).not.toEqual(first.body);
});

test("the log stays and says what was undone; calls before it are as they were", async () => {
  const before = await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  await world.sim.advance("1m");
  const after = await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  await rewind({ by: "30s" });
  const logged = async (answer: typeof before) =>
    (await world.control("GET", `/requests/${answer.headers.get("x-sim-request-id")}`)).body.undone;
  expect([await logged(before), await logged(after)]).toEqual([undefined, true]);
});

test("an advance under way ends where it is, not complete", async () => {
  const receiver = await new Receiver().start();
  onTestFinished(() => receiver.stop());
  receiver.behaviour = () => {};
  await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
  await slowPayment();
  await until("a webhook", () => receiver.received.length > 0);
  const advancing = world.control("POST", "/clock/advance", { by: "1h" });
  await until("the advance", async () => (await world.control("GET", "/status")).status === 200);
  await rewind({ before: "last" });
  expect((await advancing).body.complete).toBe(false);
});

describe("webhooks that were out or open", () => {
  const hanging = async () => {
    const receiver = await new Receiver().start();
    onTestFinished(() => receiver.stop());
    const answers: (() => void)[] = [];
    receiver.behaviour = (_event, response) => void answers.push(() => response.end());
    await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
    const payer = await createPayer(world);
    await until("the webhook", () => receiver.received.length > 0);
    await world.call("PATCH", `/customers/${payer.customerId}`, {
      customerType: "INDIVIDUAL",
      fullName: "B",
    });
    return { receiver, answers };
  };

  test("are sent again with the same id and bytes, and the answer to the first is dropped", async () => {
    const { receiver, answers } = await hanging();
    const [first] = receiver.received;
    await rewind({ before: "last" });
    for (const answer of answers.splice(0)) answer();
    await until(
      "it again",
      () => receiver.received.filter(({ id }) => id === first?.id).length > 1,
    );
    const { body } = await world.control("GET", "/webhooks");
    const shown = body.data.find(({ id }: { id: string }) => id === first?.id);
    expect(shown).toMatchObject({ state: "WAITING", attempt: 0 });
    expect(receiver.received.filter(({ id }) => id === first?.id).map(({ body }) => body)).toEqual([
      first?.body,
      first?.body,
    ]);
    for (const answer of answers.splice(0)) answer();
  });

  test("an answer to an undone attempt that is taken would be noticed", async () => {
    const { load } = Engine.prototype;
    vi.spyOn(Engine.prototype, "load").mockImplementation(function (this: Engine, ...state) {
      const { generation } = this;
      load.apply(this, state);
      this.generation = generation;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const { receiver, answers } = await hanging();
    const [first] = receiver.received;
    await rewind({ before: "last" });
    for (const answer of answers.splice(0)) answer();
    await until("it to be taken", async () => {
      const { body } = await world.control("GET", "/webhooks");
      return body.data.find(({ id }: { id: string }) => id === first?.id).attempt > 0;
    });
    for (const answer of answers.splice(0)) answer();
  });

  test("with hold they are not sent again", async () => {
    const { receiver, answers } = await hanging();
    await rewind({ before: "last", hold: true });
    for (const answer of answers.splice(0)) answer();
    await world.sim.advance("1s");
    const ids = receiver.received.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await world.control("GET", "/webhooks")).body.data).toMatchObject([
      { state: "FORKED" },
      { state: "FORKED" },
    ]);
  });
});

test("a real clock is put back, and runs on from there", async () => {
  const real = await startTestSimulator({ clock: "real", now: undefined as never });
  onTestFinished(() => real.sim.close());
  await real.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  await real.sim.advance("1h");
  const { body } = await real.control("POST", "/clock/rewind", { by: "30m" });
  const { body: clock } = await real.control("GET", "/clock");
  expect(clock.mode).toBe("real");
  const sinceMs = Date.parse(clock.now) - Date.parse(body.to);
  expect(sinceMs).toBeGreaterThanOrEqual(0);
  expect(sinceMs).toBeLessThan(10_000);
});
