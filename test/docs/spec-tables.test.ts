import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PLATFORM_ENDPOINTS } from "../../src/api/endpoints.ts";
import { openApiDocument } from "../../src/api/openapi.ts";
import { operationSpec } from "../../src/api/operation-spec.ts";
import { EVENT_TYPES } from "../../src/contract/webhooks/events.ts";
import { Refusal, reasonOf } from "../../src/domain/core/refusal.ts";
import {
  PULL_OUTCOMES,
  QUOTED_PAYMENT_OUTCOMES,
  TRANSFER_IN_OUTCOMES,
  TRANSFER_OUT_OUTCOMES,
  UMA_DEPOSIT_OUTCOMES,
} from "../../src/domain/outcomes/outcomes.ts";
import { anchorOf, DOCS } from "./setup/citations.ts";

const pageOf = (page: string) => readFileSync(join(DOCS, page), "utf8");

/** The text below a heading, as `spec/quotes.md#pull-rows`. */
const sectionOf = (place: string) => {
  const [page = "", anchor = ""] = place.split("#");
  const parts = pageOf(page).split(/^(?=#{1,4} )/m);
  return parts.find((part) => anchorOf(part.split("\n")[0]?.replace(/^#+ /, "") ?? "") === anchor);
};

const TABLES = [
  { place: "spec/quotes.md#quoted-payments", table: QUOTED_PAYMENT_OUTCOMES },
  { place: "spec/quotes.md#pull-rows", table: PULL_OUTCOMES },
  { place: "spec/transfers.md#transfer-out-outcomes", table: TRANSFER_OUT_OUTCOMES },
  { place: "spec/transfers.md#transfer-in-outcomes", table: TRANSFER_IN_OUTCOMES },
  { place: "spec/uma-payments.md#deposit-rows", table: UMA_DEPOSIT_OUTCOMES },
];

test.each(TABLES)("$place has a row for each ending that the code has", ({ place, table }) => {
  const endings = Object.keys(table).filter((ending) => ending !== "otherwise");
  const rows = [...(sectionOf(place) ?? "").matchAll(/^\| `?(\d{3})`?\b/gm)].map(([, one]) => one);
  expect(rows, `add the row to src/docs/${place}`).toEqual(endings);
});

test("the page of events has every type", () => {
  const listed = pageOf("spec/events.md");
  const isListed = (type: string) =>
    listed.includes(`\`${type}\``) || listed.includes(`\`.${type.split(".")[1]}\``);
  const missing = EVENT_TYPES.filter((type) => !isListed(type));
  expect(missing, "add the types to src/docs/spec/events.md").toEqual([]);
});

test("every code and reason of an operation is in the specification's list of errors", () => {
  const errors = pageOf("spec/errors.md");
  const words = new Set(PLATFORM_ENDPOINTS.flatMap(({ refuses }) => refuses));
  const missing = [...words].filter((word) => !errors.includes(reasonOf(new Refusal(word, {}))));
  expect(missing, "add the words to src/docs/spec/errors.md").toEqual([]);
});

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

interface DocumentedOperation {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

const DOCUMENT = openApiDocument("test") as unknown as {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema> };
};

const fieldsOf = (schema: Schema): string[] => {
  if (schema.$ref)
    return fieldsOf(DOCUMENT.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  const nested = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [...Object.keys(schema.properties ?? {}), ...nested.flatMap(fieldsOf)];
};

/** Operations that show one resource, as the platform sees it. */
const SHOWN = Object.values(DOCUMENT.paths)
  .flatMap((methods) =>
    Object.values(methods).map(({ operationId, responses }) => {
      const [, reply] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
      const [content] = Object.values(reply?.content ?? {});
      return { operationId, fields: content ? fieldsOf(content.schema) : [] };
    }),
  )
  .filter(({ operationId }) => operationId.startsWith("get"));

test.each(SHOWN)("every field of $operationId is on its page", ({ operationId, fields }) => {
  const [page = ""] = operationSpec(operationId).split("#");
  const text = pageOf(page);
  expect(fields.length).toBeGreaterThan(0);
  const missing = [...new Set(fields)].filter((field) => !text.includes(`\`${field}`));
  expect(missing, `add the fields to src/docs/${page}`).toEqual([]);
});
