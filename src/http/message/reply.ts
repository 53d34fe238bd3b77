import type { Brand } from "../../contract/core/brand-words.ts";
import { REFUSALS } from "../../contract/refusals.ts";
import type { Refusal } from "../../domain/core/refusal.ts";
import type { Damage } from "./damaged-body.ts";
import { retryHeaders } from "./retry-headers.ts";

/** An HTTP reply: status, JSON text and headers. */
export interface Reply {
  status: number;
  /** JSON text; absent for 204. */
  text?: string;
  /** A streamed body instead of a text. */
  stream?: ReadableStream<Uint8Array>;
  headers?: Readonly<Record<string, string>>;
  /** Spoils the text on its way; the log has it whole. */
  damage?: Damage;
}

/** Header that marks a lost answer for callers in this process. */
export const DROPPED_HEADER = "x-sim-dropped";

const NONE = {};

let dateSecond = -1;
let dateText = "";

/** The `Date` header in simulated time (spec/errors.md#response-headers). */
const dateHeader = (atMs: number) => {
  const second = Math.floor(atMs / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(atMs).toUTCString();
  }
  return dateText;
};

/** A reply with all its headers, ready to leave. */
export interface WholeReply extends Reply {
  headers: Record<string, string>;
  /** The brand that it wears, where its world has one. */
  brand?: Brand;
  /** Called once it is on its way. */
  onSent?: () => void;
}

/** A reply with the headers that all replies have, then `further` ones, then its own. */
export const wholeReply = (
  reply: Reply,
  atMs: number,
  further: Readonly<Record<string, string>> = NONE,
): WholeReply => {
  const date = dateHeader(atMs);
  const headers: Record<string, string> =
    reply.text === undefined ? { date } : { "content-type": "application/json", date };
  for (const name in further) headers[name] = further[name] as string;
  for (const name in reply.headers) headers[name] = reply.headers[name] as string;
  const whole: WholeReply = { status: reply.status, headers };
  if (reply.text !== undefined) whole.text = reply.text;
  if (reply.stream) whole.stream = reply.stream;
  if (reply.damage) whole.damage = reply.damage;
  return whole;
};

const encoder = new TextEncoder();

/** Gives a reply the brand of its world, once all that is kept of it has been reported. */
export const brandReply = (brand: Brand, reply: WholeReply) => {
  reply.brand = brand;
  if (reply.text !== undefined) reply.text = brand.outward(reply.text);
  if (!reply.stream || !reply.headers["content-type"]?.startsWith("text/")) return;
  // Each chunk of a feed is whole events.
  const branded = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, stream) =>
      stream.enqueue(encoder.encode(brand.outward(Buffer.from(chunk).toString("utf8")))),
  });
  reply.stream = reply.stream.pipeThrough(branded);
};

/** The answer to HEAD: what GET would say, without its body. */
export const headOf = ({
  text,
  stream: _unopened,
  damage: _bodiless,
  ...reply
}: WholeReply): WholeReply => ({
  ...reply,
  headers: {
    ...reply.headers,
    ...(text !== undefined && { "content-length": `${Buffer.byteLength(text)}` }),
  },
});

const texts = new WeakMap<object, string>();

/** The text of a body; that of a frozen one, which is shown again, is kept with it. */
const textOf = (body: unknown) => {
  if (typeof body !== "object" || body === null || !Object.isFrozen(body))
    return JSON.stringify(body);
  const known = texts.get(body);
  if (known !== undefined) return known;
  const text = JSON.stringify(body);
  texts.set(body, text);
  return text;
};

export const jsonReply = (status: number, body: unknown): Reply =>
  body === undefined ? { status } : { status, text: textOf(body) };

/** Headers that tell a client how to react to a refusal (spec/errors.md#response-headers). */
export const headersOfRefusal = ({ word, details }: Refusal): Readonly<Record<string, string>> => {
  const { status } = REFUSALS[word];
  const { allow, retryAfterSeconds } = details;
  // RFC 9110 section 15.5.16: what would have been read.
  if (word === "CONTENT_ENCODING") return { "accept-encoding": "identity" };
  if (status === 405 && typeof allow === "string") return { allow };
  return typeof retryAfterSeconds === "number"
    ? retryHeaders(status, {
        afterSeconds: retryAfterSeconds,
        shouldRetry: word === "DAILY_VOLUME_LIMIT_EXCEEDED" ? false : undefined,
      })
    : retryHeaders(status);
};
