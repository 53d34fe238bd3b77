import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BODY_LIMIT_BYTES, readBytes } from "../../src/http/body/request-body.ts";
import type { HttpRequest } from "../../src/http/message/http-request.ts";
import { type Listener, listenPlainly } from "../../src/http/sockets/listen.ts";
import { turn, until } from "../runtime/setup/turns.ts";
import { runsOf } from "../setup/campaign.ts";

/** Paths of requests begun so far, in order. */
let begun: string[];
let isHeld: boolean;
let release: () => void;
let listener: Listener;
let port: number;
const sockets: Socket[] = [];

beforeEach(async () => {
  begun = [];
  isHeld = true;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const fetch = async (request: HttpRequest) => {
    const { pathname } = new URL(request.url);
    begun.push(pathname);
    if (isHeld && pathname.startsWith("/slow")) await released;
    await turn();
    const bytes = await readBytes(request, BODY_LIMIT_BYTES);
    const text = `answer to ${pathname}${bytes?.length ? ` ${bytes.length}` : ""}\n`;
    return { status: 200, text, headers: { "content-type": "text/plain" } };
  };
  listener = await listenPlainly(fetch, { port: 0, host: "127.0.0.1" });
  port = Number(new URL(listener.url).port);
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener.close();
});

/** A connection, and the text received so far. */
const open = () => {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  const peer = { socket, text: "", isOver: false };
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    peer.text += chunk;
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    peer.isOver = true;
  });
  return peer;
};

const get = (path: string, padding = 0) =>
  `GET ${path} HTTP/1.1\r\nhost: a\r\nx-padding: ${"x".repeat(padding)}\r\n\r\n`;

// spec/errors.md#response-headers
test("a connection is kept for 65 seconds, and says so", async () => {
  isHeld = false;
  const response = await fetch(`http://127.0.0.1:${port}/`);
  expect(response.headers.get("keep-alive")).toBe("timeout=65");
  await response.text();
});

const answersIn = (text: string) => [...text.matchAll(/answer to (\S+)/g)].map(([, path]) => path);

describe("10,000 requests on one connection, sent without waiting for an answer", () => {
  const PATHS = Array.from({ length: 10_000 }, (_, at) => `/slow/${at}`);

  test("are begun four at a time, while another connection is answered", async () => {
    const greedy = open();
    greedy.socket.write(PATHS.map((path) => get(path, 4000)).join(""));
    await until("the first of them to begin", () => begun.length > 0);
    const other = open();
    other.socket.write(get("/quick"));
    await until("the other one's answer", () => other.text.includes("answer to /quick"));
    expect(begun.toSorted()).toEqual(["/quick", "/slow/0", "/slow/1", "/slow/2", "/slow/3"]);
    // The rest stays in the network, so it uses no memory here.
    expect(greedy.socket.writableLength).toBeGreaterThan(0);
    expect(greedy.text).toBe("");
  });

  test("are all answered, in the order in which they came", { timeout: 60_000 }, async () => {
    isHeld = false;
    const greedy = open();
    const paths = PATHS.slice(0, runsOf(PATHS.length));
    greedy.socket.write(paths.map((path) => get(path)).join(""));
    while (!greedy.text.slice(-100).includes(`${paths.at(-1)}\n`))
      await once(greedy.socket, "data");
    expect(answersIn(greedy.text)).toEqual(paths);
    expect(begun).toEqual(paths);
  });

  test("are forgotten when the connection is lost", async () => {
    const greedy = open();
    greedy.socket.write(PATHS.map((path) => get(path)).join(""));
    await until("the first of them to begin", () => begun.length > 0);
    greedy.socket.destroy();
    const other = open();
    other.socket.write(get("/quick"));
    await until("the other one's answer", () => other.text.includes("answer to /quick"));
    release();
    other.socket.write(get("/last"));
    await until("the last answer", () => other.text.includes("answer to /last"));
    // The loss is noticed at the first answer that cannot be written.
    expect(begun.length).toBeLessThan(50);
  });
});

test("bodies of requests that wait are read when their turn comes", async () => {
  const peer = open();
  const body = "x".repeat(200_000);
  const post = (path: string) =>
    `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const paths = Array.from({ length: 12 }, (_, at) => `/slow/${at}`);
  peer.socket.write(paths.map(post).join(""));
  await until("the first of them to begin", () => begun.length > 0);
  release();
  await until("the last answer", () => peer.text.includes("answer to /slow/11 200000"));
  expect(answersIn(peer.text)).toEqual(paths);
});

const tooLarge = `GET / HTTP/1.1\r\nhost: a\r\nx: ${"x".repeat(100_000)}\r\n\r\n`;
const badChunk = "POST /p HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n";

const broken = [
  {
    says: "headers of 100,000 bytes",
    text: tooLarge,
    head: "HTTP/1.1 431 Request Header Fields Too Large",
    body: {
      status: 431,
      code: "HEADERS_TOO_LARGE",
      message: "The request's headers are larger than 16 KiB",
    },
  },
  {
    says: "no HTTP",
    text: "hello there\r\n\r\n",
    head: "HTTP/1.1 400 Bad Request",
    body: {
      status: 400,
      code: "INVALID_REQUEST_FORMAT",
      message: "The request is not well-formed HTTP/1.1",
    },
  },
  {
    says: "a chunk without a length",
    text: badChunk,
    head: "HTTP/1.1 400 Bad Request",
    body: {
      status: 400,
      code: "INVALID_REQUEST_FORMAT",
      message: "The request is not well-formed HTTP/1.1",
    },
  },
];

describe.each(broken)("$says", ({ text, head, body }) => {
  const lastAnswerOf = (answers: string) => {
    const [top = "", json = ""] = answers
      .slice(answers.lastIndexOf("HTTP/1.1 4"))
      .split("\r\n\r\n");
    const [line, ...headers] = top.split("\r\n");
    return { line, headers: headers.toSorted(), body: JSON.parse(json) };
  };

  const EXPECTED = {
    line: head,
    headers: [
      "connection: close",
      `content-length: ${JSON.stringify(body).length}`,
      "content-type: application/json",
    ],
    body,
  };

  test("is answered in JSON, and the connection ends", async () => {
    const peer = open();
    peer.socket.write(text);
    await until("the end of the connection", () => peer.isOver);
    expect(lastAnswerOf(peer.text)).toEqual(EXPECTED);
  });

  test("is answered after the requests before it", async () => {
    const peer = open();
    peer.socket.write(get("/slow/1") + get("/slow/2") + text);
    await until("both to begin", () => begun.includes("/slow/2"));
    expect(peer.text).toBe("");
    release();
    await until("the end of the connection", () => peer.isOver);
    expect(answersIn(peer.text)).toEqual(["/slow/1", "/slow/2"]);
    expect(lastAnswerOf(peer.text)).toEqual(EXPECTED);
  });
});
