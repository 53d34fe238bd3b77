import * as z from "zod";
import { SimulatorIndex } from "../../contract/control/instance.ts";
import { TextReply } from "../../http/message/text-reply.ts";
import { endpoint } from "./control-endpoint.ts";
import { FAVICON } from "./favicon.ts";

const DAY_SECONDS = 86_400;

/** The ways in: a browser is redirected to the console, a program gets the addresses (spec/errors.md#origin). */
export const entryEndpoints = [
  endpoint({
    operationId: "index",
    summary: "The addresses of this simulator, also at /; a browser is redirected to the console",
    method: "GET",
    path: "",
    alsoAt: "/",
    redirects: "/_sim/console/",
    replies: [200, SimulatorIndex],
    refuses: [],
    isWorldless: true,
    handle: (_input, { origin }, world) => {
      const { apiUrl, controlUrl } = world.urls();
      const here = (url: string) => origin + new URL(url).pathname;
      const control = here(controlUrl);
      return {
        name: "service-sim" as const,
        version: world.version,
        apiUrl: here(apiUrl),
        console: `${control}/console/`,
        docs: `${control}/docs`,
        openapi: `${control}/openapi.json`,
        controlOpenapi: `${control}/control-openapi.json`,
        ready: `${control}/ready`,
        status: `${control}/status`,
      };
    },
  }),
  endpoint({
    operationId: "favicon",
    summary: "The icon of the console, also at /favicon.ico",
    method: "GET",
    path: "/favicon.svg",
    alsoAt: "/favicon.ico",
    replies: [200, z.string(), "image/svg+xml"],
    refuses: [],
    isWorldless: true,
    handle: () =>
      new TextReply(FAVICON, "image/svg+xml", { "cache-control": `max-age=${DAY_SECONDS}` }),
  }),
];
