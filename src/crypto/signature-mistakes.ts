import { createHash, sign } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { fingerprintOf, type SigningKey, signBytes } from "./ecdsa.ts";
import { signatureHeader, unwrappedSignature, type WebhookKeys } from "./webhook-signature.ts";

/** A delivery under examination: a header's value, a body, and the key to check it with. */
export interface Evidence {
  header: string;
  body: Buffer;
  publicPem: string;
  /** True when the signature is over the SHA-256 of the body instead of the body. */
  isHashedTwice?: true;
}

/** Further knowledge about the delivery. */
export interface Circumstances {
  /** Other keys that may have signed it, each with a name for people. */
  otherKeys: readonly { publicPem: string; is: string }[];
  /** The original delivery with the id in the body. */
  sent?: { body: Buffer; header?: string };
}

/** A mistake in checking a signature. */
export interface Mistake {
  code: string;
  /** The part of the delivery that is wrong. */
  part: "header" | "body" | "key";
  /** Name of the mistake, in a few words. */
  name: string;
  fix: string;
  /** The delivery without the mistake; nothing where the mistake is impossible. */
  undo(evidence: Evidence, circumstances: Circumstances): Evidence[];
  /** Explains the mistake by comparing the delivery with the form that verifies. */
  tells(evidence: Evidence, undone: Evidence, circumstances: Circumstances): string;
  /** Headers that a receiver with this mistake would accept. */
  misread(body: Buffer, keys: WebhookKeys): string[];
}

const bytesOf = (count: number) => `${count.toLocaleString("en-US")} bytes`;

const parsed = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
};

const TRAILING_NEWLINES = /(?<![\r\n])[\r\n]+$/;

const compact = (body: Buffer) => {
  const value = parsed(body);
  return value === undefined ? [] : [Buffer.from(JSON.stringify(value))];
};

const WIDEST_INDENT = 8;

/** Describes the layout of a JSON text. */
const layoutOf = (body: Buffer) => {
  const value = parsed(body);
  const text = body.toString("utf8").trim();
  for (let indent = 1; indent <= WIDEST_INDENT; indent += 1)
    if (JSON.stringify(value, null, indent) === text) return `${indent}-space indent`;
  if (JSON.stringify(value, null, "\t") === text) return "indented by tabs";
  if (/\\u[0-9a-f]{4}/i.test(text)) return "letters escaped as \\u";
  return /[:,] /.test(text) ? "spaces after : and ," : "members in another order";
};

/** JSON as other languages write it by default: a space after `:` and `,`. */
const spaced = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, one]) => `"${name}": ${spaced(one)}`);
  return `{${members.join(", ")}}`;
};

const reserialised = (body: Buffer) => {
  const value = parsed(body);
  return value === undefined ? [] : [JSON.stringify(value, null, 2), spaced(value)];
};

const isSameJson = (one: Buffer, other: Buffer) => {
  const value = parsed(one);
  return value !== undefined && isDeepStrictEqual(value, parsed(other));
};

const RAW_BYTES = 64;

/** An ASN.1 INTEGER of unsigned big-endian bytes (X.690, section 8.3). */
const derInteger = (bytes: Buffer) => {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const digits = bytes.subarray(start);
  const sign = (digits[0] as number) >= 0x80 ? [0] : [];
  return Buffer.from([0x02, digits.length + sign.length, ...sign, ...digits]);
};

const derOfRaw = (raw: Buffer) => {
  const half = raw.length / 2;
  const numbers = [raw.subarray(0, half), raw.subarray(half)].map(derInteger);
  const content = Buffer.concat(numbers);
  return Buffer.concat([Buffer.from([0x30, content.length]), content]);
};

