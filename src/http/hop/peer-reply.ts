import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { type ClientSide, clientSideOf } from "../message/damaged-body.ts";
import { type HttpRequest, SocketRequest } from "../message/http-request.ts";
import { DROPPED_HEADER, type WholeReply } from "../message/reply.ts";

/** Bytes of a body that wait for a slow client before the process behind is told to wait. */
const WAITING_BYTES = 64 * 1024;

/** The body of an answer as it comes in, with the place where it breaks off. */
class PeerBody {
  private readonly response: IncomingMessage;
  private readonly client: ClientSide | undefined;
  private readonly chunks: Buffer[] = [];
  private waitingBytes = 0;
  private isOver = false;
  private isHeadSent = false;
  private wake: (() => void) | undefined;

  constructor(response: IncomingMessage, client: ClientSide | undefined) {
    this.response = response;
    this.client = client;
    response.on("data", (chunk: Buffer) => this.take(chunk));
    for (const end of ["end", "close", "error"]) response.on(end, () => this.end());
  }

  stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: (controller) => this.pull(controller),
        cancel: () => {
          this.response.destroy();
        },
      },
      { highWaterMark: 0 },
    );
  }

  private take(chunk: Buffer) {
    this.chunks.push(chunk);
    this.waitingBytes += chunk.length;
    if (this.waitingBytes > WAITING_BYTES) this.response.pause();
    this.wake?.();
  }

  private end() {
    this.isOver = true;
    this.wake?.();
  }

  private async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
    if (!this.isHeadSent) this.client?.sendHead();
    this.isHeadSent = true;
    if (this.chunks.length === 0 && !this.isOver)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    const chunk = this.chunks.shift();
    if (chunk) {
      this.waitingBytes -= chunk.length;
      this.response.resume();
      controller.enqueue(chunk);
    }
    if (this.chunks.length > 0 || !this.isOver) return;
    if (this.response.complete) controller.close();
    else if (!chunk) this.breakOff(controller);
  }

  /** Ends what a client reads as it ended here: without its last bytes. */
  private breakOff(controller: ReadableStreamDefaultController<Uint8Array>) {
    // A reader through a socket is left waiting: its connection is what ends.
    if (this.client) this.client.close();
    else controller.error(new TypeError("terminated: the answer of another process broke off"));
  }
}

/** Headers of one connection, which each server writes itself. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
]);

const headersOf = ({ rawHeaders: raw }: IncomingMessage) => {
  const headers: Record<string, string> = {};
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] as string).toLowerCase();
    if (!OF_CONNECTION.has(name)) headers[name] = raw[at + 1] as string;
  }
  return headers;
};

/** Statuses whose answer has no body. */
const WITHOUT_BODY = [204, 205, 304];

/**
 * The body that is there already; nothing for one without an announced length, on its way, or that is
 * no text.
 */
const readWhole = (response: IncomingMessage): string | undefined => {
  if (!response.complete || response.headers["content-length"] === undefined) return undefined;
  const bytes: Buffer = response.read() ?? Buffer.alloc(0);
  if (isUtf8(bytes)) return bytes.toString("utf8");
  response.unshift(bytes);
  return undefined;
};

/** Ends the connection to a process when its client goes before the answer is over. */
const endWithClient = ({ incoming: { socket } }: SocketRequest, response: IncomingMessage) => {
  const end = () => response.destroy();
  if (socket.destroyed) return end();
  socket.once("close", end);
  response.once("close", () => socket.off("close", end));
};

/** The reply to a client whose connection a fault drops, or that is gone: nothing of it is sent. */
export const lostReply = (
  request: HttpRequest,
  lost: { status: number; headers: Record<string, string> },
): WholeReply => {
  if (request instanceof SocketRequest) request.hangUp();
  return lost;
};

/**
 * The answer of another process as this one passes it on, once its head and what came with it have
 * been parsed.
 */
export const replyOf = (response: IncomingMessage, request: HttpRequest): WholeReply => {
  const { statusCode: status = 500 } = response;
  const headers = headersOf(response);
  if (headers[DROPPED_HEADER] !== undefined) {
    response.resume();
    return lostReply(request, { status, headers });
  }
  if (request.method === "HEAD" || WITHOUT_BODY.includes(status)) {
    response.resume();
    return { status, headers };
  }
  const text = readWhole(response);
  if (text === undefined) {
    if (request instanceof SocketRequest) endWithClient(request, response);
    return { status, headers, stream: new PeerBody(response, clientSideOf(request)).stream() };
  }
  const { "content-length": _writtenAnew, ...others } = headers;
  return { status, headers: others, text };
};
