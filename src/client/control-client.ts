import type { IncomingMessage, RequestOptions } from "node:http";
import { consoleLink, placeOfAny } from "../contract/control/console-link.ts";
import { isLoopbackName } from "../contract/core/loopback.ts";
import { hostTime } from "../machine/host-time.ts";
import { lookupFor } from "../machine/loopback-lookup.ts";
import { EventReader, type ReadEvent } from "./event-reader.ts";
import { type Access, accessHeaders, NoAnswer, parsed } from "./send.ts";
import { SocketSender } from "./socket-sender.ts";

/** A reply of the control surface: JSON as it came, or text. */
export interface ControlReply<Body = unknown> {
  status: number;
  body: Body;
}

export interface ClientOptions extends Access {
  /** Origin of the simulator, like `http://127.0.0.1:4747`. */
  url: string;
  /** Longest wait for an answer, real milliseconds. */
  timeoutMs?: number;
}

/** Body and headers of a call. */
interface ControlCallInput {
  text?: string;
  from?: { after?: string | undefined; signal?: AbortSignal };
}

const LATE = "it did not answer in time";

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
      response.on("error", (error) => reject(this.lost(error)));
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
    const { timeoutMs } = this.options;
    const headers = { ...this.headersOf(text === undefined ? {} : { text }), connection: "close" };
    const { origin, pathname, search } = new URL(`${this.url}/_sim${path}`);
    const sender = new SocketSender(origin);
    const timeout =
      timeoutMs !== undefined &&
      hostTime.setTimeout(() => sender.close(new Error(LATE)), timeoutMs);
    try {
      const sent = { method, path: pathname + search, headers, body: text };
      const { status, body = "" } = await sender.send(sent);
      return { status, body: body as Body };
    } catch (error) {
      throw error instanceof NoAnswer ? this.lost(error.cause) : error;
    } finally {
      if (timeout) hostTime.clearTimeout(timeout);
      sender.close();
    }
  }

  /** The error of a call without an answer; its message names the address. */
  private lost(cause: unknown) {
    if (cause instanceof SyntaxError)
      return new NoAnswer(`${this.url} answered something that is not a simulator's`);
    return new NoAnswer(`${this.url}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }

  /** Address in the console of a record, request or webhook of the world. */
  consoleLink(id: string): string {
    return consoleLink(this.url, placeOfAny(id), this.options.world);
  }

  private headersOf({ text, from: { after } = {} }: ControlCallInput): Record<string, string> {
    return {
      ...(after !== undefined && { "last-event-id": after }),
      ...(text !== undefined && { "content-type": "application/json" }),
      ...accessHeaders(this.options),
    };
  }

  private async open(
    method: string,
    path: string,
    input: ControlCallInput,
  ): Promise<IncomingMessage> {
    const { timeoutMs } = this.options;
    const { text, from: { signal } = {} } = input;
    const start = this.starter();
    return new Promise((resolve, reject) => {
      const sent = start(`${this.url}/_sim${path}`, {
        method,
        agent: false,
        ...lookupFor(new URL(this.url).hostname),
        ...(signal && { signal }),
        headers: {
          ...this.headersOf(input),
          ...(text !== undefined && { "content-length": Buffer.byteLength(text) }),
        },
      });
      if (timeoutMs !== undefined) sent.setTimeout(timeoutMs, () => sent.destroy(new Error(LATE)));
      sent.on("error", (error) => reject(this.lost(error)));
      sent.on("response", resolve);
      sent.end(text);
    });
  }

  private async whole(response: IncomingMessage): Promise<ControlReply> {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString("utf8");
      const body = parsed(text, response.headers["content-type"]) ?? "";
      return { status: response.statusCode ?? 0, body };
    } catch (error) {
      throw this.lost(error);
    }
  }
}
