import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSimulator, type LocalSimulator } from "../../src/simulator.ts";

let sim: LocalSimulator;
let port: number;
let basic: string;

beforeAll(async () => {
  sim = await createSimulator({ storage: "memory:", seed: "forms" });
  ({ port } = await sim.listen());
  basic = Buffer.from(`${sim.clientId}:${sim.clientSecret}`).toString("base64");
});

afterAll(() => sim.close());

/** Everything that comes back for the bytes of one request, after which the client sends no more. */
const answerTo = async (request: string) => {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    text += chunk;
  });
  socket.end(Buffer.from(request, "latin1"));
  await once(socket, "close");
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const [first = "", ...headers] = head.split("\r\n");
  return {
    status: Number(first.split(" ")[1]),
    headers: headers.map((one) => one.toLowerCase()),
    body,
  };
};

const V = "/2025-10-13";

/** A request of its first line and headers; `{basic}` stands for the right credentials. */
const asked = (first: string, headers: readonly string[], body = "") => {
  const lines = [first, ...headers].map((line) => line.replace("{basic}", basic));
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
};

const AUTH = "authorization: Basic {basic}";
const LAST = "connection: close";
const HOST = "host: 127.0.0.1";

interface Row {
  name: string;
  first: string;
  headers?: readonly string[];
  status: number;
  says?: string;
}

const ROWS: readonly Row[] = [
  { name: "a path", first: `GET ${V}/config HTTP/1.1`, status: 200, says: '"umaDomain"' },
  { name: "an absolute address", first: `GET http://127.0.0.1${V}/config HTTP/1.1`, status: 200 },
  {
    name: "an absolute address of another host",
    first: `GET http://a.example${V}/config HTTP/1.1`,
    status: 200,
  },
  {
    name: "an address of another scheme",
    first: `GET ftp://a.example${V}/config HTTP/1.1`,
    status: 400,
    says: "neither a path nor a web address",
  },
  {
    name: "no path",
    first: "GET config HTTP/1.1",
    status: 400,
    says: "not well-formed HTTP/1.1",
  },
  { name: "the whole server", first: "OPTIONS * HTTP/1.1", status: 404 },
  {
    name: "broken percent-encoding",
    first: `GET ${V}/quotes/%zz HTTP/1.1`,
    status: 400,
    says: "not percent-encoded",
  },
  {
    name: "percent-encoding of what is no UTF-8",
    first: `GET ${V}/quotes/%ff HTTP/1.1`,
    status: 400,
  },
  {
    name: "broken percent-encoding on the control surface",
    first: "GET /_sim/ids/%zz HTTP/1.1",
    status: 400,
    says: '{"error":{"code":"INVALID_REQUEST_FORMAT","message":"The path is not percent-encoded',
  },
  { name: "needless percent-encoding", first: `GET ${V}/%63onfig HTTP/1.1`, status: 200 },
  { name: "a dot segment", first: `GET ${V}/quotes/../config HTTP/1.1`, status: 200 },
  { name: "an encoded dot segment", first: `GET ${V}/quotes/%2e%2e/config HTTP/1.1`, status: 200 },
  {
    name: "an encoded slash in an id",
    first: `GET ${V}/quotes/a%2Fb HTTP/1.1`,
    status: 404,
    says: "a%2Fb",
  },
  {
    name: "an encoded colon in an id",
    first: `GET ${V}/quotes/Quote%3A1 HTTP/1.1`,
    status: 404,
    says: "Quote:1",
  },
  { name: "a path that begins twice", first: `GET /${V}/config HTTP/1.1`, status: 404 },
  { name: "a fragment", first: `GET ${V}/config#part HTTP/1.1`, status: 200 },
  { name: "an empty query", first: `GET ${V}/config? HTTP/1.1`, status: 200 },
  { name: "a query with a path in it", first: `GET ${V}/config?a=/../b HTTP/1.1`, status: 200 },
  {
    name: "an encoded query",
    first: `GET ${V}/customers?limit=%31 HTTP/1.1`,
    status: 200,
    says: '"data"',
  },
  { name: "a plus in a query", first: `GET ${V}/customers?cursor=a+b HTTP/1.1`, status: 400 },
  { name: "an unknown method", first: `PURGE ${V}/config HTTP/1.1`, status: 405 },
  { name: "HEAD on the platform", first: `HEAD ${V}/config HTTP/1.1`, status: 200 },
  { name: "HEAD on the control surface", first: "HEAD /_sim/status HTTP/1.1", status: 200 },
  {
    name: "no host in HTTP/1.1",
    first: `GET ${V}/config HTTP/1.1`,
    headers: [AUTH, LAST],
    status: 400,
  },
  { name: "no host in HTTP/1.0", first: `GET ${V}/config HTTP/1.0`, headers: [AUTH], status: 200 },
  {
    name: "a host that is none",
    first: `GET ${V}/config HTTP/1.1`,
    headers: [AUTH, LAST, "host: a b/c"],
    status: 200,
  },
  {
    name: "two equal Authorization headers",
    first: `GET ${V}/config HTTP/1.1`,
    headers: [HOST, AUTH, AUTH, LAST],
    status: 200,
  },
  {
    name: "a wrong Authorization header beside the right one",
    first: `GET ${V}/config HTTP/1.1`,
    headers: [HOST, "authorization: Basic bm9uZTpub25l", AUTH, LAST],
    status: 401,
  },
  {
    name: "the right Authorization header beside a wrong one",
    first: `GET ${V}/config HTTP/1.1`,
    headers: [HOST, AUTH, "authorization: Basic bm9uZTpub25l", LAST],
    status: 200,
  },
  {
    name: "an Authorization header in capitals",
    first: `GET ${V}/config HTTP/1.1`,
    headers: [HOST, "AUTHORIZATION:   Basic {basic}  ", LAST],
    status: 200,
  },
  {
    name: "two worlds",
    first: `GET ${V}/config HTTP/1.1`,
    headers: [HOST, AUTH, LAST, "x-sim-world: a", "x-sim-world: b"],
    status: 401,
    says: "a, b",
  },
  {
    name: "a header named __proto__",
    first: `GET ${V}/config HTTP/1.1`,
    headers: [HOST, AUTH, LAST, "__proto__: x"],
    status: 200,
  },
  {
    name: "an expectation of 100-continue",
    first: `GET ${V}/config HTTP/1.1`,
    headers: [HOST, AUTH, LAST, "expect: 100-continue"],
    status: 100,
  },
  {
    name: "an unknown expectation",
    first: `GET ${V}/config HTTP/1.1`,
    headers: [HOST, AUTH, LAST, "expect: 200-ok"],
    status: 200,
  },
  {
    name: "a body where none is read",
    first: `GET ${V}/config HTTP/1.1`,
    headers: [HOST, AUTH, LAST, "content-length: 4"],
    status: 200,
  },
];

