import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { request as requestSecurely } from "node:https";
import type { AddressInfo } from "node:net";
import { isLoopbackName } from "../../contract/core/loopback.ts";
import { looksLikeProduction } from "../../contract/core/production-credentials.ts";
import { guardLoopback } from "../../control/core/host-guard.ts";
import { Refusal, sentencesOf } from "../../domain/core/refusal.ts";
import { redactPath } from "../../http/log/redaction.ts";
import { SocketRequest } from "../../http/message/http-request.ts";
import { httpServer } from "../../http/sockets/http-server.ts";
import type { Exchanged } from "./captured-call.ts";
import { keptOf, textOf } from "./kept-body.ts";
import { sentCredentials } from "./sent-credentials.ts";

/**
 * Headers that are about one connection (RFC 9110, section 7.6.1), those of a proxy, and chunks.
 */
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

/** Time without a byte from the target after which it counts as gone. */
const TARGET_TIMEOUT_MS = 120_000;

/**
 * Raw headers without those of the connection, each name and value as it was sent. The length of a
 * body stays even where `Connection` names it: without it, the body would be read as a next
 * request.
 */
const passedOn = (message: IncomingMessage): string[] => {
  const named = (message.headers.connection ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const isInChunks = message.headers["transfer-encoding"] !== undefined;
  const raw = message.rawHeaders;
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = "", value = ""] = [raw[at], raw[at + 1]];
    const plain = name.toLowerCase();
    const isKept =
      plain === "content-length" ? !isInChunks : !HOP_BY_HOP.has(plain) && !named.includes(plain);
    if (isKept) kept.push(name, value);
  }
  return kept;
};

/** Codings of a transfer beside its chunks, which Node.js takes apart and makes again. */
const codingsOf = ({ headers }: IncomingMessage) =>
  (headers["transfer-encoding"] ?? "")
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => !/^(chunked|identity|)$/i.test(coding));

/** Methods whose length is told even if it is 0 (RFC 9110, section 8.6). */
const TELLS_LENGTH: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** Headers that frame the body of a request as it continues, beside its length as it was sent. */
const framingOfRequest = (incoming: IncomingMessage): string[] => {
  const { headers, method = "GET" } = incoming;
  if (headers["transfer-encoding"] !== undefined)
    return ["Transfer-Encoding", [...codingsOf(incoming), "chunked"].join(", ")];
  const isTold = headers["content-length"] !== undefined || !TELLS_LENGTH.has(method);
  return isTold ? [] : ["Content-Length", "0"];
};

/** Headers that frame the body of an answer as it continues; without any Node.js makes chunks. */
const framingOfAnswer = (got: IncomingMessage): string[] => {
  const codings = codingsOf(got);
  return codings.length > 0 ? ["Transfer-Encoding", [...codings, "chunked"].join(", ")] : [];
};

/** The refusal of a page, or of a name that is not this machine's: as on the control surface. */
const refusalOfCaller = (incoming: IncomingMessage, answer: ServerResponse) => {
  try {
    guardLoopback(new SocketRequest(incoming, answer), []);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const says = sentencesOf(error).says.replace("the control surface", "the proxy");
    const code = error.word;
    return {
      status: 403,
      code,
      says: `${says.replace("The control surface", "The proxy")}. ${NEXT}`,
    };
  }
};

const NEXT = "Call the address that capture printed, from a program";

/** Observers of what passes. */
export interface CaptureListeners {
  onCall(call: Exchanged): void;
  /** Called with a call that is not written down, and why. */
  onLeftOut(line: string, why: string): void;
  /** Called with user names, passwords and tokens that calls carried. */
  onCredentials(credentials: readonly string[]): void;
}

/** A request that is answered here. */
interface LocalRefusal {
  status: number;
  code: string;
  says: string;
}

const refusal = (status: number, code: string, message: string) =>
  JSON.stringify({ status, code, message });

