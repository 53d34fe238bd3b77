import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PLATFORM_ENDPOINTS } from "../../../src/api/endpoints.ts";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { type Answer, startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

let world: TestSimulator;
let source: string;
let payee: string;

beforeEach(async () => {
  world = await startTestSimulator();
  const payer = await createPayer(world);
  source = payer.accountId;
  payee = await createPayee(world, payer.customerId, "003");
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

/** A call under a key, with a chosen body and simulator. */
const keyed = (
  path: string,
  key: string,
  { body, on = world }: { body?: unknown; on?: TestSimulator } = {},
): Promise<Answer> =>
  on.raw("POST", path, {
    headers: {
      "idempotency-key": key,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

const quotes = async () => (await world.control("GET", "/status")).body.storage.records;

// spec/idempotency.md#operations
test("the operations that take a key are those that the contract names, as far as they are here", () => {
  const named = PLATFORM_ENDPOINTS.filter(({ idempotent }) => idempotent);
  expect(named.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    "POST /agents/me/quotes",
    "POST /agents/me/quotes/{quoteId}/execute",
    "POST /agents/me/transfer-in",
    "POST /agents/me/transfer-out",
    "POST /customers/{customerId}/kyc-link",
    "POST /quotes",
    "POST /quotes/{quoteId}/execute",
    "POST /transfer-in",
    "POST /transfer-out",
  ]);
});

test("the same key gets the same answer, and nothing happens twice", async () => {
  const body = quoteInput(source, payee);
  const first = await keyed("/quotes", "k1", { body });
  const records = await quotes();
  const second = await keyed("/quotes", "k1", { body });
  expect(second.status).toBe(201);
  expect(second.body).toEqual(first.body);
  expect(await quotes()).toBe(records);
});

test("the body is not compared: the same key gets the first answer also with another one", async () => {
  const first = await keyed("/quotes", "k1", { body: quoteInput(source, payee) });
  const second = await keyed("/quotes", "k1", { body: quoteInput(source, payee, 99_000) });
  expect(second.body).toEqual(first.body);
});

// spec/idempotency.md#replay-order
test("a refusal is stored too, and is answered before the path's 404 and the body's 400", async () => {
  const unknown = await keyed("/quotes", "k1", { body: quoteInput(source, "ExternalAccount:x") });
  expect(unknown.body).toMatchObject({ status: 400, reason: "ACCOUNT_NOT_FOUND" });
  const repaired = await keyed("/quotes", "k1", { body: quoteInput(source, payee) });
  expect(repaired.status).toBe(400);
  expect(repaired.body).toEqual(unknown.body);
  const shapeless = await keyed("/quotes", "k2", { body: {} });
  expect((await keyed("/quotes", "k2", { body: quoteInput(source, payee) })).body).toEqual(
    shapeless.body,
  );
  const missing = await keyed("/quotes/Quote:none/execute", "k3");
  expect(missing.status).toBe(404);
  expect((await keyed("/quotes/Quote:none/execute", "k3")).body).toEqual(missing.body);
});

test.each([
  { why: "malformed JSON", body: "{", status: 400, type: "application/json" },
  { why: "a wrong media type", body: "{}", status: 415, type: "text/plain" },
])("$why is answered before the key is looked at, and not stored", async (row) => {
  const headers = { "idempotency-key": "k1", "content-type": row.type };
  const refused = await world.raw("POST", "/quotes", { headers, body: row.body });
  expect(refused.status).toBe(row.status);
  expect((await keyed("/quotes", "k1", { body: quoteInput(source, payee) })).status).toBe(201);
});

test("a wrong credential is not stored", async () => {
  const headers = { authorization: "Basic bm9ib2R5Og==", "idempotency-key": "k1" };
  expect((await world.raw("POST", "/quotes", { headers })).status).toBe(401);
  expect((await keyed("/quotes", "k1", { body: quoteInput(source, payee) })).status).toBe(201);
});

test("an empty key does not count", async () => {
  const body = quoteInput(source, payee);
  const first = await keyed("/quotes", "", { body });
  const second = await keyed("/quotes", "", { body });
  expect(second.body.id).not.toBe(first.body.id);
});

test("another path is another key, and an encoded colon is the same path", async () => {
  const body = quoteInput(source, payee);
  const [one, two] = [
    (await keyed("/quotes", "q1", { body })).body.id,
    (await keyed("/quotes", "q2", { body })).body.id,
  ];
  const first = await keyed(`/quotes/${one}/execute`, "k");
  const other = await keyed(`/quotes/${two}/execute`, "k");
  expect([first.status, other.status]).toEqual([200, 200]);
  expect(other.body.id).toBe(two);
  const encoded = await keyed(`/quotes/${one.replace(":", "%3A")}/execute`, "k");
  expect(encoded).toMatchObject({ status: 200, body: first.body });
  expect((await world.call("POST", `/quotes/${one}/execute`)).status).toBe(409);
});

test("of twenty calls at once one runs, and all get its answer", async () => {
  const body = quoteInput(source, payee);
  const records = await quotes();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => keyed("/quotes", "k1", { body })),
  );
  expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
  expect(await quotes()).toBe(records + 1);
});

// spec/idempotency.md#retention
test("a key is kept for exactly 24 simulated hours", async () => {
  const body = quoteInput(source, payee);
  const first = await keyed("/quotes", "k1", { body });
  await world.control("POST", "/clock/advance", { to: "2026-01-06T08:59:59.999Z" });
  expect((await keyed("/quotes", "k1", { body })).body.id).toBe(first.body.id);
  await world.control("POST", "/clock/advance", { to: "2026-01-06T09:00:00.000Z" });
  expect((await keyed("/quotes", "k1", { body })).body.id).not.toBe(first.body.id);
});

test("stored answers survive a restart", async () => {
  const directory = mkdtempSync(join(tmpdir(), "idempotency-"));
  const storage = `file:${directory}`;
  const before = await startTestSimulator({ storage });
  const payer = await createPayer(before);
  const to = await createPayee(before, payer.customerId, "003");
  const body = quoteInput(payer.accountId, to);
  const first = await keyed("/quotes", "k1", { body, on: before });
  await before.sim.close();
  const { createSimulator } = await import("../../../src/simulator.ts");
  const sim = await createSimulator({ storage });
  const authorization = `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`;
  const headers = { authorization, "idempotency-key": "k1", "content-type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify(body) };
  const again = await sim.fetch(new Request(`${sim.apiUrl}/quotes`, request));
  expect(await again.json()).toEqual(first.body);
  await sim.close();
  rmSync(directory, { recursive: true });
});
