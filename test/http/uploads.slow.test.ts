import { connect } from "node:net";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { wholePart } from "../../src/http/openapi/references.ts";
import { OPERATIONS } from "../api/setup/every-operation.ts";
import { expectErrorShape, expectNothing, expectRefused, invalid } from "../api/setup/refused.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { runsOf } from "../setup/campaign.ts";
import { createPayer } from "../setup/platform.ts";
import { formOf, PASSPORT, pdfOf, postDocument } from "../setup/uploads.ts";

const MEBIBYTE = 1024 * 1024;
const BROKEN = { status: 400, code: "INVALID_REQUEST_FORMAT", reason: "BROKEN_FORM" };
const UNSUPPORTED = { status: 415, code: "UNSUPPORTED_MEDIA_TYPE" };

const world = worldPerTest();
let holder: string;

beforeEach(async () => {
  holder = (await createPayer(world(), 0)).customerId;
});

const UPLOADS = OPERATIONS.filter(({ takesUpload }) => takesUpload);
const POST = { method: "POST", path: "/documents" };

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));

const send = (contentType: string | undefined, body: string | Uint8Array<ArrayBuffer>) =>
  world().raw(POST.method, POST.path, {
    headers: contentType === undefined ? {} : { "content-type": contentType },
    body: typeof body === "string" ? bytesOf(body) : body,
  });

const FORM_TYPE = "multipart/form-data; boundary=b";

interface Part {
  head: string;
  body: string;
}

const field = (name: string, body: string): Part => ({
  head: `Content-Disposition: form-data; name="${name}"`,
  body,
});

const FILE: Part = {
  head: 'Content-Disposition: form-data; name="file"; filename="id.pdf"',
  body: "%PDF-",
};

const whole = (): Part[] => [
  field("documentHolder", holder),
  field("documentType", "PASSPORT"),
  field("country", "MX"),
  FILE,
];

/** The bytes of a form. */
const written = (parts: readonly Part[], { boundary = "b", end = "" } = {}) => {
  const text = parts.map(({ head, body }) => `--${boundary}\r\n${head}\r\n\r\n${body}\r\n`);
  return `${text.join("")}--${boundary}--${end}`;
};

test("three operations take a form", () => {
  expect(UPLOADS.map(({ operationId }) => operationId)).toEqual([
    "uploadCustomersCsv",
    "createDocument",
    "replaceDocument",
  ]);
});

describe("a form of another client is read", () => {
  test.each([
    { says: "with a line end behind it", end: "\r\n" },
    { says: "with an epilogue", end: "\r\nThis is the epilogue" },
    { says: "without anything behind it", end: "" },
  ])("$says", async ({ end }) => {
    expect((await send(FORM_TYPE, written(whole(), { end }))).status).toBe(201);
  });

  test("with a preamble", async () => {
    expect((await send(FORM_TYPE, `preamble\r\n${written(whole())}`)).status).toBe(201);
  });

  test.each(["x", "x".repeat(70), "----WebKitFormBoundaryABC", "a'()+_,-./:=?b"])(
    "with the boundary %s",
    async (boundary) => {
      const type = `Multipart/Form-Data; charset=utf-8; boundary="${boundary}"`;
      expect((await send(type, written(whole(), { boundary }))).status).toBe(201);
    },
  );

  test.each([
    { head: 'filename="a b.pdf"', fileName: "a b.pdf" },
    { head: "filename=plain.pdf", fileName: "plain.pdf" },
    { head: "filename*=utf-8''Reisepa%C3%9F.pdf", fileName: "Reisepaß.pdf" },
    { head: 'filename="Reisepa\xc3\x9f.pdf"', fileName: "Reisepaß.pdf" },
    { head: 'filename="a\\"b.pdf"', fileName: 'a"b.pdf' },
    { head: 'filename="..\\..\\id.pdf"', fileName: "..\\..\\id.pdf" },
    { head: 'filename="../../id.pdf"', fileName: "../../id.pdf" },
  ])("with a file named by $head", async ({ head, fileName }) => {
    const file = { head: `Content-Disposition: form-data; name="file"; ${head}`, body: "%PDF-" };
    const { status, body } = await send(FORM_TYPE, written([...whole().slice(0, 3), file]));
    expect({ status, fileName: body.fileName }).toEqual({ status: 201, fileName });
  });

  test("with an unknown part, file or text", async () => {
    const more = [
      field("__proto__", "x"),
      field("constructor", "x"),
      { ...FILE, head: 'Content-Disposition: form-data; name="other"; filename="b.pdf"' },
      { head: "Content-Type: text/plain", body: "no name" },
    ];
    expect((await send(FORM_TYPE, written([...more, ...whole()]))).status).toBe(201);
  });
});

