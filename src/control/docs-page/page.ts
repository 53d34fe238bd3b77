import { FAVICON_PATH } from "../core/favicon.ts";
import { LIFECYCLE_TABLES } from "../core/lifecycle-tables.ts";
import { FILES_PATH } from "./doc-html.ts";
import { type Html, html } from "./html.ts";
import { lifecycleDiagram, lifecycleTable } from "./lifecycle-diagram.ts";
import { type OpenApi, operationsSection } from "./operations.ts";
import { outcomesSection } from "./outcomes.ts";
import { webhooksSection } from "./webhooks.ts";

const lifecyclesSection = (): Html =>
  html`<section id="lifecycles"><h2>Lifecycles</h2>${Object.entries(LIFECYCLE_TABLES).map(
    ([name, table]) =>
      html`<h3>${name}</h3><div class="scroll" tabindex="0" role="group"
        aria-label="Drawing: ${name}">${lifecycleDiagram(name, table)}</div>
        ${lifecycleTable(table)}`,
  )}</section>`;

/** The present state beside the possible ones, kept up to date by the script. */
const worldAside = (): Html =>
  html`<aside aria-label="The world right now"><h2>Right now</h2>
    <p id="clock" role="status">…</p>
    ${["requests", "webhooks", "inbox", "timers"].map(
      (name) => html`<h3 id="${name}-title">${name}</h3>
        <ul id="${name}" aria-labelledby="${name}-title" tabindex="0"></ul>`,
    )}</aside>`;

const credentials = (): Html =>
  html`<form id="credentials"><label for="world">world</label>
    <select id="world" autocomplete="off"><option value="">the default world</option></select>
    <label for="client-id">client id</label>
    <input id="client-id" value="sandbox" autocomplete="off">
    <label for="client-secret">client secret</label>
    <input id="client-secret" type="password" autocomplete="off">
    <label for="access-token">agent's access token</label>
    <input id="access-token" type="password" autocomplete="off">
    <p><code>service-sim env</code> prints the first two. They stay in this tab.</p></form>`;

/** The page of GET /_sim/docs: one document, without a reference to anywhere else. */
export const docsPage = (openApi: OpenApi): string => {
  const [server] = openApi.servers;
  const { text } = html`<html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="${FAVICON_PATH}" type="image/svg+xml">
    <title>service-sim ${openApi.info.version}</title>
    <link rel="stylesheet" href="${FILES_PATH}/page.css"></head>
    <body data-api="${server?.url}"><header><h1>service-sim</h1>
    <nav aria-label="Sections"><a href="#operations">Operations</a>
    <a href="#webhooks-sent">Webhooks</a> <a href="#outcomes">Magic values</a> <a href="#lifecycles">Lifecycles</a>
    <a href="/_sim/docs/guide/getting-started">Guide</a>
    <a href="/_sim/docs/spec/quotes">Specification</a></nav>
    ${credentials()}</header><div class="columns"><main>${operationsSection(openApi)}
    ${webhooksSection(openApi.webhooks, openApi.components.schemas)}
    ${outcomesSection()}${lifecyclesSection()}</main>${worldAside()}</div>
    <script src="${FILES_PATH}/page.js"></script></body></html>`;
  return `<!doctype html>\n${text}\n`;
};
