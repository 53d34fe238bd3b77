import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectAgent } from "../setup/agents.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(async () => {
  await world.sim.close();
});

const call = (body: object) => world.control("POST", "/call", body);

// spec/console.md#calls
test("a call by the name of its operation is made, logged, and answered as it would be", async () => {
  const { accountId, customerId } = await createPayer(world);
  const payee = await createPayee(world, customerId, "003");
  const made = await call({ operationId: "createQuote", body: quoteInput(accountId, payee) });
  expect(made).toMatchObject({
    status: 200,
    body: { method: "POST", path: "/quotes", status: 201 },
  });
  const quote = JSON.parse(made.body.text);
  expect(quote.status).toBe("PENDING");
  const { body: log } = await world.control("GET", `/requests/${made.body.requestId}`);
  expect(log).toMatchObject({ operation: "createQuote", status: 201, caused: expect.any(Array) });

  const executed = await call({ operationId: "executeQuote", params: { quoteId: quote.id } });
  expect(executed.body).toMatchObject({ path: `/quotes/${encodeURIComponent(quote.id)}/execute` });
  expect(JSON.parse(executed.body.text).status).toBe("PROCESSING");
});

test("a path is taken with and without the API's base, and its query with it", async () => {
  const { body: whole } = await call({ method: "GET", path: "/2025-10-13/customers?limit=1" });
  const { body: short } = await call({ method: "GET", path: "/customers", query: { limit: "1" } });
  expect([whole.status, short.status]).toEqual([200, 200]);
  expect(JSON.parse(whole.text)).toEqual(JSON.parse(short.text));
});

test("credentials and the world are not the caller's to choose", async () => {
  const headers = { Authorization: "Basic x", "X-Sim-World": "other", Host: "evil.example" };
  const { body } = await call({ operationId: "getConfig", headers });
  expect(body.status).toBe(200);
  expect(JSON.stringify(body)).not.toContain(world.sim.clientSecret);
});

test("a fault strikes it, and a lost answer is told as lost", async () => {
  await world.control("POST", "/faults", {
    match: { operation: "getConfig", times: 1 },
    fault: { status: 503 },
  });
  expect((await call({ operationId: "getConfig" })).body.status).toBe(503);
  await world.control("POST", "/faults", {
    match: { operation: "getConfig", times: 1 },
    fault: { dropResponse: true },
  });
  const { body } = await call({ operationId: "getConfig" });
  expect(body.status).toBeUndefined();
  expect(body.lost).toContain("lost the answer");
});

test.each([
  [{ operationId: "createQuot" }, "No operation createQuot; similar: "],
  [{ operationId: "executeQuote" }, "Expected a value for quoteId"],
  [{ operationId: "clock" }, "No operation clock"],
  [{ method: "GET" }, "Expected an operationId, or a method and a path"],
])("%j is refused", async (body, says) => {
  const reply = await call(body);
  expect(reply.status).toBe(400);
  expect(reply.body.error.message).toContain(says);
});

test("a fork's call is the fork's", async () => {
  const fork = await world.sim.fork("b");
  const inB = await fork.fetch(
    new Request(`${fork.controlUrl}/call`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-sim-world": "b" },
      body: JSON.stringify({
        operationId: "createCustomer",
        body: { customerType: "INDIVIDUAL", fullName: "Ada Byron" },
      }),
    }),
  );
  expect((await inB.json()).status).toBe(201);
  const counts = async (name: string) => {
    const request = new Request(`${fork.controlUrl}/records`, { headers: { "x-sim-world": name } });
    return (await (await fork.fetch(request)).json()).counts.Customer;
  };
  expect(await counts("b")).toBe(1);
  expect(await counts("sandbox")).toBe(0);
});

describe("credentials of one's own", () => {
  test("an agent's token makes the call as that agent, and is not kept", async () => {
    const { customerId } = await createPayer(world);
    const { id, accessToken } = await connectAgent(world, customerId);
    const authorization = `Bearer ${accessToken}`;
    const { body } = await call({ method: "GET", path: "/agents/me", authorization });
    expect(body.status).toBe(200);
    expect(JSON.parse(body.text).id).toBe(id);
    const own = await call({ method: "GET", path: "/agents/me" });
    expect(own.body.status).toBe(401);
    const { body: log } = await world.control("GET", `/requests/${body.requestId}?full=true`);
    expect(JSON.stringify(log)).not.toContain(accessToken);
  });

  test.each([
    ["an unknown token", "Bearer nobody", 401],
    ["no scheme", "nobody", 401],
    ["none at all", "", 401],
  ])("%s is sent as it is, and refused by the platform", async (_says, authorization, status) => {
    const { body } = await call({ operationId: "getConfig", authorization });
    expect(body.status).toBe(status);
  });

  test.each(["Bearer a\nb", "Bearer é"])("%j is no header", async (authorization) => {
    const { status, body } = await call({ operationId: "getConfig", authorization });
    expect([status, body.error.code]).toEqual([400, "INVALID_INPUT"]);
    expect(body.error.message).toContain("Expected one line of ASCII like Bearer <token>");
  });

  test("those of another world are refused: the call stays in this one", async () => {
    await world.control("POST", "/worlds", { name: "b" });
    const authorization = `Basic ${btoa(`${world.sim.clientId}+b:${world.sim.clientSecret}`)}`;
    const { body } = await call({
      operationId: "createCustomer",
      body: { customerType: "INDIVIDUAL", fullName: "Ada Byron" },
      authorization,
    });
    expect(body.status).toBeGreaterThanOrEqual(400);
    expect((await world.control("GET", "/records?world=b")).body.counts.Customer).toBe(0);
  });
});

describe("a file", () => {
  const base64 = Buffer.from("%PDF-1.4\n%%EOF\n").toString("base64");

  test("makes the call a form, with the members of the body as its texts", async () => {
    const { customerId } = await createPayer(world);
    const made = await call({
      operationId: "createDocument",
      body: { documentHolder: customerId, documentType: "PASSPORT", country: "GB" },
      file: { name: "pass.pdf", base64 },
    });
    expect(made.body).toMatchObject({ path: "/documents", status: 201 });
    expect(JSON.parse(made.body.text)).toMatchObject({
      documentHolder: customerId,
      fileName: "pass.pdf",
    });
  });

  test.each([
    [{ file: { name: "a", base64: "%" } }, "file.base64"],
    [{ file: { name: "a", base64 }, body: [1] }, "Expected a body of members beside a file"],
  ])("%j is refused", async (members, says) => {
    const { status, body } = await call({ operationId: "createDocument", ...members });
    expect(status).toBe(400);
    expect(body.error.message).toContain(says);
  });
});