describe("a request over a socket with", () => {
  test.each(ROWS)("$name is answered $status", async ({ first, headers, status, says }) => {
    const answer = await answerTo(
      asked(
        first,
        headers ?? [HOST, AUTH, LAST],
        headers?.at(-1)?.startsWith("content-length") ? "abcd" : "",
      ),
    );
    expect({ status: answer.status, body: answer.body }).toEqual({
      status,
      body: expect.stringContaining(says ?? ""),
    });
  });
});

describe("a body that comes", () => {
  const JSON_BODY = '{"customerType":"INDIVIDUAL"}';
  const POST = `POST ${V}/customers HTTP/1.1`;
  const counted = [HOST, AUTH, LAST, `content-length: ${JSON_BODY.length}`];
  const chunked = [HOST, AUTH, LAST, "transfer-encoding: chunked"];

  /** Sends parts one after the other, each when the one before has left. */
  const answerToParts = async (...parts: readonly string[]) => {
    const socket = connect(port, "127.0.0.1").setNoDelay(true);
    let text = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      text += chunk;
    });
    socket.on("error", () => {});
    for (const part of parts) {
      await new Promise((sent) => socket.write(Buffer.from(part, "latin1"), sent));
      // Whatever was sent is read by the simulator before this is answered.
      await sim.fetch(new Request(`${sim.controlUrl}/status`));
    }
    socket.end();
    await once(socket, "close");
    return Number(text.split(" ")[1]);
  };

  test.each<[string, number, () => readonly string[]]>([
    ["with its head", 201, () => [asked(POST, counted, JSON_BODY)]],
    ["after its head", 201, () => [asked(POST, counted), JSON_BODY]],
    ["byte by byte", 201, () => [asked(POST, counted), ...JSON_BODY]],
    [
      "in chunks with its head",
      201,
      () => [asked(POST, chunked, `1d\r\n${JSON_BODY}\r\n0\r\n\r\n`)],
    ],
    ["in chunks that are broken, with its head", 400, () => [asked(POST, chunked, "zz\r\n")]],
    [
      "in chunks that break later",
      400,
      () => [asked(POST, chunked, "1d\r\n{"), `${" ".repeat(28)}zz`],
    ],
    ["without an end", 400, () => [asked(POST, counted, JSON_BODY.slice(0, -1))]],
  ])("%s is answered %i", async (_, status, parts) => {
    expect(await answerToParts(...parts())).toBe(status);
  });

  test("cut off, many times, leaves nothing under way: the simulator closes", async () => {
    const own = await createSimulator({ storage: "memory:" });
    const { port: at } = await own.listen();
    for (const body of ["zz\r\n", "1d\r\n{", "1d\r\n{zz", ""]) {
      const socket = connect(at, "127.0.0.1");
      socket.on("error", () => {}).resume();
      socket.write(asked(POST, chunked, body));
      await own.fetch(new Request(`${own.controlUrl}/status`));
      socket.destroy();
      await once(socket, "close");
    }
    await own.close();
  });
});
