import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { answerToBroken } from "./broken-requests.ts";

/** Requests of one connection that are worked on at once; further ones wait for these. */
const UNDER_WAY = 4;
/** How long a client may take to read why its connection ends, on the wall clock. */
const LAST_WORDS_MS = 1000;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * One client's connection. Requests that it sends without waiting for answers are begun in order,
 * a few at a time, and the rest of them is left in the network: however many it sends, the others
 * get their turns.
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
    // A request that has ended reads on by itself, which would bring more of what waits.
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

  /** Answers what no request could be read from, after the requests before it, and ends. */
  endWith(error: NodeJS.ErrnoException) {
    // While others wait it is not the client that is slow.
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && this.waiting.length > 0) return;
    if (this.lastWords !== undefined) return;
    this.lastWords = answerToBroken(error);
    this.dropUnfinished();
    this.endIfDone();
  }

  /** A request whose body broke off is never answered itself. */
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

  /** The last of those that wait is whole or the newest: its body is read when its turn comes. */
  private pauseIfFull() {
    if (this.waiting.length > 0) this.socket.pause();
  }

  private endIfDone() {
    if (this.lastWords === undefined || this.underWay.size + this.waiting.length > 0) return;
    const { socket, lastWords } = this;
    if (!socket.writable) return void socket.destroy();
    // Closing while bytes are unread would reset the connection and take the answer back.
    socket.end(lastWords);
    socket.resume();
    setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
  }
}

/** Puts a server's connections in order: what one of them may have under way, and how it ends. */
export const orderConnections = (server: Server) => {
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
  server.on("request", (request, response) =>
    connectionOf(request.socket).take({ request, response }),
  );
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else connectionOf(socket as Socket).endWith(error);
  });
};
