import * as z from "zod";
import { TextReply } from "../../http/text-reply.ts";
import { endpoint } from "./control-endpoint.ts";

/** The platform's contract as a document. */
export const contractEndpoints = [
  endpoint({
    operationId: "openapi",
    summary: "The platform's operations as OpenAPI 3.1",
    method: "GET",
    path: "/openapi.json",
    permission: "none",
    replies: [200, z.looseObject({ openapi: z.string() })],
    refuses: [],
    isWorldless: true,
    handle: async (_input, _call, world) =>
      new TextReply((await world.openApi()).text, "application/json"),
  }),
];
