import type { RequestListener, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { damagedBody } from "../message/damaged-body.ts";
import { type HttpRequest, SocketRequest } from "../message/http-request.ts";
import { leaveTogether } from "../message/leaving.ts";
import { andThen, type MaybePromise } from "../message/maybe-promise.ts";
import type { WholeReply } from "../message/reply.ts";
import { httpServer } from "./http-server.ts";

/** Answers a request, at once where nothing has to be waited for. */
export type Answer = (request: HttpRequest) => MaybePromise<WholeReply>;

const rawHeaders = (headers: Record<string, string>) => {
  const raw: string[] = [];
  for (const name in headers) raw.push(name, headers[name] as string);
  return raw;
};

/** Sends a stream, which is canceled when the client goes. */
const sendStream = (outgoing: ServerResponse, stream: ReadableStream<Uint8Array>) => {
  // A client that goes ends the stream, and nobody is left to be told.
  pipeline(Readable.fromWeb(stream as never), outgoing).catch(() => {});
};

const send = (outgoing: ServerResponse, { status, text, stream, headers, damage }: WholeReply) => {
  const raw = rawHeaders(headers);
  if (text === undefined) {
    outgoing.writeHead(status, raw);
    return stream ? sendStream(outgoing, stream) : outgoing.end();
  }
  if (damage) {
    const { body, length } = damagedBody(text, damage);
    outgoing.writeHead(status, [...raw, "content-length", String(length)]);
    return sendStream(outgoing, body);
  }
  raw.push("content-length", String(Buffer.byteLength(text)));
  outgoing.writeHead(status, raw);
  // Headers and body leave as one text: `end(text)` would add an empty one, and the system be asked
  // to gather both.
  outgoing.write(text);
  outgoing.socket?.uncork();
  return outgoing.end();
};

const leave = (outgoing: ServerResponse, reply: WholeReply) => {
  try {
    if (!outgoing.destroyed) send(outgoing, reply);
  } catch {
    outgoing.destroy();
  }
  reply.onSent?.();
};

/** Answers one request over its connection. */
export const answerOver = (request: SocketRequest, answer: Answer) => {
  const { outgoing } = request;
  const answered = andThen(answer(request), (reply) => leaveTogether(() => leave(outgoing, reply)));
  // Every error has a reply; without one there is nothing to say.
  if (answered instanceof Promise) answered.catch(() => outgoing.destroy());
};

/** Answers the requests of a server of Node.js. */
export const requestListener =
  (answer: Answer): RequestListener =>
  (incoming, outgoing) =>
    answerOver(new SocketRequest(incoming, outgoing), answer);

/** A server of Node.js that is not listening yet. */
export const nodeServer = (answer: Answer) => httpServer(requestListener(answer));
