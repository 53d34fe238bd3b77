import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import type { WholeReply } from "../../../src/http/message/reply.ts";
import { nextTurn } from "../../../src/machine/host-time.ts";
import { bytesOf, exchange, RawSocket } from "../setup/raw-socket.ts";
import { TwoProcesses } from "./setup/two-processes.ts";

let both: TwoProcesses | undefined;

afterEach(async () => {
  await both?.close();
  both = undefined;
});

const start = async (reply: WholeReply) => {
  both = await TwoProcesses.start(() => reply);
  return both;
};

const MEBIBYTE = 1024 * 1024;

const streamOf = (...chunks: Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });

/** An answer over the first process and over the owner alone, without its date. */
const bothWays = async (reply: () => WholeReply, method = "GET") => {
  both = await TwoProcesses.start(reply);
  const direct = await TwoProcesses.start(reply);
  direct.pass = async () => ({ kind: "reply", reply: reply() });
  const request = { method, target: "/a" };
  const answers = [await exchange(both.port, request), await exchange(direct.port, request)];
  await direct.close();
  return answers;
};

// spec/store.md#hops
describe("an answer", () => {
  test.each<{ what: string; reply: () => WholeReply; method?: string; body: string }>([
    {
      what: "of text",
      reply: () => ({
        status: 201,
        headers: { date: "d", "x-a": "1" },
        text: '{"a":"\u00e9 \ufeff"}',
      }),
      body: Buffer.from('{"a":"\u00e9 \ufeff"}').toString("latin1"),
    },
    {
      what: "without a body",
      reply: () => ({ status: 503, headers: { date: "d" } }),
      body: "0\r\n\r\n",
    },
    {
      what: "of an empty text",
      reply: () => ({ status: 200, headers: { date: "d" }, text: "" }),
      body: "",
    },
    { what: "with status 204", reply: () => ({ status: 204, headers: { date: "d" } }), body: "" },
    {
      what: "with status 304",
      reply: () => ({ status: 304, headers: { date: "d", etag: "x" } }),
      body: "",
    },
    {
      what: "to HEAD",
      method: "HEAD",
      reply: () => ({ status: 200, headers: { date: "d", "content-length": "1234" } }),
      body: "",
    },
    {
      what: "of bytes",
      reply: () => ({
        status: 200,
        headers: { date: "d", "content-length": "3" },
        stream: streamOf(Buffer.from([0, 255, 128])),
      }),
      body: "\u0000\u00ff\u0080",
    },
    {
      what: "of unknown length",
      reply: () => ({ status: 200, headers: { date: "d" }, stream: streamOf(Buffer.from("abc")) }),
      body: "3\r\nabc\r\n0\r\n\r\n",
    },
    {
      what: "that is large",
      reply: () => ({ status: 200, headers: { date: "d" }, text: "x".repeat(MEBIBYTE) }),
      body: "x".repeat(MEBIBYTE),
    },
  ])("$what is the same as from the process that serves", async ({ reply, method, body }) => {
    const [over, alone] = await bothWays(reply, method);
    expect(over).toEqual(alone);
    expect(over?.body).toBe(body);
  });

  test("of a feed comes chunk by chunk, and ends", async () => {
    let feed!: ReadableStreamDefaultController<Uint8Array>;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        feed = controller;
      },
    });
    const headers = { "content-type": "text/event-stream" };
    const { port } = await start({ status: 200, headers, stream });
    const socket = new RawSocket(port);
    socket.write(bytesOf({ target: "/events", headers: ["host: a", "connection: close"] }));
    feed.enqueue(Buffer.from("data: 1\n\n"));
    await socket.until(/data: 1\n\n/);
    expect(socket.text).toMatch(/^HTTP\/1\.1 200 OK\r\ncontent-type: text\/event-stream\r\n/);
    feed.enqueue(Buffer.from("data: 2\n\n"));
    await socket.until(/data: 2\n\n/);
    expect(socket.text).not.toContain("data: 3");
    feed.enqueue(Buffer.from("data: 3\n\n"));
    feed.close();
    expect(await socket.closed()).toMatch(/data: 3\n\n\r\n0\r\n\r\n$/);
  });

  test("waits for a slow client: it is not read to its end before", async () => {
    let made = 0;
    const chunk = Buffer.alloc(MEBIBYTE, "x");
    const stream = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          made += 1;
          controller.enqueue(chunk);
          if (made === 64) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const both = await start({ status: 200, headers: {}, stream });
    const result = await both.pass(new Request("http://127.0.0.1/a"));
    const reader = result.kind === "reply" ? result.reply.stream?.getReader() : undefined;
    let length = (await reader?.read())?.value?.length ?? 0;
    for (let turn = 0; turn < 5_000; turn++) await nextTurn();
    // Buffers of the system and of both ends are far smaller than what is left.
    expect(made).toBeLessThan(32);
    for (;;) {
      const { value } = (await reader?.read()) ?? {};
      if (!value) break;
      length += value.length;
    }
    expect(length).toBe(64 * MEBIBYTE);
  });
});