describe("a form that is refused", () => {
  const expectRefusal = (
    body: () => string,
    refused: Parameters<typeof expectRefused>[1],
    type = FORM_TYPE,
  ) => expectNothing(world(), () => send(type, body()), refused);

  test.each([
    { says: "no form at all", cut: () => "nothing of the kind" },
    { says: "its end alone missing", cut: (text: string) => text.slice(0, -2) },
    { says: "cut inside the file", cut: (text: string) => text.slice(0, -9) },
    { says: "cut inside a head", cut: (text: string) => text.slice(0, 30) },
    { says: "cut inside a field", cut: (text: string) => text.slice(0, 70) },
    { says: "of another boundary", cut: (text: string) => text.replaceAll("--b", "--c") },
  ])("is broken: $says", ({ cut }) => expectRefusal(() => cut(written(whole())), BROKEN));

  test("names no boundary", () =>
    expectRefusal(() => written(whole()), BROKEN, "multipart/form-data"));

  test("has over 100 parts", () => {
    const many = Array.from({ length: 97 }, (_, at) => field(`f${at}`, ""));
    return expectRefusal(() => written([...whole(), ...many]), BROKEN);
  });

  test("has two files", () => expectRefusal(() => written([...whole(), FILE]), invalid("file")));

  test("has no file", () => expectRefusal(() => written(whole().slice(0, 3)), invalid("file")));

  test("has a text for a file", () =>
    expectRefusal(
      () => written([...whole().slice(0, 3), field("file", "%PDF-")]),
      invalid("file"),
    ));

  test("has a file and a text of its name", () =>
    expectRefusal(() => written([...whole(), field("file", "x")]), invalid("file")));

  test("has a file without a name", () => {
    const file = { ...FILE, head: FILE.head.replace("id.pdf", "") };
    return expectRefusal(() => written([...whole().slice(0, 3), file]), invalid("file"));
  });

  test.each(["documentHolder", "documentType", "country"])("has %s twice", (name) =>
    expectRefusal(() => written([...whole(), field(name, "MX")]), invalid(name)),
  );

  test("has a file for a text", () => {
    const file = { ...FILE, head: 'Content-Disposition: form-data; name="country"; filename="a"' };
    return expectRefusal(() => written([...whole(), file]), invalid("country"));
  });

  test("is empty", () => expectRefusal(() => "--b--\r\n", invalid("file")));

  test("has no bytes, whatever its type", async () => {
    for (const type of [FORM_TYPE, "text/plain", undefined])
      expectRefused(await send(type, ""), invalid("body"));
  });
});

describe.each(UPLOADS)("$operationId", (one) => {
  test.each([
    "application/json",
    "text/csv",
    "application/pdf",
    "multipart/mixed; boundary=b",
    "multipart/form-data-x; boundary=b",
    "application/x-www-form-urlencoded",
  ])("does not take %s", async (type) => {
    const path = one.path.replace("{documentId}", "none");
    const call = () =>
      world().raw(one.method, path, { headers: { "content-type": type }, body: "{}" });
    await expectNothing(world(), call, UNSUPPORTED);
    expect((await call()).body.message).toContain("multipart/form-data");
  });

  test("is refused before its form is read: permission is checked first", async () => {
    const headers = { authorization: "Basic bm9ib2R5Og==" };
    const init = { headers, body: formOf(PASSPORT) };
    expect((await world().raw(one.method, one.path, init)).status).toBe(401);
  });

  test("is a form with a binary file in the OpenAPI document", async () => {
    const { body } = await world().control("GET", "/openapi.json");
    const { requestBody } = body.paths[one.path][one.method.toLowerCase()];
    expect(Object.keys(requestBody.content)).toEqual(["multipart/form-data"]);
    const schema = wholePart(requestBody.content["multipart/form-data"].schema, body);
    expect(schema.properties.file).toMatchObject({ type: "string", format: "binary" });
    expect(schema.required).toContain("file");
    expect(requestBody.required).toBe(true);
  });
});

test("the request log names a file, and holds none of its bytes", async () => {
  const secret = "%PDF-1.7 the contents of a passport";
  for (const padding of [0, 5000]) {
    const bytes = bytesOf(secret + "x".repeat(padding));
    const answer = await postDocument(world(), holder, { fileName: "id.pdf", bytes });
    const id = answer.headers.get("x-sim-request-id");
    const { body } = await world().control("GET", `/requests/${id}`);
    expect(JSON.parse(body.requestBody)).toEqual({
      documentHolder: holder,
      ...PASSPORT,
      file: { fileName: "id.pdf", sizeBytes: secret.length + padding },
    });
    expect(JSON.stringify(body)).not.toContain("passport");
  }
});

