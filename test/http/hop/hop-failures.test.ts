import { createServer, type Server, Socket } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { readBytes } from "../../../src/http/body/request-body.ts";
import { hopBodyOf } from "../../../src/http/hop/hop-body.ts";
import { HopClient, type HopResult } from "../../../src/http/hop/hop-client.ts";
import { misdirectedReply } from "../../../src/http/hop/misdirected.ts";
import type { HttpRequest } from "../../../src/http/message/http-request.ts";
import type { WholeReply } from "../../../src/http/message/reply.ts";
import { bytesOf, exchange, RawSocket } from "../setup/raw-socket.ts";
import { KEY, TwoProcesses } from "./setup/two-processes.ts";

let both: TwoProcesses | undefined;

afterEach(async () => {
  await both?.close();
  both = undefined;
});

const start = async (answer: Parameters<typeof TwoProcesses.start>[0]) => {
  both = await TwoProcesses.start(answer);
  return both;
};

const DONE: WholeReply = { status: 200, headers: { date: "then" }, text: "done" };
const DONE_BYTES = "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\ndone";

/** A process made of bytes: what it does with the n-th request, over all connections. */
const bytePeer = (react: (socket: Socket, nth: number, text: string) => void): Server => {
  let count = 0;
  return createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (bytes) => react(socket, ++count, `${bytes}`));
  });
};

const settled = async (both: TwoProcesses, method = "GET", body = "") => {
  const headers = body === "" ? [] : [`content-length: ${body.length}`];
  await exchange(both.port, { method, target: "/a", headers, body });
  return both.results.at(-1);
};

describe("a process is gone (spec/store.md#hops)", () => {
  test("a refused connection: the request did not arrive", async () => {
    const both = await start(() => DONE);
    both.kill();
    expect(await settled(both, "POST", "x")).toEqual({
      kind: "gone",
      mayHaveArrived: false,
      why: `connect ECONNREFUSED ${both.peer}`,
    });
  });

  test("a large body of which nothing was sent can be read here", async () => {
    const both = await start(() => DONE);
    both.kill();
    let isRepeatable: boolean | undefined;
    let length = 0;
    both.before = async (request) => {
      const body = await hopBodyOf(request);
      const result = await both.client.send(request, { id: "sim-2", peer: both.peer }, body);
      both.results.push(result);
      isRepeatable = body.isRepeatable;
      for await (const chunk of request.body ?? []) length += chunk.length;
    };
    await settled(both, "POST", "x".repeat(100_000));
    expect(both.results[0]).toMatchObject({ kind: "gone", mayHaveArrived: false });
    expect({ isRepeatable, length }).toEqual({ isRepeatable: true, length: 100_000 });
  });

  test.each(["", "host", "::1:80", "127.0.0.1"])("the address %j is refused", async (peer) => {
    const both = await start(() => DONE);
    both.peer = peer;
    expect(await settled(both)).toEqual({
      kind: "gone",
      mayHaveArrived: false,
      why: `its address ${peer} is not host:port`,
    });
  });

  test("a small body can be read here, also after it was sent", async () => {
    const both = await start(bytePeer((socket) => socket.resetAndDestroy()));
    let text: string | undefined;
    both.before = async (request) => {
      await both.pass(request);
      text = (await readBytes(request, 100))?.toString();
    };
    expect(await settled(both, "POST", "kept")).toMatchObject({ kind: "gone" });
    expect(text).toBe("kept");
  });

  test("a process that takes no connection: after 1 s the request did not arrive", async () => {
    const connect = vi.spyOn(Socket.prototype, "connect").mockImplementation(function (
      this: Socket,
    ) {
      return Object.assign(this, { connecting: true });
    });
    const client = new HopClient({ from: "sim-1", key: KEY });
    const request: HttpRequest = new Request("http://127.0.0.1/a");
    const body = await hopBodyOf(request);
    const result = await client.send(request, { id: "sim-2", peer: "127.0.0.1:1" }, body);
    connect.mockRestore();
    client.close();
    expect(result).toEqual({
      kind: "gone",
      mayHaveArrived: false,
      why: "no connection within 1000 ms",
    });
  });

  test.each([
    { method: "GET", body: "" },
    { method: "POST", body: "x" },
    { method: "POST", body: "x".repeat(100_000) },
  ])("one that ends before the head of its answer: $method may have arrived", async (row) => {
    const both = await start(bytePeer((socket) => socket.resetAndDestroy()));
    const result = (await settled(both, row.method, row.body)) as HopResult;
    expect(result).toMatchObject({ kind: "gone", mayHaveArrived: true });
    expect(both.taken.length).toBe(1);
  });

  test("one that ends without a word: the request may have arrived", async () => {
    const both = await start(bytePeer((socket) => socket.end()));
    expect(await settled(both)).toEqual({
      kind: "gone",
      mayHaveArrived: true,
      why: "socket hang up",
    });
  });

  test("one that does not speak HTTP: the request may have arrived", async () => {
    const both = await start(bytePeer((socket) => socket.end("SSH-2.0\r\n")));
    expect(await settled(both)).toMatchObject({ kind: "gone", mayHaveArrived: true });
  });

  test.each([
    { how: "resets it", end: (socket: Socket) => socket.resetAndDestroy() },
    { how: "closes it", end: (socket: Socket) => socket.destroySoon() },
  ])("one that ends within its answer and $how: the answer breaks off", async ({ end }) => {
    const head = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n";
    const both = await start(bytePeer((socket) => socket.write(`${head}first`)));
    const socket = new RawSocket(both.port);
    socket.write(bytesOf({ target: "/a", headers: ["host: a"] }));
    await socket.until(/first$/);
    for (const taken of both.taken) end(taken);
    expect(await socket.closed()).toMatch(
      /^HTTP\/1\.1 200 OK\r\ncontent-length: 100\r\n[\s\S]*\r\n\r\nfirst$/,
    );
  });

  test("a head comes before the body that follows it", async () => {
    const head = "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n";
    const both = await start(bytePeer((socket) => socket.write(head)));
    const socket = new RawSocket(both.port);
    socket.write(bytesOf({ target: "/a", headers: ["host: a", "connection: close"] }));
    await socket.until(/\r\n\r\n$/);
    both.taken[0]?.write("late");
    expect(await socket.closed()).toMatch(/\r\n\r\nlate$/);
  });

  test("a wait for its answer can be ended", async () => {
    const both = await start(bytePeer(() => stop.abort()));
    const stop = new AbortController();
    const request: HttpRequest = new Request("http://127.0.0.1/a");
    const to = { id: "sim-2", peer: both.peer, signal: stop.signal };
    expect(await both.client.send(request, to, await hopBodyOf(request))).toEqual({
      kind: "gone",
      mayHaveArrived: true,
      why: "the wait for its answer was ended",
    });
  });
});

