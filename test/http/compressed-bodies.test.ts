import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { exchange } from "./setup/raw-socket.ts";

const world = worldPerTest();
let port: number;

beforeEach(async () => {
  ({ port } = await world().sim.listen());
});

const BODY = '{"customerType":"INDIVIDUAL"}';

const send = (target: string, lines: readonly string[], body: string) => {
  const { sim } = world();
  const authorization = `authorization: Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`;
  const length = `content-length: ${Buffer.byteLength(body, "latin1")}`;
  const framing = lines.some((line) => line.startsWith("transfer-encoding")) ? [] : [length];
  return exchange(port, {
    method: "POST",
    target,
    headers: [authorization, ...framing, ...lines],
    body,
  });
};

const JSON_TYPE = "content-type: application/json";
const ZIPPED = gzipSync(BODY).toString("latin1");

// spec/errors.md#body-rules
describe("a compressed body is 415 that names its encoding", () => {
  test.each([
    { lines: ["content-encoding: gzip"], named: "gzip" },
    { lines: ["content-encoding: GZIP"], named: "gzip" },
    { lines: ["content-encoding: x-gzip"], named: "x-gzip" },
    { lines: ["content-encoding: deflate"], named: "deflate" },
    { lines: ["content-encoding: br"], named: "br" },
    { lines: ["content-encoding: zstd"], named: "zstd" },
    { lines: ["content-encoding: whatever"], named: "whatever" },
    { lines: ["content-encoding: gzip, br"], named: "gzip, br" },
    { lines: ["content-encoding: gzip", "content-encoding: br"], named: "gzip, br" },
    { lines: ["content-encoding: identity, gzip"], named: "gzip" },
  ])("$lines", async ({ lines, named }) => {
    const answer = await send("/2025-10-13/customers", [JSON_TYPE, ...lines], ZIPPED);
    const { code, reason, message, details } = JSON.parse(answer.body);
    expect({ status: answer.status, code, reason, encoding: details.encoding }).toEqual({
      status: 415,
      code: "UNSUPPORTED_MEDIA_TYPE",
      reason: "CONTENT_ENCODING",
      encoding: named,
    });
    expect(message).toContain(`The body is encoded as ${named}`);
    expect(answer.headers["accept-encoding"]).toBe("identity");
  });

  test("on the control surface, and as a form", async () => {
    const gzip = "content-encoding: gzip";
    const control = await send("/_sim/clock/advance", [JSON_TYPE, gzip], ZIPPED);
    expect(control.status).toBe(415);
    expect(JSON.parse(control.body).error.message).toContain("gzip");
    const form = "content-type: multipart/form-data; boundary=b";
    const upload = await send("/2025-10-13/documents", [form, gzip], ZIPPED);
    expect([upload.status, JSON.parse(upload.body).reason]).toEqual([415, "CONTENT_ENCODING"]);
  });

  test("also by Transfer-Encoding", async () => {
    const lines = [JSON_TYPE, "transfer-encoding: gzip, chunked"];
    const size = gzipSync(BODY).length.toString(16);
    const chunks = `${size}\r\n${ZIPPED}\r\n0\r\n\r\n`;
    const answer = await send("/2025-10-13/customers", lines, chunks);
    expect([answer.status, JSON.parse(answer.body).reason]).toEqual([415, "CONTENT_ENCODING"]);
  });
});

test.each([["content-encoding: identity"], ["content-encoding:"], ["content-encoding: Identity"]])(
  "%s leaves a body as it is",
  async (line) => {
    const answer = await send("/2025-10-13/customers", [JSON_TYPE, line], BODY);
    expect(answer.status).toBe(201);
  },
);

test("an empty body has no encoding to refuse, and a large one is refused for its size", async () => {
  const gzip = "content-encoding: gzip";
  const empty = await send("/2025-10-13/customers", [JSON_TYPE, gzip], "");
  expect(empty.status).toBe(400);
  const large = await send("/2025-10-13/customers", [JSON_TYPE, gzip], "x".repeat(1_048_577));
  expect(large.status).toBe(413);
});
