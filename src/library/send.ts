import { Connections } from "../client/kept-connections.ts";
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

/** Tests for a form without naming its class, which would load all of Node.js's `fetch`. */
export const isForm = (body: unknown): body is FormData =>
  Object.prototype.toString.call(body) === "[object FormData]";

/** A body as the bytes that a request carries, with the header that names a form's boundary. */
const bytesOf = async (body: string | FormData | undefined) => {
  if (body === undefined) return { bytes: undefined };
  if (typeof body === "string") return { bytes: Buffer.from(body) };
  const form = new Response(body);
  const type = form.headers.get("content-type") ?? "";
  return { bytes: Buffer.from(await form.arrayBuffer()), type };
};

/**
 * Sends calls to a simulator over HTTP, by connections that are kept. They work while a test fakes
 * timers; `fetch` waits for faked ones.
 */
export class HttpSender {
  readonly origin: string;
  private readonly connections: Connections;

  constructor(origin: string) {
    this.origin = origin;
    this.connections = new Connections(origin);
  }

  readonly send: Send = async (sent) => {
    const { method, path } = sent;
    const { bytes: body, type } = await bytesOf(sent.body);
    const headers = type === undefined ? sent.headers : { ...sent.headers, "content-type": type };
    try {
      const answer = await this.connections.send({ method, path, headers, body });
      return {
        status: answer.status,
        body: parsed(answer.text, answer.headers.get("content-type")),
        requestId: answer.headers.get("x-sim-request-id"),
      };
    } catch (error) {
      throw noAnswer(sent, error);
    }
  };

  /** Closes the connections that are kept. */
  close() {
    this.connections.close();
  }
}
