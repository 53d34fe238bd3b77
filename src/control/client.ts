import { type IncomingMessage, type RequestOptions, request } from "node:http";
import { WORLD_HEADER } from "../contract/control/world-header.ts";
import { isLoopbackName } from "../http/loopback.ts";
import { EventReader, type ReadEvent } from "./feed/event-reader.ts";

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

const parse = (text: string, type = "") =>
  type.startsWith("application/json") ? JSON.parse(text) : text;

/**
 * The control surface, called over HTTP. It is made of `node:http` alone, since loading `fetch`
 * would double what a command costs to start.
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
    if (!this.url.startsWith("https:")) return request;
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
   * Reads a reply that goes on while it is read.
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
    return this.whole(await this.open(method, path, text === undefined ? {} : { text }));
  }

  private async open(
    method: string,
    path: string,
    { text, from: { after, signal } = {} }: Sent,
  ): Promise<IncomingMessage> {
    const { token, timeoutMs, world } = this.options;
    const start = this.starter();
    return new Promise((resolve, reject) => {
      const sent = start(`${this.url}/_sim${path}`, {
        method,
        agent: false,
        ...(signal && { signal }),
        headers: {
          ...(after !== undefined && { "last-event-id": after }),
          ...(text !== undefined && {
            "content-type": "application/json",
            "content-length": Buffer.byteLength(text),
          }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(world !== undefined && { [WORLD_HEADER]: world }),
        },
      });
      if (timeoutMs !== undefined)
        sent.setTimeout(timeoutMs, () => sent.destroy(new Error("it did not answer in time")));
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
        const received = Buffer.concat(chunks).toString("utf8");
        try {
          const body = parse(received, response.headers["content-type"]) as Body;
          resolve({ status: response.statusCode ?? 0, body });
        } catch {
          reject(new NotReachable(`${this.url} answered something that is not a simulator's`));
        }
      });
    });
  }
}
