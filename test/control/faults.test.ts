import { describe, expect, test } from "vitest";
import { fingerprintOf } from "../api/setup/every-operation.ts";
import { simulatorPerTest } from "../api/setup/world-per-test.ts";
import { createBank, transferInput } from "../setup/banks.ts";
import { createPayer } from "../setup/platform.ts";
import { startTestSimulator } from "../setup/test-simulator.ts";

const world = simulatorPerTest();

const add = (body: object) => world().control("POST", "/faults", body);

/** The platform's answer. A fault may have made it, so it may be undocumented. */
const config = async () => {
  const { sim } = world();
  const authorization = `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`;
  const response = await sim.fetch(
    new Request(`${sim.apiUrl}/config`, { headers: { authorization } }),
  );
  return { status: response.status, headers: response.headers, body: await response.json() };
};

test("an error is answered in place of doing it, so many times, and told whose it is", async () => {
  const { status, body: fault } = await add({
    match: { operation: "getConfig", times: 2 },
    fault: { status: 503 },
  });
  expect(status).toBe(201);
  expect(fault).toMatchObject({ match: { operation: "getConfig", times: 2 }, seen: 0, struck: 0 });
  for (let call = 0; call < 2; call += 1) {
    const answer = await config();
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(answer.body).toEqual({
      status: 503,
      code: "UNAVAILABLE",
      message: expect.stringContaining(`service-sim faults clear ${fault.id}`),
      details: { fault: fault.id },
    });
  }
  expect((await config()).status).toBe(200);
  const { body } = await world().control("GET", "/faults");
  expect(body.data).toMatchObject([{ id: fault.id, seen: 3, struck: 2 }]);
});

test.each([
  { fault: { status: 409 }, header: "false" },
  { fault: { status: 501 }, header: "false" },
  { fault: { code: "UMA_ADDRESS_EXISTS" }, header: "false" },
  { fault: { status: 409, shouldRetry: true }, header: "true" },
  { fault: { status: 500, shouldRetry: false }, header: "false" },
  { fault: { status: 503 }, header: null },
  { fault: { status: 429 }, header: null },
])("$fault answers x-should-retry $header", async ({ fault, header }) => {
  expect((await add({ fault })).status).toBe(201);
  expect((await config()).headers.get("x-should-retry")).toBe(header);
});

describe("a path of a fault", () => {
  test.each([
    "/cards/{id}",
    "GET /cards/{cardId}",
    "/cards/Card:1",
    "POST /quotes/{quoteId}/execute",
    "/config",
  ])("may be %s", async (path) => {
    expect((await add({ match: { path }, fault: { status: 500 } })).status).toBe(201);
  });

  test.each([
    { sent: "/2025-10-13/quotes", is: "/quotes" },
    { sent: "POST /2025-10-13/quotes/{id}/execute", is: "POST /quotes/{id}/execute" },
  ])("may begin with the version, as a client sends it: $sent", async ({ sent, is }) => {
    const { status, body } = await add({ match: { path: sent }, fault: { status: 500 } });
    expect(status).toBe(201);
    expect(body.match).toEqual({ path: is });
  });

  test("strikes the call that it was copied from, with its version", async () => {
    await add({ match: { path: "GET /2025-10-13/config" }, fault: { status: 502 } });
    expect((await config()).status).toBe(502);
  });

  test("is the template of the operation, whatever it calls its parameter", async () => {
    await add({ match: { path: "GET /quotes/{id}" }, fault: { status: 502 } });
    const { sim } = world();
    const response = await sim.fetch(new Request(`${sim.apiUrl}/quotes/Quote:1`));
    expect(response.status).toBe(502);
    expect((await config()).status).toBe(200);
  });

  test.each([
    {
      path: "/card/{id}",
      says: "No operation at /card/{id}; the closest one is GET /cards/{cardId}",
    },
    {
      path: "POST /config",
      says: "No operation at POST /config; the closest one is GET /config",
    },
    { path: "/quotes/{quoteId}/excute", says: "the closest one is POST /quotes/{quoteId}/execute" },
    {
      path: "GET /2025-10-13/confg",
      says: "No operation at GET /2025-10-13/confg; the closest one is GET /config",
    },
    { path: "/2020-01-01/quotes", says: "No operation at /2020-01-01/quotes" },
    { path: "/nowhere/at/all", says: "No operation at /nowhere/at/all" },
  ])("that leads nowhere is refused: $path", async ({ path, says }) => {
    const { status, body } = await add({ match: { path }, fault: { status: 500 } });
    expect(status).toBe(400);
    expect(body.error.details).toMatchObject({ field: "match.path", value: path });
    expect(body.error.message).toContain(says);
    expect((await world().control("GET", "/faults")).body.data).toEqual([]);
  });
});

