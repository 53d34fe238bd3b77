import { expect, test } from "vitest";
import { openFixture } from "../../src/scripts/script-files.ts";
import { ScriptTextError } from "../../src/scripts/script-text.ts";
import { fileWith } from "./setup/file-with.ts";

const refusalOf = async (content: string | Uint8Array) => {
  const path = fileWith(content);
  const error = await openFixture(path).then(
    () => undefined,
    (refused: unknown) => refused,
  );
  if (!(error instanceof ScriptTextError)) throw error ?? new Error("Expected a refusal");
  return error.message.replaceAll(path, "f.json");
};

/** A fixture of one step, which stands on line 4. */
const stepping = (step: string) => `{\n  "name": "f",\n  "steps": [\n    ${step}\n  ]\n}\n`;

/** A fixture of one request, whose members begin at column 20 of line 4. */
const requesting = (members: string) => stepping(`{ "request": { ${members} } }`);

const get = '"method": "GET"';

test.each([
  { text: "", says: "a value at line 1, column 1 of f.json but found the end of the file" },
  { text: "{", says: 'a "}" at line 1, column 2 of f.json but found the end of the file' },
  {
    text: '{\n  "name": "f"\n  "steps": []\n}',
    says: 'a "," at line 3, column 3 of f.json but found "\\"steps\\""',
  },
  {
    text: '{\n  "name": "f",\n}',
    says: 'a member\'s name in double quotes at line 3, column 1 of f.json but found "}"',
  },
  { text: '{ "steps": [1, ] }', says: 'a value at line 1, column 16 of f.json but found "]"' },
  { text: '{ "name" "f" }', says: 'a ":" at line 1, column 10 of f.json but found "\\"f\\""' },
  { text: '{ "name": ff }', says: 'a value at line 1, column 11 of f.json but found "ff"' },
  { text: "{ 'name': 1 }", says: "a value at line 1, column 3 of f.json but found \"'name'\"" },
  { text: "{}\n{}", says: 'the end of the file at line 2, column 1 of f.json but found "{"' },
  {
    text: '{ "name": "f\n" }',
    says: 'a text that ends on its line at line 1, column 11 of f.json but found "\\"f"',
  },
  {
    text: '{\r\n  // a world\r\n  "name": "f"\r\n}',
    says: 'no comment at line 2, column 3 of f.json but found "// a world"',
  },
  {
    text: '\uFEFF{ "name": 5 }',
    says: "a string at line 1, column 11 of f.json but found 5",
  },
  {
    text: '{ "name": "f",\n  "name": "g" }',
    says: 'each member once at line 2, column 3 of f.json but found "name"',
  },
  {
    text: `{ "name": "f", "steps": ${"[".repeat(80)}${"]".repeat(80)} }`,
    says: "at most 64 levels at line 1, column 89 of f.json but found one more",
  },
  {
    text: "[".repeat(1_000_000),
    says: "at most 64 levels at line 1, column 1 of f.json but found many more",
  },
])("no JSON: Expected $says", async ({ text, says }) => {
  expect(await refusalOf(text)).toBe(`Expected ${says}`);
});

const MEMBERS =
  "one of $schema, name, description, config, rates, limits, approvals, troubles, steps, generate";

test.each([
  { text: "[]", says: "an object at line 1, column 1 of f.json but found an empty array" },
  { text: "null", says: "an object at line 1, column 1 of f.json but found null" },
  {
    text: '\n  { "steps": [] }',
    says: 'the member "name" at line 2, column 3 of f.json but found an object without it',
  },
  {
    text: '{ "name": "f", "stpes": [] }',
    says: `${MEMBERS} at line 1, column 16 of f.json but found "stpes"`,
  },
  {
    text: '{ "nmae": "f" }',
    says: `${MEMBERS} at line 1, column 3 of f.json but found "nmae"`,
  },
  {
    text: '{ "name": "f", "steps": {} }',
    says: "an array at line 1, column 25 of f.json but found an empty object",
  },
  {
    text: '{ "name": "two words" }',
    says:
      "at most 64 letters, digits, dots, dashes and underscores at line 1, column 11 of f.json " +
      'but found "two words"',
  },
  {
    text: '{ "name": "f", "rates": {\n  "EUR": 0.93 } }',
    says: "a string at line 2, column 10 of f.json but found 0.93",
  },
  {
    text: '{ "name": "f", "rates": {\n  "EURO": "1" } }',
    says: 'the code of a currency at line 2, column 3 of f.json but found "EURO"',
  },
  {
    text: '{ "name": "f", "config": {\n  "webhookEndpoint": "nowhere" } }',
    says: 'an http or https URL at line 2, column 22 of f.json but found "nowhere"',
  },
  {
    text: '{ "name": "f", "config": {\n  "webhooks": "http://127.0.0.1" } }',
    says:
      "one of umaDomain, webhookEndpoint, embeddedWalletConfig, feeConfigs, cardTokenization2faConfig, " +
      "isRegulatedFinancialInstitution, endUserTerms, supportedCurrencies at line 2, " +
      'column 3 of f.json but found "webhooks"',
  },
  { text: stepping("3"), says: "an object at line 4, column 5 of f.json but found 3" },
  {
    text: stepping("{}"),
    says: 'the member "request" at line 4, column 5 of f.json but found an object without it',
  },
  {
    text: stepping('{ "advance": "6m", "name": "later" }'),
    says: 'one of name, request, since, before, advance at line 4, column 24 of f.json but found "name"',
  },
  {
    text: stepping('{ "advance": 6 }'),
    says: "a string at line 4, column 18 of f.json but found 6",
  },
  {
    text: requesting('"method": "FETCH", "path": "/config"'),
    says: 'one of GET, POST, PUT, PATCH, DELETE at line 4, column 30 of f.json but found "FETCH"',
  },
  {
    text: requesting(`${get}, "pth": "/config"`),
    says:
      "one of method, path, headers, body, expect at line 4, column 37 of f.json " +
      'but found "pth"',
  },
  {
    text: requesting(get),
    says: 'the member "path" at line 4, column 18 of f.json but found an object without it',
  },
  {
    text: requesting(`${get}, "path": "customers"`),
    says:
      "a path that begins with / and has no spaces at line 4, column 45 of f.json " +
      'but found "customers"',
  },
  {
    text: requesting(`${get}, "path": "/config", "expect": "200"`),
    says: 'a number at line 4, column 66 of f.json but found "200"',
  },
  {
    text: requesting(`${get}, "path": "/config", "expect": 1000`),
    says: "a status from 200 to 599 at line 4, column 66 of f.json but found 1000",
  },
  {
    text: requesting(`${get}, "path": "/config", "headers": { "x y": "1" }`),
    says: 'the name of a header at line 4, column 69 of f.json but found "x y"',
  },
])("no fixture: Expected $says", async ({ text, says }) => {
  expect(await refusalOf(text)).toBe(`Expected ${says}`);
});

