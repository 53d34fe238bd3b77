import { describe, expect, test } from "vitest";
import { fingerprintOf, OPERATIONS, type Operation } from "../api/setup/every-operation.ts";
import { headersOf, knownPath } from "../api/setup/populated.ts";
import { NEEDED_QUERIES } from "../api/setup/populated-wallets.ts";
import { BASE, lasting, rawPlatform } from "./setup/raw-platform.ts";
import { bytesOf, exchange, RawSocket } from "./setup/raw-socket.ts";

const platform = rawPlatform();
const { ask, ids, world } = platform;

const READS = OPERATIONS.filter(({ method }) => method === "GET");

/** An operation's answer to a method, asked by its own caller. */
const read = (one: Operation, method: string) => {
  const { authorization } = headersOf(one, ids());
  const caller = authorization ? `authorization: ${authorization}` : platform.authorization();
  const query = NEEDED_QUERIES[one.operationId]?.(ids());
  const target = BASE + knownPath(one, ids()) + (query === undefined ? "" : `?${query}`);
  return exchange(platform.port(), { method, target, headers: [caller] });
};

const expectSameHead = async (asked: (method: string) => ReturnType<typeof ask>) => {
  const [get, head] = [await asked("GET"), await asked("HEAD")];
  expect(head.body).toBe("");
  expect({ status: head.status, headers: lasting(head) }).toEqual({
    status: get.status,
    headers: lasting(get),
  });
  return { get, head };
};

// spec/errors.md#head
describe("HEAD is GET without the body", () => {
  test.each(READS)("$path", async (one) => {
    const { get, head } = await expectSameHead((method) => read(one, method));
    expect(Number(head.headers["content-length"])).toBe(Buffer.byteLength(get.body, "latin1"));
  });

  test.each([
    { target: "/quotes/Quote:none", status: 404 },
    { target: "/quotes", status: 405 },
    { target: "/quotes/Quote:none/execute", status: 405 },
    { target: "/confg", status: 404 },
    { target: "/quotes//x", status: 404 },
    { target: "/quotes/%zz", status: 400 },
    { target: "/customers?limit=0", status: 400 },
    { target: "/customers?limit=1", status: 200 },
  ])("$target is $status", async ({ target, status }) => {
    const { head } = await expectSameHead((method) => ask(target, { method }));
    expect(head.status).toBe(status);
  });

  test.each([
    { target: "/", status: 200 },
    { target: "/", status: 302, headers: ["accept: text/html"] },
    { target: "/_sim", status: 302, headers: ["accept: text/html"] },
    { target: "/_sim/", status: 200 },
    { target: "/favicon.ico", status: 200 },
    { target: "/_sim/live", status: 200 },
    { target: "/_sim/ready", status: 200 },
    { target: "/_sim/clock", status: 200 },
    { target: "/_sim/worlds", status: 200 },
    { target: "/_sim/requests?limit=1&status=418", status: 200 },
    { target: "/_sim/webhooks/key", status: 200 },
    { target: "/_sim/ledger", status: 200 },
    { target: "/_sim/faults", status: 200 },
    { target: "/_sim/outcomes", status: 200 },
    { target: "/_sim/oidc/jwks", status: 200 },
    { target: "/_sim/openapi.json", status: 200 },
    { target: "/_sim/docs", status: 200 },
    { target: "/_sim/docs/spec/errors", status: 200 },
    { target: "/_sim/requests/req-none", status: 404 },
    { target: "/_sim/nothing", status: 404 },
    { target: "/_sim/clock/advance", status: 405 },
    { target: "/_sim/clock", status: 403, headers: ["origin: http://a.example"] },
    { target: "/nothing", status: 404 },
  ])("$target is $status", async ({ target, status, headers = [] }) => {
    const { head } = await expectSameHead((method) =>
      exchange(platform.port(), { method, target, headers }),
    );
    expect(head.status).toBe(status);
  });

  test("also of the page behind a KYC link", async () => {
    const link = `/customers/${ids().customerId}/kyc-link`;
    const { kycUrl } = JSON.parse((await ask(link, { method: "POST" })).body);
    const target = new URL(kycUrl).pathname;
    const { head } = await expectSameHead((method) =>
      exchange(platform.port(), { method, target }),
    );
    expect(head.status).toBe(200);
  });

  test("a stream is not opened", async () => {
    const request = { method: "HEAD", target: "/_sim/events" };
    const head = await exchange(platform.port(), request);
    expect([head.status, head.body, head.headers["content-type"]]).toEqual([
      200,
      "",
      "text/event-stream",
    ]);
    expect(head.headers["content-length"]).toBeUndefined();
  });

  test("behind it on a connection comes the next answer", async () => {
    const socket = new RawSocket(platform.port());
    const lines = ["host: a", platform.authorization()];
    const target = `${BASE}/config`;
    socket.write(bytesOf({ method: "HEAD", target, headers: lines }));
    socket.write(bytesOf({ target, headers: [...lines, "connection: close"] }));
    const [head, next, body] = (await socket.closed()).split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(next).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(body).toContain('"umaDomain"');
  });

  test("also in this process", async () => {
    const { sim } = world();
    for (const url of [`${sim.apiUrl}/confg`, `${sim.controlUrl}/clock`, `${sim.apiUrl}/%zz`]) {
      const [get, head] = await Promise.all(
        ["GET", "HEAD"].map((method) => sim.fetch(new Request(url, { method }))),
      );
      const whole = (await get?.text()) ?? "";
      expect([head?.status, await head?.text()]).toEqual([get?.status, ""]);
      expect(head?.headers.get("content-length")).toBe(`${Buffer.byteLength(whole)}`);
    }
  });
});

