import { describe, expect, test } from "vitest";
import { DescribedApi } from "../../src/conform/described-api.ts";
import { readMeant } from "../../src/conform/differences-meant.ts";
import { Judge } from "../../src/conform/judge.ts";
import { type Exchange, readTraffic } from "../../src/conform/traffic.ts";

const json = (schema: object) => ({ content: { "application/json": { schema } } });

const PET = {
  type: "object",
  properties: { kind: { enum: ["cat", "dog"] }, age: { type: "number" } },
  additionalProperties: false,
};

const DOCUMENT = {
  openapi: "3.1.0",
  paths: {
    "/pets/{id}": {
      get: { responses: { 200: json(PET), 404: json({}) } },
      put: { requestBody: json(PET), responses: { 200: json({}) } },
    },
    "/owners": {
      get: { responses: { 200: json({ anyOf: [{ type: "string" }, { items: PET }] }) } },
    },
  },
  webhooks: { BORN: { post: { requestBody: json({}) } } },
};

const judged = (lines: readonly object[], ignore = "") => {
  const judge = new Judge(new DescribedApi(DOCUMENT), { meant: readMeant(ignore) });
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  for (const exchange of readTraffic(text)) judge.take(exchange);
  return judge.report();
};

const call = (line: string, status: number, more: object = {}) => {
  const [method, path] = line.split(" ");
  return { method, path, status, ...more };
};

const good = call("GET /pets/1", 200, { responseBody: { kind: "cat" } });

// spec/conform.md#unknown-routes
test("calls of unknown routes that are refused as they should be do not count", () => {
  const {
    score,
    exchanges,
    judged: count,
    undocumented,
    unknownRoutes,
  } = judged([
    good,
    call("GET /nowhere?x=1", 404),
    call("GET /nowhere", 404),
    call("DELETE /pets/1", 405),
    call("DELETE https://x.test/pets/1", 404),
    call("GET /pets/2", 404, { responseBody: {} }),
  ]);
  expect({ score, exchanges, count, undocumented }).toEqual({
    score: 100,
    exchanges: 6,
    count: 2,
    undocumented: [],
  });
  expect(unknownRoutes).toEqual([
    { operation: "GET /nowhere", status: "404", count: 2 },
    { operation: "DELETE /pets/1", status: "405", count: 1 },
    { operation: "DELETE /pets/1", status: "404", count: 1 },
  ]);
});

test.each([
  call("GET /nowhere", 200),
  call("GET /nowhere", 405),
  call("GET /nowhere", 500),
  call("DELETE /pets/1", 403),
  call("PUT /pets/1", 404),
  call("PUT /pets/1", 405),
])("other answers count: %j", (line) => {
  const { score, unknownRoutes, undocumented } = judged([line]);
  expect([score, unknownRoutes]).toEqual([0, []]);
  expect(undocumented).toHaveLength(1);
});

// spec/conform.md#bodies-that-are-not-judged
describe("a body that is not there as a whole", () => {
  test("is not judged, and its status is", () => {
    const cut = call("GET /pets/1", 200, {
      responseBody: '{"kind":"ca…',
      cut: { responseBody: 61_234 },
    });
    const { score, invalid, notJudged, operations } = judged([good, cut]);
    expect([score, invalid]).toEqual([100, []]);
    expect(notJudged).toEqual([
      {
        operation: "GET /pets/{id}",
        status: "200",
        in: "response",
        why: "Only the beginning is stored of its 61234 characters.",
        count: 1,
      },
    ]);
    expect(operations).toEqual([
      {
        operation: "GET /pets/{id}",
        score: 100,
        statuses: [{ status: "200", met: 2, valid: 1, notJudged: 1 }],
      },
    ]);
  });

  test("does not keep the other body of its call from being judged", () => {
    const line = call("PUT /pets/1", 200, {
      requestBody: "…",
      responseBody: "…",
      cut: { responseBody: 9_000 },
    });
    const { score, invalid, notJudged } = judged([line]);
    expect([score, invalid.length, notJudged.length]).toEqual([0, 1, 1]);
  });

  test("is one of a HAR file without its text", () => {
    const har = (size: number): Exchange[] =>
      readTraffic(
        JSON.stringify({
          log: {
            entries: [
              {
                request: { method: "GET", url: "https://x.test/pets/1", bodySize: 0 },
                response: { status: 200, content: { size, mimeType: "application/json" } },
              },
            ],
          },
        }),
      );
    expect(har(77)).toMatchObject([{ notWhole: { responseBody: "Its text is not in the file." } }]);
    expect(har(0)[0]).not.toHaveProperty("notWhole");
  });
});

// spec/conform.md#differences-that-are-meant
describe("a difference that is meant", () => {
  test("hides no other one of the same body", () => {
    const ignore = "* * * /kind # cows are new\n";
    const both = call("GET /pets/1", 200, { responseBody: { kind: "cow", age: "1" } });
    const one = call("GET /pets/1", 200, { responseBody: { kind: "cow" } });
    const { score, invalid, meant } = judged([both, one], ignore);
    expect(score).toBe(50);
    expect(invalid.map(({ path }) => path)).toEqual(["/age"]);
    expect(meant).toMatchObject([{ path: "/kind", count: 2 }]);
  });

  test("is enough in one branch of a union", () => {
    const ignore = "GET /owners 200 /*/kind # cows are new\n";
    const owner = (body: unknown) => call("GET /owners", 200, { responseBody: body });
    const { score, invalid } = judged(
      [owner([{ kind: "cow" }]), owner([{ kind: "cow", age: "1" }])],
      ignore,
    );
    expect([score, invalid.length]).toEqual([50, 1]);
  });

  test("may be a status, an operation or a webhook that is not described", () => {
    const ignore = [
      "* * 4* status # ours refuses more",
      "PATCH /pets/* * operation # ours",
      "webhook DI* * operation # ours",
    ].join("\n");
    const lines = [
      call("GET /pets/1", 418),
      call("PATCH /pets/1", 200),
      { webhook: { type: "DIED" } },
    ];
    const { score, undocumented, meant } = judged(lines, ignore);
    expect([score, undocumented]).toEqual([100, []]);
    expect(meant.map(({ operation, path }) => `${operation} ${path}`)).toEqual([
      "GET /pets/{id} status",
      "PATCH /pets/1 operation",
      "webhook DIED operation",
    ]);
    expect(judged(lines).score).toBe(0);
  });
});
