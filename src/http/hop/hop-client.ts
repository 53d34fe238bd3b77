import { createSecretKey, type KeyObject } from "node:crypto";
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request as startRequest,
} from "node:http";
import { hostTime } from "../../machine/host-time.ts";
import { lookupFor } from "../../machine/loopback-lookup.ts";
import { type HttpRequest, SocketRequest } from "../message/http-request.ts";
import { DROPPED_HEADER, type WholeReply } from "../message/reply.ts";
import { forwardedHeaders, lineOf } from "./forwarded-head.ts";
import type { HopBody } from "./hop-body.ts";
import { HOP_HEADER, hopHeader } from "./hop-header.ts";
import { type Owner, ownerIn, SERVED_BY_HEADER } from "./misdirected.ts";
import { parsePeer } from "./peer-address.ts";
import { lostReply, replyOf } from "./peer-reply.ts";

/** Wall milliseconds until a process that takes no connection counts as gone. */
const CONNECT_MS = 1000;
/** Wall milliseconds that a connection is kept without a request; its other end keeps it longer. */
const KEPT_MS = 20_000;
/** Connections without a request that are kept to one process. */
const KEPT_CONNECTIONS = 64;
/** Largest head of an answer. */
const MAX_HEAD_BYTES = 64 * 1024;

/** The outcome of a request to another process. */
export type HopResult =
  | {
      kind: "reply";
      reply: WholeReply;
    }
  | {
      /** The process does not serve the world; `owner` is the one that it names. */
      kind: "misdirected";
      owner?: Owner;
    }
  | {
      kind: "gone";
      /** Tells whether the process may have read the request, and done what it asks. */
      mayHaveArrived: boolean;
      why: string;
    };

/** A process that a request goes to. */
export interface HopTarget {
  id: string;
  /** `host:port` of its listener for the others. */
  peer: string;
  /** Ends the wait for its answer, or the answer, as if the connection were lost. */
  signal?: AbortSignal;
}

const gone = (mayHaveArrived: boolean, why: string): HopResult => ({
  kind: "gone",
  mayHaveArrived,
  why,
});

const resultOf = (response: IncomingMessage, request: HttpRequest): HopResult => {
  const { statusCode, headers } = response;
  const servedBy = headers[SERVED_BY_HEADER];
  if (statusCode === 421 && typeof servedBy === "string") {
    response.resume();
    const owner = ownerIn(servedBy);
    return owner ? { kind: "misdirected", owner } : { kind: "misdirected" };
  }
  if (statusCode === 403 && headers[HOP_HEADER] !== undefined) {
    response.resume();
    return gone(false, "it does not take the signature of this process");
  }
  return { kind: "reply", reply: replyOf(response, request) };
};

/** One sending of a request over one connection. */
class Attempt {
  private readonly request: HttpRequest;
  private readonly body: HopBody;
  private readonly sent: ClientRequest;
  private readonly signal: AbortSignal | undefined;
  private settle!: (result: HopResult) => void;
  /** Tells whether the connection stood, so that bytes were sent. */
  private isConnected = false;
  private hasAnswer = false;
  private connecting: NodeJS.Timeout | undefined;
  readonly result: Promise<HopResult>;

  constructor(options: RequestOptions, request: HttpRequest, body: HopBody) {
    this.request = request;
    this.body = body;
    this.signal = options.signal;
    this.result = new Promise((resolve) => {
      this.settle = resolve;
    });
    this.sent = startRequest(options);
    this.sent.on("socket", () => this.watchConnection());
    this.sent.on("response", (response) => void this.take(response));
    this.sent.on("error", (error) => this.fail(error));
    if (request instanceof SocketRequest) this.followClient(request);
    // A stream begins once there is a connection: until then it can be read elsewhere.
    if (body.bytes) body.sendTo(this.sent);
  }

  /** Tells whether a kept connection failed: its other end may have closed it before. */
  get wasKept() {
    return this.sent.reusedSocket;
  }

  private followClient({ incoming: { socket } }: SocketRequest) {
    if (socket.destroyed) this.leave();
    else socket.once("close", this.leave);
  }

  private watchConnection() {
    const { socket } = this.sent;
    if (!socket?.connecting) return this.connected();
    const late = () => this.sent.destroy(new Error(`no connection within ${CONNECT_MS} ms`));
    this.connecting = hostTime.setTimeout(late, CONNECT_MS);
    socket.once("connect", () => this.connected());
  }

  private connected() {
    hostTime.clearTimeout(this.connecting);
    this.isConnected = true;
    if (!this.body.bytes) this.body.sendTo(this.sent);
  }

  private async take(response: IncomingMessage) {
    this.hasAnswer = true;
    // A small body comes with its head, and is there once both have been parsed.
    await undefined;
    this.end(resultOf(response, this.request));
  }

  private fail(error: Error) {
    // What breaks off behind the head breaks off in the body.
    if (this.hasAnswer) return;
    const why = this.signal?.aborted ? "the wait for its answer was ended" : error.message;
    this.end(gone(this.isConnected, why));
  }

  /** Ends the request of a client that goes. */
  private readonly leave = () => {
    const headers = { [DROPPED_HEADER]: "client" };
    this.end({ kind: "reply", reply: lostReply(this.request, { status: 503, headers }) });
    this.sent.destroy();
  };

  private end(result: HopResult) {
    hostTime.clearTimeout(this.connecting);
    if (this.request instanceof SocketRequest)
      this.request.incoming.socket.off("close", this.leave);
    this.settle(result);
  }
}

const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Sends requests to the other processes of a store, over kept connections (spec/store.md#hops). */
export class HopClient {
  private readonly from: string;
  private readonly key: KeyObject;
  private readonly agent = new Agent({
    keepAlive: true,
    maxFreeSockets: KEPT_CONNECTIONS,
    timeout: KEPT_MS,
  });

  /** @param identity.from id of this process */
  constructor({ from, key }: { from: string; key: Buffer }) {
    this.from = from;
    this.key = createSecretKey(key);
  }

  /**
   * Sends a request as it came. When a kept connection fails, a safe request is sent once more over
   * a new one.
   */
  async send(request: HttpRequest, to: HopTarget, body: HopBody): Promise<HopResult> {
    const options = this.optionsFor(request, to, body);
    if (!options) return gone(false, `its address ${to.peer} is not host:port`);
    const first = new Attempt(options, request, body);
    const result = await first.result;
    const isStale = result.kind === "gone" && first.wasKept && !to.signal?.aborted;
    if (!isStale || !SAFE.has(request.method) || !body.isRepeatable) return result;
    return new Attempt({ ...options, agent: false }, request, body).result;
  }

  /** Closes all connections. */
  close() {
    this.agent.destroy();
  }

  private optionsFor(
    request: HttpRequest,
    { id, peer, signal }: HopTarget,
    body: HopBody,
  ): RequestOptions | undefined {
    const address = parsePeer(peer);
    if (!address) return undefined;
    const { method, path, scheme, caller } = lineOf(request);
    const { from, key, agent } = this;
    const hop = hopHeader(key, { from, scheme, caller }, { target: id, method, path });
    return {
      ...address,
      ...lookupFor(address.host),
      ...(signal && { signal }),
      agent,
      method,
      path,
      maxHeaderSize: MAX_HEAD_BYTES,
      headers: [...forwardedHeaders(request, body), HOP_HEADER, hop],
    };
  }
}
