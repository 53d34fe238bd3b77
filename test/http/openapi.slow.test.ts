import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { openApiDocument } from "../../src/api/openapi.ts";
import { named } from "../../src/contract/core/named-shape.ts";
import { FIRST_REVISION } from "../../src/contract/core/revision-names.ts";
import { EVENT_TYPES, hasEvent } from "../../src/contract/webhooks/events.ts";
import { controlOpenApiDocument } from "../../src/control/openapi.ts";
import { OpenApiShapes } from "../../src/http/openapi/shapes.ts";
import { startTestSimulator } from "../setup/test-simulator.ts";

interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  pattern?: string;
  properties?: Record<string, Schema & { const?: unknown }>;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
}

interface Webhook {
  operationId: string;
  summary: string;
  security: unknown[];
  requestBody: { content: Record<string, { schema: Schema; example: { type: string } }> };
  responses: Record<string, { description: string }>;
}

interface Document {
  openapi: string;
  paths: Record<string, Record<string, { tags: string[] }>>;
  webhooks?: Record<string, { post: Webhook }>;
  components: { schemas: Record<string, Schema> };
}

const plain = (document: unknown) => JSON.parse(JSON.stringify(document)) as Document;

const PLATFORM = plain(openApiDocument("test"));
const CONTROL = plain(controlOpenApiDocument("test"));

const SURFACES = [
  { surface: "platform", document: PLATFORM, mostBytes: 620_000 },
  { surface: "control", document: CONTROL, mostBytes: 440_000 },
];

const isNull = ({ type }: Schema) => type === "null";

/** A schema that a generator would make a type of, or a form nobody wants to read twice. */
const isShape = ({ properties, enum: values = [], oneOf, anyOf, pattern = "" }: Schema) =>
  Object.keys(properties ?? {}).length > 0 ||
  values.length > 1 ||
  oneOf !== undefined ||
  (anyOf !== undefined && !anyOf.some(isNull)) ||
  pattern.length > 30;

/** Every schema within a part of a document, with its place. */
const schemasIn = (node: unknown, at: string): { at: string; schema: Schema }[] => {
  if (typeof node !== "object" || node === null) return [];
  const inner = Object.entries(node)
    .filter(([key]) => !["example", "x-errors", "discriminator"].includes(key))
    .flatMap(([key, value]) => schemasIn(value, `${at}/${key}`));
  const isSchema = "type" in node || "oneOf" in node || "anyOf" in node || "enum" in node;
  return isSchema ? [{ at, schema: node as Schema }, ...inner] : inner;
};

const allSchemas = ({ paths, webhooks, components }: Document) => [
  ...schemasIn(paths, "paths"),
  ...schemasIn(webhooks, "webhooks"),
  ...schemasIn(components, "components"),
];

describe.each(SURFACES)("the document of the $surface surface", ({ document, mostBytes }) => {
  const { schemas } = document.components;

  test("is small enough to be read", () => {
    expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThan(mostBytes);
  });

  test("writes every shape once: what stands twice has a name", () => {
    const places = new Map<string, string[]>();
    for (const { at, schema } of allSchemas(document)) {
      if (/^components\/schemas\/\w+$/.test(at) || !isShape(schema)) continue;
      const text = JSON.stringify(schema);
      places.set(text, [...(places.get(text) ?? []), at]);
    }
    expect([...places.values()].filter((found) => found.length > 1)).toEqual([]);
  });

  test("names types: each name is a noun in pascal case, and they are sorted", () => {
    const names = Object.keys(schemas);
    expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]+$/.test(name))).toEqual([]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    expect(names).toEqual(names.toSorted());
  });

  test("says of each tagged union which value stands for which shape", () => {
    const unions = allSchemas(document).filter(({ schema }) => schema.oneOf);
    expect(unions.length).toBeGreaterThan(4);
    for (const { at, schema } of unions) {
      const { propertyName = "", mapping = {} } = schema.discriminator ?? {};
      expect([...new Set(Object.values(mapping))], at).toEqual(
        schema.oneOf?.map((one) => one.$ref),
      );
      for (const [tag, ref] of Object.entries(mapping)) {
        const { const: only, enum: several } =
          schemas[ref.slice("#/components/schemas/".length)]?.properties?.[propertyName] ?? {};
        expect(several ?? [only], `${at} ${ref}`).toContain(tag);
      }
    }
  });
});

