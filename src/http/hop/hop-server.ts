import { createSecretKey, type KeyObject } from "node:crypto";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { type HttpRequest, SocketRequest } from "../message/http-request.ts";
import { andThen } from "../message/maybe-promise.ts";
import { DROPPED_HEADER, type WholeReply } from "../message/reply.ts";
import { orderConnections } from "../sockets/connections.ts";
import { hopHttpServer } from "../sockets/http-server.ts";
import { type Answer, answerOver } from "../sockets/node-server.ts";
import { HOP_HEADER, type Hop, verifiedHop } from "./hop-header.ts";

/** Rules of a listener for the other processes. */
export interface HopListening {
  /** Id of this process, asked for each request. */
  readonly process: string;
  /** The key of the store. */
  key: Buffer;
  /** Tells whether a process of that id is one of the store; by default the key is proof enough. */
  isKnown?: (from: string) => boolean;
}

/** A request that another process has passed on: its client's own, but for the connection. */
class HopRequest extends SocketRequest {
  readonly hop: Hop;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, hop: Hop) {
    super(incoming, outgoing, withoutHop(incoming.rawHeaders));
    this.hop = hop;
  }

  override get scheme() {
    return this.hop.scheme;
  }

  /** Leaves the connection alone: the process at its other end drops that of the client. */
  override hangUp() {}
}

/** The hop by which a request came; nothing for a client's own request. */
export const hopOf = (request: HttpRequest): Hop | undefined =>
  request instanceof HopRequest ? request.hop : undefined;

/** Tells whether another process has passed a request on. */
export const isHop = (request: HttpRequest): boolean => request instanceof HopRequest;

const isHopHeader = (name: string | undefined) => name?.toLowerCase() === HOP_HEADER;

const withoutHop = (raw: readonly string[]) =>
  raw.filter((_, at) => !isHopHeader(raw[at - (at % 2)]));

const FORBIDDEN = JSON.stringify({
  error: {
    code: "FORBIDDEN",
    message: "This port is for the other processes of the store",
    next: ["Use the port that service-sim status prints"],
  },
});

const forbid = (incoming: IncomingMessage, outgoing: ServerResponse) => {
  incoming.resume();
  outgoing.writeHead(403, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(FORBIDDEN),
    [HOP_HEADER]: "refused",
  });
  outgoing.end(FORBIDDEN);
};

const verified = (
  { method = "GET", url: path = "/", headers }: IncomingMessage,
  { process, key }: { process: string; key: KeyObject },
) => {
  // A repeated header is joined by a comma and a space, and then has no valid form.
  const value = headers[HOP_HEADER];
  return typeof value === "string"
    ? verifiedHop(key, value, { target: process, method, path })
    : undefined;
};

/** The reply as the other process gets it: of one that a fault loses, the mark alone. */
const markedReply = (reply: WholeReply): WholeReply => {
  if (reply.headers[DROPPED_HEADER] === undefined) return reply;
  void reply.stream?.cancel();
  const { text: _lost, stream: _canceled, damage: _none, ...marked } = reply;
  return marked;
};

/**
 * Answers the requests of other processes, and refuses all others (spec/store.md#hops). The answers
 * to HEAD are those of `answer`.
 */
export const hopListener = (answer: Answer, listening: HopListening): RequestListener => {
  const { isKnown = () => true } = listening;
  const secret = createSecretKey(listening.key);
  const marked: Answer = (request) => andThen(answer(request), markedReply);
  return (incoming, outgoing) => {
    const hop = verified(incoming, { process: listening.process, key: secret });
    if (!hop || !isKnown(hop.from)) return forbid(incoming, outgoing);
    answerOver(new HopRequest(incoming, outgoing, hop), marked);
  };
};

/** A server for the other processes that is not listening yet. */
export const hopServer = (answer: Answer, listening: HopListening): Server => {
  const server = hopHttpServer(hopListener(answer, listening));
  orderConnections(server);
  return server;
};