describe("a kept connection that its other end has closed (spec/store.md#hops)", () => {
  const stale = () =>
    start(
      bytePeer((socket, nth) => (nth === 2 ? socket.resetAndDestroy() : socket.write(DONE_BYTES))),
    );

  test.each(["GET", "HEAD"])("%s is sent once more, over a new one", async (method) => {
    const both = await stale();
    expect(await settled(both)).toMatchObject({ kind: "reply" });
    expect(await settled(both, method)).toMatchObject({ kind: "reply", reply: { status: 200 } });
    expect(both.taken.length).toBe(2);
  });

  test.each(["POST", "PATCH", "DELETE"])("%s is not: it may have arrived", async (method) => {
    const both = await stale();
    await settled(both);
    expect(await settled(both, method)).toMatchObject({ kind: "gone", mayHaveArrived: true });
    expect(both.taken.length).toBe(1);
  });

  test("the new one is none of those that are kept", async () => {
    const first: Socket[] = [];
    const asked = new Map<Socket, number>();
    const both = await start(
      bytePeer((socket) => {
        asked.set(socket, (asked.get(socket) ?? 0) + 1);
        if (asked.get(socket) === 2) return socket.resetAndDestroy();
        if (first.length === 2) return socket.write(DONE_BYTES);
        first.push(socket);
        if (first.length === 2) for (const one of first) one.write(DONE_BYTES);
      }),
    );
    await Promise.all([settled(both), settled(both)]);
    expect(await settled(both)).toMatchObject({ kind: "reply", reply: { status: 200 } });
    expect(both.taken.length).toBe(3);
  });

  test("a process that ends both times is gone", async () => {
    const both = await start(
      bytePeer((socket, nth) => (nth > 1 ? socket.resetAndDestroy() : socket.write(DONE_BYTES))),
    );
    await settled(both);
    expect(await settled(both)).toMatchObject({ kind: "gone", mayHaveArrived: true });
    expect(both.taken.length).toBe(2);
  });

  test("one that was seen to close is not used", async () => {
    const both = await start(bytePeer((socket) => socket.end(DONE_BYTES)));
    await settled(both);
    expect(await settled(both, "POST", "x")).toMatchObject({ kind: "reply" });
    expect(both.taken.length).toBe(2);
  });
});

describe("a process that does not serve the world (spec/store.md#hops)", () => {
  test.each([
    {
      owner: { id: "sim-3", peer: "10.0.0.7:4748" },
      header: "sim-3 10.0.0.7:4748",
      result: { kind: "misdirected", owner: { id: "sim-3", peer: "10.0.0.7:4748" } },
    },
    {
      owner: { id: "sim-3" },
      header: "sim-3",
      result: { kind: "misdirected", owner: { id: "sim-3" } },
    },
    { owner: undefined, header: "-", result: { kind: "misdirected" } },
  ])("says $header", async ({ owner, header, result }) => {
    expect(misdirectedReply(owner)).toEqual({
      status: 421,
      headers: { "x-sim-served-by": header },
    });
    const both = await start(() => misdirectedReply(owner));
    expect(await settled(both)).toEqual(result);
    expect(await settled(both, "POST", "x".repeat(70_000))).toEqual(result);
    expect(both.taken.length).toBe(1);
  });

  test("a 421 without the header is an answer", async () => {
    const both = await start(() => ({ status: 421, headers: { date: "then" }, text: "no" }));
    expect(await settled(both)).toEqual({
      kind: "reply",
      reply: { status: 421, headers: { date: "then" }, text: "no" },
    });
  });
});
