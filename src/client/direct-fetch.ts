import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { isLoopbackName } from "../contract/core/loopback.ts";

/** Statuses whose answer has no body. */
const WITHOUT_BODY = [204, 205, 304];

const responseOf = (answer: IncomingMessage): Response => {
  const { statusCode: status = 500, statusMessage = "", rawHeaders } = answer;
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(`${rawHeaders[at]}`, `${rawHeaders[at + 1]}`);
  if (WITHOUT_BODY.includes(status)) answer.resume();
  const body = WITHOUT_BODY.includes(status) ? null : (Readable.toWeb(answer) as ReadableStream);
  return new Response(body, { status, statusText: statusMessage, headers });
};

/** Sends a request by an agent of its own, which asks nothing of the environment. */
const sendDirectly = async (request: Request): Promise<Response> => {
  const url = new URL(request.url);
  const { request: start } = process.getBuiltinModule(
    url.protocol === "https:" ? "node:https" : "node:http",
  );
  const body = request.body && Buffer.from(await request.arrayBuffer());
  const { method, signal } = request;
  return new Promise((resolve, reject) => {
    const sent = start(url, {
      method,
      signal,
      agent: false,
      headers: Object.fromEntries(request.headers),
    });
    sent.on("response", (answer) => resolve(responseOf(answer)));
    sent.on("error", (cause) =>
      reject(signal.aborted ? signal.reason : new TypeError("fetch failed", { cause })),
    );
    sent.end(body ?? undefined);
  });
};

/** Switches of Node.js that send the calls of `fetch` to the proxies of the environment. */
export const hasProxies = () =>
  Boolean(process.env.NODE_USE_ENV_PROXY) ||
  `${process.env.NODE_OPTIONS} ${process.execArgv}`.includes("--use-env-proxy");

/**
 * The same as `fetch`, but no proxy stands before an address of this machine.
 * @param hasProxies whether Node.js sends the calls of `fetch` to the proxies of the environment
 */
export const fetchDirectly = (request: Request, hasProxies: boolean): Promise<Response> =>
  hasProxies && isLoopbackName(new URL(request.url).hostname)
    ? sendDirectly(request)
    : fetch(request);
