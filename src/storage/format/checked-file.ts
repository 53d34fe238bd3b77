import { hash } from "node:crypto";
import type { Storage } from "unstorage";
import { FORMAT_VERSION, requireFormat } from "../../runtime/change.ts";
import { JournalFailure } from "../../runtime/ports.ts";
import type { Item, Items } from "../port/items.ts";

/**
 * Kinds of files that are written whole. Each file holds its kind, so that none is taken for
 * another.
 */
export type CheckedKind =
  | "manifest"
  | "identity"
  | "fixture"
  | "requests"
  | "line"
  | "world"
  | "summary"
  | "end";

/**
 * Says why a file of the state cannot be used.
 * @throws JournalFailure for an error that another attempt may not meet, such as too many open
 * files
 */
export const foundInPlace = (error: unknown): string => {
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "no file";
  if (BROKEN.has(code)) return code;
  throw new JournalFailure(`storage failed: ${message}`);
};

/** A file as it was read: its body, or why it cannot be used. */
export type CheckedFile<Body> = { body: Body } | { found: string };

const HEADER = /^service-sim image ([1-9][0-9]{0,8}) ([a-z]+) ([0-9]{1,12}) ([0-9a-f]{64})\n/;
const LONGEST_HEADER = 128;

/** Checksum over header and body: a changed version or kind is damage too. */
const checksumOf = (version: number, kind: string, json: Uint8Array) =>
  hash("sha256", Buffer.concat([Buffer.from(`${version} ${kind} ${json.length}\n`), json]), "hex");

/** One line with kind, length and SHA-256, then the JSON. */
export const checkedFileOf = (kind: CheckedKind, json: Buffer): Buffer => {
  const checksum = checksumOf(FORMAT_VERSION, kind, json);
  const header = `service-sim image ${FORMAT_VERSION} ${kind} ${json.length} ${checksum}\n`;
  return Buffer.concat([Buffer.from(header), json]);
};

/** The image of a body. */
export const encodeChecked = (kind: CheckedKind, body: unknown): Buffer =>
  checkedFileOf(kind, Buffer.from(JSON.stringify(body)));

/** An image whose length and checksum fit, of any version and kind. */
export interface WholeImage {
  version: number;
  kind: string;
  json: Buffer;
}

/** Takes an image apart, or says why it cannot be used. */
export const wholeImageOf = (bytes: Buffer): WholeImage | { found: string } => {
  const [header, version, kind = "", length, checksum] =
    HEADER.exec(bytes.toString("latin1", 0, LONGEST_HEADER)) ?? [];
  if (header === undefined) return { found: bytes.length === 0 ? "an empty file" : "no header" };
  const json = bytes.subarray(header.length);
  if (String(json.length) !== length) return { found: "a wrong length" };
  if (checksumOf(Number(version), kind, json) !== checksum) return { found: "a wrong checksum" };
  return { version: Number(version), kind, json };
};

/**
 * Reads an image.
 * @throws OtherFormat
 */
export const decodeChecked = <Body>(kind: CheckedKind, bytes: Buffer): CheckedFile<Body> => {
  const image = wholeImageOf(bytes);
  if ("found" in image) return image;
  if (image.kind !== kind) return { found: `the ${image.kind}` };
  requireFormat(image.version, `the ${kind}`);
  return { body: JSON.parse(image.json.toString("utf8")) as Body };
};

/** Errors that mean a broken file or folder rather than a missing permission. */
const BROKEN = new Set(["EISDIR", "ENOTDIR", "EIO", "ELOOP"]);

/** Tells whether a file could not be read at all: another attempt may read it. */
export const isUnread = (code: string) => BROKEN.has(code);

/** Reads a file of the state; nothing when it is missing. */
export const bytesAt = async (
  storage: Storage,
  key: string,
): Promise<Buffer | { found: string } | undefined> => {
  try {
    return ((await storage.getItemRaw(key)) as Buffer | null) ?? undefined;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!BROKEN.has(code)) throw error;
    return { found: code };
  }
};

/** Reads an image from storage; nothing when it is missing. */
export const readChecked = async <Body>(
  storage: Storage,
  { kind, key = kind }: { kind: CheckedKind; key?: string },
): Promise<CheckedFile<Body> | undefined> => {
  const bytes = await bytesAt(storage, key);
  return Buffer.isBuffer(bytes) ? decodeChecked(kind, bytes) : bytes;
};

/** Stores an image whole, or leaves the earlier one in place. */
export const storeChecked = (
  storage: Storage,
  { kind, key = kind }: { kind: CheckedKind; key?: string },
  body: unknown,
): Promise<void> => storage.setItemRaw(key, encodeChecked(kind, body));

/** Reads an item of a world; nothing when it is missing. */
export const readItem = async <Body>(
  items: Pick<Items, "item">,
  item: Item,
): Promise<CheckedFile<Body> | undefined> => {
  const bytes = await items.item(item);
  return Buffer.isBuffer(bytes) ? decodeChecked(item, bytes) : bytes;
};

/** Stores an item of a world whole. */
export const storeItem = (items: Pick<Items, "putItem">, item: Item, body: unknown) =>
  items.putItem(item, encodeChecked(item, body));
