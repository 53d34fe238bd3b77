import { describe, expect, test } from "vitest";
import type { ErrorBody } from "../../../src/contract/core/errors.ts";
import { everyRow } from "../../setup/every-row.ts";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import type { TestSimulator } from "../../setup/test-simulator.ts";
import { OPERATIONS, type Operation, pathWith } from "../setup/every-operation.ts";
import { expectErrorShape, expectRefused } from "../setup/refused.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const JSON_TYPE = { "content-type": "application/json" };

const world = worldPerTest();

const everyOperation = (operations: Operation[], check: (one: Operation) => unknown) =>
  everyRow(operations, check, ({ operationId }) => operationId);

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
const UNAUTHORIZED = { status: 401, code: "UNAUTHORIZED" };

describe("credentials", () => {
  test.each<{ says: string; header: (sim: TestSimulator["sim"]) => string }>([
    { says: "empty", header: () => "" },
    { says: "a scheme alone", header: () => "Basic" },
    { says: "an empty pair", header: () => "Basic " },
    { says: "no base64", header: () => "Basic %%%" },
    { says: "without colon", header: ({ clientId }) => basic(clientId) },
    { says: "an empty secret", header: ({ clientId }) => basic(`${clientId}:`) },
    { says: "an empty name", header: ({ clientSecret }) => basic(`:${clientSecret}`) },
    { says: "swapped", header: (sim) => basic(`${sim.clientSecret}:${sim.clientId}`) },
    { says: "a wrong secret", header: ({ clientId }) => basic(`${clientId}:wrong`) },
    {
      says: "a secret with more to it",
      header: ({ clientId, clientSecret }) => basic(`${clientId}:${clientSecret}x`),
    },
    {
      says: "a secret in capitals",
      header: (sim) => basic(`${sim.clientId}:${sim.clientSecret.toUpperCase()}X`),
    },
    {
      says: "an unknown name",
      header: ({ clientSecret }) => basic(`nobody:${clientSecret}`),
    },
    {
      says: "a Bearer token",
      header: (sim) => `Bearer ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`,
    },
    {
      says: "of another scheme",
      header: (sim) => `Digest ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`,
    },
    {
      says: "a Bearer secret",
      header: ({ clientSecret }) => `Bearer ${clientSecret}`,
    },
    {
      says: "not encoded",
      header: ({ clientId, clientSecret }) => `Basic ${clientId}:${clientSecret}`,
    },
  ])("that are $says are refused", async ({ header }) => {
    const authorization = header(world().sim);
    const answer = await world().raw("GET", "/config", { headers: { authorization } });
    expectRefused(answer, UNAUTHORIZED);
    expect(answer.headers.get("www-authenticate")).toBeNull();
  });

  test("may name their scheme in any case", async () => {
    const { sim, raw } = world();
    const pair = btoa(`${sim.clientId}:${sim.clientSecret}`);
    for (const scheme of ["Basic", "basic", "BASIC"]) {
      const headers = { authorization: `${scheme} ${pair}` };
      expect((await raw("GET", "/config", { headers })).status).toBe(200);
    }
  });

  test("that are missing altogether are refused", async () => {
    const { sim } = world();
    const response = await sim.fetch(new Request(`${sim.apiUrl}/config`));
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ status: 401, code: "UNAUTHORIZED" });
  });

  const asking = OPERATIONS.filter(({ calledBy }) => calledBy !== "anybody");

  test("are not needed for the one operation that has a proof of its own", () => {
    const open = OPERATIONS.filter((one) => !asking.includes(one));
    expect(open.map(({ operationId }) => operationId)).toEqual(["redeemDeviceCode"]);
  });

  test("are asked for by every other operation, before it looks further", () =>
    everyOperation(asking, async (one) => {
      const init = one.method === "GET" ? {} : { body: "{" };
      const answer = await world().raw(one.method, pathWith(one, "nobody"), {
        headers: { authorization: basic("nobody:nothing"), ...JSON_TYPE },
        ...init,
      });
      expectRefused(answer, UNAUTHORIZED);
    }));
});

