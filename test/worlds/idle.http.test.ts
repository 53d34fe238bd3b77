import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hostTime } from "../../src/machine/host-time.ts";
import { WorldUse } from "../../src/worlds/world-use.ts";
import type { WorldsOfProcess } from "../../src/worlds/worlds.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { Receiver } from "../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { basic } from "../setup/tokens.ts";

let world: TestSimulator;
let receiver: Receiver;

beforeEach(async () => {
  world = await startTestSimulator({ worldTtl: "10m" });
  receiver = await new Receiver().start();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  await receiver.stop();
});

/** Looks for idle worlds as the process does, eleven minutes of real time from now. */
const sweep = async () => {
  const { worlds } = world.sim as unknown as { worlds: WorldsOfProcess };
  await worlds.sweep(hostTime.monotonicMs() + 11 * 60_000);
};

const names = async () =>
  (await world.control("GET", "/worlds")).body.data.map(({ name }: { name: string }) => name);

const call = async (method: string, path: string, body?: object) => {
  const authorization = basic("sandbox+a", world.sim.clientSecret);
  const headers = { authorization, ...(body && { "content-type": "application/json" }) };
  const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const response = await world.sim.fetch(new Request(world.sim.apiUrl + path, sent));
  return { status: response.status, headers: response.headers, body: await response.json() };
};

const inA = (): TestSimulator => ({
  ...world,
  call: (method, path, body) => call(method, path, body as object | undefined),
});

const control = (method: string, path: string, body?: object) =>
  world.control(method, `${path}${path.includes("?") ? "&" : "?"}world=a`, body);

/** A payout whose first timer is due within minutes. */
const pay = async () => {
  const payer = await createPayer(inA());
  const payee = await createPayee(inA(), payer.customerId, "003");
  const { body: quote } = await call("POST", "/quotes", quoteInput(payer.accountId, payee));
  await call("POST", `/quotes/${quote.id}/execute`);
};

const until = async (holds: () => boolean) => {
  for (let turn = 0; turn < 10_000 && !holds(); turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
  expect(holds()).toBe(true);
};

test("a world that nobody has called is removed; the default world and a young one stay", async () => {
  await call("GET", "/config");
  const { worlds } = world.sim as unknown as { worlds: WorldsOfProcess };
  await worlds.sweep(hostTime.monotonicMs() + 9 * 60_000);
  expect(await names()).toEqual(["sandbox", "a"]);
  await sweep();
  expect(await names()).toEqual(["sandbox"]);
  expect((await call("GET", "/config")).status).toBe(200);
  expect(await names()).toEqual(["sandbox", "a"]);
});

describe("a world stays while", () => {
  test("somebody waits in it", async () => {
    await call("GET", "/config");
    const waiting = control("GET", "/inbox/wait?timeoutMs=60000");
    await new Promise((resolve) => setImmediate(resolve));
    await sweep();
    expect(await names()).toEqual(["sandbox", "a"]);
    await world.control("DELETE", "/worlds/a");
    expect((await waiting).status).toBe(503);
  });

  test("somebody follows its feed", async () => {
    await call("GET", "/config");
    const abort = new AbortController();
    const { signal } = abort;
    const url = `${world.sim.controlUrl}/events?world=a`;
    const stream = await world.sim.fetch(new Request(url, { signal }));
    const reader = stream.body?.getReader();
    await reader?.read();
    await sweep();
    expect(await names()).toEqual(["sandbox", "a"]);
    await reader?.cancel();
    await sweep();
    expect(await names()).toEqual(["sandbox"]);
  });

  test("an advance or an attempt is under way in it", async () => {
    const answers: (() => void)[] = [];
    receiver.behaviour = (_event, response) => void answers.push(() => response.end());
    await call("PATCH", "/config", { webhookEndpoint: receiver.url });
    await pay();
    await until(() => answers.length > 0);
    await sweep();
    expect(await names()).toEqual(["sandbox", "a"]);
    receiver.behaviour = (_event, response) => void response.end();
    for (const answer of answers) answer();
    await control("POST", "/clock/advance", { by: "10m" });
    await sweep();
    expect(await names()).toEqual(["sandbox"]);
  });

  test("its clock runs and a timer is due within the hour", async () => {
    await pay();
    await control("PUT", "/clock", { mode: "real" });
    await sweep();
    expect(await names()).toEqual(["sandbox", "a"]);
    await control("PUT", "/clock", { mode: "manual" });
    await sweep();
    expect(await names()).toEqual(["sandbox"]);
  });
});

test("each kind of work alone keeps a world in use", () => {
  const use = new WorldUse();
  const quiet = {
    engine: { clock: { mode: "manual" } },
    feed: { subscriberCount: 0 },
    advance: { isUnderWay: false },
    deliveries: { inFlight: () => new Set() },
  };
  const isIdle = (busy: object = {}) =>
    use.isIdle({ ...quiet, ...busy } as never, { forMs: 10, nowMs: hostTime.monotonicMs() + 20 });
  expect(isIdle()).toBe(true);
  expect(isIdle({ advance: { isUnderWay: true } })).toBe(false);
  expect(isIdle({ feed: { subscriberCount: 1 } })).toBe(false);
  expect(isIdle({ deliveries: { inFlight: () => new Set(["one"]) } })).toBe(false);
  use.enter();
  expect(isIdle()).toBe(false);
  use.leave();
  expect(isIdle()).toBe(true);
});
