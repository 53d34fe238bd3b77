import type { IncomingMessage } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

/** Bodies above this pass, and are not written down: as they are sent, and decoded. */
const MAX_KEPT_BYTES = 1024 * 1024;
/** Most encodings of one body: each costs as much as a whole body. */
const MOST_ENCODINGS = 4;

/** Takes a body while it passes; nothing when it is too long to keep. */
export const keptOf = (message: IncomingMessage) => {
  const parts: Buffer[] = [];
  let bytes = 0;
  message.on("data", (part: Buffer) => {
    bytes += part.length;
    if (bytes <= MAX_KEPT_BYTES) parts.push(part);
    else parts.length = 0;
  });
  return () => (bytes > MAX_KEPT_BYTES ? undefined : Buffer.concat(parts));
};

/** A few bytes may stand for gigabytes: what would be longer than is kept is not decoded. */
const BOUNDED = { maxOutputLength: MAX_KEPT_BYTES };

const DECODE = new Map<string, (body: Buffer) => Buffer>([
  ["identity", (body) => body],
  ["gzip", (body) => gunzipSync(body, BOUNDED)],
  ["x-gzip", (body) => gunzipSync(body, BOUNDED)],
  ["deflate", (body) => inflateSync(body, BOUNDED)],
  ["br", (body) => brotliDecompressSync(body, BOUNDED)],
]);

/** Encodings of a body, in the order in which they were applied, those of its transfer last. */
const encodingsOf = ({ headers }: IncomingMessage) =>
  [headers["content-encoding"], headers["transfer-encoding"]]
    .flatMap((header = "") => header.toLowerCase().split(","))
    .map((one) => one.trim())
    .filter((one) => one !== "" && one !== "chunked");

/** The text of a body; nothing when it is no text that a scenario could have. */
export const textOf = (message: IncomingMessage, body: Buffer | undefined): string | undefined => {
  if (body === undefined) return undefined;
  if (body.length === 0) return "";
  if (!/json/i.test(message.headers["content-type"] ?? "")) return undefined;
  const encodings = encodingsOf(message).reverse();
  if (encodings.length > MOST_ENCODINGS) return undefined;
  try {
    return encodings
      .reduce<Buffer | undefined>((bytes, one) => bytes && DECODE.get(one)?.(bytes), body)
      ?.toString("utf8");
  } catch {
    return undefined;
  }
};
