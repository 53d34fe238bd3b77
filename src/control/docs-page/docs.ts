import * as z from "zod";
import { defined } from "../../contract/core/defined.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { TextReply } from "../../http/message/text-reply.ts";
import { endpoint } from "../core/control-endpoint.ts";
import { PAGE_HEADERS } from "../core/page-policy.ts";
import { closestTopic, topicsNamed } from "./doc-pages.ts";
import type { OpenApi } from "./operations.ts";

const HTML = "text/html; charset=utf-8";

const unknownPage = (topic: string) => {
  const closest = closestTopic(topic);
  const hint = closest === undefined ? "" : `; the closest one is ${closest}`;
  const says = `No page of the documents is called ${topic}${hint}`;
  return refuse("DOC_NOT_FOUND", { topic, ...defined({ closest }) }, says);
};

/** A page by its topic; `quotes` names `spec/quotes`, as on the command line. */
const docReply = async (topic: string) => {
  const [found] = topicsNamed(topic);
  if (found === undefined) return unknownPage(topic);
  const [{ docPage }, { DOCS_PATH }, { docDocument }] = await Promise.all([
    import("./doc-pages.ts"),
    import("./doc-html.ts"),
    import("./doc-page.ts"),
  ]);
  const headers = { ...PAGE_HEADERS, "content-location": `${DOCS_PATH}/${found}` };
  return new TextReply(docDocument(docPage(found)), HTML, headers);
};

/** The pages of `src/docs`, each by its topic. */
export const docPageEndpoints = [
  endpoint({
    operationId: "docsOfFolder",
    summary: "A page of the specification, of the guide or of a decision: spec/quotes",
    method: "GET",
    path: "/docs/{folder}/{page}",
    replies: [200, z.string(), "text/html"],
    refuses: ["DOC_NOT_FOUND"],
    isWorldless: true,
    handle: ({ params: { folder, page } }) => docReply(`${folder}/${page}`),
  }),
  endpoint({
    operationId: "docsPage",
    summary: "A page outside the folders: reference, performance",
    method: "GET",
    path: "/docs/{page}",
    replies: [200, z.string(), "text/html"],
    refuses: ["DOC_NOT_FOUND"],
    isWorldless: true,
    handle: ({ params: { page } }) => docReply(page),
  }),
];

let page: string | undefined;

/** The contract to read and to try, with the world beside it. */
export const docsEndpoints = [
  endpoint({
    operationId: "docs",
    summary: "Every operation, magic value and lifecycle on one page, to be tried out",
    method: "GET",
    path: "/docs",
    alsoAt: "/_sim/docs/",
    replies: [200, z.string(), "text/html"],
    refuses: [],
    isWorldless: true,
    handle: async (_input, _call, world) => {
      const { docsPage } = await import("./page.ts");
      page ??= docsPage((await world.openApi("platform")).document as OpenApi);
      return new TextReply(page, HTML, PAGE_HEADERS);
    },
  }),
  endpoint({
    operationId: "docsFile",
    summary: "The script or the style sheet of the documentation",
    method: "GET",
    path: "/docs/files/{file}",
    replies: [200, z.string(), "text/javascript", "text/css"],
    refuses: ["DOC_NOT_FOUND"],
    isWorldless: true,
    handle: async ({ params: { file } }) => {
      const { pageFile } = await import("./page-files.ts");
      const says = `No file of the documents is called ${file}`;
      return pageFile(file) ?? refuse("DOC_NOT_FOUND", { topic: file }, says);
    },
  }),
];