describe("an operation of a fault", () => {
  test.each([
    { operation: "getConfig", is: "getConfig" },
    { operation: "getPlatformConfig", is: "getConfig" },
    { operation: "getCustomerById", is: "getCustomer" },
    { operation: "updateCustomer", is: "patchCustomer" },
    { operation: "update_customer", is: "patchCustomer" },
    { operation: "retrieveQuote", is: "getQuote" },
    { operation: "lookupUma", is: "lookUpUma" },
  ])("may be called $operation", async ({ operation, is }) => {
    const { body } = await add({ match: { operation }, fault: { status: 500 } });
    expect(body.match).toEqual({ operation: is });
  });

  test.each([
    {
      operation: "createQoute",
      says: "No operation createQoute; the closest one is createQuote",
    },
    { operation: "zzzzzzzz", says: "No operation zzzzzzzz" },
  ])("that there is not is refused: $operation", async ({ operation, says }) => {
    const { status, body } = await add({ match: { operation }, fault: { status: 500 } });
    expect(status).toBe(400);
    expect(body.error.message).toBe(says);
  });
});

test("what is struck by an error has not happened", async () => {
  await add({ match: { path: "POST /customers" }, fault: { code: "INTERNAL_ERROR" } });
  const before = await fingerprintOf(world());
  const answer = await world().call("POST", "/customers", { customerType: "INDIVIDUAL" });
  expect(answer.status).toBe(500);
  expect(await fingerprintOf(world())).toEqual(before);
});

test("a code that nothing else answers is answered with its status", async () => {
  await add({ fault: { code: "SERVICE_SWITCH_ERROR" } });
  expect(await config()).toMatchObject({ status: 500, body: { code: "SERVICE_SWITCH_ERROR" } });
});

test("of several that fit, the oldest strikes, and all have seen the call", async () => {
  await add({ match: { nth: 2 }, fault: { status: 500 } });
  await add({ fault: { status: 502 } });
  expect([(await config()).status, (await config()).status, (await config()).status]).toEqual([
    502, 500, 502,
  ]);
  const { body } = await world().control("GET", "/faults");
  expect(
    body.data.map(({ seen, struck }: { seen: number; struck: number }) => [seen, struck]),
  ).toEqual([
    [3, 1],
    [3, 2],
  ]);
});

test("an outage lasts as long as it says, on the simulated clock", async () => {
  const { body } = await add({ match: { for: "5m" }, fault: { status: 503 } });
  expect(body.match).toEqual({ until: "2026-01-05T09:05:00.000Z" });
  expect((await config()).status).toBe(503);
  await world().sim.advance("4m59s");
  expect((await config()).status).toBe(503);
  await world().sim.advance("1s");
  expect((await config()).status).toBe(200);
});

test("an outage may begin later", async () => {
  const { body } = await add({
    match: { from: "2026-01-05T10:00:00Z", for: "1h" },
    fault: { status: 503 },
  });
  expect(body.match.until).toBe("2026-01-05T11:00:00.000Z");
  expect((await config()).status).toBe(200);
  await world().sim.advance("1h");
  expect((await config()).status).toBe(503);
});

test("the control surface is never struck", async () => {
  await add({ fault: { closeSocket: true } });
  expect((await world().control("GET", "/status")).status).toBe(200);
});

test("one is switched off by a short id, or all", async () => {
  const { body: first } = await add({ fault: { status: 500 } });
  await add({ fault: { status: 502 } });
  const path = `/faults/${first.id.slice(-6)}`;
  expect((await world().control("DELETE", path)).body).toEqual({ cleared: 1 });
  expect((await config()).status).toBe(502);
  expect((await world().control("DELETE", path)).status).toBe(404);
  expect((await world().control("DELETE", "/faults")).body).toEqual({ cleared: 1 });
  expect((await config()).status).toBe(200);
});

