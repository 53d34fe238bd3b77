import { createServer, type RequestListener, type Server } from "node:http";
import { TOO_MANY_HEADERS } from "./broken-requests.ts";

/** Most headers of a request (spec/errors.md#malformed-requests). */
export const MAX_HEADERS = 2_000;
/** Largest head of a request (spec/errors.md#malformed-requests). */
export const MAX_HEAD_BYTES = 16 * 1024;

/**
 * Makes a server hand on every header. By default Node.js drops those beyond 2,000 without a word,
 * so that a guard, or the name of a world, could hide behind the others.
 */
export const keepAllHeaders = (server: Server): Server =>
  // The size is set too: an option of Node.js, or a variable, changes its default.
  Object.assign(server, { maxHeadersCount: 0, maxHeaderSize: MAX_HEAD_BYTES });

/** A listener that takes no request with too many headers: such a one is answered with 431. */
export const withAllHeaders =
  (listener: RequestListener): RequestListener =>
  (incoming, outgoing) => {
    if (incoming.rawHeaders.length / 2 <= MAX_HEADERS) return listener(incoming, outgoing);
    const body = JSON.stringify(TOO_MANY_HEADERS);
    incoming.resume();
    outgoing.writeHead(TOO_MANY_HEADERS.status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    outgoing.end(body);
  };

/** A server of Node.js that is not listening yet, none of whose requests loses a header. */
export const httpServer = (listener: RequestListener): Server =>
  keepAllHeaders(createServer(withAllHeaders(listener)));

/** Room in the head of a passed request beside what its client may send. */
const HOP_HEAD_BYTES = 16 * 1024;

/**
 * A server for requests that another process has passed on, with a few headers of its own: the
 * client's were counted there.
 */
export const hopHttpServer = (listener?: RequestListener): Server =>
  Object.assign(keepAllHeaders(createServer(listener)), {
    maxHeaderSize: MAX_HEAD_BYTES + HOP_HEAD_BYTES,
  });
