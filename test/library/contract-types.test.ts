import { createRequire } from "node:module";
import { expect, test } from "vitest";

const { typeOf } = createRequire(import.meta.url)("../../bin/contract-types.mjs") as {
  typeOf(schema: unknown): string;
};

test.each([
  [{ type: "string", enum: ["A", "B"] }, '"A" | "B"'],
  [
    { type: "array", items: { anyOf: [{ type: "string" }, { type: "null" }] } },
    "(string | null)[]",
  ],
  [{ const: 3 }, "3"],
  [{ type: ["integer", "null"] }, "number | null"],
  [{ $ref: "#/components/schemas/Quote" }, "Quote"],
  [{ type: "object", additionalProperties: { type: "integer" } }, "{ [member: string]: number }"],
  [{ type: "object", properties: {}, additionalProperties: false }, "Record<string, never>"],
  [{}, "unknown"],
])("%j is %s", (schema, type) => {
  expect(typeOf(schema)).toBe(type);
});

test("members are required or optional, and quoted where they are no names", () => {
  const properties = { id: { type: "string" }, "a-b": { type: "number" } };
  expect(typeOf({ type: "object", properties, required: ["id"] })).toBe(
    '{\n  id: string;\n  "a-b"?: number | undefined;\n}',
  );
});

test("a sentence stands over its member, and ends no comment", () => {
  const properties = { id: { type: "string", description: "Id of a */ record." } };
  expect(typeOf({ type: "object", properties })).toBe(
    "{\n  /** Id of a *\\/ record. */\n  id?: string | undefined;\n}",
  );
});
