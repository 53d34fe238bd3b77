import { describe, expect, test } from "vitest";
import { DescribedApi, NoOpenApi } from "../../src/conform/described-api.ts";
import { BrokenIgnore, readMeant } from "../../src/conform/differences-meant.ts";
import { Judge } from "../../src/conform/judge.ts";
import { BrokenTraffic, type Exchange, readTraffic } from "../../src/conform/traffic.ts";

const json = (schema: object) => ({ content: { "application/json": { schema } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const SCHEMAS = {
  Pet: {
    type: "object",
    properties: {
      id: { type: "string", format: "uuid" },
      kind: { type: "string", enum: ["cat", "dog"] },
      bornAt: { type: "string", format: "date-time" },
      age: { type: "integer", minimum: 0 },
      owner: ref("Owner"),
    },
    required: ["id", "kind"],
    additionalProperties: false,
  },
  Owner: {
    oneOf: [ref("Person"), ref("Company")],
    discriminator: {
      propertyName: "type",
      mapping: { PERSON: "#/components/schemas/Person", COMPANY: "Company" },
    },
  },
  Person: {
    type: "object",
    properties: { type: { type: "string" }, name: { type: "string" } },
    required: ["type", "name"],
  },
  Company: {
    type: "object",
    properties: { type: { type: "string" }, vat: { type: "string", pattern: "^[A-Z]{2}[0-9]+$" } },
    required: ["type", "vat"],
  },
};

const DOCUMENT = {
  openapi: "3.1.0",
  servers: [{ url: "https://api.example.test/v1" }, { url: "/{tenant}/v2" }],
  paths: {
    "/pets": {
      get: { responses: { 200: json({ type: "array", items: ref("Pet") }) } },
      post: {
        requestBody: json(ref("Pet")),
        responses: { 201: json(ref("Pet")), "4XX": json({ type: "object", required: ["code"] }) },
      },
    },
    "/pets/{id}": {
      get: { responses: { 200: json(ref("Pet")), default: json({ type: "object" }) } },
      delete: { responses: { 204: { description: "gone" } } },
    },
    "/pets/mine": { get: { responses: { 200: json({ type: "object", required: ["mine"] }) } } },
  },
  webhooks: { "pet.born": { post: { requestBody: json(ref("Pet")) } } },
  components: { schemas: SCHEMAS },
};

const PET = { id: "0190a1b2-0000-7000-8000-000000000001", kind: "cat" };

const call = (line: string, status: number, more: object = {}): Exchange => ({
  kind: "call",
  method: line.split(" ")[0] ?? "",
  path: line.split(" ")[1] ?? "",
  status,
  requestBody: undefined,
  responseBody: undefined,
  ...more,
});

const judged = (exchanges: readonly Exchange[], ignore = "", document: object = DOCUMENT) => {
  const judge = new Judge(new DescribedApi(document), {
    meant: readMeant(ignore),
    placeholder: "[hidden]",
  });
  for (const exchange of exchanges) judge.take(exchange);
  return judge.report();
};

const got = (body: unknown) => call("GET /pets/1", 200, { responseBody: body });

// spec/conform.md#findings
describe("a planted difference is found where it is", () => {
  const owned = (owner: object) => ({ ...PET, owner });
  test.each<{ what: string; body: unknown; at?: string; says: string | RegExp }>([
    {
      what: "a value that is none of a closed enum",
      body: { ...PET, kind: "cow" },
      at: "/kind",
      says: /not match any of/,
    },
    { what: "a required member that is missing", body: { id: PET.id }, says: /kind/ },
    {
      what: "a member that is not described",
      body: { ...PET, hat: 1 },
      at: "/hat",
      says: "The document does not have this member.",
    },
    {
      what: "a wrong format",
      body: { ...PET, bornAt: "yesterday" },
      at: "/bornAt",
      says: /date-time/,
    },
    { what: "a wrong type", body: { ...PET, age: "3" }, at: "/age", says: /integer/ },
    { what: "a limit", body: { ...PET, age: -1 }, at: "/age", says: /0/ },
    { what: "null where none may be", body: { ...PET, age: null }, at: "/age", says: /null/ },
    {
      what: "a discriminator of no branch",
      body: owned({ type: "GOD" }),
      at: "/owner/type",
      says: /not match any of/,
    },
    {
      what: "a branch that does not fit",
      body: owned({ type: "PERSON" }),
      at: "/owner",
      says: /name/,
    },
    {
      what: "a pattern",
      body: owned({ type: "COMPANY", vat: "1" }),
      at: "/owner/vat",
      says: /pattern/,
    },
    { what: "no body", body: undefined, says: "Expected a body but found none." },
    { what: "a text in place of JSON", body: "<html>", says: /object/ },
  ])("$what", ({ body, at: path = "", says }) => {
    const { invalid, score } = judged([got(PET), got(body)]);
    expect(score).toBe(50);
    expect(invalid).toEqual([
      {
        operation: "GET /pets/{id}",
        status: "200",
        in: "response",
        path,
        says: typeof says === "string" ? says : expect.stringMatching(says),
        count: 1,
      },
    ]);
  });

  test("and none is found in traffic that fits", () => {
    const owner = { type: "COMPANY", vat: "DE123" };
    const whole = { ...PET, bornAt: "2026-01-05T09:00:00Z", age: 3, owner };
    const report = judged([
      got(whole),
      call("GET /v1/pets", 200, { responseBody: [PET, whole] }),
      call("POST https://api.example.test/v1/pets?x=1", 201, {
        requestBody: PET,
        responseBody: PET,
      }),
      call("POST /pets", 422, { requestBody: { wrong: true }, responseBody: { code: 1 } }),
      call("DELETE /pets/1", 204),
      call("GET /pets/mine", 200, { responseBody: { mine: 1 } }),
      call("GET /pets/1", 500, { responseBody: {} }),
      { kind: "webhook", body: { type: "pet.born", ...PET } },
    ]);
    // The webhook's `type` is a member that the document does not have.
    expect(report.invalid.map(({ operation, path }) => `${operation} ${path}`)).toEqual([
      "webhook pet.born /type",
    ]);
    expect(report.undocumented).toEqual([]);
  });
});

test("operations and statuses that are not described are told with their number", () => {
  const { undocumented, score, operations, neverMet } = judged([
    call("PUT /pets", 200),
    call("GET /elsewhere?x=1", 200),
    call("GET /pets", 404),
    call("GET /pets", 404),
    { kind: "webhook", body: { type: "pet.died" } },
    got(PET),
  ]);
  expect(undocumented).toEqual([
    { operation: "PUT /pets", count: 1 },
    { operation: "GET /elsewhere", count: 1 },
    { operation: "GET /pets", status: "404", count: 2 },
    { operation: "webhook pet.died", count: 1 },
  ]);
  expect(score).toBe(16.6);
  expect(operations).toEqual([
    { operation: "GET /pets/{id}", score: 100, statuses: [{ status: "200", met: 1, valid: 1 }] },
  ]);
  expect(neverMet).toEqual([
    { operation: "GET /pets", status: "200" },
    { operation: "POST /pets", status: "201" },
    { operation: "POST /pets", status: "4XX" },
    { operation: "GET /pets/{id}", status: "default" },
    { operation: "DELETE /pets/{id}", status: "204" },
    { operation: "GET /pets/mine", status: "200" },
  ]);
});

test("a value that the log hides counts as fitting", () => {
  const { score, invalid } = judged([got({ ...PET, kind: "[hidden]" })]);
  expect([score, invalid]).toEqual([100, []]);
});

test("a request is checked where it was taken", () => {
  const wrong = { requestBody: { id: 1 }, responseBody: PET };
  const { invalid } = judged([call("POST /pets", 201, wrong)]);
  expect(invalid).toMatchObject([{ in: "request", path: "/id" }]);
  const refused = { requestBody: { id: 1 }, responseBody: { code: 1 } };
  expect(judged([call("POST /pets", 400, refused)]).invalid).toEqual([]);
});

describe("OpenAPI 3.0", () => {
  const old = {
    openapi: "3.0.3",
    paths: {
      "/x": {
        get: {
          responses: {
            200: json({
              type: "object",
              properties: {
                a: { type: "string", nullable: true, enum: ["one"] },
                b: { type: "number", minimum: 0, exclusiveMinimum: true },
                c: { nullable: true, allOf: [ref("C")] },
              },
              additionalProperties: false,
            }),
          },
        },
      },
    },
    components: { schemas: { C: { type: "object", required: ["d"] } } },
  };
  test.each<[object, string[]]>([
    [{ a: null, b: 0.5, c: null }, []],
    [{ a: "one", b: 1, c: { d: 1 } }, []],
    [{ a: "two" }, ["/a"]],
    [{ b: 0 }, ["/b"]],
    [{ c: {} }, ["/c"]],
    [{ e: 1 }, ["/e"]],
  ])("%j", (body, paths) => {
    const { invalid } = judged([call("GET /x", 200, { responseBody: body })], "", old);
    expect(invalid.map(({ path }) => path)).toEqual(paths);
  });
});

describe("expected differences", () => {
  test("count as fitting, and are told with their reason", () => {
    const ignore = "# ours\n\nGET /pets/{id} 200 /kind # cows are new\n";
    const { score, invalid, meant } = judged([got({ ...PET, kind: "cow" })], ignore);
    expect([score, invalid]).toEqual([100, []]);
    expect(meant).toMatchObject([{ path: "/kind", reason: "cows are new", count: 1 }]);
  });

  test("stop where their pattern does", () => {
    const ignore = "GET /pets/* * /owner/* # owners are ours";
    const { invalid } = judged(
      [got({ ...PET, owner: { type: "GOD" } }), got({ ...PET, kind: "cow" })],
      ignore,
    );
    expect(invalid.map(({ path }) => path)).toEqual(["/kind"]);
  });

  test.each([
    ["GET /pets 200 /kind", 'in line 1 but found "GET /pets 200 /kind"'],
    ["# fine\nGET /pets 200 /kind #", "in line 2"],
    ["everything", "in line 1"],
  ])("%j is refused", (text, where) => {
    expect(() => readMeant(text)).toThrow(BrokenIgnore);
    expect(() => readMeant(text)).toThrow(where);
  });
});

describe("traffic", () => {
  test("is read from lines", () => {
    const line = '{"method":"get","path":"/pets/1","status":200,"responseBody":{"a":1}}';
    expect(readTraffic(`${line}\n\n{"webhook":{"type":"x"}}\n`)).toEqual([
      call("get /pets/1", 200, { responseBody: { a: 1 } }),
      { kind: "webhook", body: { type: "x" } },
    ]);
    expect(readTraffic(line)).toHaveLength(1);
  });

  test("is read from HAR", () => {
    const text = Buffer.from('{"a":1}').toString("base64");
    const entry = {
      request: { method: "POST", url: "https://x.test/v1/pets", postData: { text: '{"b":2}' } },
      response: { status: 201, content: { encoding: "base64", text } },
    };
    expect(readTraffic(JSON.stringify({ log: { entries: [entry] } }))).toEqual([
      call("POST https://x.test/v1/pets", 201, {
        requestBody: { b: 2 },
        responseBody: { a: 1 },
      }),
    ]);
  });

  test.each([
    [
      '{"method":"GET","path":"/a","status":200}\n{"meth',
      "in line 2 but found text that is cut off",
    ],
    ['{"path":"/a","status":200}', "Expected method, path and status in line 1"],
    ['{"log":{"entries":[{"request":', "a whole HAR file"],
    ['{"log":{}}', "Expected log.entries"],
    ["7", "one JSON object in line 1"],
  ])("%j is refused", (text, sentence) => {
    expect(() => readTraffic(text)).toThrow(BrokenTraffic);
    expect(() => readTraffic(text)).toThrow(sentence);
  });
});

test.each([{}, { openapi: "2.0" }, { swagger: "2.0" }, [], null])(
  "%j is no OpenAPI 3",
  (document) => expect(() => new DescribedApi(document)).toThrow(NoOpenApi),
);
