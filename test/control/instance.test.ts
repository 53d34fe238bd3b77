import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

test("live and ready say so", async () => {
  expect(await world.control("GET", "/live")).toMatchObject({ status: 200, body: { live: true } });
  expect(await world.control("GET", "/ready")).toMatchObject({
    status: 200,
    body: { ready: true },
  });
});

test("status tells what runs, where, and how it is", async () => {
  const payer = await createPayer(world, 5000);
  const payee = await createPayee(world, payer.customerId, "003");
  await world.call("POST", "/quotes", quoteInput(payer.accountId, payee, 2000));
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const { status, body } = await world.control("GET", "/status");
  expect(status).toBe(200);
  expect(body).toMatchObject({
    world: "sandbox",
    now: "2026-01-05T09:00:00.000Z",
    version,
    pid: process.pid,
    apiUrl: world.sim.apiUrl,
    controlUrl: world.sim.controlUrl,
    seed: "test",
    fixture: "default",
    clock: { mode: "manual", aheadMs: expect.any(Number) },
    storage: { url: "memory:", fsync: false, writable: true, records: expect.any(Number) },
    ledger: { totals: { USD: 0 } },
    timers: { count: 1, next: { dueAt: "2026-01-05T09:05:00.000Z", timer: "quote.expire" } },
    webhooks: { accepted: 0, waiting: 0, retrying: 0, givenUp: 0 },
  });
  expect(body.webhooks).not.toHaveProperty("endpoint");
  expect(body).not.toHaveProperty("stopped");
});

test("the contract is there as an OpenAPI document of the platform's operations", async () => {
  const { status, body } = await world.control("GET", "/openapi.json");
  expect([status, body.openapi]).toEqual([200, "3.1.0"]);
  expect(Object.keys(body.paths)).toContain("/quotes/{quoteId}/execute");
  expect(Object.keys(body.paths).filter((path) => path.includes("_sim"))).toEqual([]);
});

test.each([
  { method: "GET", path: "/nothing", status: 404, code: "REFERENCE_NOT_FOUND" },
  { method: "DELETE", path: "/status", status: 405, code: "METHOD_NOT_ALLOWED" },
  { method: "GET", path: "/webhooks/Webhook:none", status: 404, code: "ID_NOT_FOUND" },
])("$method $path is answered $status in the control surface's own shape", async (row) => {
  const { status, headers, body } = await world.control(row.method, row.path);
  expect(status).toBe(row.status);
  expect(headers.get("content-type")).toBe("application/json");
  expect(body).toMatchObject({ error: { code: row.code, message: expect.any(String) } });
  expect(body.error.next).toEqual([expect.any(String)]);
});

test("a next step is filled in, and a 405 lists what is allowed", async () => {
  const unknown = await world.control("GET", "/statu");
  expect(unknown.body.error.next).toEqual(["The closest one is GET /_sim/status"]);
  const { headers, body } = await world.control("DELETE", "/status");
  expect(body.error.next).toEqual(["Use GET, HEAD"]);
  expect(headers.get("allow")).toBe("GET, HEAD");
});

test("every answer carries a request id of its own", async () => {
  const ids = [];
  for (const path of ["/live", "/status", "/nothing"])
    ids.push((await world.control("GET", path)).headers.get("x-sim-request-id"));
  expect(ids).toEqual(["req-1-1", "req-1-2", "req-1-3"]);
});
