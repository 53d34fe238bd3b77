import { OpenApiDocument } from "../../contract/control/openapi.ts";
import { TextReply } from "../../http/message/text-reply.ts";
import { endpoint } from "./control-endpoint.ts";

/** The contracts of both surfaces as documents. */
export const openApiEndpoints = [
  endpoint({
    operationId: "openapi",
    summary: "The platform's operations as OpenAPI 3.1",
    method: "GET",
    path: "/openapi.json",
    replies: [200, OpenApiDocument],
    refuses: [],
    isWorldless: true,
    handle: async (_input, _call, world) =>
      new TextReply((await world.openApi("platform")).text, "application/json"),
  }),
  endpoint({
    operationId: "controlOpenapi",
    summary: "The operations of the control surface as OpenAPI 3.1",
    method: "GET",
    path: "/control-openapi.json",
    replies: [200, OpenApiDocument],
    refuses: [],
    isWorldless: true,
    handle: async (_input, _call, world) =>
      new TextReply((await world.openApi("control")).text, "application/json"),
  }),
];
