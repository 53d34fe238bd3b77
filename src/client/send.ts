import { WORLD_HEADER } from "../contract/control/world-header.ts";

/** Raised when a call got no answer: nothing listens there, or the answer was lost on the way. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** Credentials of a call of the control surface, and the world that it means. */
export interface Access {
  /** Asked for beyond loopback. */
  token?: string | undefined;
  /** Name of a world; left out for the default world. */
  world?: string | undefined;
}

export const accessHeaders = ({ token, world }: Access): Record<string, string> => ({
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
  ...(world !== undefined && { [WORLD_HEADER]: world }),
});

/** A call of either surface, as it is sent. */
export interface SendInput {
  method: string;
  /** Path and query, from the root: `/_sim/clock`. */
  path: string;
  headers: Record<string, string>;
  body?: string | FormData | undefined;
  /** Ends the call before its answer. */
  signal?: AbortSignal | undefined;
}

/** The answer to a call. */
export interface SendResult {
  status: number;
  /** JSON as a value, anything else as text; undefined without a body. */
  body: unknown;
  requestId: string | undefined;
}

/**
 * Sends a call and reads its answer.
 * @throws NoAnswer when none comes
 */
export type Send = (sent: SendInput) => Promise<SendResult>;

/** The value of a body: JSON as a value, anything else as text, nothing for an empty one. */
export const parsed = (text: string, type: string | null | undefined): unknown => {
  if (text === "") return undefined;
  return type?.startsWith("application/json") ? JSON.parse(text) : text;
};

/** The error of a call without an answer. */
export const noAnswer = ({ method, path }: SendInput, cause: unknown) =>
  new NoAnswer(
    `${method} ${path} got no answer: ${cause instanceof Error ? cause.message : String(cause)}`,
    { cause },
  );

/**
 * Sends calls by a `fetch`: of the browser, or of a simulator in this process.
 * @param origin before each path; empty for the origin of a page
 */
export const sendByFetch =
  (fetch: (request: Request) => Promise<Response>, origin: () => string): Send =>
  async (sent) => {
    const { method, path, headers, body = null, signal = null } = sent;
    const request = new Request(origin() + path, { method, headers, body, signal });
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