describe("an unknown path", () => {
  test.each([
    { asked: "GET /confg", closest: "GET /config" },
    {
      asked: "GET /quote/Quote:019b8d62-7a80-7000-8000-1a6379edde34",
      closest: "GET /quotes/{quoteId}",
    },
    { asked: "GET /quote/x", closest: "GET /quotes/{quoteId}" },
    { asked: "POST /quotes/x/exec", closest: "POST /quotes/{quoteId}/execute" },
    { asked: "POST /customer", closest: "POST /customers" },
    { asked: "GET /platform/external-account", closest: "GET /platform/external-accounts" },
    {
      asked: "GET /transaction/Transaction:1a6379edde34",
      closest: "GET /transactions/{transactionId}",
    },
    { asked: "GET /CONFIG", closest: "GET /config" },
  ])("is answered with the closest operation: $asked", async ({ asked, closest }) => {
    const [method = "", path = ""] = asked.split(" ");
    const answer = await world().call(method, path);
    expectRefused(answer, {
      status: 404,
      code: "REFERENCE_NOT_FOUND",
      reason: "UNKNOWN_OPERATION",
    });
    expect(answer.body.details).toMatchObject({ resource: path, closest });
    const whole = closest.replace(" /", " /2025-10-13/");
    expect(answer.body.message).toContain(`The closest one is ${whole}`);
  });

  test.each([
    "GET /zzzzzzzzzz",
    "GET /customers/Customer:1/statement-of-account",
    "PUT /a/b/c/d/e/f",
    "GET /",
  ])("is answered without a distant operation: %s", async (asked) => {
    const [method = "", path = ""] = asked.split(" ");
    const answer = await world().call(method, path);
    expectRefused(answer, {
      status: 404,
      code: "REFERENCE_NOT_FOUND",
      reason: "UNKNOWN_OPERATION",
    });
    expect(answer.body.details).not.toHaveProperty("closest");
    expect(answer.body.message).toBe(
      `There is no operation ${asked.replace(" ", " /2025-10-13")}. service-sim openapi prints every operation of the platform`,
    );
  });

  test.each([
    { asked: "DELETE /quote/x", closest: "GET /quotes/{quoteId}" },
    { asked: "DELETE /custmers/x", closest: "DELETE /customers/{customerId}" },
    { asked: "PATCH /custmers/x", closest: "PATCH /customers/{customerId}" },
  ])("is answered with one of the same method first: $asked", async ({ asked, closest }) => {
    const [method = "", path = ""] = asked.split(" ");
    const answer = await world().call(method, path);
    expect(answer.status).toBe(404);
    expect(answer.body.details.closest).toBe(closest);
  });

  test.each(["/2025-10-14/config", "/config", "/2025-10-13x/config"])(
    "outside the version is answered with the platform's place: %s",
    async (path) => {
      const { sim } = world();
      const response = await sim.fetch(new Request(new URL(path, sim.apiUrl)));
      const body = (await response.json()) as { message: string };
      expect(response.status).toBe(404);
      expect(body).toMatchObject({ status: 404, code: "REFERENCE_NOT_FOUND" });
      expect(body.message).toContain("/2025-10-13");
    },
  );

  test.each([
    { asked: "GET /customers", closest: "GET /2025-10-13/customers" },
    { asked: "GET /customers/", closest: "GET /2025-10-13/customers" },
    { asked: "HEAD /customers", closest: "GET /2025-10-13/customers" },
    { asked: "POST /quotes/Quote:1/execute", closest: "POST /2025-10-13/quotes/Quote:1/execute" },
    { asked: "GET /v1/customers", closest: "GET /2025-10-13/customers" },
    { asked: "GET /api/v1/customers", closest: "GET /2025-10-13/customers" },
    { asked: "GET /2025-10-14/customers", closest: "GET /2025-10-13/customers" },
    { asked: "DELETE /config", closest: "GET /2025-10-13/config" },
    { asked: "GET /status", closest: "GET /_sim/status" },
    { asked: "POST /clock/advance", closest: "POST /_sim/clock/advance" },
    { asked: "GET /custmers", closest: "GET /2025-10-13/customers" },
  ])("without the version is answered with the path that has it: $asked", async (row) => {
    const [method = "", path = ""] = row.asked.split(" ");
    const { sim } = world();
    const response = await sim.fetch(new Request(new URL(path, sim.apiUrl), { method }));
    expect(response.status).toBe(404);
    if (method === "HEAD") return;
    const { message, details } = (await response.json()) as ErrorBody;
    expect(message).toMatch(/the platform is under \/2025-10-13, .* The closest one is /);
    expect(message).toContain(`The closest one is ${row.closest}`);
    expect(details).toMatchObject({ closest: row.closest });
  });

  test("that is far from each is answered without a distant operation", async () => {
    const { sim } = world();
    const response = await sim.fetch(new Request(new URL("/wp-login.php", sim.apiUrl)));
    const { message, details } = (await response.json()) as ErrorBody;
    expect(message).toContain("service-sim openapi prints every operation of the platform");
    expect(details).not.toHaveProperty("closest");
  });

  test.each(["/2025-10-13/customers", "/v1/customers"])(
    "with a version twice is answered with the operation: %s",
    async (path) => {
      const answer = await world().call("GET", path);
      expect(answer.body.details).toMatchObject({ closest: "GET /customers" });
    },
  );

  test("is answered without credentials", async () => {
    const { sim } = world();
    const answer = await sim.fetch(new Request(`${sim.apiUrl}/confg`));
    expect(answer.status).toBe(404);
  });
});

