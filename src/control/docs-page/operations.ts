import { wholePart } from "../../http/openapi/references.ts";
import { DOCS_PATH, docHtml } from "./doc-html.ts";
import { docPage, sectionOf } from "./doc-pages.ts";
import { fieldTable } from "./field-table.ts";
import { type Html, html } from "./html.ts";
import { exampleOf, FILE_TYPE, fieldsOf, type Schema, type Schemas } from "./schemas.ts";
import type { Webhook } from "./webhooks.ts";

interface DocumentedError {
  status: number;
  code: string;
  reason?: string;
  says: string;
  next: string;
}

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters?: { name: string; in: string; required: boolean; description?: string }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>;
  "x-permission": string;
  "x-errors": DocumentedError[];
  /** Its part of the specification: `spec/quotes.md#execution`. */
  "x-spec": string;
}

/** The OpenAPI document, as far as the page reads it. */
export interface OpenApi {
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Webhook }>;
  components: { schemas: Schemas };
}

/** An operation with the parameters, errors and replies that it shares with others. */
const wholeOperation = (operation: Operation, document: OpenApi): Operation => {
  const { parameters, responses } = operation;
  return {
    ...operation,
    ...(parameters && { parameters: parameters.map((one) => wholePart(one, document)) }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, one]) => [status, wholePart(one, document)]),
    ),
    "x-errors": operation["x-errors"].map((one) => wholePart(one, document)),
  };
};

const AUTH_WORDS: Readonly<Record<string, string>> = {
  basic: "API token, HTTP Basic",
  agent: "agent's access token, Bearer",
};

const authText = ({ security, "x-permission": permission }: Operation) => {
  const [scheme] = security.flatMap((one) => Object.keys(one));
  return scheme === undefined
    ? "none"
    : `${AUTH_WORDS[scheme] ?? scheme}; permission ${permission}`;
};

const bodySchema = ({ requestBody }: Operation) => {
  const [media, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return content && { media: media ?? "", schema: content.schema };
};

const parameterTable = ({ parameters = [] }: Operation): Html =>
  parameters.length === 0
    ? html``
    : html`<h4>Parameters</h4><table><thead><tr><th scope="col">name</th><th scope="col">in</th>
      <th scope="col">what it is</th></tr></thead><tbody>${parameters.map(
        (one) =>
          html`<tr><td><code>${one.name}</code></td><td>${one.in}</td><td>${
            one.description ?? (one.required ? "needed" : "optional")
          }</td></tr>`,
      )}</tbody></table>`;

const errorTable = (errors: readonly DocumentedError[]): Html =>
  html`<h4>Errors</h4><table><thead><tr><th scope="col">status</th><th scope="col">code</th>
    <th scope="col">reason</th><th scope="col">when</th><th scope="col">what to do</th></tr></thead>
    <tbody>${errors.map(
      ({ status, code, reason, says, next }) =>
        html`<tr><td>${status}</td><td><code>${code}</code></td><td>${reason ?? "–"}</td>
          <td>${says}</td><td>${next}</td></tr>`,
    )}</tbody></table>`;

const inputFor = (operationId: string, one: { name: string; in: string }): Html => {
  const id = `${operationId}-${one.in}-${one.name}`;
  return html`<label for="${id}">${one.name}</label>
    <input id="${id}" data-in="${one.in}" data-name="${one.name}" autocomplete="off">`;
};

/** The parts of an uploaded form: a file to choose, and its texts. */
const formInputs = (operationId: string, schema: Schema, schemas: Schemas): Html[] =>
  fieldsOf(schema, schemas).map(({ path, type }) => {
    const id = `${operationId}-form-${path}`;
    const kind = type === FILE_TYPE ? "file" : "text";
    return html`<label for="${id}">${path}</label>
      <input id="${id}" type="${kind}" data-in="form" data-name="${path}" autocomplete="off">`;
  });

/** A form that calls this very simulator; the script of the page sends it. */
const tryIt = (operation: Operation, place: { method: string; path: string }, schemas: Schemas) => {
  const { operationId, parameters = [], security } = operation;
  const body = bodySchema(operation);
  const [scheme = "none"] = security.flatMap((one) => Object.keys(one));
  const isJson = body?.media === "application/json";
  return html`<h4>Try it</h4><form class="try" data-method="${place.method}" data-path="${
    place.path
  }" data-auth="${scheme}">${parameters.map((one) => inputFor(operationId, one))}${
    isJson &&
    html`<label for="${operationId}-body">body</label>
      <textarea id="${operationId}-body" rows="8" spellcheck="false">${JSON.stringify(
        exampleOf(body.schema, schemas),
        null,
        2,
      )}</textarea>`
  }${
    body && !isJson && formInputs(operationId, body.schema, schemas)
  }<button type="submit">Send</button><output aria-live="polite"></output></form>`;
};

const repliesOf = ({ responses }: Operation, schemas: Schemas) =>
  Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, { description, content }]) => {
      const schema = Object.values(content ?? {})[0]?.schema;
      return html`<h4>${status} ${description}</h4>${schema && fieldTable(schema, schemas)}`;
    });

/** The rules of an operation, as the specification has them, with a link to the whole page. */
const specPart = ({ "x-spec": place }: Operation): Html => {
  const [file = "", anchor = ""] = place.split("#");
  const topic = file.replace(/\.md$/, "");
  const { title, text } = docPage(topic);
  const part = sectionOf(text, anchor) ?? "";
  return html`<section class="spec" aria-label="Specification">${docHtml(part, topic, "flat")}
    <p><a href="${DOCS_PATH}/${topic}#${anchor}">${title}: the whole page</a></p></section>`;
};

const operationEntry = (
  place: { method: string; path: string },
  operation: Operation,
  schemas: Schemas,
): Html => {
  const body = bodySchema(operation);
  const { operationId, summary } = operation;
  return html`<details id="${operationId}" class="operation"><summary>
    <span class="method ${place.method.toLowerCase()}">${place.method}</span>
    <code>${place.path}</code> <span class="says">${summary}</span></summary>
    <div class="inside"><p>operationId <code>${operationId}</code>; ${authText(operation)}</p>
    ${specPart(operation)}${parameterTable(operation)}${body && html`<h4>Body</h4>${fieldTable(body.schema, schemas)}`}
    ${repliesOf(operation, schemas)}${errorTable(operation["x-errors"])}
    ${tryIt(operation, place, schemas)}</div></details>`;
};

/** Every operation of the platform, by the first part of its path. */
export const operationsSection = (document: OpenApi): Html => {
  const { paths, components } = document;
  const groups = new Map<string, Html[]>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const place = { method: method.toUpperCase(), path };
      const [group = ""] = operation.tags;
      const entries = groups.get(group) ?? [];
      entries.push(operationEntry(place, wholeOperation(operation, document), components.schemas));
      groups.set(group, entries);
    }
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return html`<section id="operations"><h2>Operations</h2>
    <label for="find">Find</label> <input id="find" type="search" placeholder="quotes, POST, 409">
    ${sorted.map(([name, entries]) => html`<h3>${name}</h3>${entries}`)}</section>`;
};
