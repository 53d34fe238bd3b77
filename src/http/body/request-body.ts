import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { isTooDeep, MAX_NESTING } from "../../contract/core/nesting.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { withoutMark } from "../../machine/user-text.ts";
import { type HttpRequest, SocketRequest } from "../message/http-request.ts";
import { keepBody, keptBody } from "../message/kept-body.ts";
import { tapOf } from "../message/tapped-request.ts";
import { jsonProblem } from "./json-problem.ts";

/** Largest JSON body (spec/errors.md#other-codes). */
export const BODY_LIMIT_BYTES = 1024 * 1024;

/** Refuses a body that broke off. */
export const cutShort = () => refuse("INVALID_REQUEST_FORMAT", {}, "The body is incomplete");

type BodyRead = Buffer | "too large" | "cut short";

const joined = (chunks: Buffer[]) =>
  chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);

/** Reads a stream to its end or to the limit; a web `Request` would take twice the time. */
const readByEvents = (stream: IncomingMessage, limitBytes: number) =>
  new Promise<BodyRead>((done) => {
    const chunks: Buffer[] = [];
    let length = 0;
    stream.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limitBytes) return chunks.push(chunk);
      // Discard the chunks read so far, and all that follow.
      chunks.length = 0;
      return done("too large");
    });
    stream.on("end", () => done(joined(chunks)));
    stream.on("aborted", () => done("cut short"));
    stream.on("error", () => done("cut short"));
    stream.on("close", () => done("cut short"));
  });

/** A small body comes with its head, and is there once both have been parsed: it needs no events. */
const readStream = async (stream: IncomingMessage, limitBytes: number): Promise<BodyRead> => {
  await undefined;
  if (stream.destroyed && !stream.complete) return "cut short";
  const isThere = stream.complete && stream.readableLength <= limitBytes;
  return isThere ? (stream.read() ?? Buffer.alloc(0)) : readByEvents(stream, limitBytes);
};

const readWebBody = async ({ body }: HttpRequest, limitBytes: number): Promise<BodyRead> => {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body ?? []) {
      length += chunk.length;
      if (length > limitBytes) return "too large";
      chunks.push(Buffer.from(chunk));
    }
  } catch {
    return "cut short";
  }
  return joined(chunks);
};

/** Announced length of a request's body; 0 when it is not announced. */
export const announcedBytes = (request: HttpRequest) =>
  Number(request.headers.get("content-length") ?? 0);

const readNow = async (request: HttpRequest, limitBytes: number): Promise<BodyRead> => {
  const kept = keptBody(request);
  if (kept) return kept.length > limitBytes ? "too large" : kept;
  return request instanceof SocketRequest
    ? readStream(request.incoming, limitBytes)
    : readWebBody(request, limitBytes);
};

/**
 * Reads a request's body; nothing when it exceeds the limit, and then it is never whole in memory.
 * One of the size of a JSON body is kept, for another process. Refuses a body that is cut short.
 */
export const readBytes = async (
  request: HttpRequest,
  limitBytes: number,
): Promise<Buffer | undefined> => {
  if (announcedBytes(request) > limitBytes) return undefined;
  const read = await readNow(request, limitBytes);
  if (read === "too large") return undefined;
  if (read === "cut short") return cutShort();
  if (read.length <= BODY_LIMIT_BYTES) keepBody(request, read);
  tapOf(request)?.body?.(read);
  return read;
};

const requireJsonType = (request: HttpRequest) => {
  const type = request.headers.get("content-type");
  if (type === null) return;
  const [media = ""] = type.split(";");
  if (!/^application\/([\w.-]+\+)?json$/i.test(media.trim()))
    refuse("UNSUPPORTED_MEDIA_TYPE", { found: media.trim(), expected: "application/json" });
};

/** Codings that leave a body as it is, or only frame it. */
const NO_CODING: ReadonlySet<string> = new Set(["", "identity", "chunked"]);

const codingsIn = (header: string | null) =>
  (header ?? "").split(",").map((one) => one.trim().toLowerCase());

/** Refuses a body that is compressed, on its way or as a whole (spec/errors.md#body-rules). */
export const requireNoCoding = ({ headers }: HttpRequest) => {
  const codings = [
    ...codingsIn(headers.get("content-encoding")),
    ...codingsIn(headers.get("transfer-encoding")),
  ].filter((one) => !NO_CODING.has(one));
  if (codings.length > 0) refuse("CONTENT_ENCODING", { encoding: codings.join(", ") });
};

/**
 * Drops members named `__proto__` (spec/errors.md#body-rules): they can harm code that copies them.
 */
const withoutProto = (key: string, value: unknown) => (key === "__proto__" ? undefined : value);

const parseJson = (bytes: Buffer): unknown => {
  if (!isUtf8(bytes)) return refuse("INVALID_REQUEST_FORMAT", {}, "The body is not valid UTF-8");
  const text = withoutMark(bytes.toString("utf8"));
  if (isTooDeep(text))
    return refuse("INVALID_REQUEST_FORMAT", {}, `The body is nested over ${MAX_NESTING} levels`);
  try {
    return /__proto__|\\u/.test(text) ? JSON.parse(text, withoutProto) : JSON.parse(text);
  } catch {
    // Not the parser's words: they differ between versions of Node.js.
    return refuse("INVALID_REQUEST_FORMAT", {}, `The body is not JSON: ${jsonProblem(text)}`);
  }
};

/**
 * Reads the JSON body of a request; nothing when it is empty. Checks size, encoding, media type
 * and form, in this order (spec/errors.md#order-of-checks).
 */
export const readJsonBody = async (
  request: HttpRequest,
  limitBytes: number = BODY_LIMIT_BYTES,
): Promise<unknown> => {
  const bytes =
    (await readBytes(request, limitBytes)) ?? refuse("PAYLOAD_TOO_LARGE", { limitBytes });
  if (bytes.length === 0) return undefined;
  requireNoCoding(request);
  requireJsonType(request);
  return parseJson(bytes);
};
