import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { request as requestSecurely } from "node:https";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { looksLikeProduction } from "../../contract/core/production-credentials.ts";
import { httpServer } from "../../http/http-server.ts";
import { redactPath } from "../../http/redaction.ts";
import type { Exchanged } from "./captured-call.ts";

/** Headers that are about one connection (RFC 9110, section 7.6.1), and those of a proxy. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Bodies above this pass, and are not written down. */
const MAX_KEPT_BYTES = 1024 * 1024;

/** Time without a byte from the target after which it counts as gone. */
const TARGET_TIMEOUT_MS = 120_000;

/** Raw headers without those of the connection, each name and value as it was sent. */
const passedOn = (message: IncomingMessage): string[] => {
  const named = (message.headers.connection ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const raw = message.rawHeaders;
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = "", value = ""] = [raw[at], raw[at + 1]];
    const plain = name.toLowerCase();
    if (!HOP_BY_HOP.has(plain) && !named.includes(plain)) kept.push(name, value);
  }
  return kept;
};

/** Takes a body while it passes; nothing when it is too long to keep. */
const keptOf = (message: IncomingMessage) => {
  const parts: Buffer[] = [];
  let bytes = 0;
  message.on("data", (part: Buffer) => {
    bytes += part.length;
    if (bytes <= MAX_KEPT_BYTES) parts.push(part);
  });
  return () => (bytes > MAX_KEPT_BYTES ? undefined : Buffer.concat(parts));
};

const DECODE: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** The text of a body; nothing when it is no text that a scenario could have. */
const textOf = (message: IncomingMessage, body: Buffer | undefined): string | undefined => {
  if (body === undefined) return undefined;
  if (body.length === 0) return "";
  if (!/json/i.test(message.headers["content-type"] ?? "")) return undefined;
  const encoding = message.headers["content-encoding"];
  if (encoding === undefined || encoding === "identity") return body.toString("utf8");
  try {
    return DECODE[encoding]?.(body).toString("utf8");
  } catch {
    return undefined;
  }
};

/** The parts of an Authorization header that are secret: the password, or the token. */
const credentialsIn = (header = ""): string[] => {
  const [scheme = "", value = ""] = header.split(/\s+/);
  if (/^bearer$/i.test(scheme)) return [value];
  if (!/^basic$/i.test(scheme)) return [];
  const [user = "", ...password] = Buffer.from(value, "base64").toString("utf8").split(":");
  return [user, password.join(":")];
};

/** Observers of what passes. */
export interface CaptureListeners {
  onCall(call: Exchanged): void;
  /** Called with a call that is not written down, and why. */
  onLeftOut(line: string, why: string): void;
  /** Called with user names, passwords and tokens that calls carried. */
  onCredentials(credentials: readonly string[]): void;
}

const refusal = (status: number, code: string, message: string) =>
  JSON.stringify({ status, code, message });

/**
 * A proxy on loopback in front of a hosted service (spec/scenarios.md#capture). Requests and answers
 * pass as they are, but for headers of the connection and `Host`.
 */
export class CaptureProxy {
  private readonly target: URL;
  private readonly listeners: CaptureListeners;
  private readonly productionPrefixes: readonly string[];
  private readonly server = httpServer((incoming, answer) => this.pass(incoming, answer));

  /**
   * @param target base URL of the service's API, without query and credentials
   * @param productionPrefixes further beginnings of credentials that are refused
   *   (spec/conform.md#production-credentials)
   */
  constructor(
    target: URL,
    listeners: CaptureListeners,
    productionPrefixes: readonly string[] = [],
  ) {
    this.target = target;
    this.listeners = listeners;
    this.productionPrefixes = productionPrefixes;
  }

