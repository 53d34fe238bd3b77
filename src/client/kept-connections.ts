import { connect as connectPlainly, isIP, type Socket } from "node:net";
import { isLoopbackName } from "../contract/core/loopback.ts";
import { hostTime } from "../machine/host-time.ts";
import { lookupFor } from "../machine/loopback-lookup.ts";
import { AnswerReader, type RawAnswer } from "./answer-reader.ts";

/** A call as it goes over a connection; the names of headers are in lower case. */
export interface RawCall {
  method: string;
  /** Path and query, from the root. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer | undefined;
}

/** Loaded by the first secure connection. */
const tlsModule = () => process.getBuiltinModule("node:tls");

const open = ({ protocol, hostname, port }: URL): Socket => {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (protocol !== "https:")
    return connectPlainly({ host, port: Number(port || 80), ...lookupFor(host) });
  return tlsModule().connect({
    host,
    port: Number(port || 443),
    ...lookupFor(host),
    servername: isIP(host) ? "" : host,
    ALPNProtocols: ["http/1.1"],
    // `start --https` makes its own certificate, which only loopback may be trusted with.
    rejectUnauthorized: !isLoopbackName(hostname),
  });
};

/** Characters that a request target cannot hold: spaces, control characters, more than Latin-1. */
const NO_TARGET = /[^\x21-\xff]/;

/** Characters of a header: Latin-1 without control characters. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Methods whose length is told even if it is 0 (RFC 9110 section 8.6). */
const TELLS_LENGTH: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

const bytesOf = ({ method, path, headers, body }: RawCall, host: string): Buffer => {
  if (NO_TARGET.test(path))
    throw new Error(`Expected a percent-encoded path but found ${JSON.stringify(path)}`);
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n`;
  for (const name in headers) {
    const value = headers[name] as string;
    if (!HEADER_VALUE.test(value))
      throw new Error(
        `Expected Latin-1 on one line in the header ${name} but found something else`,
      );
    head += `${name}: ${value}\r\n`;
  }
  if (body || TELLS_LENGTH.has(method)) head += `content-length: ${body?.length ?? 0}\r\n`;
  const start = Buffer.from(`${head}\r\n`, "latin1");
  return body ? Buffer.concat([start, body]) : start;
};

/** Time before a server ends a quiet connection in which it is no longer used. */
const MARGIN_MS = 1000;

/** Time in which a quiet connection may be used again, by the answer's `Keep-Alive: timeout=5`. */
const quietMsOf = ({ headers }: RawAnswer): number => {
  const [, seconds] = /\btimeout=(\d+)/i.exec(headers.get("keep-alive") ?? "") ?? [];
  return seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1000 - MARGIN_MS;
};

/** One connection, which carries one call at a time. */
class Connection {
  private readonly socket: Socket;
  private under: { reader: AnswerReader; done(answer: RawAnswer | Error): void } | undefined;
  private usableUntilMs = Number.POSITIVE_INFINITY;

  constructor(origin: URL, closed: (connection: Connection) => void) {
    this.socket = open(origin).setNoDelay(true);
    this.socket.on("data", (bytes) => this.read(({ reader }) => reader.take(bytes)));
    this.socket.on("end", () => this.read(({ reader }) => reader.end()));
    this.socket.on("error", (error) => this.fail(error));
    this.socket.on("close", () => {
      this.fail(new Error("the connection ended before the answer did"));
      closed(this);
    });
  }

  get isUsable() {
    return !this.socket.destroyed && hostTime.monotonicMs() < this.usableUntilMs;
  }

  /** Sends a call; resolves with its whole answer. */
  carry(bytes: Buffer): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const done = (answer: RawAnswer | Error) =>
        answer instanceof Error ? reject(answer) : resolve(answer);
      this.under = { reader: new AnswerReader(), done };
      this.socket.ref();
      this.socket.write(bytes);
    });
  }

  end(reason?: Error) {
    if (reason) this.fail(reason);
    this.socket.destroy();
  }

  private read(next: (under: NonNullable<typeof this.under>) => RawAnswer | undefined) {
    // Bytes that nobody asked for: what follows could be taken for another call's answer.
    if (!this.under) return this.end();
    try {
      const answer = next(this.under);
      if (answer) this.finish(answer);
    } catch (error) {
      this.end(error as Error);
    }
  }

  private finish(answer: RawAnswer) {
    const { under } = this;
    this.under = undefined;
    this.usableUntilMs = hostTime.monotonicMs() + quietMsOf(answer);
    if (answer.mayGoOn) this.socket.unref();
    else this.end();
    under?.done(answer);
  }

  private fail(error: Error) {
    const { under } = this;
    this.under = undefined;
    under?.done(error);
  }
}

/**
 * Calls of one origin over connections that are kept (RFC 9112). `node:http` does the same for any
 * server, at three times the time a call (decisions/library-connections.md).
 */
export class Connections {
  readonly origin: string;
  private readonly url: URL;
  private readonly all = new Set<Connection>();
  private readonly quiet: Connection[] = [];

  constructor(origin: string) {
    this.origin = origin;
    this.url = new URL(origin);
  }

  /**
   * Sends a call and reads its answer.
   * @throws when no whole answer comes
   */
  async send(call: RawCall): Promise<RawAnswer> {
    const bytes = bytesOf(call, this.url.host);
    const connection = this.usable() ?? this.another();
    const answer = await connection.carry(bytes);
    if (connection.isUsable) this.quiet.push(connection);
    return answer;
  }

  /** Ends all connections; calls that are under way fail, with the reason if there is one. */
  close(reason?: Error) {
    this.quiet.length = 0;
    for (const connection of this.all) connection.end(reason);
  }

  private usable(): Connection | undefined {
    for (;;) {
      const newest = this.quiet.pop();
      if (!newest || newest.isUsable) return newest;
      newest.end();
    }
  }

  private forget(closed: Connection) {
    this.all.delete(closed);
    const at = this.quiet.indexOf(closed);
    if (at >= 0) this.quiet.splice(at, 1);
  }

  private another() {
    const connection = new Connection(this.url, (closed) => this.forget(closed));
    this.all.add(connection);
    return connection;
  }
}
