import * as z from "zod";
import { endpoint } from "../../http/endpoint.ts";
import { TextReply } from "../../http/text-reply.ts";
import type { WorldControl } from "./world-control.ts";

/** The platform's contract as a document. */
export const contractEndpoints = ({ openApi }: WorldControl) => [
  endpoint({
    operationId: "openapi",
    summary: "The platform's operations as OpenAPI 3.1",
    method: "GET",
    path: "/openapi.json",
    permission: "none",
    replies: [200, z.looseObject({ openapi: z.string() })],
    refuses: [],
    isWorldless: true,
    handle: async () => new TextReply((await openApi()).text, "application/json"),
  }),
];
