import type { IncomingMessage, RequestOptions } from "node:http";
import { consoleLink, placeOfAny } from "../contract/control/console-link.ts";
import { WORLD_HEADER } from "../contract/control/world-header.ts";
import { isLoopbackName } from "../contract/core/loopback.ts";
import { hostTime } from "../machine/host-time.ts";
import { lookupFor } from "../machine/loopback-lookup.ts";
import { EventReader, type ReadEvent } from "./event-reader.ts";
import { Connections } from "./kept-connections.ts";

/** A reply of the control surface: JSON as it came, or text. */
export interface ControlReply<Body = unknown> {
  status: number;
  body: Body;
}

/** No simulator answers at an address; the message names it. */
export class NotReachable extends Error {
  override readonly name = "NotReachable";
}

export interface ClientOptions {
  /** Origin of the simulator, like `http://127.0.0.1:4747`. */
  url: string;
  /** Needed when the simulator listens beyond loopback. */
  token?: string;
  /** Name of the world that its calls mean; the starting one by default. */
  world?: string;
  /** Longest wait for an answer, real milliseconds. */
  timeoutMs?: number;
}

/** Body and headers of a call. */
interface Sent {
  text?: string;
  from?: { after?: string | undefined; signal?: AbortSignal };
}

const LATE = "it did not answer in time";

/** A reply as it was read; throws `NotReachable` where it is not a simulator's. */
const replyOf = <Body>(
  url: string,
  status: number,
  { text, type }: { text: string; type: string | undefined },
): ControlReply<Body> => {
  try {
    return { status, body: type?.startsWith("application/json") ? JSON.parse(text) : text };
  } catch {
    throw new NotReachable(`${url} answered something that is not a simulator's`);
  }
};

/** Loaded by the first call that reads an answer while it continues. */
const httpModule = () => process.getBuiltinModule("node:http");

/**
 * The control surface, called over HTTP. Calls go over plain connections: loading `fetch` would
 * double what a command costs to start, and `node:http` takes a tenth of it.
 */
export class ControlClient {
  readonly url: string;
  private readonly options: ClientOptions;

  constructor(options: ClientOptions) {
    this.options = options;
    this.url = options.url.replace(/\/$/, "");
  }

  /** Its options, for another client of the same simulator. */
  get at(): ClientOptions {
    return this.options;
  }

  get<Body>(path: string): Promise<ControlReply<Body>> {
    return this.send("GET", path);
  }

  post<Body>(path: string, body: object = {}): Promise<ControlReply<Body>> {
    return this.send("POST", path, JSON.stringify(body));
  }

  put<Body>(path: string, body: object): Promise<ControlReply<Body>> {
    return this.send("PUT", path, JSON.stringify(body));
  }

  patch<Body>(path: string, body: object): Promise<ControlReply<Body>> {
    return this.send("PATCH", path, JSON.stringify(body));
  }

  delete<Body>(path: string): Promise<ControlReply<Body>> {
    return this.send("DELETE", path);
  }

  /** `start --https` makes its own certificate, which only loopback may be trusted with. */
  private starter() {
    if (!this.url.startsWith("https:")) return httpModule().request;
    const { request: secure } = process.getBuiltinModule("node:https");
    const rejectUnauthorized = !isLoopbackName(new URL(this.url).hostname);
    return (url: string, options: RequestOptions) =>
      secure(url, { ...options, rejectUnauthorized });
  }

  /**
   * Follows a stream of events.
   * @param from.after id of the last event seen
   * @param from.signal ends it
   * @returns an error's reply; nothing once the stream has ended
   */
  async follow(
    path: string,
    onEvent: (event: ReadEvent) => void,
    from: { after?: string | undefined; signal?: AbortSignal } = {},
  ): Promise<ControlReply | undefined> {
    const response = await this.open("GET", path, { from });
    if (response.statusCode !== 200) return this.whole(response);
    const reader = new EventReader(onEvent);
    response.setEncoding("utf8").on("data", (text: string) => reader.push(text));
    return new Promise((resolve, reject) => {
      response.on("error", (error) => reject(new NotReachable(`${this.url}: ${error.message}`)));
      response.on("end", () => resolve(undefined));
    });
  }

  /**
   * Reads a reply that continues while it is read.
   * @returns an error's reply, or what resolves at its end: whether it came whole
   */
  async stream(
    path: string,
    body: object,
    onBytes: (bytes: Buffer) => void,
  ): Promise<ControlReply | { ended: Promise<boolean>; stop(): void }> {
    const response = await this.open("POST", path, { text: JSON.stringify(body) });
    if (response.statusCode !== 200) return this.whole(response);
    response.on("data", onBytes);
    const ended = new Promise<boolean>((resolve) => {
      response.on("error", () => resolve(false));
      response.on("end", () => resolve(true));
    });
    return { ended, stop: () => void response.destroy() };
  }

  private async send<Body>(
    method: string,
    path: string,
    text?: string,
  ): Promise<ControlReply<Body>> {
    const { url } = this;
    const { timeoutMs } = this.options;
    const body = text === undefined ? undefined : Buffer.from(text);
    const headers = { ...this.headersOf(text === undefined ? {} : { text }), connection: "close" };
    const { origin, pathname, search } = new URL(`${url}/_sim${path}`);
    const connections = new Connections(origin);
    const timeout =
      timeoutMs !== undefined &&
      hostTime.setTimeout(() => connections.close(new Error(LATE)), timeoutMs);
    try {
      const answer = await connections.send({ method, path: pathname + search, headers, body });
      return replyOf<Body>(url, answer.status, {
        text: answer.text,
        type: answer.headers.get("content-type"),
      });
    } catch (error) {
      if (error instanceof NotReachable || !(error instanceof Error)) throw error;
      throw new NotReachable(`${url}: ${error.message}`);
    } finally {
      if (timeout) hostTime.clearTimeout(timeout);
      connections.close();
    }
  }

  /** Address in the console of a record, request or webhook of the world. */
  consoleLink(id: string): string {
    return consoleLink(this.url, placeOfAny(id), this.options.world);
  }

  private headersOf({ text, from: { after } = {} }: Sent): Record<string, string> {
    const { token, world } = this.options;
    return {
      ...(after !== undefined && { "last-event-id": after }),
      ...(text !== undefined && { "content-type": "application/json" }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(world !== undefined && { [WORLD_HEADER]: world }),
    };
  }

  private async open(method: string, path: string, asked: Sent): Promise<IncomingMessage> {
    const { timeoutMs } = this.options;
    const { text, from: { signal } = {} } = asked;
    const start = this.starter();
    return new Promise((resolve, reject) => {
      const sent = start(`${this.url}/_sim${path}`, {
        method,
        agent: false,
        ...lookupFor(new URL(this.url).hostname),
        ...(signal && { signal }),
        headers: {
          ...this.headersOf(asked),
          ...(text !== undefined && { "content-length": Buffer.byteLength(text) }),
        },
      });
      if (timeoutMs !== undefined) sent.setTimeout(timeoutMs, () => sent.destroy(new Error(LATE)));
      sent.on("error", (error) => reject(new NotReachable(`${this.url}: ${error.message}`)));
      sent.on("response", resolve);
      sent.end(text);
    });
  }

  private whole<Body>(response: IncomingMessage): Promise<ControlReply<Body>> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", (error) => reject(new NotReachable(error.message)));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const type = response.headers["content-type"];
        try {
          resolve(replyOf(this.url, response.statusCode ?? 0, { text, type }));
        } catch (error) {
          reject(error);
        }
      });
    });
  }
}