describe("a path with an empty segment", () => {
  const asked = OPERATIONS.flatMap(({ method, path, params }) => [
    { method, path: `${path}/` },
    { method, path: `/${path}` },
    ...(params.length === 0 ? [] : [{ method, path: path.replace(/\{\w+\}/, "") }]),
  ]);

  test("is not an operation", () =>
    everyRow(asked, async ({ method, path }) => {
      const answer = await world().call(method, path.replace(/\{\w+\}/g, "x"));
      expectRefused(answer, {
        status: 404,
        code: "REFERENCE_NOT_FOUND",
        reason: "UNKNOWN_OPERATION",
      });
      expect(answer.body.message).toContain("an empty segment of a path matches no operation");
    }));

  test("is answered with the operation most likely meant", async () => {
    const { body } = await world().call("GET", "/transactions/");
    expect(body.message).toBe(
      "There is no operation GET /2025-10-13/transactions/: an empty segment of a path matches no operation; an id may " +
        "be empty. The closest one is GET /2025-10-13/transactions",
    );
  });

  test("is none before the version, either", async () => {
    const { sim } = world();
    const { origin } = new URL(sim.apiUrl);
    for (const path of ["//2025-10-13/config", "//", "/2025-10-13//config", "//_sim/status"])
      expect({ path, status: (await sim.fetch(new Request(origin + path))).status }).toEqual({
        path,
        status: 404,
      });
  });

  test("is none of the control surface", async () => {
    for (const path of ["/status/", "//status", "/webhooks//request", "/why/"])
      expect({ path, status: (await world().control("GET", path)).status }).toEqual({
        path,
        status: 404,
      });
  });
});

describe("a method that a path does not take", () => {
  const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  const paths = [...new Set(OPERATIONS.map(({ path }) => path))];
  const cases = paths.flatMap((path) => {
    const taken = OPERATIONS.filter((one) => one.path === path).map(({ method }) => method);
    const allowed = taken.includes("GET") ? [...taken, "HEAD"] : taken;
    return METHODS.filter((method) => !allowed.includes(method)).map((method) => ({
      method,
      path,
      allowed,
    }));
  });

  test("is refused with the methods it takes", () =>
    everyRow(cases, async ({ method, path, allowed }) => {
      const answer = await world().call(method, path.replace(/\{\w+\}/g, "x"));
      expectRefused(answer, { status: 405, code: "METHOD_NOT_ALLOWED" });
      const allow = (answer.headers.get("allow") ?? "").split(", ");
      expect(allow.sort()).toEqual([...allowed].sort());
    }));

  test("is answered without credentials", async () => {
    const { sim } = world();
    const answer = await sim.fetch(new Request(`${sim.apiUrl}/config`, { method: "DELETE" }));
    expect(answer.status).toBe(405);
  });
});

describe("an id in a path", () => {
  test("is the same raw and percent-encoded", async () => {
    const { call } = world();
    const { customerId, accountId } = await createPayer(world());
    const payee = await createPayee(world(), customerId, "999");
    const { body: quote } = await call("POST", "/quotes", quoteInput(accountId, payee));
    const paths = [
      `/customers/${customerId}`,
      `/customers/external-accounts/${payee}`,
      `/quotes/${quote.id}`,
      `/transactions/${quote.transactionId}`,
    ];
    for (const path of paths) {
      const raw = await call("GET", path);
      expect(raw.status).toBe(200);
      for (const encoded of [path.replace(":", "%3A"), path.replace(":", "%3a")])
        expect((await call("GET", encoded)).body).toEqual(raw.body);
      expect((await call("GET", path.replace(":", "%253A"))).status).toBe(404);
    }
    expect((await call("POST", `/quotes/${quote.id.replace(":", "%3A")}/execute`)).status).toBe(
      200,
    );
  });
});

test("every refusal says in its message what to do next, and carries a request id", async () => {
  const answers = [
    await world().call("GET", "/quotes/none"),
    await world().call("POST", "/quotes", {}),
    await world().call("GET", "/confg"),
  ];
  for (const answer of answers) {
    expectErrorShape(answer);
    expect(answer.headers.get("x-sim-request-id")).toMatch(/^req-\d+-\d+$/);
  }
  expect(answers[0]?.body.message).toBe("No quote none. POST /quotes creates one");
});