test("the methods of a path name HEAD beside GET", async () => {
  for (const [target, allow] of [
    ["/config", "GET, HEAD, PATCH"],
    ["/quotes", "POST"],
    ["/exchange-rates", "GET, HEAD"],
  ] as const) {
    const answer = await ask(target, { method: "DELETE" });
    expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
    expect(JSON.parse(answer.body).details.allow).toBe(allow);
  }
});

describe("HEAD does what GET does", () => {
  test("to the records: every operation of GET once", async () => {
    const before = await fingerprintOf(world());
    for (const one of READS.filter(({ operationId }) => !operationId.startsWith("lookUp")))
      await read(one, "HEAD");
    expect(await fingerprintOf(world())).toEqual(before);
  });

  test("for a lookup, which is kept", async () => {
    const target = "/receiver/uma/$success.mxn@sandbox.uma.test";
    const { records } = await fingerprintOf(world());
    expect((await ask(target, { method: "HEAD" })).status).toBe(200);
    const after = await fingerprintOf(world());
    expect((await ask(target)).status).toBe(200);
    const { records: last } = await fingerprintOf(world());
    expect([after.records - records, last - after.records]).toEqual([1, 1]);
  });

  test("in the log, which has its method and the operation", async () => {
    const { headers } = await ask("/config", { method: "HEAD" });
    const id = headers["x-sim-request-id"];
    const { body } = await world().control("GET", `/requests/${id}`);
    expect(body).toMatchObject({ method: "HEAD", operation: "getConfig", status: 200 });
  });

  test("under a fault of the operation", async () => {
    const fault = { status: 503, cutAfterBytes: 3 };
    const match = { path: "GET /config", times: 1 };
    await world().control("POST", "/faults", { match, fault });
    const struck = await ask("/config", { method: "HEAD" });
    expect([struck.status, struck.headers["retry-after-ms"], struck.body]).toEqual([
      503,
      "1000",
      "",
    ]);
    expect((await ask("/config", { method: "HEAD" })).status).toBe(200);
  });

  test("for the rate limit and the credentials", async () => {
    await world().control("PUT", "/rate-limit", { limit: "1/m" });
    expect((await ask("/config", { method: "HEAD" })).status).toBe(200);
    expect((await ask("/config", { method: "HEAD" })).status).toBe(429);
    const unknown = await exchange(platform.port(), { method: "HEAD", target: `${BASE}/config` });
    expect(unknown.status).toBe(401);
  });
});
