import * as z from "zod";
import { refuse } from "../../domain/core/refusal.ts";
import { endpoint } from "../../http/endpoint.ts";
import { TextReply } from "../../http/text-reply.ts";
import type { WorldControl } from "../core/world-control.ts";
import { topicsNamed } from "./doc-pages.ts";
import type { OpenApi } from "./operations.ts";

/** A page that can call this surface must not be clicked through another one. */
const UNFRAMED = { "content-security-policy": "frame-ancestors 'none'" };

const HTML = "text/html; charset=utf-8";

const docReply = async (topic: string) => {
  const [found] = topicsNamed(topic);
  if (found !== topic) return refuse("DOC_NOT_FOUND", { topic });
  const [{ docPage }, { docDocument }] = await Promise.all([
    import("./doc-pages.ts"),
    import("./doc-page.ts"),
  ]);
  return new TextReply(docDocument(docPage(found)), HTML, UNFRAMED);
};

/** The pages of `src/docs`, each by its topic. */
export const docPageEndpoints = [
  endpoint({
    operationId: "docsOfFolder",
    summary: "A page of the specification, of the guide or of a decision: spec/quotes",
    method: "GET",
    path: "/docs/{folder}/{page}",
    permission: "none",
    replies: [200, z.string()],
    refuses: ["DOC_NOT_FOUND"],
    isWorldless: true,
    handle: ({ params: { folder, page } }) => docReply(`${folder}/${page}`),
  }),
  endpoint({
    operationId: "docsPage",
    summary: "A page beside the folders: reference, performance",
    method: "GET",
    path: "/docs/{page}",
    permission: "none",
    replies: [200, z.string()],
    refuses: ["DOC_NOT_FOUND"],
    isWorldless: true,
    handle: ({ params: { page } }) => docReply(page),
  }),
];

/** The contract to read and to try, with the world beside it. */
export const docsEndpoints = ({ openApi }: WorldControl) => {
  let page: string | undefined;
  return [
    endpoint({
      operationId: "docs",
      summary: "Every operation, magic value and lifecycle on one page, to be tried out",
      method: "GET",
      path: "/docs",
      permission: "none",
      replies: [200, z.string()],
      refuses: [],
      isWorldless: true,
      handle: async () => {
        const { docsPage } = await import("./page.ts");
        page ??= docsPage((await openApi()).document as OpenApi);
        return new TextReply(page, HTML, UNFRAMED);
      },
    }),
  ];
};
