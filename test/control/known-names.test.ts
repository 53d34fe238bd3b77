import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { Revision } from "../../src/contract/core/revision-names.ts";
import { BUNDLED_FIXTURES } from "../../src/contract/platform/bundled-fixtures.ts";
import { controlOpenApiDocument } from "../../src/control/openapi.ts";

interface Schema {
  enum?: string[];
  properties: Record<string, Schema & { $ref?: string }>;
}

const schemasIn = (revision?: Revision) =>
  (controlOpenApiDocument("test", revision).components as { schemas: Record<string, Schema> })
    .schemas;

const schemas = schemasIn();

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

// spec/revisions.md
test.each([
  { names: "OperationId", value: "revealCard", isFirst: false },
  { names: "OutcomeRule", value: "personVerification.003", isFirst: false },
  { names: "OutcomeRule", value: "verification.002", isFirst: true, isGone: true },
  { names: "CardState", value: "PROCESSING", isFirst: false },
])("$names has $value in its revisions", ({ names, value, isFirst, isGone = false }) => {
  const isIn = (revision: Revision) => schemasIn(revision)[names]?.enum?.includes(value);
  expect([isIn("2025-10"), isIn("2026-08")]).toEqual([isFirst, !isGone]);
});

// spec/revisions.md#total-balances
test("records in answers have the members of the revision", () => {
  const has = (revision: Revision) =>
    Object.entries(schemasIn(revision)).flatMap(([name, { properties = {} }]) =>
      "totalBalance" in properties ? [name] : [],
    );
  expect([has("2025-10"), has("2026-08")]).toEqual([[], ["InternalAccount"]]);
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
