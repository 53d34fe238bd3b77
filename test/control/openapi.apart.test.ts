import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { openApiDocument } from "../../src/api/openapi.ts";
import { CONTROL_ENDPOINTS } from "../../src/control/control-surface.ts";
import { controlOpenApiDocument } from "../../src/control/openapi.ts";
import { VERSION } from "../../src/version.ts";
import { startTestSimulator } from "../setup/test-simulator.ts";

interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  const?: unknown;
  enum?: unknown[];
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

interface Operation {
  operationId: string;
  requestBody?: Content;
  responses: Record<string, Content>;
}

interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const document = JSON.parse(JSON.stringify(controlOpenApiDocument("test"))) as Document;

const operationsOf = (paths: Document["paths"]) =>
  Object.values(paths).flatMap((methods) => Object.values(methods));

const operations = operationsOf(document.paths);

test("every operation of the control surface is in its document, once", () => {
  const declared = CONTROL_ENDPOINTS.map(({ operationId }) => operationId).sort();
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(declared);
  expect(new Set(declared).size).toBe(declared.length);
});

const isOpen = ({ properties, additionalProperties: more }: Schema) =>
  more === true ||
  (typeof more === "object" && Object.keys(more).length === 0) ||
  (properties === undefined && (more === undefined || more === false));

/** Places in a schema that say nothing of what is there: no type, or an object of any members. */
const vaguePlaces = (schema: Schema, at: string): string[] => {
  if (schema.$ref !== undefined || "const" in schema || schema.enum) return [];
  if (schema.anyOf) return schema.anyOf.flatMap((one, n) => vaguePlaces(one, `${at}|${n}`));
  if (schema.type === undefined) return [at];
  if (schema.type === "array") return vaguePlaces(schema.items ?? {}, `${at}[]`);
  if (schema.type !== "object") return [];
  if (isOpen(schema)) return [at];
  const { properties = {}, additionalProperties: more } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, one]) => vaguePlaces(one, `${at}.${name}`)),
    ...(typeof more === "object" ? vaguePlaces(more, `${at}.*`) : []),
  ];
};

test("a schema that says nothing is found", () => {
  const vague: Schema = {
    type: "object",
    properties: {
      any: {},
      loose: { type: "object", properties: {}, additionalProperties: {} },
      list: { type: "array", items: { type: "object" } },
      fine: { type: "object", properties: { id: { type: "string" } } },
    },
  };
  expect(vaguePlaces(vague, "it")).toEqual(["it.any", "it.loose", "it.list[]"]);
});

test("no reply is an object of any members", () => {
  const replies = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.values(content).map(({ schema }) => ({ at: `${operationId} ${status}`, schema })),
    ),
  );
  expect(replies.length).toBeGreaterThan(CONTROL_ENDPOINTS.length);
  expect(replies.flatMap(({ at, schema }) => vaguePlaces(schema, at))).toEqual([]);
});

/** Of the platform, where a record of any values is what its own contract has. */
const PLATFORMS = new Set(
  Object.keys((openApiDocument("test") as unknown as Document).components.schemas),
);

test("no shared schema is an object of any members", () => {
  const own = Object.entries(document.components.schemas).filter(([name]) => !PLATFORMS.has(name));
  const vague = own.flatMap(([name, schema]) => vaguePlaces(schema, name));
  expect(vague, "only JSON itself is any JSON, and a fixture has a schema of its own").toEqual([
    "JsonValue|4[]",
    "SeedInput.fixture",
    "SeedInput.generate",
  ]);
});

