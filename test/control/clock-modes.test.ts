import { afterEach, expect, test } from "vitest";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { Receiver } from "../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

let world: TestSimulator;
let receiver: Receiver | undefined;

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  await receiver?.stop();
  receiver = undefined;
});

const clock = async () => (await world.control("GET", "/clock")).body;

const set = (body: object) => world.control("PUT", "/clock", body);

/** A payment that completes after six minutes. */
const paySlowly = async () => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  const { body } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  await world.call("POST", `/quotes/${body.id}/execute`);
  return body as { id: string; transactionId: string };
};

/** Reads a payment until it has a status, as a client does that polls. */
const poll = async (path: string, status: string) => {
  for (let count = 1; count <= 10; count += 1) {
    const { body } = await world.call("GET", path);
    if (body.status === status) return count;
  }
  throw new Error(`Expected ${path} to become ${status}`);
};

// spec/clock.md#automatic
test("auto: a client that polls gets its settlement without a call of the control surface", async () => {
  world = await startTestSimulator({ clock: "auto" });
  const { transactionId } = await paySlowly();
  const { body } = await world.call("GET", `/transactions/${transactionId}`);
  expect(body.status).toBe("PROCESSING");
  expect(await poll(`/transactions/${transactionId}`, "COMPLETED")).toBe(1);
  expect(await clock()).toMatchObject({ now: "2026-01-05T09:06:00.000Z", mode: "auto" });
});

test("auto: time stands still for one read, for reads of different things, and for watchers", async () => {
  world = await startTestSimulator({ clock: "auto" });
  const { id, transactionId } = await paySlowly();
  await world.call("GET", `/transactions/${transactionId}`);
  await world.call("GET", `/quotes/${id}`);
  for (let count = 0; count < 3; count += 1) await clock();
  await world.call("GET", "/transactions?limit=1");
  await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  await world.call("GET", `/transactions/${transactionId}`);
  expect((await clock()).now).toBe("2026-01-05T09:00:00.000Z");
});

test("auto: two reads in turn skip once for both, since each learns of the other's skip", async () => {
  world = await startTestSimulator({ clock: "auto" });
  const { id, transactionId } = await paySlowly();
  const read = async (path: string) => (await world.call("GET", path)).body.status;
  expect(await read(`/transactions/${transactionId}`)).toBe("PROCESSING");
  expect(await read(`/quotes/${id}`)).toBe("PROCESSING");
  expect(await read(`/transactions/${transactionId}`)).toBe("COMPLETED");
  expect(await read(`/quotes/${id}`)).toBe("COMPLETED");
  expect((await clock()).now).toBe("2026-01-05T09:06:00.000Z");
});

test("auto: a wait for a webhook skips to it, and the receiver has it", async () => {
  receiver = await new Receiver().start();
  world = await startTestSimulator({ clock: "auto", webhookEndpoint: receiver.url });
  const { transactionId } = await paySlowly();
  const query = `type=OUTGOING_PAYMENT.COMPLETED&about=${transactionId}`;
  const { status, body } = await world.control("GET", `/webhooks/wait?${query}`);
  expect({ status, count: body.count }).toEqual({ status: 200, count: 1 });
  expect((await clock()).now).toBe("2026-01-05T09:06:00.000Z");
});

test("auto: a wait for a webhook that is refused first goes through its retries", async () => {
  receiver = await new Receiver().start();
  receiver.behaviour = (_event, response, count) => {
    response.statusCode = count <= 3 ? 500 : 200;
    response.end();
  };
  world = await startTestSimulator({ clock: "auto", webhookEndpoint: receiver.url });
  await createPayer(world, 1000);
  const query = "type=INTERNAL_ACCOUNT.BALANCE_UPDATED";
  const { status, body } = await world.control("GET", `/webhooks/wait?${query}`);
  expect({ status, attempt: body.data[0]?.attempt }).toEqual({ status: 200, attempt: 4 });
  expect((await clock()).now).toBe("2026-01-05T09:00:07.000Z");
});

test("auto: a client that calls again after 429 has waited as long as it was told", async () => {
  world = await startTestSimulator({ clock: "auto", rateLimit: "1/m" });
  const { sim } = world;
  const authorization = `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`;
  const call = async () => {
    const request = new Request(`${sim.apiUrl}/config`, { headers: { authorization } });
    return (await sim.fetch(request)).status;
  };
  expect([await call(), await call(), await call(), await call()]).toEqual([200, 429, 200, 429]);
  expect((await clock()).now).toBe("2026-01-05T09:01:00.000Z");
});

test("auto: with nothing due, a client that polls is answered and time stands still", async () => {
  world = await startTestSimulator({ clock: "auto" });
  for (let count = 0; count < 3; count += 1)
    expect((await world.call("GET", "/config")).status).toBe(200);
  expect((await clock()).now).toBe("2026-01-05T09:00:00.000Z");
});

test("auto: the same calls give the same instants and ids", async () => {
  const runs = [];
  for (let run = 0; run < 2; run += 1) {
    world = await startTestSimulator({ clock: "auto" });
    const { transactionId } = await paySlowly();
    await poll(`/transactions/${transactionId}`, "COMPLETED");
    const { body: made } = await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    runs.push({ made, payment: (await world.call("GET", `/transactions/${transactionId}`)).body });
    if (run === 0) await world.sim.close();
  }
  expect(runs[1]).toEqual(runs[0]);
});

test("a speed fires timers sooner by the system clock", async () => {
  world = await startTestSimulator();
  const { transactionId } = await paySlowly();
  const { body } = await set({ mode: "real", speed: 3600 });
  expect(body).toMatchObject({ mode: "real", speed: 3600 });
  const query = `type=OUTGOING_PAYMENT.COMPLETED&about=${transactionId}&timeout=5s`;
  expect((await world.control("GET", `/webhooks/wait?${query}`)).status).toBe(200);
  const { body: frozen } = await set({ mode: "manual" });
  expect(Date.parse(frozen.now)).toBeGreaterThanOrEqual(Date.parse("2026-01-05T09:06:00Z"));
  expect(frozen).not.toHaveProperty("speed");
  expect((await clock()).now).toBe(frozen.now);
});

test("a clock shows its speed in status, and a reset keeps that of the start", async () => {
  world = await startTestSimulator({ clock: "60x" });
  expect((await world.control("GET", "/status")).body).toMatchObject({
    clock: { mode: "real", speed: 60 },
    settings: { clock: "60x" },
  });
  await set({ mode: "auto" });
  expect((await world.control("GET", "/status")).body.settings.clock).toBe("auto");
  await world.control("POST", "/reset");
  expect(await clock()).toMatchObject({ mode: "real", speed: 60 });
});

test.each([
  { mode: "manual", speed: 2 },
  { mode: "real", speed: 0 },
  { mode: "real", speed: -1 },
  { mode: "fast" },
])("%j is refused", async (body) => {
  world = await startTestSimulator();
  expect((await set(body)).status).toBe(400);
  expect((await clock()).mode).toBe("manual");
});