/**
 * A proxy on loopback in front of a hosted service (spec/scenarios.md#capture). Requests and
 * answers pass as they are, but for headers of the connection and `Host`.
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
    const { port: boundPort } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${boundPort}${this.basePath}`;
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
    const refused = refusalOfCaller(incoming, answer) ?? this.refusalOf(incoming, line);
    if (refused) return this.refuse(answer, refused);
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
        // The shared agent may send through the proxies of the environment.
        ...(isLoopbackName(this.target.hostname) && { agent: false }),
      },
      (got) => {
        const requestBody = sent();
        this.answerWith(got, answer, {
          line,
          done: (responseBody) => this.note(line, { at, incoming, got, requestBody, responseBody }),
        });
      },
    );
    // Node.js would drop the headers of an answer beyond 2,000.
    outgoing.maxHeadersCount = 0;
    const sent = keptOf(incoming);
    outgoing.on("upgrade", (_got, socket) => {
      socket.destroy();
      this.refuseAnswer(answer, line);
    });
    outgoing.on("timeout", () => outgoing.destroy(new Error("it did not answer in time")));
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      // The client left: nobody waits for an answer.
      if (answer.destroyed || answer.headersSent) return void answer.destroy();
      const why = error.code ?? error.message;
      this.listeners.onLeftOut(line, `${this.target.origin} could not be reached: ${why}`);
      const says = `${this.target.origin} could not be reached: ${why}. Check the address that capture was given`;
      this.refuse(answer, { status: 502, code: "TARGET_UNREACHABLE", says });
    });
    answer.on("close", () => {
      if (!answer.writableFinished) outgoing.destroy();
    });
    incoming.pipe(outgoing);
  }

  /** Refuses a request that must not reach the service: nothing of it is sent. */
  private refusalOf(incoming: IncomingMessage, line: string): LocalRefusal | undefined {
    const credentials = sentCredentials(incoming);
    if (
      credentials.some((credential) => looksLikeProduction(credential, this.productionPrefixes))
    ) {
      this.listeners.onLeftOut(line, "its credentials look like production credentials");
      const says = "The credentials look like production credentials. Use sandbox credentials";
      return { status: 403, code: "FORBIDDEN", says };
    }
    this.listeners.onCredentials(credentials);
    if (incoming.url?.startsWith("/") === true) return undefined;
    const says = "The request has no path. Set the base URL of the client, not a proxy";
    return { status: 400, code: "INVALID_REQUEST_FORMAT", says };
  }

  /** Passes an answer on; what comes of a hostile service ends the call and nothing else. */
  private answerWith(
    got: IncomingMessage,
    answer: ServerResponse,
    { line, done }: { line: string; done(body: Buffer | undefined): void },
  ) {
    const received = keptOf(got);
    got.on("end", () => done(received()));
    got.on("error", () => {
      this.listeners.onLeftOut(line, "the connection ended before its answer did");
      answer.destroy();
    });
    try {
      const headers = [...passedOn(got), ...framingOfAnswer(got)];
      answer.writeHead(got.statusCode ?? 502, got.statusMessage, headers);
      got.pipe(answer);
    } catch {
      got.removeAllListeners().on("error", () => {});
      got.destroy();
      this.refuseAnswer(answer, line);
    }
  }

  private refuseAnswer(answer: ServerResponse, line: string) {
    this.listeners.onLeftOut(line, "its answer cannot be forwarded");
    const says = `${this.target.origin} gave an answer that cannot be forwarded`;
    this.refuse(answer, { status: 502, code: "TARGET_UNREACHABLE", says });
  }

  private headersFor(incoming: IncomingMessage): string[] {
    const headers = passedOn(incoming);
    const own: string[] = [];
    for (let at = 0; at + 1 < headers.length; at += 2)
      if (!/^host$/i.test(headers[at] as string))
        own.push(headers[at] as string, headers[at + 1] as string);
    return ["Host", this.target.host, ...own, ...framingOfRequest(incoming)];
  }

  private refuse(answer: ServerResponse, { status, code, says }: LocalRefusal) {
    answer.req.resume();
    const text = refusal(status, code, says);
    const length = Buffer.byteLength(text);
    answer.writeHead(status, { "content-type": "application/json", "content-length": length });
    answer.end(text);
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
      return this.listeners.onLeftOut(line, "its body is not JSON, or over 1 MiB");
    const responseText = textOf(got, responseBody);
    if (responseText === undefined)
      this.listeners.onLeftOut(`the answer to ${line}`, "its body is not JSON, or over 1 MiB");
    this.listeners.onCall({
      at,
      method,
      path: whole.slice(basePath.length),
      query,
      status: got.statusCode ?? 502,
      requestText,
      responseText: responseText ?? "",
    });
  }
}
