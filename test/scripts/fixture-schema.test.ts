import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { fixtureSchema } from "../../src/contract/platform/fixtures.ts";
import { checkFixture } from "../../src/scripts/fixture-check.ts";

const read = (path: string) => JSON.parse(readFileSync(path, "utf8"));

const published = read("fixtures/fixture.schema.json");

const ajv = new Ajv({ strict: false });
(addFormats as unknown as (to: Ajv) => void)(ajv);
ajv.addFormat("int64", true);
const accepts = ajv.compile(published);

test("the published schema is what the program prints: service-sim seed --schema", () => {
  expect(published).toEqual(JSON.parse(JSON.stringify(fixtureSchema())));
});

/** Every object of the schema that names members, by the path of each. */
const membersIn = (node: unknown, path = ""): { path: string; schema: object }[] => {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => [
    ...(key === "properties"
      ? Object.entries(value as object).map(([name, schema]) => ({
          path: `${path}.${name}`,
          schema,
        }))
      : []),
    ...membersIn(value, `${path}.${key}`),
  ]);
};

test.each(["name", "description", "config", "rates", "troubles", "steps"])(
  "%s is described",
  (name) => {
    expect(published.properties[name].description).toMatch(/^\S.*[^.]$/);
  },
);

test("every member of a step is described, but for what its values say", () => {
  const members = membersIn(published.properties.steps);
  expect(members.map(({ path }) => path.split(".").at(-1))).toEqual(
    expect.arrayContaining(["request", "method", "path", "headers", "body", "expect", "advance"]),
  );
  const silent = members.filter(({ schema }) => !("description" in schema || "enum" in schema));
  expect(silent.map(({ path }) => path.split(".").at(-1))).toEqual(["request"]);
});

const step = (members: object) => ({ name: "f", steps: [members] });
const request = (members: object) => step({ request: { method: "GET", path: "/c", ...members } });

const isFixture = (document: unknown) => {
  try {
    checkFixture(document);
    return true;
  } catch {
    return false;
  }
};

describe("an editor with the schema and the program agree", () => {
  test.each([
    { what: "a name alone", document: { name: "f" }, is: true },
    { what: "a request", document: request({}), is: true },
    {
      what: "a request with everything",
      is: true,
      document: request({ method: "PUT", headers: { "x-a": "1" }, body: {}, expect: 404 }),
    },
    { what: "a clock step", document: step({ advance: "6m" }), is: true },
    { what: "a configuration", is: true, document: { name: "f", config: { umaDomain: "a.test" } } },
    { what: "a trouble", document: { name: "f", troubles: [{ do: "hold" }] }, is: true },
    {
      what: "a trouble with everything",
      is: true,
      document: {
        name: "f",
        troubles: [{ do: "delay", type: "OUTGOING_PAYMENT.COMPLETED", times: 2, by: "1h" }],
      },
    },
    { what: "an unknown trouble", document: { name: "f", troubles: [{ do: "lose" }] }, is: false },
    {
      what: "a trouble about a record",
      document: { name: "f", troubles: [{ do: "hold", about: "Quote:1" }] },
      is: false,
    },
    { what: "rates", document: { name: "f", rates: { EUR: "0.9" } }, is: true },
    { what: "no name", document: {}, is: false },
    { what: "an unknown member", document: { name: "f", stpes: [] }, is: false },
    { what: "a rate of no currency", document: { name: "f", rates: { EURO: "0.9" } }, is: false },
    { what: "a rate that is a number", document: { name: "f", rates: { EUR: 1 } }, is: false },
    { what: "an unknown configuration", document: { name: "f", config: { x: 1 } }, is: false },
    { what: "an empty step", document: step({}), is: false },
    { what: "a named clock step", document: step({ name: "a", advance: "6m" }), is: false },
    { what: "an unknown method", document: request({ method: "HEAD" }), is: false },
    { what: "a path without a slash", document: request({ path: "customers" }), is: false },
    { what: "a body that is a list", document: request({ body: [] }), is: false },
    { what: "a status that is none", document: request({ expect: 99 }), is: false },
    {
      what: "a header that is no header",
      document: request({ headers: { "a b": "" } }),
      is: false,
    },
  ])("$what: $is", ({ document, is }) => {
    expect(isFixture(document)).toBe(is);
    expect(accepts(document), ajv.errorsText(accepts.errors)).toBe(is);
  });

  test.each(["default", "payouts-demo"])("the shipped world %s", (name) => {
    const document = read(`fixtures/worlds/${name}.json`);
    expect(accepts(document), ajv.errorsText(accepts.errors)).toBe(true);
    expect(document).toMatchObject({ $schema: "../fixture.schema.json", name });
  });
});
