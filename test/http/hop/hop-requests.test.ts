import { afterEach, expect, test } from "vitest";
import { readBytes } from "../../../src/http/body/request-body.ts";
import { hopBodyOf } from "../../../src/http/hop/hop-body.ts";
import { hopOf, isHop } from "../../../src/http/hop/hop-server.ts";
import type { HttpRequest, SocketRequest } from "../../../src/http/message/http-request.ts";
import { addressOf } from "../../../src/http/message/request-url.ts";
import { bytesOf, exchange, RawSocket } from "../setup/raw-socket.ts";
import { TwoProcesses } from "./setup/two-processes.ts";

let both: TwoProcesses | undefined;

afterEach(async () => {
  await both?.close();
  both = undefined;
});

const MEBIBYTE = 1024 * 1024;

interface Seen {
  request: SocketRequest;
  origin: string;
  headers: [string, string][];
  body: Buffer | undefined;
}

/** Starts an owner that answers "done", and keeps what it sees. */
const watched = async () => {
  const seen: Seen[] = [];
  const started = await TwoProcesses.start(async (request) => {
    const address = addressOf(request);
    seen.push({
      request: request as SocketRequest,
      origin: typeof address === "string" ? address : address.origin,
      headers: [...request.headers],
      body: await readBytes(request, 2 * MEBIBYTE),
    });
    return { status: 200, headers: { "content-type": "text/plain", date: "then" }, text: "done" };
  });
  both = started;
  return { both: started, seen };
};

// spec/store.md#hops
test("headers arrive as they were sent, but for those of one connection", async () => {
  const { both, seen } = await watched();
  const socket = new RawSocket(both.port);
  const headers = [
    "Host: pay.example:8443",
    "X-Twice: one",
    "Connection: close, X-Kept",
    "x-twice: two",
    "X-Kept: yes",
    "Keep-Alive: timeout=5",
    "TE: trailers",
    "Upgrade: h2c",
    "Expect: 100-continue",
    "X-Sim-Hop: sim-9 https 10.0.0.1 forged",
    "X-Latin: \u00e9",
    "X-Empty:",
  ];
  socket.write(bytesOf({ target: "/quotes/a%20b?limit=1&limit=2", headers }));
  expect(await socket.closed()).toContain("\r\n\r\ndone");
  const [one] = seen;
  expect(one?.request.target).toBe("/quotes/a%20b?limit=1&limit=2");
  expect(one?.request.incoming.rawHeaders.slice(0, 10)).toEqual([
    ...["Host", "pay.example:8443"],
    ...["X-Twice", "one"],
    ...["x-twice", "two"],
    ...["X-Kept", "yes"],
    ...["X-Latin", "\u00e9"],
  ]);
  expect(one?.headers).toEqual([
    ["connection", "keep-alive"],
    ["host", "pay.example:8443"],
    ["x-empty", ""],
    ["x-kept", "yes"],
    ["x-latin", "\u00e9"],
    ["x-twice", "one, two"],
  ]);
});

test.each([
  { what: "a host", headers: ["Host: pay.example"], origin: "http://pay.example" },
  { what: "a port", headers: ["Host: pay.example:81"], origin: "http://pay.example:81" },
  { what: "an empty host", headers: ["Host:"], origin: undefined },
  { what: "no host", version: "1.0", headers: [], origin: undefined },
])("the origin of a client with $what is what the first process saw", async (row) => {
  const { both, seen } = await watched();
  const socket = new RawSocket(both.port);
  const { version = "1.1", headers, origin } = row;
  const text = bytesOf({ target: "/a", headers: [...headers, "connection: close"] });
  socket.write(text.replace("HTTP/1.1", `HTTP/${version}`));
  await socket.closed();
  expect(seen[0]?.origin).toBe(origin ?? `http://127.0.0.1:${both.port}`);
});

test.each(["*", "http://other.example/config?x=1"])("the target %s stays", async (target) => {
  const { both, seen } = await watched();
  const answer = await exchange(both.port, { method: "OPTIONS", target });
  expect(answer).toMatchObject({ status: 200, body: "done" });
  expect(seen[0]?.request.target).toBe(target);
});

test("the request is marked, with the process and the address that it came from", async () => {
  const { both, seen } = await watched();
  let own: HttpRequest | undefined;
  both.before = async (request) => {
    own = request;
  };
  await exchange(both.port, { target: "/a" });
  const { request } = seen[0] as Seen;
  expect(isHop(request)).toBe(true);
  expect(hopOf(request)).toEqual({ from: "sim-1", scheme: "http", caller: "127.0.0.1" });
  expect(isHop(own as HttpRequest)).toBe(false);
  expect(hopOf(own as HttpRequest)).toBeUndefined();
});

test.each([
  { method: "POST", size: 0, length: "0" },
  { method: "DELETE", size: 0, length: undefined },
  { method: "GET", size: 5, length: "5" },
  { method: "POST", size: 3_000, length: "3000" },
  { method: "PATCH", size: 65_536, length: "65536" },
  { method: "POST", size: 65_537, length: "65537" },
  { method: "POST", size: MEBIBYTE, length: "1048576" },
])("$size bytes of a $method arrive as they are", async ({ method, size, length }) => {
  const { both, seen } = await watched();
  const body = Buffer.from(Array.from({ length: size }, (_, at) => (at * 7 + (at >> 8)) % 256));
  const headers = size > 0 ? [`content-length: ${size}`] : [];
  const request = { method, target: "/files", headers, body: body.toString("latin1") };
  expect(await exchange(both.port, request)).toMatchObject({ status: 200, body: "done" });
  const [one] = seen;
  expect(one?.body?.equals(body)).toBe(true);
  expect(one?.request.headers.get("content-length") ?? undefined).toBe(length);
  expect(one?.request.headers.get("transfer-encoding")).toBe(null);
});

