import * as z from "zod";
import { type DocTopic, DocTopics } from "../contract/control/docs.ts";
import { defined } from "../contract/core/defined.ts";
import { anchorOf, docPlace, hasWords, headingWith } from "../contract/core/doc-sections.ts";
import { refuse } from "../domain/core/refusal.ts";
import { TextReply } from "../http/message/text-reply.ts";
import { CONSOLE_PATH } from "./console.ts";
import { endpoint } from "./core/control-endpoint.ts";
import { closestTopic, type DocPage, docPage, docTopics, topicsNamed } from "./core/doc-pages.ts";

const MARKDOWN = "text/markdown; charset=utf-8";

/** The topic that a name means; `quotes` names `spec/quotes`, as on the command line. */
const topicOf = (name: string): string => {
  const [found] = topicsNamed(name);
  if (found !== undefined) return found;
  const closest = closestTopic(name);
  const hint = closest === undefined ? "" : `; the closest one is ${closest}`;
  const says = `No page of the documents is called ${name}${hint}`;
  return refuse("DOC_NOT_FOUND", { topic: name, ...defined({ closest }) }, says);
};

/** A page as Markdown. */
const docReply = (name: string) => {
  const topic = topicOf(name);
  const headers = { "content-location": `/_sim/docs/${topic}`, vary: "accept" };
  return new TextReply(docPage(topic).text, MARKDOWN, headers);
};

/** The place in the console that shows a page. */
const consoleAt = (name: string) => `${CONSOLE_PATH}/#${docPlace(topicOf(name))}`;

const withSection = ({ topic, title, text }: DocPage, words: readonly string[]): DocTopic => {
  const heading = headingWith(text, words);
  return { topic, title, ...(heading !== undefined && { heading, anchor: anchorOf(heading) }) };
};

/** Pages that have all words of a search; those that have them in the title come first. */
const search = (query: string): DocTopic[] => {
  const words = query.split(/\s+/).filter(Boolean);
  const pages = docTopics().map(docPage);
  const isTitled = ({ title }: DocPage) => hasWords(title, words);
  return [
    ...pages.filter(isTitled).map(({ topic, title }) => ({ topic, title })),
    ...pages
      .filter((page) => !isTitled(page) && hasWords(page.text, words))
      .map((page) => withSection(page, words)),
  ];
};

/** The documents of the package; a browser is redirected to the console (spec/console.md#documents). */
export const docsEndpoints = [
  endpoint({
    operationId: "docs",
    summary: "The pages of the documents; a browser is redirected to the console's reference",
    method: "GET",
    path: "/docs",
    alsoAt: "/_sim/docs/",
    redirects: `${CONSOLE_PATH}/#/reference`,
    query: { query: z.string().optional() },
    replies: [200, DocTopics],
    refuses: [],
    isWorldless: true,
    handle: ({ query: { query = "" } }) => ({ data: search(query) }),
  }),
  endpoint({
    operationId: "docsOfFolder",
    summary: "A page of the specification, the guide or the decisions as Markdown: spec/quotes",
    method: "GET",
    path: "/docs/{folder}/{page}",
    redirects: ({ folder, page }) => consoleAt(`${folder}/${page}`),
    replies: [200, z.string(), "text/markdown"],
    refuses: ["DOC_NOT_FOUND"],
    isWorldless: true,
    handle: ({ params: { folder, page } }) => docReply(`${folder}/${page}`),
  }),
  endpoint({
    operationId: "docsPage",
    summary: "A page outside the folders as Markdown: reference, performance",
    method: "GET",
    path: "/docs/{page}",
    redirects: ({ page = "" }) => consoleAt(page),
    replies: [200, z.string(), "text/markdown"],
    refuses: ["DOC_NOT_FOUND"],
    isWorldless: true,
    handle: ({ params: { page } }) => docReply(page),
  }),
];