/** A schema that says nothing of a value: generators make it `unknown`. */
const isVague = (schema: object) => Object.keys(schema).length === 0;

/** Places of the platform whose members are for a caller to choose, or differ by error. */
const OPEN_RECORDS = [
  "BulkUploadError/properties/details",
  "Error/properties/details",
  "QuoteInput/properties/senderCustomerInfo",
  "TransactionApprovalInput/properties/receiverCustomerInfo",
];

test("a member of the platform's shapes has a type, and a typo in one is an error", () => {
  const { schemas } = PLATFORM.components;
  const vague: string[] = [];
  const look = (node: unknown, at: string) => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      const place = `${at}/${key}`;
      if (key !== "properties" && typeof value === "object" && value && isVague(value))
        vague.push(place);
      look(value, place);
    }
  };
  for (const [name, schema] of Object.entries(schemas)) look(schema, name);
  expect(vague).toEqual(OPEN_RECORDS.map((place) => `${place}/additionalProperties`));
});

test("the account of a reply is of the type that it was created with", () => {
  const byCurrency = { $ref: "#/components/schemas/ExternalAccountByCurrency" };
  const shapes = [
    "ExternalAccount",
    "CustomerExternalAccountInput",
    "PlatformExternalAccountInput",
  ];
  for (const name of shapes)
    expect(PLATFORM.components.schemas[name]?.allOf?.[1]).toEqual(byCurrency);
});

test.each([
  { currency: "Gbp", types: ["GbpAccountInfo", "SwiftAccountInfo"] },
  { currency: "Usd", types: ["SlvAccountInfo", "UsdAccountInfo", "SwiftAccountInfo"] },
  { currency: "Btc", types: ["SwiftAccountInfo", "SparkWalletInfo", "LightningInfo"] },
])("an account in $currency is of one of $types", ({ currency, types }) => {
  const { properties } = PLATFORM.components.schemas[`${currency}ExternalAccount`] ?? {};
  expect(properties?.currency).toMatchObject({ type: "string", const: currency.toUpperCase() });
  expect(properties?.accountInfo?.oneOf?.map(({ $ref }) => $ref)).toEqual(
    types.map((name) => `#/components/schemas/${name}`),
  );
});

test("an invoice may be in capitals", () => {
  const { LightningInfo } = PLATFORM.components.schemas;
  expect(LightningInfo?.properties?.invoice?.pattern).toBe("^[lL][nN]");
});

test("a challenge takes the key of a client, and its reply says of which type it is", () => {
  const { CredentialChallengeInput, PasskeyChallenge } = PLATFORM.components.schemas;
  expect(CredentialChallengeInput?.properties?.clientPublicKey).toMatchObject({
    type: "string",
    pattern: "^04[0-9a-fA-F]{128}$",
  });
  expect(PasskeyChallenge?.properties?.type).toMatchObject({ type: "string", const: "PASSKEY" });
});

test.each(SURFACES)("every operation of the $surface surface has a group", ({ document }) => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const groups = operations.map(({ tags }) => tags);
  for (const group of groups) expect(group).toEqual([expect.stringMatching(/^[a-z-]+(\/me)?$/)]);
  expect(new Set(groups.flat()).size).toBeGreaterThan(10);
});

