import { expect, test } from "vitest";
import { PLATFORM_ENDPOINTS } from "../../../src/api/endpoints.ts";
import { EVENT_SPELLINGS } from "../../../src/contract/webhooks/events.ts";
import { LIFECYCLE_TABLES } from "../../../src/control/core/lifecycle-tables.ts";
import { outcomeGroups } from "../../../src/control/core/outcome-groups.ts";
import { docPage, docTopics } from "../../../src/control/docs-page/doc-pages.ts";
import { html } from "../../../src/control/docs-page/html.ts";
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
  const places = [...text.matchAll(/\s(?:src|href)="([^"#][^"]*)"/g)].map(([, to]) => to);
  expect(places.filter((to) => !to?.startsWith("/_sim/docs/"))).toEqual(["/_sim/favicon.svg"]);
});

test("every link of it leads to a page that is served, and to a heading of that page", async () => {
  const text = await page();
  const links = new Set(
    [...text.matchAll(/ href="\/_sim(\/docs[^"]*)"/g)].map(([, to]) => `${to}`),
  );
  expect(links.size).toBeGreaterThan(90);
  const dead: string[] = [];
  for (const link of links) {
    const [path = "", anchor] = link.split("#");
    const { status, body } = await world().control("GET", path);
    if (status !== 200 || (anchor !== undefined && !body.includes(`id="${anchor}"`)))
      dead.push(link);
  }
  expect(dead).toEqual([]);
});

test("every page of the documents is served as a document of its own", async () => {
  for (const topic of docTopics()) {
    const { status, headers, body } = await world().control("GET", `/docs/${topic}`);
    expect({ topic, status }).toEqual({ topic, status: 200 });
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(body).toContain(html`<title>${docPage(topic).title}: service-sim</title>`.text);
    expect(body.match(/<h1/g)).toHaveLength(1);
  }
});

test.each([
  ["quotes", "spec/quotes"],
  ["webhook-lab", "guide/webhook-lab"],
  ["biome", "decisions/biome"],
])("/docs/%s is the page %s, as on the command line", async (name, topic) => {
  const { status, headers, body } = await world().control("GET", `/docs/${name}`);
  expect({ status, at: headers.get("content-location") }).toEqual({
    status: 200,
    at: `/_sim/docs/${topic}`,
  });
  expect(body).toBe((await world().control("GET", `/docs/${topic}`)).body);
});

test.each([
  { path: "/docs/spec/quote", closest: "spec/quotes" },
  { path: "/docs/qoutes", closest: "quotes" },
  { path: "/docs/createQuot", closest: "createQuote" },
  { path: "/docs/spec/..%2Fguide%2Fcards", closest: undefined },
])("$path is no page, and the answer says what was close", async ({ path, closest }) => {
  const { status, body } = await world().control("GET", path);
  expect(status).toBe(404);
  expect(body.error).toMatchObject({ code: "DOC_NOT_FOUND" });
  expect(body.error.message).toContain(closest ? `; the closest one is ${closest}` : "is called");
  expect(body.error.next).toEqual(["service-sim docs      lists the pages"]);
});

test("every operation shows its part of the specification", async () => {
  const text = await page();
  for (const { operationId } of PLATFORM_ENDPOINTS) {
    const from = text.indexOf(`<details id="${operationId}"`);
    const entry = text.slice(from, text.indexOf("</details>", from));
    const [, part = ""] = /<section class="spec"[^>]*>([\s\S]*?)<\/section>/.exec(entry) ?? [];
    expect(part.length, operationId).toBeGreaterThan(150);
  }
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

test("every webhook is on it, with its payload, an example and the answers it takes", async () => {
  const text = await page();
  expect(text).toContain('<a href="#webhooks-sent">Webhooks</a>');
  const types = EVENT_SPELLINGS.map(([type = "TEST"]) => type);
  expect(text.match(/<details id="webhook-/g)).toHaveLength(32);
  for (const type of types) {
    const from = text.indexOf(`<details id="webhook-${type}"`);
    expect(from, type).toBeGreaterThan(0);
    const entry = text.slice(from, text.indexOf("</details>", from));
    expect(entry).toContain("<td><code>timestamp</code></td>");
    const [, example = ""] = /<pre[^>]*>([\s\S]*?)<\/pre>/.exec(entry) ?? [];
    expect(JSON.parse(example.replaceAll("&quot;", '"').replaceAll("&#39;", "'"))).toMatchObject({
      type,
      timestamp: "2026-01-05T09:00:00.000Z",
    });
    expect(entry).toContain("<h4>Your answer</h4>");
  }
  const approval = text.slice(text.indexOf('<details id="webhook-INCOMING_PAYMENT.PENDING"'));
  expect(approval).toContain("<h4>Body of a 200</h4>");
});

test("a lifecycle links the webhook that a move sends, and each such link leads somewhere", async () => {
  const text = await page();
  expect(text).toContain(
    '<a href="#webhook-OUTGOING_PAYMENT.COMPLETED">OUTGOING_PAYMENT.COMPLETED</a>',
  );
  const anchors = [...text.matchAll(/ href="#([^"]+)"/g)].map(([, to]) => to);
  expect(anchors.filter((to) => !text.includes(` id="${to}"`))).toEqual([]);
});

test("an upload has a form with its file and its texts", async () => {
  const text = await page();
  const from = text.indexOf('<details id="createDocument"');
  const entry = text.slice(from, text.indexOf("</details>", from));
  const inputs = [...entry.matchAll(/type="(\w+)" data-in="form" data-name="(\w+)"/g)];
  expect(inputs.map(([, type, name]) => `${name} ${type}`)).toEqual([
    "file file",
    "documentHolder text",
    "documentType text",
    "country text",
    "side text",
    "documentNumber text",
    "issuingAuthority text",
  ]);
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
