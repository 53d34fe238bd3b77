import { CONTROL_SURFACE } from "../control/control-surface.ts";
import type { HttpRequest } from "../http/message/http-request.ts";
import { andThen } from "../http/message/maybe-promise.ts";
import { type WholeReply, wholeReply } from "../http/message/reply.ts";
import { addressOf } from "../http/message/request-url.ts";
import type { Answer } from "../http/sockets/node-server.ts";

/** Pages that may call the platform, and the instant of answers to their preflights. */
interface AllowedPages {
  origins: readonly string[];
  nowMs(): number;
}

/** Methods of the platform's operations. */
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
/** Headers of replies that a script may read beside those that any may (Fetch, section 3.2.3). */
const EXPOSED = "date, retry-after, retry-after-ms, x-should-retry, x-sim-request-id, x-sim-rule";
/** Seconds for which a browser may keep the answer to a preflight. */
const MAX_AGE = "600";

const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]+( *, *[\w!#$%&'*+.^`|~-]+)*$/;

/** Paths of the control surface, its own and those beside them. */
const CONTROL_PATHS: ReadonlySet<string> = new Set([
  CONTROL_SURFACE.base,
  ...CONTROL_SURFACE.endpoints.flatMap(({ alsoAt }) => alsoAt ?? []),
]);

/** Whether a request is none of the control surface, which no page reaches but its own. */
const isOfPlatform = (request: HttpRequest) => {
  const url = addressOf(request);
  if (typeof url === "string") return false;
  const { pathname } = url;
  return !CONTROL_PATHS.has(pathname) && !pathname.startsWith(`${CONTROL_SURFACE.base}/`);
};

const isPreflight = ({ method, headers }: HttpRequest) =>
  method === "OPTIONS" && headers.get("access-control-request-method") !== null;

const preflightReply = ({ headers }: HttpRequest, origin: string, atMs: number): WholeReply => {
  const requestedHeaders = headers.get("access-control-request-headers") ?? "";
  const isPrivate = headers.get("access-control-request-private-network") === "true";
  return wholeReply({ status: 204 }, atMs, {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": METHODS,
    ...(HEADER_NAMES.test(requestedHeaders) && {
      "access-control-allow-headers": requestedHeaders,
    }),
    ...(isPrivate && { "access-control-allow-private-network": "true" }),
    "access-control-max-age": MAX_AGE,
    vary: "origin, access-control-request-headers",
  });
};

const withOrigin = (reply: WholeReply, origin: string | undefined): WholeReply => {
  const { headers } = reply;
  headers.vary = headers.vary === undefined ? "origin" : `${headers.vary}, origin`;
  if (origin === undefined) return reply;
  headers["access-control-allow-origin"] = origin;
  headers["access-control-expose-headers"] = EXPOSED;
  return reply;
};

/**
 * Lets pages of some origins call the platform (spec/errors.md#pages). Whatever is answered tells
 * so, errors too, since a page reads nothing else of an answer. Others are answered as without it.
 */
export const forPages = (answer: Answer, { origins, nowMs }: AllowedPages): Answer => {
  if (origins.length === 0) return answer;
  return (request) => {
    if (!isOfPlatform(request)) return answer(request);
    const pageOrigin = request.headers.get("origin");
    const origin = origins.find((allowed) => allowed === pageOrigin);
    if (origin !== undefined && isPreflight(request))
      return preflightReply(request, origin, nowMs());
    return andThen(answer(request), (reply) => withOrigin(reply, origin));
  };
};
