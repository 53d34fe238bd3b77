import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { WORLD_HEADER } from "../../src/contract/control/world-header.ts";
import { keepAllHeaders, withAllHeaders } from "../../src/http/sockets/http-server.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { exchange } from "./setup/raw-socket.ts";

const world = worldPerTest();

/** Header lines that fill a head up: `exchange` adds two of its own. */
const lines = (count: number) => Array.from({ length: count - 2 }, () => "a:b");

const TOO_MANY =
  '{"status":431,"code":"HEADERS_TOO_LARGE","message":"The request has more than 2,000 headers"}';

const ORIGIN = "origin: http://evil.example";

// spec/errors.md#malformed-requests
test.each([
  { count: 1_999, behind: ORIGIN, status: 403, says: "ORIGIN_NOT_ALLOWED" },
  { count: 2_000, behind: ORIGIN, status: 431, says: "HEADERS_TOO_LARGE" },
  { count: 4_000, behind: ORIGIN, status: 431, says: "HEADERS_TOO_LARGE" },
  { count: 1_999, behind: `${WORLD_HEADER}: nowhere`, status: 404, says: "WORLD_NOT_FOUND" },
  { count: 2_000, behind: `${WORLD_HEADER}: nowhere`, status: 431, says: "HEADERS_TOO_LARGE" },
])("behind $count headers $behind is $status $says", async ({ count, behind, status, says }) => {
  const { port } = await world().sim.listen();
  const headers = [...lines(count), behind];
  const answer = await exchange(port, { target: "/_sim/status", headers });
  expect({ status: answer.status, says: answer.body }).toEqual({
    status,
    says: expect.stringContaining(says),
  });
});

test("a request with too many is told in JSON, whatever its method and body", async () => {
  const { port } = await world().sim.listen();
  const headers = [...lines(2_000), "content-length: 3"];
  for (const method of ["GET", "POST", "HEAD", "OPTIONS"]) {
    const answer = await exchange(port, { method, target: "/quotes", headers, body: "abc" });
    expect({ method, status: answer.status, body: answer.body }).toEqual({
      method,
      status: 431,
      body: method === "HEAD" ? "" : TOO_MANY,
    });
  }
});

test("values of a repeated header are joined: none stands for all of them", async () => {
  const { port } = await world().sim.listen();
  const statusOf = async (...headers: string[]) =>
    (await exchange(port, { target: "/_sim/status", headers })).status;
  expect(await statusOf("origin: http://127.0.0.1", ORIGIN)).toBe(403);
  expect(await statusOf("host: evil.example")).toBe(403);
  expect(await statusOf("sec-fetch-site: same-origin", "sec-fetch-site: cross-site")).toBe(403);
});

test("any server of ours hands on all headers, or answers 431, whatever Node.js was told", async () => {
  const seen: number[] = [];
  const listener = withAllHeaders(({ rawHeaders }, answer) => {
    seen.push(rawHeaders.length / 2);
    answer.end();
  });
  const server = keepAllHeaders(createServer({ maxHeaderSize: 100_000 }, listener));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const statusOf = async (headers: string[]) =>
    (await exchange(port, { target: "/", headers })).status;
  expect(await statusOf(lines(2_000))).toBe(200);
  expect(await statusOf(lines(2_001))).toBe(431);
  expect(await statusOf([`a: ${"b".repeat(16_384)}`])).toBe(431);
  expect(seen).toEqual([2_000]);
});
