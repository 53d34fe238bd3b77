import type { IncomingMessage, ServerResponse } from "node:http";

/** The headers of a request: names in small letters, values of a repeated one joined. */
export interface HttpHeaders extends Iterable<[string, string]> {
  get(name: string): string | null;
}

/** A request as far as answering it needs: one from a socket, or a `Request` of this process. */
export interface HttpRequest {
  readonly method: string;
  /** Its whole address. */
  readonly url: string;
  readonly headers: HttpHeaders;
  /** The bytes of its body; nothing where its method has none. */
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** The headers of a request of Node.js, joined as those of `Headers` are. */
class IncomingHeaders implements HttpHeaders {
  private readonly raw: readonly string[];

  constructor(raw: readonly string[]) {
    this.raw = raw;
  }

  get(name: string): string | null {
    const { raw } = this;
    let value: string | null = null;
    for (let at = 0; at < raw.length; at += 2) {
      const headerName = raw[at] as string;
      if (headerName.length !== name.length || headerName.toLowerCase() !== name) continue;
      value = value === null ? (raw[at + 1] as string) : `${value}, ${raw[at + 1]}`;
    }
    return value;
  }

  *[Symbol.iterator](): Iterator<[string, string]> {
    const names = new Set(
      this.raw.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase()),
    );
    for (const name of [...names].sort()) yield [name, this.get(name) ?? ""];
  }
}

/** Schemes by which a client reaches a server. */
export type Scheme = "http" | "https";

/** Characters of a host; others would change where an address ends. */
const HOST = /^[\w.:[\]-]+$/;

const bodiless = new Set(["GET", "HEAD"]);

/** A request from a socket, read no further than what is asked of it. */
export class SocketRequest implements HttpRequest {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly headers: HttpHeaders;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, raw = incoming.rawHeaders) {
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.headers = new IncomingHeaders(raw);
  }

  get method() {
    return this.incoming.method ?? "GET";
  }

  /** Target of its first line: a path with its query, `*`, or a whole address. */
  get target() {
    return this.incoming.url ?? "/";
  }

  /** The scheme by which the client reached the server. */
  get scheme(): Scheme {
    return "encrypted" in this.incoming.socket ? "https" : "http";
  }

  /** Scheme, host and port by which the client reached the server. */
  get origin() {
    const { scheme } = this;
    const host = this.headers.get("host");
    if (!host) return `${scheme}://${this.ownHost}`;
    const isHost = HOST.test(host) && URL.canParse(`${scheme}://${host}`);
    return `${scheme}://${isHost ? host : "_invalid_"}`;
  }

  /** Address and port of the server's end of the connection. */
  get ownHost() {
    const { localFamily, localAddress, localPort } = this.incoming.socket;
    return `${localFamily === "IPv6" ? `[${localAddress}]` : localAddress}:${localPort}`;
  }

  get url() {
    const { target } = this;
    if (target === "*") return `${this.origin}/*`;
    return target.startsWith("/") ? this.origin + target : target;
  }

  get body() {
    return bodiless.has(this.method) ? null : this.incoming;
  }

  /** Drops the client's connection: nothing of an answer arrives. */
  hangUp() {
    this.incoming.socket.destroy();
  }
}
