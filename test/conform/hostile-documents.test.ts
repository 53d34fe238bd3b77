import { describe, expect, test } from "vitest";
import { JUDGING, type JudgingLimits } from "../../src/conform/body-check.ts";
import { DescribedApi } from "../../src/conform/described-api.ts";
import { Judge } from "../../src/conform/judge.ts";
import { fitsPattern, pathMatcher } from "../../src/conform/path-patterns.ts";
import type { Exchange } from "../../src/conform/traffic.ts";

const json = (schema: object) => ({ content: { "application/json": { schema } } });

const documentOf = (schema: object, more: object = {}, openapi = "3.1.0") => ({
  openapi,
  paths: { "/x": { get: { responses: { 200: json(schema) } } } },
  ...more,
});

const got = (responseBody: unknown): Exchange => ({
  kind: "call",
  method: "GET",
  path: "/x",
  status: 200,
  requestBody: undefined,
  responseBody,
});

const QUICK = { bodyMs: 100, lostMs: 1_000, laterMs: 20 };

const judgedWithin = (limits: JudgingLimits, document: object, bodies: unknown[]) => {
  const judge = new Judge(new DescribedApi(document), { limits });
  for (const body of bodies) judge.take(got(body));
  return judge.report();
};

const judged = (document: object, ...bodies: unknown[]) => judgedWithin(JUDGING, document, bodies);

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const schemas = (of: object) => ({ components: { schemas: of } });

// spec/conform.md#bodies-that-are-not-judged
describe("what cannot be compared is told, and counts neither way", () => {
  const nested = (levels: number) => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
  const bomb = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `S${at}`,
      { anyOf: [ref(`S${at + 1}`), ref(`S${at + 1}`)] },
    ]),
  );
  test.each<{ what: string; document: object; body: unknown; why: RegExp }>([
    {
      what: "a costly pattern",
      document: documentOf({ type: "string", pattern: "^(a+)+$" }),
      body: `${"a".repeat(60)}!`,
      why: /takes too long/,
    },
    {
      what: "a union of unions",
      document: documentOf(ref("S0"), schemas({ ...bomb, S40: { type: "string" } })),
      body: 1,
      why: /takes too long/,
    },
    {
      what: "a schema that is itself",
      document: documentOf(ref("A"), schemas({ A: { allOf: [ref("B")] }, B: ref("A") })),
      body: {},
      why: /does not finish/,
    },
    {
      what: "a body that is nested deeply",
      document: documentOf({}),
      body: nested(100_000),
      why: /deeper than 100 levels/,
    },
    ...(
      [
        ["type", { a: 1 }, "a text or a list of texts but found an object"],
        ["enum", "toString", 'a list but found "toString"'],
        ["required", { length: 1 }, "a list of texts but found an object"],
        ["$ref", { $ref: "#" }, "a text but found an object"],
        ["allOf", 7, "a list but found 7"],
        ["properties", [], "an object but found a list"],
      ] as const
    ).map(([keyword, value, form]) => ({
      what: `a schema whose ${keyword} has another form`,
      document: documentOf(ref("A"), schemas({ A: { items: { not: { [keyword]: value } } } })),
      body: [{}],
      why: new RegExp(`: Expected .${keyword.slice(1)} to be ${form.replace("$", ".")}`),
    })),
    {
      what: "a schema that is none",
      document: documentOf({ items: "text" }),
      body: [{}],
      why: /^Its schema cannot be read: Expected a schema but found "text"\.$/,
    },
  ])("$what", ({ document, body, why }) => {
    const {
      score,
      judged: count,
      invalid,
      notJudged,
      operations,
    } = judgedWithin(QUICK, document, [body, body]);
    expect([score, count, invalid]).toEqual([0, 0, []]);
    expect(notJudged).toEqual([
      {
        operation: "GET /x",
        status: "200",
        in: "response",
        why: expect.stringMatching(why),
        count: 2,
      },
    ]);
    expect(operations[0]?.statuses).toEqual([{ status: "200", met: 2, valid: 0, notJudged: 2 }]);
  });

  test("but a schema of trees is judged to its leaves", () => {
    const tree = { type: "object", properties: { down: ref("Tree"), n: { type: "number" } } };
    const document = documentOf(ref("Tree"), schemas({ Tree: tree }));
    const { invalid } = judged(document, { down: { down: { n: "1" } } }, { down: { n: 1 } });
    expect(invalid.map(({ path }) => path)).toEqual(["/down/down/n"]);
  });

  test("a body of its own time does not use up that of others", () => {
    const responses = { 200: json({ type: "string", pattern: "^(a+)+$" }), 201: json({}) };
    const api = new DescribedApi({ openapi: "3.1.0", paths: { "/x": { get: { responses } } } });
    const judge = new Judge(api, { limits: { bodyMs: 100, lostMs: 1, laterMs: 2_000 } });
    judge.take(got(`${"a".repeat(60)}!`));
    judge.take({ ...got(1), status: 201 } as Exchange);
    expect(judge.report()).toMatchObject({ score: 100, judged: 1, exchanges: 2 });
  });
});

