import { connect as connectPlainly, isIP, type LookupFunction, type Socket } from "node:net";
import { hostTime } from "../machine/host-time.ts";
import { type ReceiverTrust, tlsModule, trustOptions } from "./receiver-trust.ts";

/** Bounds of the connections that stay open between attempts (spec/webhooks.md#connections). */
export const CONNECTION_BOUNDS = { idleMs: 100, attempts: 32 } as const;

/** A receiver as its URL tells: two attempts with the same `origin` may share a connection. */
export interface ReceiverAddress {
  origin: string;
  isSecure: boolean;
  host: string;
  port: number;
  mayKeep: boolean;
}

/** Rules for one connection. */
export interface ConnectionRules {
  lookup: LookupFunction;
  trust: ReceiverTrust;
}

/** Takes all that comes over a connection while an attempt is on it. */
export interface Taker {
  take(bytes: Buffer): void;
  /** @param error absent when the receiver ended the connection cleanly */
  ended(error?: NodeJS.ErrnoException): void;
}

const open = (
  { isSecure, host, port }: ReceiverAddress,
  { lookup, trust }: ConnectionRules,
): Socket =>
  isSecure
    ? tlsModule().connect({
        host,
        port,
        lookup,
        servername: isIP(host) ? "" : host,
        ALPNProtocols: ["http/1.1"],
        // The certificate is judged when the receiver's address is known.
        rejectUnauthorized: false,
        ...trustOptions(trust),
      })
    : connectPlainly({ host, port, lookup });

/** A connection to a receiver, with one attempt on it at a time. */
export class ReceiverConnection {
  readonly socket: Socket;
  /** Attempts that it served. */
  served = 0;
  /** Address of the receiver, once the connection is open. */
  address = "";
  private taker: Taker | undefined;
  private request: Buffer | undefined;
  private hasEnded = false;
  private readonly trust: ReceiverTrust;

  constructor(
    reached: ReceiverAddress,
    rules: ConnectionRules,
    ended: (one: ReceiverConnection) => void,
  ) {
    const socket = open(reached, rules).setNoDelay(true);
    this.socket = socket;
    this.trust = rules.trust;
    // With TLS it is open once the receiver has shown its certificate.
    socket.once(reached.isSecure ? "secureConnect" : "connect", () => this.opened());
    socket.on("data", (bytes) => {
      // Bytes between two attempts answer neither of them.
      if (this.taker) this.taker.take(bytes);
      else this.close();
    });
    socket.on("end", () => this.end());
    socket.on("error", (error) => this.end(error));
    socket.on("timeout", () => this.close());
    socket.on("close", () => {
      this.end();
      ended(this);
    });
  }

  get isUsable() {
    return !this.hasEnded && !this.socket.destroyed;
  }

  /** Writes a request, once the connection is open; what comes then goes to the taker. */
  begin(request: Buffer, taker: Taker) {
    this.taker = taker;
    if (this.address === "") this.request = request;
    else this.socket.write(request);
  }

  /** Takes the attempt off, whose answer is whole. */
  leave() {
    this.taker = undefined;
    this.served += 1;
  }

  close() {
    this.taker = undefined;
    this.hasEnded = true;
    this.socket.destroy();
  }

  /** Closes it once the request is written: a receiver may answer first and read then. */
  closeSoon() {
    const { socket } = this;
    this.taker = undefined;
    if (socket.writableLength === 0) return this.close();
    this.hasEnded = true;
    socket.setTimeout(CONNECTION_BOUNDS.idleMs).unref().destroySoon();
  }

  private opened() {
    this.address = this.socket.remoteAddress ?? "unknown";
    const { authorizationError } = this.socket as Socket & { authorizationError?: Error | string };
    if (authorizationError && !this.trust.takesAny(this.address))
      return this.end(
        Object.assign(new Error("certificate refused"), { code: `${authorizationError}` }),
      );
    if (this.request) this.socket.write(this.request);
    this.request = undefined;
  }

  private end(error?: NodeJS.ErrnoException) {
    const { taker } = this;
    this.close();
    taker?.ended(error);
  }
}

/** Connections to the receivers that one set of rules for targets lets through. */
export class ReceiverConnections {
  /** Connections between two attempts, by origin, the newest last. */
  private readonly idle = new Map<string, ReceiverConnection[]>();

  /** Opens a connection for one attempt. */
  open(reached: ReceiverAddress, rules: ConnectionRules): ReceiverConnection {
    return new ReceiverConnection(reached, rules, (ended) => this.drop(ended, reached));
  }

  /** A connection of an earlier attempt, if one is there. */
  take({ origin }: ReceiverAddress): ReceiverConnection | undefined {
    const waiting = this.idle.get(origin);
    const newest = waiting?.pop();
    if (waiting?.length === 0) this.idle.delete(origin);
    if (!newest) return undefined;
    newest.socket.setTimeout(0).ref();
    return newest;
  }

  /** Keeps a connection for the next attempt, for a moment. */
  keep(connection: ReceiverConnection, { origin, mayKeep }: ReceiverAddress) {
    connection.leave();
    const isUsedUp = connection.served >= CONNECTION_BOUNDS.attempts;
    const isWritten = connection.socket.writableLength === 0;
    if (!mayKeep || isUsedUp || !isWritten || !connection.isUsable) return connection.closeSoon();
    // An idle connection keeps no process alive.
    connection.socket.setTimeout(CONNECTION_BOUNDS.idleMs).unref();
    const waiting = this.idle.get(origin);
    if (waiting) waiting.push(connection);
    else this.idle.set(origin, [connection]);
  }

  private drop(ended: ReceiverConnection, { origin }: ReceiverAddress) {
    const waiting = this.idle.get(origin);
    const at = waiting?.indexOf(ended) ?? -1;
    if (at >= 0) waiting?.splice(at, 1);
    if (waiting?.length === 0) this.idle.delete(origin);
  }
}

/**
 * Resolves once the event loop has read what lay ready on a connection. An immediate runs behind
 * the reads of its turn, which may have begun before; the second one is a whole turn later.
 */
export const afterReads = () =>
  new Promise<void>((resolve) =>
    hostTime.setImmediate(() => hostTime.setImmediate(() => resolve())),
  );