describe("over a socket", () => {
  let port: number;

  beforeEach(async () => {
    ({ port } = await world().sim.listen());
  });

  const head = (headers: readonly string[]) => {
    const { clientId, clientSecret } = world().sim;
    return [
      "POST /2025-10-13/documents HTTP/1.1",
      "host: 127.0.0.1",
      `authorization: Basic ${btoa(`${clientId}:${clientSecret}`)}`,
      "connection: close",
      ...headers,
      "",
      "",
    ].join("\r\n");
  };

  /** Sends bytes, or sends some and disconnects; returns the answer. */
  const exchange = (bytes: readonly (string | Uint8Array)[], { hangsUp = false } = {}) =>
    new Promise<string>((resolve) => {
      const chunks: Buffer[] = [];
      const socket = connect(port, "127.0.0.1", () => {
        for (const part of bytes) socket.write(part);
        if (hangsUp) socket.destroy();
      });
      socket.on("data", (chunk) => chunks.push(chunk));
      socket.on("error", () => socket.destroy());
      socket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
    });

  const statusOf = (text: string) => Number(text.split(" ")[1]);
  const bodyOf = (text: string) => JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4));

  test("a real client's form is taken, file and all", async () => {
    const { sim } = world();
    const authorization = `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`;
    const body = formOf({ documentHolder: holder, ...PASSPORT }, { bytes: pdfOf(3 * MEBIBYTE) });
    const init = { method: "POST", headers: { authorization }, body };
    const response = await fetch(`${sim.apiUrl}/documents`, init);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ documentHolder: holder });
  });

  test("a body that is too large is refused by its announced length, unread", async () => {
    const announced = [`content-type: ${FORM_TYPE}`, `content-length: ${2 ** 40}`];
    const text = await exchange([head(announced)]);
    expect(statusOf(text)).toBe(400);
    expect(bodyOf(text)).toMatchObject({ code: "INVALID_INPUT", reason: "FILE_TOO_LARGE" });
  });

  test("a body in chunks is read to the limit and no further", async () => {
    const chunk = Buffer.concat([
      Buffer.from(`${MEBIBYTE.toString(16)}\r\n`),
      Buffer.alloc(MEBIBYTE),
      Buffer.from("\r\n"),
    ]);
    const headers = [`content-type: ${FORM_TYPE}`, "transfer-encoding: chunked"];
    const before = process.memoryUsage().arrayBuffers;
    const text = await exchange([head(headers), ...Array(40).fill(chunk), "0\r\n\r\n"]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30 * MEBIBYTE);
    expect(bodyOf(text)).toMatchObject({ status: 400, reason: "FILE_TOO_LARGE" });
  });

  test("a client that hangs up in the middle leaves nothing behind", async () => {
    const body = written(whole());
    const headers = [`content-type: ${FORM_TYPE}`, `content-length: ${body.length}`];
    await exchange([head(headers), body.slice(0, 100)], { hangsUp: true });
    const { body: list } = await world().call("GET", "/documents");
    expect(list.totalCount).toBe(0);
  });
});

test("no bytes in a form are a bug", async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "--b\r\n",
      "--b--",
      "\r\n\r\n",
      FILE.head,
      'Content-Disposition: form-data; name="country"\r\n\r\nMX\r\n',
      "Content-Type: text/plain; charset=latin1\r\n",
      "Content-Transfer-Encoding: base64\r\n",
      "%PDF-",
      "\r\n",
    ),
    fc.string({ unit: "binary", maxLength: 12 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
      const answer = await send(FORM_TYPE, pieces.join(""));
      expect([400, 404]).toContain(answer.status);
      expectErrorShape(answer);
    }),
    { seed: 20_260_105, numRuns: runsOf(300) },
  );
});

test("a CSV over 100 MiB is 413, by its announced length", async () => {
  const { port } = await world().sim.listen();
  const { clientId, clientSecret } = world().sim;
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(
        [
          "POST /2025-10-13/customers/bulk/csv HTTP/1.1",
          "host: 127.0.0.1",
          `authorization: Basic ${btoa(`${clientId}:${clientSecret}`)}`,
          "connection: close",
          `content-type: ${FORM_TYPE}`,
          `content-length: ${101 * MEBIBYTE}`,
          "",
          "",
        ].join("\r\n"),
      ),
    );
    socket.on("data", (chunk) => resolve(chunk.toString("latin1")));
  });
  expect(answer).toContain("HTTP/1.1 413");
  expect(answer).toContain("PAYLOAD_TOO_LARGE");
});