describe("a pattern", () => {
  const withPattern = (pattern: string) => documentOf({ type: "string", pattern });

  test.each([
    ["^\\d+\\-\\d+$", "1-2", "1_2"],
    ["^[\\w\\-]+\\@x$", "a-b@x", "a b@x"],
    ["^\\_\\:$", "_:", "__"],
  ])("%s is read although JavaScript is stricter", (pattern, good, bad) => {
    const { invalid, patternsLeftOut } = judged(withPattern(pattern), good, bad);
    expect(patternsLeftOut).toEqual([]);
    expect(invalid).toMatchObject([{ count: 1 }]);
  });

  test.each(["[", "(?i)a", "a++", "\\p{Nobody}"])("%s is left out, and told", (pattern) => {
    const { score, patternsLeftOut } = judged(withPattern(pattern), "anything");
    expect(score).toBe(100);
    expect(patternsLeftOut).toEqual([
      { at: "#/paths/~1x/get/responses/200/content/application~1json/schema", pattern },
    ]);
  });
});

describe("a reference", () => {
  const at = "#/paths/~1x/get/responses/200/content/application~1json/schema";

  test.each([
    ["./pet.yaml", "within the document"],
    ["file:///etc/passwd", "within the document"],
    ["https://example.test/pet.json#/Pet", "within the document"],
    ["http://[", "within the document"],
    ["#/components/schemas/Nope", "to parts of the document"],
    ["#/components/schemas/__proto__", "to parts of the document"],
    ["#/%E0%A4%A", "to parts of the document"],
    ["#nope", "to parts of the document"],
  ])("to %s is refused by its name", ($ref, says) => {
    const make = () => new DescribedApi(documentOf({ $ref }, schemas({})));
    expect(make).toThrow(`Expected references ${says} but found "${$ref}" at ${at}`);
  });

  test("in a discriminator is one, too", () => {
    const discriminator = { propertyName: "kind", mapping: { dog: "./dog.yaml" } };
    const make = () => new DescribedApi(documentOf({ oneOf: [], discriminator }));
    expect(make).toThrow('"./dog.yaml"');
  });

  test("among examples and default values is none", () => {
    const schema = { example: { $ref: "./a.json" }, default: { $ref: "./b.json" } };
    expect(judged(documentOf(schema), 1).score).toBe(100);
  });

  test.each(["default", "type", "format", "example", "enum", "constructor", "x-pet"])(
    "leads to a schema named %s",
    (name) => {
      const document = documentOf(ref(name), schemas({ [name]: { type: "number" } }));
      expect(judged(document, 1).score).toBe(100);
      expect(judged(document, "1").score).toBe(0);
    },
  );

  test("is followed within the response named default, to an anchor and to an id", () => {
    const parts = { A: { $anchor: "a", type: "number" }, B: { $id: "urn:b", type: "number" } };
    const properties = { a: { $ref: "#a" }, b: { $ref: "urn:b" }, c: ref("A") };
    const responses = { default: json({ properties }) };
    const document = { openapi: "3.1.0", paths: { "/x": { get: { responses } } } };
    const { invalid } = judged({ ...document, ...schemas(parts) }, { a: 1, b: 1, c: "1" });
    expect(invalid.map(({ path }) => path)).toEqual(["/c"]);
  });
});

test("a document that is nested without end, or too deeply, is refused", () => {
  const cycle: Record<string, unknown> = { openapi: "3.1.0" };
  cycle.paths = cycle;
  expect(() => new DescribedApi(cycle)).toThrow("at most 500 levels");
  const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`);
  expect(() => new DescribedApi({ openapi: "3.1.0", deep })).toThrow("at most 500 levels");
});

test.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
  "a member named %s is a member like others",
  (name) => {
    const properties = JSON.parse(`{"${name}":{"type":"number"}}`);
    const document = documentOf({ type: "object", properties, required: ["n"] });
    const { invalid } = judged(document, { n: 1 }, JSON.parse(`{"n":1,"${name}":"x"}`));
    expect(invalid.map(({ path }) => path)).toEqual([`/${name}`]);
  },
);

test("paths of many parameters are found in the time of their length", () => {
  const parameters = Array.from({ length: 40 }, (_, at) => `{p${at}}`);
  const isAt = pathMatcher(`/a/${parameters.join("-")}/${parameters.join("")}/end`);
  const many = "1-".repeat(20_000);
  expect(isAt(`/a/${many}1/${"x".repeat(40)}/end`)).toBe(true);
  expect(isAt(`/a/${many}1/${"x".repeat(39)}/end`)).toBe(false);
  expect(isAt(`/a/${many}1/${"x".repeat(40_000)}/and`)).toBe(false);
  expect(fitsPattern("*a".repeat(40), `${"a".repeat(50_000)}b`)).toBe(false);
  expect(fitsPattern(`${"*a".repeat(40)}*b`, `${"a".repeat(50_000)}b`)).toBe(true);
});

describe("a template", () => {
  test.each<[string, string, boolean]>([
    ["/pets/{id}", "/pets/1", true],
    ["/pets/{id}", "/pets/", false],
    ["/pets/{id}", "/pets/1/2", false],
    ["/pets/{id}.json", "/pets/a.b.json", true],
    ["/pets/{id}.json", "/pets/.json", false],
    ["/{a}{b}", "/xy", true],
    ["/{a}{b}", "/x", false],
    ["/{a}aa", "/aaa", true],
    ["/{a}aa", "/aa", false],
    ["/pets", "/pets", true],
  ])("%s and %s: %s", (template, path, isAt) => {
    expect(pathMatcher(template)(path)).toBe(isAt);
  });
});
