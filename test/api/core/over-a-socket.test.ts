import { connect } from "node:net";
import { beforeEach, describe, expect, test } from "vitest";
import { fingerprintOf } from "../setup/every-operation.ts";
import { type KnownIds, populate } from "../setup/populated.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";

const MEBIBYTE = 1024 * 1024;
const BASE = "/2025-10-13";

const world = worldPerTest();
let ids: KnownIds;
let port: number;
let authorization: string;

const populated = preparedOnce(populate);

beforeEach(async () => {
  ids = await populated(world());
  const { sim } = world();
  ({ port } = await sim.listen());
  authorization = `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`;
});

/** Sends raw bytes and reads until the other side closes. */
const exchange = (text: string, { end = false } = {}) =>
  new Promise<string>((resolve) => {
    const chunks: Buffer[] = [];
    const bytes = Buffer.from(text, "latin1");
    const socket = connect(port, "127.0.0.1", () =>
      end ? socket.end(bytes) : socket.write(bytes),
    );
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
  });

interface RawRequest {
  method?: string;
  path: string;
  headers?: string[];
  body?: string;
}

const raw = async ({ method = "GET", path, headers = [], body = "" }: RawRequest) => {
  const head = [
    `${method} ${BASE}${path} HTTP/1.1`,
    "host: 127.0.0.1",
    `authorization: ${authorization}`,
    "connection: close",
    ...headers,
  ];
  const text = await exchange(`${head.join("\r\n")}\r\n\r\n${body}`);
  const [top = "", ...rest] = text.split("\r\n\r\n");
  return { status: Number(top.split(" ")[1]), top, text: rest.join("\r\n\r\n") };
};

const json = (body: string) => [
  "content-type: application/json",
  `content-length: ${Buffer.byteLength(body, "latin1")}`,
];

const send = (path: string, body: string) =>
  raw({ method: "POST", path, headers: json(body), body });

const unchanged = async (act: () => Promise<void>) => {
  const before = await fingerprintOf(world());
  await act();
  expect(await fingerprintOf(world())).toEqual(before);
  expect((await raw({ path: "/config" })).status).toBe(200);
};

describe("a bad request over a socket", () => {
  test.each([
    { says: "no JSON", body: "{", status: 400, code: "INVALID_REQUEST_FORMAT" },
    { says: "no UTF-8", body: '{"a":"\xff"}', status: 400, code: "INVALID_REQUEST_FORMAT" },
    { says: "no object", body: "[]", status: 400, code: "INVALID_INPUT" },
    { says: "empty", body: "", status: 400, code: "INVALID_INPUT" },
    {
      says: "nested 10000 deep",
      body: "[".repeat(10_000),
      status: 400,
      code: "INVALID_REQUEST_FORMAT",
    },
    { says: "out of range", body: '{"amount":1e400}', status: 400, code: "AMOUNT_OUT_OF_RANGE" },
  ])("with a body that is $says is $status $code", ({ body, status, code }) =>
    unchanged(async () => {
      const answer = await send(`/sandbox/internal-accounts/${ids.accountId}/fund`, body);
      expect({ status: answer.status, ...JSON.parse(answer.text) }).toMatchObject({ status, code });
      expect(answer.top.toLowerCase()).toContain("content-type: application/json");
    }),
  );

  test.each(["%", "%zz", "%ff", "Quote%3"])("with the path /quotes/%s is 400", (id) =>
    unchanged(async () => {
      const answer = await raw({ path: `/quotes/${id}` });
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.text)).toMatchObject({ code: "INVALID_REQUEST_FORMAT" });
    }),
  );

  test("is not found for a path with a raw colon that names nothing", () =>
    unchanged(async () => {
      const answer = await raw({ path: "/quotes/Quote:none" });
      expect(JSON.parse(answer.text)).toMatchObject({ status: 404, code: "QUOTE_NOT_FOUND" });
    }));

  test("of two mebibytes is 413, announced or in chunks", () =>
    unchanged(async () => {
      const body = `{"pad":"${"x".repeat(2 * MEBIBYTE)}"}`;
      const announced = await send("/quotes", body);
      expect(JSON.parse(announced.text)).toMatchObject({ status: 413, code: "PAYLOAD_TOO_LARGE" });
      const chunk = `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      const headers = ["content-type: application/json", "transfer-encoding: chunked"];
      const chunked = await raw({ method: "POST", path: "/quotes", headers, body: chunk });
      expect(JSON.parse(chunked.text)).toMatchObject({ status: 413, code: "PAYLOAD_TOO_LARGE" });
    }));

  test("with another media type is 415", () =>
    unchanged(async () => {
      const headers = ["content-type: text/plain", "content-length: 2"];
      const answer = await raw({ method: "POST", path: "/quotes", headers, body: "{}" });
      expect(JSON.parse(answer.text)).toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE" });
    }));

  test("whose body breaks off does nothing", () =>
    unchanged(async () => {
      const path = `/sandbox/internal-accounts/${ids.accountId}/fund`;
      const head = `POST ${BASE}${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n`;
      const auth = `authorization: ${authorization}\r\n`;
      const type = "content-type: application/json\r\ncontent-length: 100\r\n\r\n";
      await exchange(`${head}${auth}${type}{"amount":1}`, { end: true });
    }));

  test.each([
    { says: "no HTTP", text: "hello there\r\n\r\n" },
    { says: "binary", text: "\u0000\u0001\u0002\r\n\r\n" },
    { says: "a header too long", text: `GET / HTTP/1.1\r\nx: ${"x".repeat(100_000)}\r\n\r\n` },
    {
      says: "two lengths",
      text: "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
    },
    { says: "no host", text: "GET / HTTP/1.1\r\n\r\n" },
    { says: "nothing", text: "" },
  ])("that is $says does not disturb the next one", ({ text }) =>
    unchanged(async () => {
      const answer = await exchange(text, { end: true });
      expect(answer).not.toMatch(/^HTTP\/1\.1 [25]/);
    }),
  );
});

describe("an undeclared body, over a socket", () => {
  test.each([10, 2 * MEBIBYTE])("of %d bytes is ignored", (size) =>
    unchanged(async () => {
      const answer = await send("/quotes/none/execute", "x".repeat(size));
      expect(answer.status).toBe(404);
    }),
  );
});

test("the same request is answered alike in the process and over a socket", async () => {
  for (const path of ["/config", "/quotes/none", `/customers/${ids.customerId}`, "/confg"]) {
    const inside = await world().call("GET", path);
    const outside = await raw({ path });
    expect(outside.status).toBe(inside.status);
    expect(JSON.parse(outside.text)).toEqual(inside.body);
  }
});
