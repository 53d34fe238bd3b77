import { type AddressInfo, createServer, type Socket } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { CaptureProxy } from "../../../src/cli/tasks/capture-proxy.ts";
import type { Exchanged } from "../../../src/cli/tasks/captured-call.ts";
import { answerIn, RawSocket } from "../../http/setup/raw-socket.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}";

/** A service of bytes: what it got, and an answer that a test chooses. */
const service = async (answer: (got: string) => Buffer | string | undefined = () => OK) => {
  const seen = { text: "" };
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    let own = "";
    socket.on("data", (bytes) => {
      own += bytes.toString("latin1");
      seen.text += bytes.toString("latin1");
      // The whole head is there; a test that has a body waits for its last bytes.
      const reply = own.includes("\r\n\r\n") ? answer(own) : undefined;
      if (reply !== undefined) socket.end(reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
};

const capturing = async (target: string, prefixes: readonly string[] = []) => {
  const calls: Exchanged[] = [];
  const notes: string[] = [];
  const secrets: string[] = [];
  const proxy = new CaptureProxy(
    new URL(target),
    {
      onCall: (call) => calls.push(call),
      onLeftOut: (line, why) => notes.push(`${line} is left out: ${why}`),
      onCredentials: (found) => secrets.push(...found),
    },
    prefixes,
  );
  const port = Number(new URL(await proxy.listen(0)).port);
  onTestFinished(() => proxy.close());
  const send = async (lines: readonly string[], body = "") => {
    const socket = new RawSocket(port);
    const [first = "", ...headers] = lines;
    const own = headers.some((line) => /^host:/i.test(line)) ? [] : [`host: 127.0.0.1:${port}`];
    const head = [`${first} HTTP/1.1`, "connection: close", ...own, ...headers];
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
    return answerIn(await socket.closed());
  };
  return { calls, notes, secrets, send };
};

const JSON_TYPE = "content-type: application/json";
const basic = (text: string) => `Basic ${btoa(text)}`;

// spec/scenarios.md#capture
describe("every credential of a request is judged", () => {
  test.each([
    ["the second header", [`authorization: ${basic("id:x")}`, "authorization: Bearer live_1"]],
    ["the first header", ["authorization: Bearer live_1", `authorization: ${basic("id:x")}`]],
    ["two schemes in one header", [`authorization: ${basic("id:x")}, Bearer live_1`]],
    ["a password", [`authorization: ${basic("id:sk_live_1")}`]],
    ["small letters and many spaces", [`authorization: basic   ${btoa("live_1:x")}`]],
    ["another scheme", ["authorization: Token live_1"]],
    ["no scheme", ["authorization: live_1"]],
    ["a parameter", ['authorization: Digest username="live_1", realm="x"']],
    ["a header of a proxy", [`proxy-authorization: ${basic("prod_1:x")}`]],
    ["a header of a key", ["x-api-key: sk_live_1"]],
    ["a cookie", ["cookie: theme=dark; session=live_1"]],
    ["a header that the connection names", ["connection: x-api-key", "x-api-key: live_1"]],
    ["a beginning by option", ["x-api-key: acme_live_1"]],
  ])("%s", async (_what, headers) => {
    const { seen, url } = await service();
    const { send, notes } = await capturing(url, ["acme_live_"]);
    const answer = await send(["POST /v1/customers", ...headers, "content-length: 2"], "{}");
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([403, "FORBIDDEN"]);
    expect(seen.text).toBe("");
    expect(notes).toEqual([
      "POST /v1/customers is left out: its credentials look like production credentials",
    ]);
  });

  test("also one of the query; others pass, and are known as secrets", async () => {
    const { seen, url } = await service();
    const { send, secrets } = await capturing(url);
    expect((await send(["GET /v1/quotes?api_key=live_1"])).status).toBe(403);
    expect(seen.text).toBe("");
    const own = [`authorization: ${basic("client:password-1")}`, "x-api-key: key-of-a-test"];
    expect((await send(["GET /v1/quotes?limit=5", ...own])).status).toBe(200);
    expect(secrets).toEqual(expect.arrayContaining(["client", "password-1", "key-of-a-test"]));
  });

  test("an idempotency key is none", async () => {
    const { url } = await service();
    const { send } = await capturing(url);
    const answer = await send(["GET /v1/quotes", "idempotency-key: prod_order_1"]);
    expect(answer.status).toBe(200);
  });
});

describe("pages and other names than this machine's are refused, and nothing is sent", () => {
  test.each([
    ["a foreign page", ["origin: http://evil.example"], "ORIGIN_NOT_ALLOWED"],
    ["a page of another port", ["origin: http://127.0.0.1:1"], "ORIGIN_NOT_ALLOWED"],
    ["a file", ["origin: null"], "ORIGIN_NOT_ALLOWED"],
    ["an image of a page", ["sec-fetch-site: cross-site"], "ORIGIN_NOT_ALLOWED"],
    ["a rebound name", ["host: rebound.example"], "HOST_NOT_ALLOWED"],
    ["two hosts", ["host: 127.0.0.1", "host: evil.example"], "HOST_NOT_ALLOWED"],
  ])("%s", async (_what, headers, code) => {
    const { seen, url } = await service();
    const { send, calls } = await capturing(url);
    const answer = await send(["GET /v1/quotes", ...headers]);
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([403, code]);
    expect(JSON.parse(answer.body).message).toContain("proxy");
    expect({ seen: seen.text, calls }).toEqual({ seen: "", calls: [] });
  });

  test.each(["localhost", "app.localhost:1", "[::1]"])("%s is this machine", async (host) => {
    const { url } = await service();
    const { send } = await capturing(url);
    expect((await send(["GET /v1/quotes", `host: ${host}`])).status).toBe(200);
  });

  test("a whole address is refused: this is no proxy for other hosts", async () => {
    const { seen, url } = await service();
    const { send } = await capturing(url);
    expect((await send(["GET http://127.0.0.1/v1/quotes"])).status).toBe(400);
    expect(seen.text).toBe("");
  });

  test("too many headers are 431", async () => {
    const { seen, url } = await service();
    const { send } = await capturing(url);
    const many = Array.from({ length: 2_000 }, () => "a:b");
    const answer = await send(["GET /v1/quotes", ...many, "x-api-key: live_1"]);
    expect({ status: answer.status, seen: seen.text }).toEqual({ status: 431, seen: "" });
  });
});

describe("a body is framed again", () => {
  const heads = (text: string) => text.slice(0, text.indexOf("\r\n\r\n")).split("\r\n").slice(1);
  const framing = (text: string) =>
    heads(text).filter((line) => /^(content-length|transfer-encoding):/i.test(line));
  const answersAfter = (end: string) => (got: string) => (got.endsWith(end) ? OK : undefined);

  test.each([
    { says: "a length", lines: ["content-length: 7"], body: '{"a":1}', to: ["content-length: 7"] },
    {
      says: "chunks",
      lines: ["transfer-encoding: chunked"],
      body: '7\r\n{"a":1}\r\n0\r\n\r\n',
      to: ["Transfer-Encoding: chunked"],
    },
    {
      says: "a length that the connection names",
      lines: ["connection: content-length", "content-length: 7"],
      body: '{"a":1}',
      to: ["content-length: 7"],
    },
    {
      says: "chunks that the connection names",
      lines: ["connection: transfer-encoding", "transfer-encoding: chunked"],
      body: '7\r\n{"a":1}\r\n0\r\n\r\n',
      to: ["Transfer-Encoding: chunked"],
    },
  ])("$says, on a POST and on a DELETE", async ({ lines, body, to }) => {
    for (const method of ["POST", "DELETE"]) {
      const isChunked = to[0]?.startsWith("T");
      const { seen, url } = await service(answersAfter(isChunked ? "0\r\n\r\n" : '{"a":1}'));
      const { send, calls } = await capturing(url);
      const answer = await send([`${method} /v1/quotes`, JSON_TYPE, ...lines], body);
      expect(answer.status).toBe(200);
      expect(framing(seen.text)).toEqual(to);
      expect(calls.map((call) => call.requestText)).toEqual(['{"a":1}']);
    }
  });

  test("a further coding of the transfer is told on, and its bytes are as they were", async () => {
    const zipped = gzipSync('{"a":1}').toString("latin1");
    const { seen, url } = await service(answersAfter("0\r\n\r\n"));
    const { send, calls } = await capturing(url);
    const chunks = `${zipped.length.toString(16)}\r\n${zipped}\r\n0\r\n\r\n`;
    const lines = ["POST /v1/quotes", JSON_TYPE, "transfer-encoding: gzip, chunked"];
    expect((await send(lines, chunks)).status).toBe(200);
    expect(framing(seen.text)).toEqual(["Transfer-Encoding: gzip, chunked"]);
    expect(seen.text).toContain(zipped);
    expect(calls.map((call) => call.requestText)).toEqual(['{"a":1}']);
  });

  test("no body: a POST tells so, a GET says nothing", async () => {
    for (const [method, to] of [
      ["POST", ["Content-Length: 0"]],
      ["GET", []],
      ["DELETE", []],
    ] as const) {
      const { seen, url } = await service();
      const { send } = await capturing(url);
      expect((await send([`${method} /v1/quotes`])).status).toBe(200);
      expect(framing(seen.text)).toEqual(to);
    }
  });

  test("of two framings neither passes", async () => {
    const { seen, url } = await service();
    const { send } = await capturing(url);
    const both = ["content-length: 3", "transfer-encoding: chunked"];
    expect((await send(["POST /v1/quotes", ...both], "0\r\n\r\n")).status).toBe(400);
    expect(seen.text).toBe("");
  });
});

describe("of a hostile service", () => {
  const zipped = (body: Buffer, encoding: string) =>
    Buffer.concat([
      Buffer.from(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n" +
          `content-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`,
      ),
      body,
    ]);
  const TEXT = '{"status":"zipped"}';

  test.each([
    ["gzip", gzipSync(TEXT)],
    ["GZIP", gzipSync(TEXT)],
    ["br", brotliCompressSync(TEXT)],
    ["gzip, br", brotliCompressSync(gzipSync(TEXT))],
  ])("a body in %s is read", async (encoding, body) => {
    const { url } = await service(() => zipped(body, encoding));
    const { send, calls } = await capturing(url);
    await send(["GET /v1/quotes"]);
    expect(calls.map((call) => call.responseText)).toEqual([TEXT]);
  });

  const BOMB = gzipSync(Buffer.alloc(200_000_000, 0x20));

  test.each([
    ["a bomb of 200 MB", "gzip", BOMB],
    ["a bomb in a bomb", "gzip, gzip", gzipSync(BOMB)],
    ["five encodings", "gzip, gzip, gzip, gzip, gzip", gzipSync(TEXT)],
    ["an unknown encoding", "zstd", gzipSync(TEXT)],
    ["a member of every object", "constructor", gzipSync(TEXT)],
    ["damage", "gzip", gzipSync(TEXT).subarray(0, 12)],
  ])("%s passes, and is not written down", async (_what, encoding, body) => {
    const { url } = await service(() => zipped(body, encoding));
    const { send, calls, notes } = await capturing(url);
    const before = process.memoryUsage().rss;
    const answer = await send(["GET /v1/quotes"]);
    expect(answer.body).toBe(body.toString("latin1"));
    expect(calls.map((call) => call.responseText)).toEqual([""]);
    expect(notes).toEqual([
      "the answer to GET /v1/quotes is left out: its body is not JSON, or over 1 MiB",
    ]);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });

  test.each([
    ["a status below 100", "HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n"],
    ["no HTTP", "hello\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
    ["a head without an end", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(100_000)}`],
    ["an upgrade", "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"],
  ])("%s ends the call alone", async (_what, reply) => {
    const { url } = await service(() => reply);
    const { send, notes } = await capturing(url);
    expect((await send(["GET /v1/quotes"])).status).toBe(502);
    expect((await send(["GET /v1/quotes"])).status).toBe(502);
    expect(notes.length).toBe(2);
  });

  test("an answer that is cut off is cut off, and told", async () => {
    const { url } = await service(() => "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab");
    const { send, notes, calls } = await capturing(url);
    expect((await send(["GET /v1/quotes"])).body).toBe("ab");
    expect(calls).toEqual([]);
    expect(notes).toEqual([
      "GET /v1/quotes is left out: the connection ended before its answer did",
    ]);
  });

  test("more headers than Node.js keeps pass, and framing that it names is not believed", async () => {
    const many = Array.from({ length: 2_100 }, () => "a:b").join("\r\n");
    const head = "HTTP/1.1 200 OK\r\nconnection: content-length\r\ncontent-length: 2\r\n";
    const { url } = await service(() => `${head}${many}\r\n\r\n{}`);
    const { send } = await capturing(url);
    const socket = send(["GET /v1/quotes"]).catch((error: Error) => error.message);
    // The reader of a test takes no header twice: it names the first that is repeated.
    expect(await socket).toBe("Expected a once but found it twice");
  });
});
