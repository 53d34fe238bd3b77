import { afterEach, beforeEach, expect, test } from "vitest";
import { FaultInjection } from "../../src/http/door/fault-injection.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator({ rateLimit: "2/s" });
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

/** A call that may be refused with an answer that no operation declares. */
const call = async (
  credentials = `${world.sim.clientId}:${world.sim.clientSecret}`,
  init: RequestInit & { path?: string } = {},
) => {
  const { path = "/config", ...rest } = init;
  const headers = { authorization: `Basic ${btoa(credentials)}`, ...(rest.headers as object) };
  return world.sim.fetch(new Request(world.sim.apiUrl + path, { ...rest, headers }));
};

// spec/faults.md#rate-limit
test("calls beyond the limit are 429 until the simulated clock has moved", async () => {
  expect((await call()).status).toBe(200);
  expect((await call()).status).toBe(200);
  const refused = await call();
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(await refused.json()).toEqual({
    status: 429,
    code: "RATE_LIMITED",
    message:
      "Too many calls with this token: the rate limit is 2/s. Try again after Retry-After; " +
      "service-sim advance 1s moves the clock there",
    details: {
      what: "calls with this token: the rate limit is 2/s",
      retryAfterSeconds: 1,
    },
  });
  expect((await call()).status).toBe(429);
  await world.sim.advance("999ms");
  expect((await call()).status).toBe(429);
  await world.sim.advance("1ms");
  expect((await call()).status).toBe(200);
});

test("Retry-After is the time until the oldest counted call leaves the span", async () => {
  await world.control("PUT", "/rate-limit", { limit: "2/m" });
  await call();
  await world.sim.advance("20s");
  await call();
  expect((await call()).headers.get("retry-after")).toBe("40");
  await world.sim.advance("40s");
  expect((await call()).status).toBe(200);
  expect((await call()).headers.get("retry-after")).toBe("20");
});

test("each token has a limit of its own, and wrong credentials count for none", async () => {
  await world.control("PUT", "/rate-limit", { limit: "none" });
  const created = await world.call("POST", "/tokens", { name: "second", permissions: ["VIEW"] });
  const { clientId, clientSecret } = created.body;
  await world.control("PUT", "/rate-limit", { limit: "1/s" });
  expect((await call("wrong:wrong")).status).toBe(401);
  expect((await call()).status).toBe(200);
  expect((await call()).status).toBe(429);
  expect((await call(`${clientId}:${clientSecret}`)).status).toBe(200);
  expect((await call(`${clientId}:${clientSecret}`)).status).toBe(429);
});

test("a repeated idempotency key counts like any call, and a refused call stores nothing", async () => {
  await world.control("PUT", "/rate-limit", { limit: "none" });
  const { body: customer } = await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  await world.control("PUT", "/rate-limit", { limit: "2/s" });
  const create = (key: string) =>
    call(undefined, {
      path: `/customers/${customer.id}/kyc-link`,
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key },
      body: "{}",
    });
  const first = await (await create("one")).json();
  expect((await create("one")).status).toBe(201);
  expect((await create("two")).status).toBe(429);
  await world.sim.advance("1s");
  expect(await (await create("one")).json()).toEqual(first);
  expect((await create("two")).status).toBe(201);
});

test("the control surface is not limited, shows the limit, and lifts it", async () => {
  for (let count = 0; count < 3; count += 1)
    expect((await world.control("GET", "/rate-limit")).body).toEqual({ limit: "2/s" });
  expect((await world.control("GET", "/status")).body.settings.rateLimit).toBe("2/s");
  await world.control("PUT", "/rate-limit", { limit: "none" });
  for (let count = 0; count < 5; count += 1) expect((await call()).status).toBe(200);
});

test.each(["10", "0/s", "10/d", "ten/s", "1.5/s", ""])("the limit %j is refused", async (limit) => {
  expect((await world.control("PUT", "/rate-limit", { limit })).status).toBe(400);
  await expect(startTestSimulator({ rateLimit: limit })).rejects.toThrow(
    "Expected rateLimit to be calls by second, minute or hour like 10/s or 100/m, or none",
  );
});

test("a fixture sets a limit, and its own calls do not count", async () => {
  const steps = [
    { request: { method: "PUT", path: "/_sim/rate-limit", body: { limit: "1/h" } } },
    ...[1, 2, 3].map(() => ({ request: { method: "GET", path: "/config" } })),
  ];
  const other = await startTestSimulator({ fixture: { name: "limited", steps } });
  expect((await other.control("GET", "/rate-limit")).body).toEqual({ limit: "1/h" });
  expect((await other.call("GET", "/config")).status).toBe(200);
  await other.sim.close();
});

test("a world made from an earlier instant counts no call of a later one", async () => {
  await world.control("PUT", "/rate-limit", { limit: "2/h" });
  await world.sim.advance("3h");
  expect([(await call()).status, (await call()).status]).toEqual([200, 200]);
  await world.control("POST", "/worlds", { name: "past", from: "2026-01-05T11:00:00.000Z" });
  const past = `${world.sim.clientId}+past:${world.sim.clientSecret}`;
  expect((await call(past)).status).toBe(200);
});

test("a reset brings the limit of the start back", async () => {
  await world.control("PUT", "/rate-limit", { limit: "none" });
  await world.control("POST", "/reset");
  expect((await world.control("GET", "/rate-limit")).body).toEqual({ limit: "2/s" });
});

const struck = (faults: FaultInjection) =>
  faults.strike({ operationId: "getConfig", method: "GET", template: "/config", path: "/config" });

test("a fork continues from the counts reached, apart from its origin", () => {
  const engine = {
    state: {
      count: () => 1,
      seed: "s",
      ids: () => ["Fault:1"],
      get: () => ({ id: "Fault:1", match: { nth: 2 }, fault: { status: 503 } }),
    },
    clock: { now: () => 0 },
    listeners: new Set(),
  };
  const faults = new FaultInjection(engine as never);
  expect(struck(faults)).toBeUndefined();
  const fork = faults.forkFor(engine as never);
  expect(struck(fork)?.id).toBe("Fault:1");
  expect(fork.countOf("Fault:1")).toEqual({ seen: 2, struck: 1 });
  expect(faults.countOf("Fault:1")).toEqual({ seen: 1, struck: 0 });
});
