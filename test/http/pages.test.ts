import { afterEach, describe, expect, test } from "vitest";
import { createSimulator, OptionError } from "../../src/simulator.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { exchange } from "./setup/raw-socket.ts";

const PAGE = "http://localhost:5173";
const APP = "capacitor://localhost";

let world: TestSimulator;

afterEach(() => world.sim.close());

const start = async (options: object = { allowOrigins: [PAGE, APP] }) => {
  world = await startTestSimulator(options);
  const { port } = await world.sim.listen();
  return port;
};

const preflight = (origin: string, ...others: string[]) => ({
  method: "OPTIONS",
  headers: [
    `origin: ${origin}`,
    "access-control-request-method: POST",
    "access-control-request-headers: authorization,content-type,idempotency-key",
    ...others,
  ],
});

/** Headers of an answer that are about pages. */
const aboutPages = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => /^access-control-|^vary$/.test(name)),
  );

const ALLOWED = {
  "access-control-allow-origin": PAGE,
  "access-control-expose-headers":
    "date, retry-after, retry-after-ms, x-should-retry, x-sim-request-id, x-sim-rule",
  vary: "origin",
};

// spec/errors.md#pages
describe("a page of an allowed origin", () => {
  test.each(["/customers", "/quotes/Quote:1/execute", "/no-such-path", "/config"])(
    "has its preflight answered at %s",
    async (path) => {
      const port = await start();
      const answer = await exchange(port, { target: `/2025-10-13${path}`, ...preflight(PAGE) });
      expect(answer.status).toBe(204);
      expect(answer.body).toBe("");
      expect(aboutPages(answer.headers)).toEqual({
        "access-control-allow-origin": PAGE,
        "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
        "access-control-allow-headers": "authorization,content-type,idempotency-key",
        "access-control-max-age": "600",
        vary: "origin, access-control-request-headers",
      });
      expect((await world.control("GET", "/requests")).body.data).toEqual([]);
    },
  );

  test("may be that of an app, and on a private network", async () => {
    const port = await start();
    const asked = preflight(APP, "access-control-request-private-network: true");
    const answer = await exchange(port, { target: "/2025-10-13/config", ...asked });
    expect(aboutPages(answer.headers)).toMatchObject({
      "access-control-allow-origin": APP,
      "access-control-allow-private-network": "true",
    });
  });

  test("reads every answer, errors too", async () => {
    const port = await start();
    const { sim } = world;
    const own = `authorization: Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`;
    const of = async (target: string, request: { method?: string; headers?: string[] } = {}) => {
      const headers = [`origin: ${PAGE}`, ...(request.headers ?? [own])];
      const answer = await exchange(port, { ...request, target, headers });
      expect(aboutPages(answer.headers)).toEqual(ALLOWED);
      return answer.status;
    };
    expect(await of("/2025-10-13/config")).toBe(200);
    expect(await of("/2025-10-13/config", { method: "HEAD" })).toBe(200);
    expect(await of("/2025-10-13/config", { headers: [] })).toBe(401);
    expect(await of("/2025-10-13/customers?limit=x")).toBe(400);
    expect(await of("/2025-10-13/quotes/none")).toBe(404);
    expect(await of("/2025-10-13/nowhere")).toBe(404);
    expect(await of("/customers")).toBe(404);
    expect(await of("/2025-10-13/config", { method: "DELETE" })).toBe(405);
    expect(await of("/2025-10-13/config", { method: "OPTIONS" })).toBe(405);
    await world.control("POST", "/faults", {
      match: { operation: "getConfig" },
      fault: { status: 503 },
    });
    expect(await of("/2025-10-13/config")).toBe(503);
  });

  test("does not reach the control surface", async () => {
    const port = await start();
    const targets = [
      "/_sim/status",
      "/_sim/reset",
      "/_sim",
      "/2025-10-13/../_sim/status",
      "/%5fsim/status",
      "//_sim/status",
    ];
    for (const target of targets) {
      const asked = await exchange(port, { target, ...preflight(PAGE) });
      const called = await exchange(port, { target, headers: [`origin: ${PAGE}`] });
      const named = (answer: typeof asked) => answer.headers["access-control-allow-origin"];
      if (target === "//_sim/status") expect(called.status).toBe(404);
      else expect([target, named(asked), named(called)]).toEqual([target, undefined, undefined]);
      expect([target, called.body.includes("journalBytes")]).toEqual([target, false]);
    }
    const status = await exchange(port, {
      target: "/_sim/status",
      headers: [`origin: ${PAGE}`],
    });
    expect([status.status, JSON.parse(status.body).error.code]).toEqual([
      403,
      "ORIGIN_NOT_ALLOWED",
    ]);
  });
});

describe("another page", () => {
  test.each([
    "http://localhost:5174",
    "https://localhost:5173",
    "http://localhost:5173.evil.example",
    "http://evil.example",
    "null",
    `${PAGE}, http://evil.example`,
    "HTTP://LOCALHOST:5173",
  ])("of %s is told nothing", async (origin) => {
    const port = await start();
    const asked = await exchange(port, { target: "/2025-10-13/config", ...preflight(origin) });
    expect([asked.status, aboutPages(asked.headers)]).toEqual([405, { vary: "origin" }]);
    const headers = [`origin: ${origin}`];
    const called = await exchange(port, { target: "/2025-10-13/config", headers });
    expect(aboutPages(called.headers)).toEqual({ vary: "origin" });
  });

  test("is told of the option by the 405, with its origin", async () => {
    const port = await start({});
    const answer = await exchange(port, { target: "/2025-10-13/customers", ...preflight(PAGE) });
    const { code, message } = JSON.parse(answer.body);
    expect([answer.status, code, aboutPages(answer.headers)]).toEqual([
      405,
      "METHOD_NOT_ALLOWED",
      {},
    ]);
    expect(message).toBe(
      "/customers does not take OPTIONS. Use POST, GET, HEAD; pages of http://localhost:5173 " +
        "may call once it is started with --allow-origin http://localhost:5173",
    );
    const odd = await exchange(port, { target: "/2025-10-13/customers", ...preflight("null") });
    expect(JSON.parse(odd.body).message).toContain("--allow-origin <origin>");
  });
});

test.each([
  "*",
  "null",
  "http://localhost:5173/",
  "localhost:5173",
  "http://a.test/x",
  "http://A.test",
  "http://a.test:80",
  "",
  "https://u@a.test",
])("the origin %j is refused at start", async (origin) => {
  world = await startTestSimulator();
  const error = await createSimulator({ allowOrigins: [origin] }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(OptionError);
  expect(error.message).toBe(
    "Expected allowOrigins to be an origin like http://localhost:5173, without a path, " +
      `but found "${origin}"`,
  );
});