// spec/store.md#hops
describe("a client that goes", () => {
  /** Starts an owner that tells when its answer was ended by the other side. */
  const feeding = async () => {
    let canceled!: () => void;
    const wasCanceled = new Promise<void>((resolve) => {
      canceled = resolve;
    });
    const feed = () =>
      new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(Buffer.from("data: 1\n\n")),
        cancel: () => canceled(),
      });
    both = await TwoProcesses.start(() => ({ status: 200, headers: {}, stream: feed() }));
    return { both, wasCanceled };
  };

  test("within an answer ends it at the other process", async () => {
    const { both, wasCanceled } = await feeding();
    const socket = new RawSocket(both.port);
    socket.write(bytesOf({ target: "/events", headers: ["host: a"] }));
    await socket.until(/data: 1/);
    socket.destroy();
    await wasCanceled;
  });

  test("a canceled stream ends it too", async () => {
    const { both, wasCanceled } = await feeding();
    const result = await both.pass(new Request("http://127.0.0.1/events"));
    if (result.kind !== "reply") throw new Error(`Expected a reply but found ${result.kind}`);
    await result.reply.stream?.cancel();
    await wasCanceled;
  });

  test("before an answer ends its request, and is told of no lost process", async () => {
    let asked!: () => void;
    const wasAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    both = await TwoProcesses.start(() => {
      asked();
      return new Promise<WholeReply>(() => {});
    });
    const socket = new RawSocket(both.port);
    socket.write(bytesOf({ target: "/wait", headers: ["host: a"] }));
    await wasAsked;
    const [taken] = both.taken;
    if (!taken) throw new Error("Expected a connection to the owner but found none");
    socket.destroy();
    await once(taken, "close");
    await expect
      .poll(() => both?.results)
      .toEqual([{ kind: "reply", reply: { status: 503, headers: { "x-sim-dropped": "client" } } }]);
  });

  test("behind an answer that is not over yet ends both", async () => {
    const { both, wasCanceled } = await feeding();
    let begun = 0;
    both.before = async () => {
      begun += 1;
    };
    const socket = new RawSocket(both.port);
    const one = bytesOf({ target: "/events", headers: ["host: a"] });
    socket.write(one + one);
    await socket.until(/data: 1/);
    await expect.poll(() => [begun, both.results.length]).toEqual([2, 2]);
    const ends = both.taken.map((taken) => once(taken, "close"));
    expect(ends.length).toBe(2);
    socket.destroy();
    await Promise.all(ends);
    await wasCanceled;
  });

  test("within its body cuts the body at the other process", async () => {
    let told!: (length: number | string) => void;
    const end = new Promise<number | string>((resolve) => {
      told = resolve;
    });
    let begun!: () => void;
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    both = await TwoProcesses.start(async (request) => {
      let length = 0;
      try {
        for await (const chunk of request.body ?? []) {
          length += chunk.length;
          begun();
        }
        told(length);
      } catch {
        told("cut short");
      }
      return { status: 200, headers: {} };
    });
    const socket = new RawSocket(both.port);
    const headers = ["host: a", "content-length: 200000"];
    socket.write(bytesOf({ method: "POST", target: "/a", headers, body: "x".repeat(100_000) }));
    await hasBegun;
    socket.destroy();
    expect(await end).toBe("cut short");
  });
});