const two = (first: string, second: string) =>
  `{ "name": "f", "steps": [\n  ${first},\n  ${second}\n] }`;

const named = (name: string, path = "/config") =>
  `{ "name": "${name}", "request": { "method": "GET", "path": "${path}" } }`;

test.each([
  {
    what: "a name given twice",
    text: two(named("one"), named("one")),
    says: 'a name of its own at line 3, column 13 of f.json but found "one", which step 1 has',
  },
  {
    what: "a reference to nothing",
    text: two(named("one"), named("two", `/quotes/\${three.id}`)),
    says:
      `an earlier step's name in \${three.id} at line 3, column 58 of f.json ` +
      "but found no step of that name",
  },
  {
    what: "a reference ahead",
    text: two(named("one", `/quotes/\${two.id}`), named("two")),
    says:
      `an earlier step's name in \${two.id} at line 2, column 58 of f.json ` +
      "but found step 2, which comes later",
  },
  {
    what: "a reference to itself",
    text: two(named("one"), named("two", `/quotes/\${two.id}`)),
    says:
      `an earlier step's name in \${two.id} at line 3, column 58 of f.json ` +
      "but found the step itself",
  },
  {
    what: "a reference in a body",
    text: requesting(
      `"method": "POST", "path": "/quotes", "body": { "source": { "ids": ["\${a.id}"] } }`,
    ),
    says:
      `an earlier step's name in \${a.id} at line 4, column 87 of f.json ` +
      "but found no step of that name",
  },
  {
    what: "a reference in a header",
    text: requesting(`${get}, "path": "/config", "headers": { "x-a": "\${a.id}" }`),
    says:
      `an earlier step's name in \${a.id} at line 4, column 76 of f.json ` +
      "but found no step of that name",
  },
  {
    what: "a reference that does not end",
    text: requesting(`${get}, "path": "/quotes/\${a.id"`),
    says: `a reference like \${customer.id} at line 4, column 45 of f.json but found "\${a.id"`,
  },
  {
    what: "a reference without a name",
    text: requesting(`${get}, "path": "/quotes/\${}"`),
    says: `a reference like \${customer.id} at line 4, column 45 of f.json but found "\${}"`,
  },
  {
    what: "a body with GET",
    text: requesting(`${get}, "path": "/config", "body": {}`),
    says: "no body with GET at line 4, column 64 of f.json but found an object",
  },
  {
    what: "a span that is none",
    text: stepping('{ "advance": "6 minutes" }'),
    says:
      "a duration like 90s, 6m, 1h30m, 7d or PT6M at line 4, column 18 of f.json " +
      'but found "6 minutes"',
  },
  {
    what: "a span of nothing",
    text: stepping('{ "advance": "0s" }'),
    says:
      "a duration like 90s, 6m, 1h30m, 7d or PT6M at line 4, column 18 of f.json " +
      'but found "0s"',
  },
])("$what", async ({ text, says }) => {
  expect(await refusalOf(text)).toBe(`Expected ${says}`);
});

test("other bytes than UTF-8", async () => {
  expect(await refusalOf(new Uint8Array([0x7b, 0xff, 0x7d]))).toBe(
    "Expected UTF-8 in f.json but found other bytes",
  );
});

test.each([
  {
    path: "nowhere/at-all.json",
    says: "Expected a fixture at nowhere/at-all.json but found no file",
  },
  { path: "./test", says: "Expected a fixture at ./test but found a folder" },
  {
    path: "payouts",
    says: 'Expected a world bundled with the package (agent-demo, cards-demo, default, empty, payouts-demo, wallet-demo) but found "payouts"',
  },
])("$path is no fixture", async ({ path, says }) => {
  await expect(openFixture(path)).rejects.toThrow(says);
});