describe("the webhooks of the platform's document", () => {
  const webhooks = Object.entries(PLATFORM.webhooks ?? {});

  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (to: Ajv2020) => void)(ajv);
  ajv.addFormat("int64", true);
  ajv.addSchema({ $id: "platform", ...PLATFORM });
  const compiled = (schema: Schema) =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"platform#/')));

  // spec/events.md#types, spec/events.md#card-event-spelling
  test("are the 32 events, both spellings of a card event being one", () => {
    expect(webhooks).toHaveLength(32);
    const spelled = EVENT_TYPES.filter(
      (type) => !/^CARD\./.test(type) && hasEvent(FIRST_REVISION, type),
    );
    expect(webhooks.map(([name]) => name)).toEqual(spelled);
  });

  test.each(webhooks)("%s has an example of its shape", (name, { post }) => {
    const { schema, example } = post.requestBody.content["application/json"] ?? { schema: {} };
    const validate = compiled(schema);
    expect(validate(example), ajv.errorsText(validate.errors)).toBe(true);
    expect(example?.type).toBe(name);
    expect(post.summary).toMatch(/^(A|An|The) [a-z]/);
    expect(compiled({ $ref: "#/components/schemas/WebhookEvent" })(example)).toBe(true);
    expect(post.security).toEqual([]);
  });

  test("a card event fits under either spelling, and no event under another type", () => {
    const { post } = PLATFORM.webhooks?.["card.state_change"] ?? {};
    const { schema = {}, example } = post?.requestBody.content["application/json"] ?? {};
    const validate = compiled(schema);
    expect(validate({ ...example, type: "CARD.STATE_CHANGE" })).toBe(true);
    expect(validate({ ...example, type: "card.funding_source_change" })).toBe(false);
  });

  // spec/uma-payments.md#approval-answers
  test("an approval request names the answers that decide", () => {
    const { responses = {} } = PLATFORM.webhooks?.["INCOMING_PAYMENT.PENDING"]?.post ?? {};
    expect(Object.keys(responses)).toEqual(["200", "202", "403", "422"]);
    const others = PLATFORM.webhooks?.["INCOMING_PAYMENT.COMPLETED"]?.post.responses ?? {};
    expect(Object.keys(others).sort()).toEqual(["2XX", "409"]);
  });
});

test("a simulator serves the same bytes each time, as compact JSON", async () => {
  const { sim } = await startTestSimulator();
  const get = () => sim.fetch(new Request(`${sim.controlUrl}/openapi.json`));
  const [first, second] = [await (await get()).text(), await (await get()).text()];
  expect(second).toBe(first);
  expect(JSON.stringify(JSON.parse(first))).toBe(first);
  expect(Buffer.byteLength(first)).toBeLessThan(620_000);
  await sim.close();
});

describe("two shapes of one name", () => {
  const one = named("Twin", () => z.object({ id: z.string() }));
  const other = named("Twin", () => z.object({ id: z.number() }));

  test("are refused", () => {
    const shapes = new OpenApiShapes();
    shapes.schemaOf(one, "output");
    expect(() => shapes.schemaOf(other, "output")).toThrow("Expected one shape named Twin");
  });

  test("are refused where one is sent and the other answered", () => {
    const shapes = new OpenApiShapes();
    shapes.schemaOf(one, "input");
    shapes.schemaOf(other, "output");
    expect(() => shapes.schemas()).toThrow("Expected one shape named Twin");
  });

  test("may be one that is sent and answered: it has the form that may be sent", () => {
    const shapes = new OpenApiShapes();
    shapes.schemaOf(one, "output");
    shapes.schemaOf(one, "input");
    expect(shapes.schemas()).toEqual({
      Twin: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    });
  });
});

// spec/lists.md#list-table: filters in bold are required.
test.each([
  {
    surface: "platform",
    document: PLATFORM,
    required: [
      "listBeneficialOwners customerId",
      "listCredentials accountId",
      "listSessions accountId",
    ],
  },
  {
    surface: "control surface",
    document: CONTROL,
    required: [
      "balanceSeries account",
      "balanceSeries currency",
      "diff from",
      "find query",
      "rows list",
      "waitForWebhooks type",
    ],
  },
])(
  "the document of the $surface names the queries that must be there",
  ({ document, required }) => {
    type Queried = {
      operationId: string;
      parameters?: { in: string; name: string; required: boolean }[];
    };
    const operations = Object.values(document.paths).flatMap((item) =>
      Object.values(item as unknown as Record<string, Queried>),
    );
    const found = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter((one) => one.in === "query" && one.required)
        .map(({ name }) => `${operationId} ${name}`),
    );
    expect(found.sort()).toEqual(required);
  },
);
