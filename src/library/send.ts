import type { Agent, IncomingMessage, RequestOptions } from "node:http";
import * as http from "node:http";
import { isLoopbackName } from "../http/loopback.ts";
import { NoAnswer } from "./api-error.ts";

/** A call of either surface, as it is sent. */
export interface Sent {
  method: string;
  /** Path and query, from the root: `/_sim/clock`. */
  path: string;
  headers: Record<string, string>;
  body?: string | FormData | undefined;
}

/** The answer to a call. */
export interface Answered {
  status: number;
  /** JSON as a value, anything else as text; undefined without a body. */
  body: unknown;
  requestId: string | undefined;
}

/**
 * Sends a call and reads its answer.
 * @throws NoAnswer when none comes
 */
export type Send = (sent: Sent) => Promise<Answered>;

const parsed = (text: string, type: string | null | undefined): unknown => {
  if (text === "") return undefined;
  return type?.startsWith("application/json") ? JSON.parse(text) : text;
};

const noAnswer = ({ method, path }: Sent, cause: unknown) =>
  new NoAnswer(
    `${method} ${path} got no answer: ${cause instanceof Error ? cause.message : String(cause)}`,
    { cause },
  );

/** Sends calls to a simulator in this process. */
export const sendInProcess =
  (fetch: (request: Request) => Promise<Response>, origin: () => string): Send =>
  async (sent) => {
    const { method, path, headers, body = null } = sent;
    const request = new Request(origin() + path, { method, headers, body });
    try {
      const response = await fetch(request);
      return {
        status: response.status,
        body: parsed(await response.text(), response.headers.get("content-type")),
        requestId: response.headers.get("x-sim-request-id") ?? undefined,
      };
    } catch (error) {
      // A fault loses an answer, cuts it off or garbles it, as a network would.
      const isLost = error instanceof TypeError || error instanceof SyntaxError;
      throw isLost ? noAnswer(sent, error) : error;
    }
  };

/** Reads by events: an iterator costs several times as much for an answer of one part. */
const textOf = (response: IncomingMessage) =>
  new Promise<string>((resolve, reject) => {
    let text = "";
    response.setEncoding("utf8");
    response.on("data", (part: string) => {
      text += part;
    });
    response.on("end", () => resolve(text));
    response.on("error", reject);
  });

/** A form as the bytes that a request carries, with the header that names its boundary. */
const bytesOf = async (body: string | FormData | undefined) => {
  if (body === undefined || typeof body === "string") return { bytes: body, type: {} };
  const form = new Response(body);
  const type = { "content-type": form.headers.get("content-type") ?? "" };
  return { bytes: Buffer.from(await form.arrayBuffer()), type };
};

/**
 * Sends calls to a simulator over HTTP, by connections that are kept. It is made of `node:http`,
 * which works while a test fakes timers; `fetch` waits for faked ones.
 */
export class HttpSender {
  readonly origin: string;
  private readonly agent: Agent;
  private readonly start: (url: string, options: RequestOptions) => http.ClientRequest;

  constructor(origin: string) {
    this.origin = origin;
    const { protocol, hostname } = new URL(origin);
    const isSecure = protocol === "https:";
    const https = () => process.getBuiltinModule("node:https");
    this.agent = isSecure
      ? // `start --https` makes its own certificate, which only loopback may be trusted with.
        new (https().Agent)({ keepAlive: true, rejectUnauthorized: !isLoopbackName(hostname) })
      : new http.Agent({ keepAlive: true });
    this.start = isSecure ? https().request : http.request;
  }

  readonly send: Send = async (sent) => {
    const { bytes, type } = await bytesOf(sent.body);
    try {
      const response = await this.open(sent, bytes, type);
      return {
        status: response.statusCode ?? 0,
        body: parsed(await textOf(response), response.headers["content-type"]),
        requestId: response.headers["x-sim-request-id"]?.toString(),
      };
    } catch (error) {
      throw noAnswer(sent, error);
    }
  };

  /** Closes the connections that are kept. */
  close() {
    this.agent.destroy();
  }

  private open({ method, path, headers }: Sent, bytes: string | Buffer | undefined, type: object) {
    const { agent, origin } = this;
    const length = bytes !== undefined && { "content-length": Buffer.byteLength(bytes) };
    return new Promise<IncomingMessage>((resolve, reject) => {
      const options = { method, agent, headers: { ...headers, ...type, ...length } };
      const request = this.start(origin + path, options);
      request.on("error", reject);
      request.on("response", resolve);
      request.end(bytes);
    });
  }
}