test("the request log names the fault", async () => {
  const { body: fault } = await add({ fault: { status: 500 } });
  await config();
  const { body } = await world().control("GET", "/requests");
  expect(body.data[0]).toMatchObject({ status: 500, fault: fault.id });
});

describe("a lost answer", () => {
  test("is lost, and its change is not: the same key gets it, and nothing happens twice", async () => {
    const { customerId, accountId } = await createPayer(world(), 100_000);
    const bankId = await createBank(world(), customerId);
    await add({ match: { operation: "transferOut", nth: 1 }, fault: { dropResponse: true } });
    const pay = () =>
      world().raw("POST", "/transfer-out", {
        headers: { "content-type": "application/json", "idempotency-key": "invoice-7" },
        body: JSON.stringify(transferInput(accountId, bankId, 25_000)),
      });
    await expect(pay()).rejects.toThrow(/^fetch failed: Fault:\S+ lost the answer$/);
    const { body: transactions } = await world().call("GET", "/transactions");
    expect(transactions.totalCount).toBe(1);
    const again = await pay();
    expect(again).toMatchObject({ status: 201, body: { id: transactions.data[0].id } });
    expect((await world().call("GET", "/transactions")).body.totalCount).toBe(1);
    const { body: accounts } = await world().call(
      "GET",
      `/customers/internal-accounts?customerId=${customerId}&currency=USD`,
    );
    expect(accounts.data[0].balance.amount).toBe(75_000);
  });

  test("an injected error is not kept under a key", async () => {
    const { customerId, accountId } = await createPayer(world(), 100_000);
    const bankId = await createBank(world(), customerId);
    await add({ match: { operation: "transferOut", nth: 1 }, fault: { code: "CONFLICT" } });
    const pay = () =>
      world().raw("POST", "/transfer-out", {
        headers: { "content-type": "application/json", "idempotency-key": "invoice-8" },
        body: JSON.stringify(transferInput(accountId, bankId, 25_000)),
      });
    await expect(pay()).rejects.toThrow("409"); // not documented of this operation
    expect((await pay()).status).toBe(201);
  });
});

test.each([
  { what: "nothing that happens", body: { fault: {} } },
  { what: "no fault", body: { match: {} } },
  { what: "two things at once", body: { fault: { status: 500, closeSocket: true } } },
  { what: "a status that is no error", body: { fault: { status: 200 } } },
  { what: "a code nobody publishes", body: { fault: { code: "NOPE" } } },
  { what: "an unknown operation", body: { match: { operation: "nope" }, fault: { status: 500 } } },
  { what: "a path without a slash", body: { match: { path: "quotes" }, fault: { status: 500 } } },
  { what: "a probability above 1", body: { match: { probability: 1.1 }, fault: { status: 500 } } },
  { what: "call 0", body: { match: { nth: 0 }, fault: { status: 500 } } },
  { what: "no duration", body: { match: { for: "5x" }, fault: { status: 500 } } },
  {
    what: "two ends",
    body: { match: { for: "5m", until: "2026-01-06T00:00:00Z" }, fault: { status: 500 } },
  },
  { what: "a misspelt member", body: { match: { op: "x" }, fault: { status: 500 } } },
  { what: "a delay over a minute", body: { fault: { latencyMs: 60_001 } } },
])("$what is refused, and nothing is switched on", async ({ body }) => {
  expect((await add(body)).status).toBe(400);
  expect((await world().control("GET", "/faults")).body.data).toEqual([]);
});

test("a fixture may switch faults on", async () => {
  const fixture = {
    name: "outage",
    steps: [
      { request: { method: "POST", path: "/_sim/faults", body: { fault: { status: 503 } } } },
      { request: { method: "GET", path: "/config", expect: 503 } },
    ],
  };
  const other = await startTestSimulator({ fixture });
  const { body } = await other.control("GET", "/faults");
  expect(body.data).toMatchObject([{ fault: { status: 503 } }]);
  await other.sim.close();
});
