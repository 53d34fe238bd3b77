import { describe, expect, test } from "vitest";
import { openApiDocument } from "../../src/api/openapi.ts";
import { REVISIONS } from "../../src/contract/core/revision-names.ts";
import { controlOpenApiDocument } from "../../src/control/openapi.ts";
import { FieldSentences, sentenceOf } from "../../src/http/openapi/field-sentences.ts";
import { docPages } from "../../src/machine/doc-files.ts";
import { complaintsAboutText } from "../docs/setup/prose.ts";

interface Field {
  at: string;
  name: string;
  schema: Record<string, unknown>;
  description: unknown;
}

type Json = Record<string, unknown>;

/** Every member of every object within a part of a document. */
const membersIn = (node: unknown, at: string): Field[] => {
  if (typeof node !== "object" || node === null) return [];
  if (Array.isArray(node)) return node.flatMap((one) => membersIn(one, at));
  const { properties = {}, example: _example, "x-errors": _errors, ...others } = node as Json;
  const members = Object.entries(properties as Record<string, Json>).flatMap(([name, schema]) => [
    { at: `${at}.${name}`, name, schema, description: schema.description },
    ...membersIn(schema, `${at}.${name}`),
  ]);
  const inner = Object.entries(others).flatMap(([key, one]) =>
    membersIn(
      one,
      /^(items|schema|content|allOf|oneOf|anyOf|application\/json)$/.test(key)
        ? at
        : `${at}.${key}`,
    ),
  );
  return [...members, ...inner];
};

interface Operation {
  operationId: string;
  parameters?: { name?: string; in?: string; description?: string; schema: Json }[];
}

const fieldsOf = (document: unknown): Field[] => {
  const { paths, webhooks, components } = document as Record<string, Json> & {
    components: { schemas: Json };
    paths: Record<string, Record<string, Operation>>;
  };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const parameters = operations.flatMap(({ operationId, parameters: all = [] }) =>
    all
      .filter(({ name }) => name !== undefined)
      .map(({ name = "", description, schema }) => ({
        at: `${operationId}?${name}`,
        name,
        schema,
        description,
      })),
  );
  const bodies = operations.flatMap(({ operationId, parameters: _parameters, ...one }) =>
    membersIn(one, operationId),
  );
  return [
    ...parameters,
    ...bodies,
    ...membersIn(webhooks, "webhooks"),
    ...membersIn(components.schemas, "schemas"),
  ];
};

const DOCUMENTS = [
  ...REVISIONS.map((revision) => ({
    surface: `platform ${revision}`,
    document: openApiDocument("test", revision),
  })),
  { surface: "control", document: controlOpenApiDocument("test") },
];