  /**
   * Listens on loopback.
   * @returns the base URL for clients: that of the target with another origin
   */
  async listen(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once("error", reject);
      this.server.listen(port, "127.0.0.1", resolve);
    });
    const { port: taken } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${taken}${this.basePath}`;
  }

  async close() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private get basePath() {
    return this.target.pathname.replace(/\/+$/, "");
  }

  private pass(incoming: IncomingMessage, answer: ServerResponse) {
    const at = new Date();
    const { method = "GET", url = "/" } = incoming;
    const [place = "/"] = url.split("?");
    const line = `${method} ${redactPath(place).text}`;
    const credentials = credentialsIn(incoming.headers.authorization);
    if (credentials.some((one) => looksLikeProduction(one, this.productionPrefixes))) {
      this.listeners.onLeftOut(line, "its credentials look like those of production");
      const says = "The credentials look like those of production. Use those of a sandbox";
      return this.refuse(incoming, answer, { status: 403, code: "FORBIDDEN", says });
    }
    this.listeners.onCredentials(credentials);
    const outgoing = (this.target.protocol === "https:" ? requestSecurely : request)(
      {
        protocol: this.target.protocol,
        hostname: this.target.hostname.replace(/^\[|\]$/g, ""),
        port: this.target.port,
        method,
        path: url,
        headers: this.headersFor(incoming),
        setHost: false,
        timeout: TARGET_TIMEOUT_MS,
      },
      (got) => {
        const requestBody = sent();
        const received = keptOf(got);
        got.on("end", () =>
          this.note(line, { at, incoming, got, requestBody, responseBody: received() }),
        );
        got.on("error", () => answer.destroy());
        answer.writeHead(got.statusCode ?? 502, got.statusMessage, passedOn(got));
        got.pipe(answer);
      },
    );
    const sent = keptOf(incoming);
    outgoing.on("timeout", () => outgoing.destroy(new Error("it did not answer in time")));
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      // The client left: nobody waits for an answer.
      if (answer.destroyed || answer.headersSent) return void answer.destroy();
      const why = error.code ?? error.message;
      this.listeners.onLeftOut(line, `${this.target.origin} could not be reached: ${why}`);
      const says = `${this.target.origin} could not be reached: ${why}. Check the address that capture was given`;
      this.refuse(incoming, answer, { status: 502, code: "TARGET_UNREACHABLE", says });
    });
    answer.on("close", () => {
      if (!answer.writableFinished) outgoing.destroy();
    });
    incoming.pipe(outgoing);
  }

  private headersFor(incoming: IncomingMessage): string[] {
    const headers = passedOn(incoming);
    const at = headers.findIndex((name, place) => place % 2 === 0 && /^host$/i.test(name));
    if (at >= 0) headers.splice(at, 2);
    // A body of unknown length goes on in chunks, as it came.
    const isChunked = incoming.headers["transfer-encoding"] !== undefined;
    return [
      "Host",
      this.target.host,
      ...headers,
      ...(isChunked ? ["Transfer-Encoding", "chunked"] : []),
    ];
  }

  private refuse(
    incoming: IncomingMessage,
    answer: ServerResponse,
    { status, code, says }: { status: number; code: string; says: string },
  ) {
    incoming.resume();
    answer.writeHead(status, { "content-type": "application/json" });
    answer.end(refusal(status, code, says));
  }

  private note(
    line: string,
    {
      at,
      incoming,
      got,
      requestBody,
      responseBody,
    }: {
      at: Date;
      incoming: IncomingMessage;
      got: IncomingMessage;
      requestBody: Buffer | undefined;
      responseBody: Buffer | undefined;
    },
  ) {
    const { method = "GET", url = "/" } = incoming;
    const [whole = "/", query = ""] = url.split(/\?(.*)/s);
    const { basePath } = this;
    if (!whole.startsWith(`${basePath}/`))
      return this.listeners.onLeftOut(line, `it is not below ${basePath || "/"}`);
    const requestText = textOf(incoming, requestBody);
    if (requestText === undefined)
      return this.listeners.onLeftOut(line, "its body is no JSON of at most 1 MiB");
    this.listeners.onCall({
      at,
      method,
      path: whole.slice(basePath.length),
      query,
      status: got.statusCode ?? 502,
      requestText,
      responseText: textOf(got, responseBody) ?? "",
    });
  }
}
