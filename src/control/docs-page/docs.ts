import * as z from "zod";
import { TextReply } from "../../http/text-reply.ts";
import { endpoint } from "../core/control-endpoint.ts";
import type { OpenApi } from "./operations.ts";
import { docsPage } from "./page.ts";

/** A page that can call this surface must not be clicked through another one. */
const UNFRAMED = { "content-security-policy": "frame-ancestors 'none'" };

let page: string | undefined;

/** The contract to read and to try, with the world beside it. */
export const docsEndpoints = [
  endpoint({
    operationId: "docs",
    summary: "Every operation, magic value and lifecycle on one page, to be tried out",
    method: "GET",
    path: "/docs",
    permission: "none",
    replies: [200, z.string(), "text/html"],
    refuses: [],
    isWorldless: true,
    handle: async (_input, _call, world) => {
      page ??= docsPage((await world.openApi("platform")).document as OpenApi);
      return new TextReply(page, "text/html; charset=utf-8", UNFRAMED);
    },
  }),
];
