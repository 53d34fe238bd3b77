import { type HttpRequest, type Scheme, SocketRequest } from "../message/http-request.ts";
import type { HopBody } from "./hop-body.ts";
import { HOP_HEADER } from "./hop-header.ts";

/** The first line of a request, and who sent it. */
export interface ForwardedLine {
  method: string;
  /** Its target as it came: a path with its query, `*`, or a whole address. */
  path: string;
  scheme: Scheme;
  caller: string;
}

/** First line and caller of a request. */
export const lineOf = (request: HttpRequest): ForwardedLine => {
  const { method } = request;
  if (request instanceof SocketRequest) {
    const caller = request.incoming.socket.remoteAddress ?? "-";
    return { method, path: request.target, scheme: request.scheme, caller };
  }
  const { pathname, search, protocol } = new URL(request.url);
  const scheme = protocol === "https:" ? "https" : "http";
  return { method, path: pathname + search, scheme, caller: "-" };
};

/** Headers of one connection: they say nothing to the process behind it (RFC 9110 section 7.6.1). */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade",
]);

const isPassed = (name: string, value: string) => {
  if (name === "expect") return !/^100-continue$/i.test(value);
  return !OF_CONNECTION.has(name) && name !== HOP_HEADER;
};

const rawHeadersOf = (request: HttpRequest): readonly string[] =>
  request instanceof SocketRequest ? request.incoming.rawHeaders : [...request.headers].flat();

const hostOf = (request: HttpRequest) =>
  request instanceof SocketRequest ? request.ownHost : new URL(request.url).host;

/** Methods without a body unless it is announced. */
const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"]);

/**
 * All headers of a request as it came, names and values in turn, duplicates too. The codings of its
 * body stay, since the door refuses some. A missing host or length is added.
 */
export const forwardedHeaders = (request: HttpRequest, { bytes }: HopBody): string[] => {
  const raw = rawHeadersOf(request);
  const passed: string[] = [];
  let hasHost = false;
  let hasLength = false;
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] as string).toLowerCase();
    const value = raw[at + 1] as string;
    if (!isPassed(name, value) || (name === "host" && value === "")) continue;
    hasHost ||= name === "host";
    hasLength ||= name === "content-length" || name === "transfer-encoding";
    passed.push(raw[at] as string, value);
  }
  if (!hasHost) passed.push("host", hostOf(request));
  if (hasLength || !bytes) return passed;
  if (bytes.length > 0 || !BODILESS.has(request.method))
    passed.push("content-length", String(bytes.length));
  return passed;
};