/** The unit that a sentence must tell, by the shape of the value or the name of the field. */
const UNITS: readonly { of: (field: Field) => boolean; says: RegExp }[] = [
  {
    of: ({ schema }) => /\/(Amount|AmountInput|AmountBound)$/.test(`${schema.$ref}`),
    says: /smallest unit/,
  },
  { of: ({ schema }) => /\/Instant(Input)?$/.test(`${schema.$ref}`), says: /ISO 8601/ },
  { of: ({ schema }) => /\/CalendarDate$/.test(`${schema.$ref}`), says: /YYYY-MM-DD/ },
  { of: ({ schema }) => /\/CountryCode$/.test(`${schema.$ref}`), says: /ISO 3166-1/ },
  { of: ({ name }) => /[a-z]Ms$/.test(name), says: /millisecond|on the system clock/ },
  { of: ({ name }) => /Bytes$|^bytes$/.test(name), says: /bytes|answer's body/i },
  { of: ({ name }) => /Percentage$/.test(name), says: /percent/ },
  { of: ({ name }) => /Seconds$/.test(name), says: /seconds/ },
  {
    of: ({ name }) => /(Limit|Spend)$/.test(name) && !/Transaction|rate/.test(name),
    says: /smallest unit/,
  },
];

describe.each(DOCUMENTS)("the document of the $surface", ({ document }) => {
  const fields = fieldsOf(document);

  test("has a sentence for every field and parameter", () => {
    expect(fields.length).toBeGreaterThan(1_000);
    const missing = fields.filter(
      ({ description }) => !/^(?:[A-Z`$0-9]).*\.$/s.test(String(description ?? "")),
    );
    expect(
      missing.map(({ at, description }) => `${at}: ${description}`),
      "add rows to src/docs/spec/fields.md",
    ).toEqual([]);
  });

  test("says the unit of every amount, instant, date, span and share", () => {
    const silent = fields.filter((field) =>
      UNITS.some(({ of, says }) => of(field) && !says.test(String(field.description))),
    );
    expect(silent.map(({ at, description }) => `${at}: ${description}`)).toEqual([]);
  });

  test("leads nowhere and uses plain words", () => {
    const all = [...new Set(fields.map(({ description }) => String(description)))];
    expect(all.filter((one) => /\]\(|\bsee (above|below)\b/.test(one))).toEqual([]);
    expect(all.flatMap((one) => complaintsAboutText(one).map((what) => `${one} ${what}`))).toEqual(
      [],
    );
  });
});

test.each([
  ["the [source](#source)", "The source."],
  ["see [lifecycle](#lifecycle)", undefined],
  ["total fees; see [quote fees](rates.md#quote-fees)", "Total fees."],
  ["see below", undefined],
  ["", undefined],
  ["`$user@domain`", "`$user@domain`."],
])("a cell with %s is the sentence %s", (cell, sentence) => {
  expect(sentenceOf(cell)).toBe(sentence);
});

const PAGES = new Map([
  [
    "spec/fields",
    `| Shapes | Table |
|---|---|
| \`Quote\` | [quote](quotes.md#quote-fields) |

| Shape | Phrase | Unit |
|---|---|---|
| \`Amount\` | \`smallest unit\` | In the smallest unit |

| Field | Of | Meaning |
|---|---|---|
| \`id\` | | id of the record |
| \`id\` | \`*Event\`, \`Lane.first\` | id of the webhook |
| \`total\` | | sum |
`,
  ],
  [
    "spec/quotes",
    `# Quotes

## Quote fields

| Field | Type | Meaning |
|---|---|---|
| \`id\` | string | id of the quote |
| \`rate.fixed\` | number | fixed part, in the smallest unit |
| \`total\` | int64 | |

## Others

| Field | Type | Meaning |
|---|---|---|
| \`id\` | string | id of another |
`,
  ],
]);

test.each([
  { owner: "Quote", path: [], name: "id", says: "Id of the quote." },
  { owner: "Quote", path: ["rate"], name: "fixed", says: "Fixed part, in the smallest unit." },
  { owner: "Quote", path: [], name: "total", says: "Sum." },
  { owner: "QuoteEvent", path: [], name: "id", says: "Id of the webhook." },
  { owner: "Lane", path: ["first"], name: "id", says: "Id of the webhook." },
  { owner: "Lane", path: [], name: "id", says: "Id of the record." },
  { owner: "Lane", path: [], name: "unknown", says: undefined },
])("$owner $path $name: $says", ({ owner, path, name, says }) => {
  expect(new FieldSentences(PAGES).find({ owner, path, name })).toBe(says);
});

test("a unit follows the sentence that lacks it", () => {
  const sentences = new FieldSentences(PAGES);
  expect(sentences.withUnit("Sum.", "Amount")).toBe("Sum. In the smallest unit.");
  expect(sentences.withUnit("Sum in the smallest unit.", "Amount")).toBe(
    "Sum in the smallest unit.",
  );
  expect(sentences.withUnit("Sum.", undefined)).toBe("Sum.");
});

const ALL = DOCUMENTS.flatMap(({ document }) => fieldsOf(document));

test("no row of the catalogs is about a field that is not there, and none is there twice", () => {
  const text = docPages().get("spec/fields") ?? "";
  const rows = [...text.matchAll(/^\| `([^`]+)` \| ([^|]*) \| [^|]+ \|$/gm)]
    .map(([, name = "", of = ""]) => ({ name, of: of.trim() }))
    .filter(({ of }) => of === "" || /^`/.test(of))
    .filter(({ of }) => !/^`(ISO|YYYY|smallest|whole)/.test(of));
  const names = new Set(ALL.map(({ name }) => name));
  expect(rows.filter(({ name }) => !names.has(name))).toEqual([]);
  const plain = rows.filter(({ of }) => of === "").map(({ name }) => name);
  expect(plain.filter((name, at) => plain.indexOf(name) !== at)).toEqual([]);
});
