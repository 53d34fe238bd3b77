import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { BUNDLED_FIXTURES } from "../../src/contract/platform/bundled-fixtures.ts";
import { controlOpenApiDocument } from "../../src/control/openapi.ts";

interface Schema {
  enum?: string[];
  properties: Record<string, Schema & { $ref?: string }>;
}

const { schemas } = controlOpenApiDocument("test").components as {
  schemas: Record<string, Schema>;
};

test("the fixtures that types name are those of the package", () => {
  const files = readdirSync("fixtures/worlds").map((name) => name.replace(/\.json$/, ""));
  expect([...BUNDLED_FIXTURES]).toEqual(files.sort());
});

test.each([
  { names: "FixtureName", has: "payouts-demo" },
  { names: "OperationId", has: "createQuote" },
  { names: "OutcomeRule", has: "quotedPayment.003" },
  { names: "RecordStatus", has: "COMPLETED" },
])("the document lists $names", ({ names, has }) => {
  expect(schemas[names]?.enum).toContain(has);
});

test("a row that no setting can bring about is not listed", () => {
  const rows = schemas.OutcomeRule?.enum ?? [];
  expect(rows.filter((row) => row.startsWith("walletProof."))).toEqual([]);
  expect(rows).not.toContain("umaLookup.person");
});

test.each([
  ["FaultMatch", "operation", "OperationId"],
  ["NextOutcomeInput", "rule", "OutcomeRule"],
  ["SeedInput", "name", "FixtureName"],
  ["WebhookTriggerInput", "type", "EventType"],
])("%s takes in %s one of %s", (shape, member, names) => {
  const found = schemas[shape]?.properties[member];
  expect(found?.$ref).toBe(`#/components/schemas/${names}`);
});