test("every schema of a request or a reply is a valid JSON Schema", () => {
  const ajv = new Ajv2020({ strict: false, validateSchema: true });
  (addFormats as unknown as (to: Ajv2020) => void)(ajv);
  ajv.addFormat("int64", true);
  ajv.addSchema({ $id: "control", ...document });
  const names = Object.keys(document.components.schemas);
  for (const name of names) ajv.compile({ $ref: `control#/components/schemas/${name}` });
  const { paths } = JSON.parse(JSON.stringify(document).replaceAll('"#/', '"control#/'));
  const schemas = operationsOf(paths).flatMap(({ requestBody, responses }) =>
    [...Object.values(responses), ...(requestBody ? [requestBody] : [])].flatMap(
      ({ content = {} }) => Object.values(content).map(({ schema }) => schema),
    ),
  );
  expect(schemas.length).toBeGreaterThan(CONTROL_ENDPOINTS.length);
  for (const schema of schemas) ajv.compile(schema);
});

test("every reference names a shared schema", () => {
  const named = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
  const missing = named.filter(([, name = ""]) => !(name in document.components.schemas));
  expect(missing.map(([text]) => text)).toEqual([]);
  expect(Object.keys(document.components.schemas).filter((name) => /^__/.test(name))).toEqual([]);
});

test("a simulator serves it", async () => {
  const { sim, control } = await startTestSimulator();
  const { status, body } = await control("GET", "/control-openapi.json");
  expect(status).toBe(200);
  expect(body).toEqual(JSON.parse(JSON.stringify(controlOpenApiDocument(VERSION))));
  expect(body.servers).toEqual([{ url: "/_sim" }]);
  await sim.close();
});

test("an operation that means a world says by which header and query, as parts written once", () => {
  const { components, paths } = JSON.parse(JSON.stringify(controlOpenApiDocument("test")));
  expect(components.parameters.WorldHeader).toMatchObject({ name: "X-Sim-World", in: "header" });
  expect(components.parameters.WorldQuery).toMatchObject({ name: "world", in: "query" });
  const refs = ["WorldHeader", "WorldQuery"].map((name) => ({
    $ref: `#/components/parameters/${name}`,
  }));
  expect(paths["/clock/advance"].post.parameters).toEqual(refs);
  expect(paths["/live"].get.parameters).toBeUndefined();
  expect(paths["/worlds"].get.parameters).toMatchObject([{ name: "of", in: "query" }]);
  expect(paths["/clock/advance"].post["x-errors"]).toEqual(
    expect.arrayContaining([
      { $ref: "#/components/x-errors/WORLD_NOT_FOUND" },
      { $ref: "#/components/x-errors/WORLD_CONFLICT" },
    ]),
  );
});

test("every operation that means a world can refuse its name, and its caller beyond loopback", () => {
  const { paths } = JSON.parse(JSON.stringify(controlOpenApiDocument("test")));
  const statusesOf = ({ path, method }: { path: string; method: string }) =>
    Object.keys(paths[path || "/"][method.toLowerCase()].responses);
  const ofAWorld = CONTROL_ENDPOINTS.filter(({ isWorldless }) => !isWorldless);
  expect(ofAWorld.length).toBeGreaterThan(60);
  for (const endpoint of ofAWorld)
    expect(statusesOf(endpoint), endpoint.operationId).toEqual(
      expect.arrayContaining(["400", "401", "403", "404", "503"]),
    );
});

test("the platform says of worlds in words, so that generated clients have no parameter for them", () => {
  const { components, paths, info } = JSON.parse(JSON.stringify(openApiDocument("test")));
  expect(info.description).toContain("X-Sim-World");
  expect(components.securitySchemes.basic.description).toContain("sandbox+checkout-7");
  expect(JSON.stringify(components.parameters)).not.toContain("X-Sim-World");
  const wordsOf = (operation: { "x-errors": { $ref: string }[] }) =>
    operation["x-errors"].flatMap(({ $ref }) => /WORLD.*$/.exec($ref)?.[0] ?? []);
  const all = ["WORLD_UNKNOWN", "WORLD_REMOVED", "WORLD_NAME", "WORLD_CONFLICT", "WORLDS_FULL"];
  expect(wordsOf(paths["/config"].get)).toEqual(all);
  expect(wordsOf(paths["/agents/me"].get)).toEqual(all);
  expect(wordsOf(paths["/agents/device-codes/{code}/redeem"].post)).toEqual(all);
});