test.each([3, 70_000])("a body of chunks with %i bytes stays one of chunks", async (size) => {
  const { both, seen } = await watched();
  const text = "z".repeat(size);
  const answer = await exchange(both.port, {
    method: "POST",
    target: "/a",
    headers: ["transfer-encoding: chunked"],
    body: `${size.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
  });
  expect(answer).toMatchObject({ status: 200, body: "done" });
  expect(seen[0]?.body?.toString()).toBe(text);
  expect(seen[0]?.request.headers.get("transfer-encoding")).toBe("chunked");
});

test("a large body streams: its first part is there before its last one was sent", async () => {
  let length = 0;
  let tell: (() => void) | undefined;
  both = await TwoProcesses.start(async (request) => {
    for await (const chunk of request.body ?? []) {
      length += chunk.length;
      if (length >= 100_000) tell?.();
    }
    return { status: 200, headers: {}, text: `${length}` };
  });
  const firstPart = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const socket = new RawSocket(both.port);
  const headers = ["host: a", "connection: close", "content-length: 200000"];
  socket.write(bytesOf({ method: "POST", target: "/files", headers, body: "x".repeat(100_000) }));
  await firstPart;
  expect(length).toBe(100_000);
  socket.write("y".repeat(100_000));
  expect(await socket.closed()).toMatch(/\r\n\r\n200000$/);
});

test.each([12, 900_000])("a body of %i bytes that the door has read goes on", async (size) => {
  const { both, seen } = await watched();
  both.before = (request) => readBytes(request, MEBIBYTE);
  const answer = await exchange(both.port, {
    method: "POST",
    target: "/worlds",
    headers: [`content-length: ${size}`],
    body: "b".repeat(size),
  });
  expect(answer).toMatchObject({ status: 200, body: "done" });
  expect(seen[0]?.body?.toString()).toBe("b".repeat(size));
});

test("a large body that the door has read and not kept is told of, not waited for", async () => {
  const { both, seen } = await watched();
  let problem: unknown;
  both.before = async (request) => {
    await readBytes(request, 2 * MEBIBYTE);
    await hopBodyOf(request).catch((error: unknown) => {
      problem = error;
    });
    throw problem;
  };
  const size = MEBIBYTE + 1;
  const socket = new RawSocket(both.port);
  const headers = ["host: a", `content-length: ${size}`];
  socket.write(bytesOf({ method: "POST", target: "/files", headers, body: "b".repeat(size) }));
  expect(await socket.closed()).toBe("");
  expect(problem).toEqual(new Error("The body was read and not kept"));
  expect(seen).toEqual([]);
});

test("a body that breaks off is refused as it is without a hop", async () => {
  const { both, seen } = await watched();
  let problem: unknown;
  both.before = (request) =>
    hopBodyOf(request).catch((error: unknown) => {
      problem = error;
    });
  const socket = new RawSocket(both.port);
  const headers = ["host: a", "content-length: 10"];
  socket.write(bytesOf({ method: "POST", target: "/a", headers, body: "half" }));
  await expect.poll(() => both.clients.length).toBe(1);
  socket.destroy();
  await expect.poll(() => problem).toMatchObject({ word: "INVALID_REQUEST_FORMAT" });
  expect(seen).toEqual([]);
});

test("a caller within the first process is passed on too", async () => {
  const { both, seen } = await watched();
  const result = await both.pass(
    new Request("https://pay.example/quotes?limit=3", { method: "POST", body: '{"a":1}' }),
  );
  expect(result).toEqual({
    kind: "reply",
    reply: { status: 200, headers: { "content-type": "text/plain", date: "then" }, text: "done" },
  });
  const { request, origin, body } = seen[0] as Seen;
  expect(request.target).toBe("/quotes?limit=3");
  expect(origin).toBe("https://pay.example");
  expect(hopOf(request)).toEqual({ from: "sim-1", scheme: "https", caller: "-" });
  expect(body?.toString()).toBe('{"a":1}');
  expect(request.headers.get("content-length")).toBe("7");
});

test("requests share a kept connection", async () => {
  const { both, seen } = await watched();
  for (const target of ["/a", "/b", "/c"]) await exchange(both.port, { target });
  expect(seen.map(({ request }) => request.target)).toEqual(["/a", "/b", "/c"]);
  expect(both.taken.length).toBe(1);
});

test("a head as large as a client may send is passed on", async () => {
  const { both, seen } = await watched();
  // With host and connection 2,000 headers, and with the target some 16,350 bytes.
  const many = Array.from({ length: 1_998 }, (_, at) => `x${at}:`);
  const answer = await exchange(both.port, { target: `/${"a".repeat(7_440)}`, headers: many });
  expect(answer.status).toBe(200);
  expect(seen[0]?.headers.length).toBe(2_000);
});