const rawHeader = ({ privateKey }: SigningKey, body: Buffer) =>
  sign("sha256", body, { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64");

const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest();

/** Position of the first byte that differs. */
const firstDifference = (one: Buffer, other: Buffer) => {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
};

/**
 * Common mistakes in the order they are tried. A newline comes before re-serialized bodies, since
 * undoing those would remove it too. A changed body comes last, since it explains any difference.
 */
export const MISTAKES = [
  {
    code: "TRAILING_NEWLINE",
    part: "body",
    name: "a trailing newline was added to the body",
    fix: "check the received bytes: echo, editors and heredocs add a trailing newline",
    undo: ({ body, ...rest }) => {
      const text = body.toString("latin1");
      const bare = text.replace(TRAILING_NEWLINES, "");
      return bare === text ? [] : [{ ...rest, body: Buffer.from(bare, "latin1") }];
    },
    tells: ({ body }, undone) =>
      `the first ${bytesOf(undone.body.length)} were signed, without the trailing newline; ` +
      `the body has ${bytesOf(body.length)}`,
    misread: (body, { current }) => [signBytes(current, Buffer.concat([body, Buffer.from("\n")]))],
  },
  {
    code: "BODY_RESERIALISED",
    part: "body",
    name: "the body was parsed and re-serialized",
    fix: "hash the raw bytes of the request, before any JSON middleware",
    undo: ({ body, ...rest }, { sent }) =>
      [...compact(body), ...(sent && isSameJson(sent.body, body) ? [sent.body] : [])]
        .filter((other) => !other.equals(body))
        .map((other) => ({ ...rest, body: other })),
    tells: ({ body }, undone) =>
      `compact JSON of ${bytesOf(undone.body.length)} was signed, not these ${bytesOf(body.length)}: ` +
      `the body was parsed and re-serialized (${layoutOf(body)})`,
    misread: (body, { current }) =>
      reserialised(body).map((text) => signBytes(current, Buffer.from(text))),
  },
  {
    code: "WRONG_KEY",
    part: "key",
    name: "another key is used",
    fix: "use the key of this world: service-sim webhooks key",
    undo: (evidence, { otherKeys }) =>
      otherKeys
        .filter(({ publicPem }) => publicPem !== evidence.publicPem)
        .map(({ publicPem }) => ({ ...evidence, publicPem })),
    tells: ({ publicPem }, undone, { otherKeys }) => {
      const other = otherKeys.find((one) => one.publicPem === undone.publicPem);
      const checked = fingerprintOf(publicPem);
      return other
        ? `verifies with ${fingerprintOf(other.publicPem)}, ${other.is}, not with ${checked}`
        : `neither ${checked} nor any other key known here made this signature`;
    },
    misread: (body, { retired }) => retired.map((key) => signBytes(key, body)),
  },
  {
    code: "RAW_SIGNATURE",
    part: "header",
    name: "the signature is raw r||s",
    fix: "use DER, or tell the library that the signature is IEEE P1363",
    undo: ({ header, ...rest }) => {
      const raw = Buffer.from(header, "base64");
      return raw.length === RAW_BYTES
        ? [{ ...rest, header: derOfRaw(raw).toString("base64") }]
        : [];
    },
    tells: () => "64 bytes, raw r||s, instead of DER",
    misread: (body, { current }) => [rawHeader(current, body)],
  },
  {
    code: "JSON_WRAPPER",
    part: "header",
    name: "the signature is wrapped in JSON",
    fix: 'use the value as it is; only if it is JSON, use its member "s"',
    undo: ({ header, ...rest }) => {
      const inner = unwrappedSignature(header);
      return inner === undefined ? [] : [{ ...rest, header: inner }];
    },
    tells: ({ header }) => `JSON of ${header.length} characters with the signature in it`,
    misread: (body, { current }) => [signatureHeader("json", current, body)],
  },
  {
    code: "DOUBLE_HASH",
    part: "body",
    name: "the body was hashed twice",
    fix: "give the bytes to the library, which hashes them itself; do not hash them first",
    undo: ({ isHashedTwice, ...rest }) => (isHashedTwice ? [] : [{ ...rest, isHashedTwice: true }]),
    tells: ({ body }) => `the SHA-256 of these ${bytesOf(body.length)} was signed: hashed twice`,
    misread: (body, { current }) => [signBytes(current, digest(body))],
  },
  {
    code: "TRUNCATED_BASE64",
    part: "header",
    name: "the header's base64 is cut off",
    fix: "keep the whole value: do not split it at = or store it in a field under 100 characters",
    undo: ({ header, ...rest }, { sent }) => {
      const whole = sent?.header;
      const padded = header.padEnd(Math.ceil(header.length / 4) * 4, "=");
      return [...(whole?.startsWith(header) ? [whole] : []), padded]
        .filter((other) => other !== header)
        .map((other) => ({ ...rest, header: other }));
    },
    tells: ({ header }, undone) =>
      undone.header === header
        ? `base64 of ${header.length} characters that ends before the signature does`
        : `base64 of ${header.length} characters where ${undone.header.length} were sent`,
    misread: () => [],
  },
  {
    code: "BODY_CHANGED",
    part: "body",
    name: "the body is not the one that was sent",
    fix: "compare: service-sim webhooks show <id> --body | diff - <file>",
    undo: ({ body, ...rest }, { sent }) =>
      sent && !sent.body.equals(body) ? [{ ...rest, body: sent.body }] : [],
    tells: ({ body }, undone) =>
      `these ${bytesOf(body.length)} differ from the ${bytesOf(undone.body.length)} signed under ` +
      `this id, from byte ${firstDifference(body, undone.body)} on`,
    misread: () => [],
  },
] as const satisfies readonly Mistake[];

export type MistakeCode = (typeof MISTAKES)[number]["code"];

export const mistakeOf = (code: MistakeCode): Mistake =>
  MISTAKES.find((one) => one.code === code) as Mistake;
