import { expect, test } from "vitest";
import { PLATFORM_ENDPOINTS } from "../../../src/api/endpoints.ts";
import { outcomeGroups } from "../../../src/control/core/outcome-groups.ts";
import { html } from "../../../src/control/docs-page/html.ts";
import { LIFECYCLE_TABLES } from "../../../src/control/docs-page/lifecycle-tables.ts";
import { exampleOf, fieldsOf } from "../../../src/control/docs-page/schemas.ts";
import { worldPerTest } from "../../api/setup/world-per-test.ts";

const world = worldPerTest();

const page = async (): Promise<string> => {
  const { status, headers, body } = await world().control("GET", "/docs");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  return body;
};

test("it is one document that names no other host", async () => {
  const text = await page();
  expect(text.startsWith("<!doctype html>\n<html lang")).toBe(true);
  expect([...text.matchAll(/\s(?:src|href)="([^"#][^"]*)"/g)].map(([, to]) => to)).toEqual([]);
});

test("every operation is on it, with its errors and a form", async () => {
  const text = await page();
  for (const { operationId, path, refuses } of PLATFORM_ENDPOINTS) {
    const from = text.indexOf(`<details id="${operationId}"`);
    expect(from, operationId).toBeGreaterThan(0);
    const entry = text.slice(from, text.indexOf("</details>", from));
    expect(entry).toContain(`<code>${path}</code>`);
    expect(entry).toContain('<form class="try"');
    expect(entry.match(/<tr><td>[45]\d\d<\/td>/g)?.length ?? 0).toBeGreaterThan(refuses.length);
  }
});

test("every magic value and every lifecycle is on it", async () => {
  const text = await page();
  for (const { rows } of outcomeGroups())
    for (const { says } of rows) expect(text).toContain(html`${says}`.text);
  for (const name of Object.keys(LIFECYCLE_TABLES))
    expect(text).toContain(`aria-label="Lifecycle of: ${name}"`);
});

test("it tells no secret", async () => {
  expect(await page()).not.toContain(world().sim.clientSecret);
});

test("what is put into markup is escaped", () => {
  const name = `<b onclick="x">&'`;
  expect(html`<p>${name}</p>${[html`<i>${1}</i>`, "<"]}${undefined}${false}`.text).toBe(
    "<p>&lt;b onclick=&quot;x&quot;&gt;&amp;&#39;</p><i>1</i>&lt;",
  );
});

const SCHEMAS = {
  Party: { type: "object", properties: { accountId: { type: "string" } }, required: ["accountId"] },
};

const QUOTE = {
  type: "object",
  properties: {
    source: { $ref: "#/components/schemas/Party" },
    side: { enum: ["SENDING", "RECEIVING"] },
    amount: { type: "integer", minimum: 1 },
    ids: { type: "array", items: { type: "string" } },
    memo: { type: "string", maxLength: 255 },
  },
  required: ["source", "side", "amount"],
};

test("fields are told with their paths, types and bounds", () => {
  expect(fieldsOf(QUOTE, SCHEMAS)).toEqual([
    { path: "source", type: "object", isRequired: true },
    { path: "source.accountId", type: "string", isRequired: true },
    { path: "side", type: "SENDING | RECEIVING", isRequired: true },
    { path: "amount", type: "integer 1..", isRequired: true },
    { path: "ids[]", type: "list of string", isRequired: false },
    { path: "memo", type: "string ..255", isRequired: false },
  ]);
});

test("a member of two variants is told once, with both types", () => {
  const variant = (kind: string, more: object) => ({
    type: "object",
    properties: { kind: { const: kind }, id: { type: "string" }, ...more },
    required: ["kind", ...Object.keys(more)],
  });
  const either = { oneOf: [variant("A", { x: { type: "string" } }), variant("B", {})] };
  expect(fieldsOf(either, {})).toEqual([
    { path: "kind", type: "A or B", isRequired: true },
    { path: "id", type: "string", isRequired: false },
    { path: "x", type: "string", isRequired: true },
  ]);
});

test("an example has what is needed, and nothing else", () => {
  expect(exampleOf(QUOTE, SCHEMAS)).toEqual({
    source: { accountId: "" },
    side: "SENDING",
    amount: 1,
  });
});
