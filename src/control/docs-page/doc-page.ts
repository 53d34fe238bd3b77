import { FAVICON_PATH } from "../core/favicon.ts";
import { DOCS_PATH, docHtml, FILES_PATH } from "./doc-html.ts";
import { type DocPage, docPage, docTopics } from "./doc-pages.ts";
import { Html, html } from "./html.ts";

const folderOf = (topic: string) => (topic.includes("/") ? topic.split("/")[0] : "more");

/** Every page by folder; the one that is shown is marked as current. */
const topicsNav = (shown: string): Html => {
  const topics = docTopics();
  const folders = [...new Set(topics.map(folderOf))];
  return html`<nav aria-label="Pages" class="topics">${folders.map(
    (folder) =>
      html`<h2>${folder}</h2><ul>${topics
        .filter((topic) => folderOf(topic) === folder)
        .map(
          (topic) =>
            html`<li><a href="${DOCS_PATH}/${topic}"${
              topic === shown && new Html(' aria-current="page"')
            }>${docPage(topic).title}</a></li>`,
        )}</ul>`,
  )}</nav>`;
};

/** A page of `src/docs` as a document of its own, beside the list of all pages. */
export const docDocument = ({ topic, title, text }: DocPage): string => {
  const { text: markup } = html`<html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="${FAVICON_PATH}" type="image/svg+xml">
    <title>${title}: service-sim</title>
    <link rel="stylesheet" href="${FILES_PATH}/page.css"></head>
    <body><header><a href="${DOCS_PATH}">Operations, magic values, lifecycles</a></header>
    <div class="columns pages"><main class="prose">${docHtml(text, topic)}</main>
    ${topicsNav(topic)}</div></body></html>`;
  return `<!doctype html>\n${markup}\n`;
};
