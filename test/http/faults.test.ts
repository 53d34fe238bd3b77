import { Agent, request } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

let world: TestSimulator;
let url: string;
let authorization: string;

beforeEach(async () => {
  world = await startTestSimulator();
  await world.sim.listen();
  url = world.sim.apiUrl;
  authorization = `Basic ${btoa(`${world.sim.clientId}:${world.sim.clientSecret}`)}`;
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

const add = (body: object) => world.control("POST", "/faults", body);

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url + path, {
    method: "POST",
    headers: { authorization, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** Makes one call on a reused connection and returns its outcome. */
const callOn = (agent: Agent) =>
  new Promise<{ status?: number; error?: string }>((resolve) => {
    const sent = request(`${url}/config`, { agent, headers: { authorization } }, (response) => {
      response.resume().on("end", () => resolve({ status: response.statusCode ?? 0 }));
    });
    sent.on("error", (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? "" }));
    sent.end();
  });

test("a client of fetch that is hung up on has no answer, and the next call has one", async () => {
  await add({ match: { times: 1 }, fault: { closeSocket: true } });
  await expect(post("/customers", { customerType: "INDIVIDUAL" })).rejects.toThrow("fetch failed");
  expect((await world.call("GET", "/customers")).body.totalCount).toBe(0);
  expect((await post("/customers", { customerType: "INDIVIDUAL" })).status).toBe(201);
});

// spec/errors.md#request-log
test("the log shows the body that was sent with a call that a fault struck", async () => {
  await add({ match: { nth: 1 }, fault: { status: 503 } });
  await add({ match: { nth: 2 }, fault: { closeSocket: true } });
  await add({ match: { nth: 3 }, fault: { status: 500 } });
  expect((await post("/customers", { customerType: "INDIVIDUAL" })).status).toBe(503);
  await expect(post("/customers", { customerType: "BUSINESS" })).rejects.toThrow("fetch failed");
  const headers = { authorization, "content-type": "application/json" };
  const broken = { method: "POST", headers, body: "{" };
  expect((await fetch(`${url}/customers`, broken)).status).toBe(500);
  const { data } = (await world.control("GET", "/requests?limit=3")).body;
  const sent = async ({ id }: { id: string }) =>
    (await world.control("GET", `/requests/${id}`)).body;
  const [third, second, first] = await Promise.all(data.map(sent));
  expect(first).toMatchObject({ status: 503, requestBody: '{"customerType":"INDIVIDUAL"}' });
  expect(first.responseBody).toContain("A fault injected this error");
  expect(second).toMatchObject({ status: 503, requestBody: '{"customerType":"BUSINESS"}' });
  expect(third.requestBody).toBeUndefined();
});

test("a client of node:http sees its connection reset, and opens another", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  await add({ match: { nth: 2 }, fault: { closeSocket: true } });
  expect(await callOn(agent)).toEqual({ status: 200 });
  expect(await callOn(agent)).toEqual({ error: "ECONNRESET" });
  expect(await callOn(agent)).toEqual({ status: 200 });
  agent.destroy();
});

test("an answer that is lost has happened: the same key executes once", async () => {
  const { body: customer } = await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  const { body: accounts } = await world.call(
    "GET",
    `/customers/internal-accounts?customerId=${customer.id}&currency=USD`,
  );
  const [{ id: accountId }] = accounts.data;
  await world.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 50_000 });
  const { body: quote } = await world.call("POST", "/quotes", {
    source: { sourceType: "ACCOUNT", accountId },
    destination: { destinationType: "ACCOUNT", accountId: await otherAccount() },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 20_000,
  });
  await add({
    match: { path: "/quotes/{quoteId}/execute", nth: 1 },
    fault: { dropResponse: true },
  });
  const execute = () => post(`/quotes/${quote.id}/execute`, {}, { "idempotency-key": "once" });
  await expect(execute()).rejects.toThrow("fetch failed");
  const again = await execute();
  expect(again.status).toBe(200);
  expect(await again.json()).toMatchObject({ id: quote.id });
  expect(await balance(accountId)).toBe(30_000);
});

const otherAccount = async () => {
  const { body } = await world.call("GET", "/platform/internal-accounts?currency=USD");
  return body.data[0].id;
};

const balance = async (accountId: string) => {
  const { body } = await world.control("GET", "/ledger");
  return body.balances.find(({ account }: { account: string }) => account === accountId)?.amount;
};

test("a slow answer comes late, and may be an error", async () => {
  await add({ match: { times: 1 }, fault: { latencyMs: 120, status: 504 } });
  const startedMs = performance.now();
  const { status } = await post("/customers", { customerType: "INDIVIDUAL" });
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(110);
  expect(status).toBe(504);
});

test("a client whose patience is shorter than the delay gives up", async () => {
  await add({ match: { times: 1 }, fault: { latencyMs: 5000 } });
  const signal = AbortSignal.timeout(50);
  await expect(fetch(`${url}/config`, { headers: { authorization }, signal })).rejects.toThrow();
});
