import { DOCS_PATH } from "./doc-html.ts";
import { fieldTable } from "./field-table.ts";
import { type Html, html } from "./html.ts";
import type { Schema, Schemas } from "./schemas.ts";

interface Content {
  schema: Schema;
  example?: unknown;
}

/** A call of the simulator, as the page reads it from the OpenAPI document. */
export interface Webhook {
  summary: string;
  requestBody: { content: { "application/json": Content } };
  responses: Record<string, { description: string; content?: Record<string, Content> }>;
}

/** The anchor of a webhook on the page: `webhook-OUTGOING_PAYMENT.COMPLETED`. */
export const webhookAnchor = (type: string) => `webhook-${type}`;

const answerTable = ({ responses }: Webhook): Html =>
  html`<h4>Your answer</h4><table><thead><tr><th scope="col">status</th>
    <th scope="col">meaning</th></tr></thead><tbody>${Object.entries(responses).map(
      ([status, { description }]) => html`<tr><td>${status}</td><td>${description}</td></tr>`,
    )}</tbody></table>`;

/** The fields that a receiver may answer with, for the event that asks for a decision. */
const answerBodies = ({ responses }: Webhook, schemas: Schemas): Html[] =>
  Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.values(content).map(
      ({ schema }) => html`<h4>Body of a ${status}</h4>${fieldTable(schema, schemas)}`,
    ),
  );

const webhookEntry = (type: string, webhook: Webhook, schemas: Schemas): Html => {
  const { schema, example } = webhook.requestBody.content["application/json"];
  const id = webhookAnchor(type);
  return html`<details id="${id}" class="webhook"><summary><code>${type}</code>
    <span class="says">${webhook.summary}</span></summary>
    <div class="inside"><h4>Payload</h4>${fieldTable(schema, schemas)}
    <h4>Example</h4><pre tabindex="0" aria-label="Example of ${type}">${JSON.stringify(
      example,
      null,
      2,
    )}</pre>
    ${answerTable(webhook)}${answerBodies(webhook, schemas)}</div></details>`;
};

/** Every event that is sent, with its payload, an example and the answers that it takes. */
export const webhooksSection = (
  webhooks: Readonly<Record<string, { post: Webhook }>>,
  schemas: Schemas,
): Html =>
  html`<section id="webhooks-sent" aria-label="Webhooks"><h2>Webhooks</h2>
    <p>What the simulator sends to your endpoint. The specification says
    <a href="${DOCS_PATH}/spec/events#causes">when</a>,
    <a href="${DOCS_PATH}/spec/webhooks#signature">how it is signed</a> and
    <a href="${DOCS_PATH}/spec/webhooks#acceptance">which answers accept it</a>.</p>
    ${Object.entries(webhooks).map(([type, { post }]) => webhookEntry(type, post, schemas))}
    </section>`;
