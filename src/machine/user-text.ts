import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

const MARK = "\uFEFF";

/** Encodings by the byte order mark that begins a text in them; other texts are UTF-8. */
const MARKED = [
  { mark: [0xff, 0xfe], encoding: "utf-16le" },
  { mark: [0xfe, 0xff], encoding: "utf-16be" },
] as const;

/** Text that a user wrote, without the byte order mark that editors put in front of it. */
export const withoutMark = (text: string): string =>
  text.startsWith(MARK) ? text.slice(MARK.length) : text;

const markedIn = (bytes: Uint8Array) =>
  MARKED.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte));

/** Whether bytes are text at all. */
export const isUserText = (bytes: Uint8Array): boolean =>
  markedIn(bytes) !== undefined || isUtf8(bytes);

/**
 * The text in bytes of a user: UTF-8, with a byte order mark or without, or UTF-16 with one, as
 * some shells and editors write it.
 */
export const userTextOf = (bytes: Uint8Array): string => {
  const marked = markedIn(bytes);
  if (marked) return new TextDecoder(marked.encoding).decode(bytes);
  return withoutMark(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8"));
};

/**
 * Reads a text file that a user handed over. Every such file is read here; bytes that are signed or
 * sent as they are come from `readFileSync`.
 */
export const readUserText = (path: string): string => userTextOf(readFileSync(path));

/** Reads a text file of a user; the event loop continues meanwhile. */
export const readUserTextLater = async (path: string): Promise<string> =>
  userTextOf(await readFile(path));
