import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { hostTime } from "../../machine/host-time.ts";
import { answerToBroken } from "./broken-requests.ts";

/** Requests in progress per connection; further ones wait (spec/errors.md#malformed-requests). */
const UNDER_WAY = 4;
/** Time for a client to read the last answer before its connection closes, in wall milliseconds. */
const LAST_WORDS_MS = 1000;
/**
 * Time until a connection without a request closes, in wall milliseconds. Node.js takes 5 s: on a
 * busy machine the next request then meets a connection that is just being closed.
 */
export const IDLE_CONNECTION_MS = 65_000;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * One client's connection. Pipelined requests begin in order, a few at a time; the rest stays in
 * the network. So a client that sends many does not delay the others.
 */
class Connection {
  private readonly socket: Socket;
  private readonly handle: RequestListener;
  private readonly waiting: Exchange[] = [];
  private readonly underWay = new Set<Exchange>();
  private newest: Exchange | undefined;
  private lastWords: string | undefined;

  constructor(socket: Socket, handle: RequestListener) {
    this.socket = socket;
    this.handle = handle;
    // A finished request resumes reading, which would accept more of the waiting requests.
    socket.on("resume", () => this.pauseIfFull());
    socket.on("close", () => {
      this.waiting.length = 0;
    });
  }

  take(exchange: Exchange) {
    this.newest = exchange;
    this.waiting.push(exchange);
    this.begin();
    this.pauseIfFull();
  }

  /** Answers a malformed request after the earlier requests, then closes the connection. */
  endWith(error: NodeJS.ErrnoException) {
    // While other requests wait, the client is not the slow side.
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && this.waiting.length > 0) return;
    if (this.lastWords !== undefined) return;
    this.lastWords = answerToBroken(error);
    this.dropUnfinished();
    this.endIfDone();
  }

  /** Drops a request whose body broke off; it is never answered itself. */
  private dropUnfinished() {
    const { newest } = this;
    if (!newest || newest.request.complete) return;
    if (newest.response.headersSent) this.socket.destroy();
    this.underWay.delete(newest);
    if (this.waiting.at(-1) === newest) this.waiting.pop();
  }

  private begin() {
    while (this.underWay.size < UNDER_WAY && !this.socket.destroyed) {
      const next = this.waiting.shift();
      if (!next) return;
      this.underWay.add(next);
      next.response.once("close", () => this.ended(next));
      void this.handle(next.request, next.response);
    }
  }

  private ended(exchange: Exchange) {
    this.underWay.delete(exchange);
    this.begin();
    this.endIfDone();
    if (this.waiting.length === 0 && this.socket.readable) this.socket.resume();
  }

  /** Stops reading when the limit is reached; a waiting request's body is read in its turn. */
  private pauseIfFull() {
    if (this.waiting.length > 0) this.socket.pause();
  }

  private endIfDone() {
    if (this.lastWords === undefined || this.underWay.size + this.waiting.length > 0) return;
    const { socket, lastWords } = this;
    if (!socket.writable) return void socket.destroy();
    // Closing with unread bytes would reset the connection and lose the answer.
    socket.end(lastWords);
    socket.resume();
    hostTime.setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
  }
}

/** Limits the requests in progress on each of a server's connections, and closes them in order. */
export const orderConnections = (server: Server) => {
  server.keepAliveTimeout = IDLE_CONNECTION_MS;
  const handlers = server.listeners("request") as RequestListener[];
  const handle: RequestListener = (request, response) => {
    for (const handler of handlers) void handler.call(server, request, response);
  };
  const connections = new WeakMap<object, Connection>();
  const connectionOf = (socket: Socket) => {
    const known = connections.get(socket);
    const connection = known ?? new Connection(socket, handle);
    if (!known) connections.set(socket, connection);
    return connection;
  };
  server.removeAllListeners("request");
  const take: RequestListener = (request, response) =>
    connectionOf(request.socket).take({ request, response });
  server.on("request", take);
  // Without a listener Node.js answers an unknown expectation itself, with a bare 417.
  server.on("checkExpectation", take);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else connectionOf(socket as Socket).endWith(error);
  });
};
