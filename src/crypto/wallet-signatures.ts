import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { isPoint, privateJwk, publicJwk, publicKeyOf } from "./p256.ts";

/**
 * The header `Service-Wallet-Signature`: ECDSA on P-256 with SHA-256 over the UTF-8 bytes of a
 * payload (FIPS 186-5), either as an API-key stamp or as the bare DER signature.
 */
export type ParsedSignature =
  | { form: "stamp"; publicKeyHex: string; der: Buffer }
  | { form: "bare"; der: Buffer }
  | { form: "malformed"; check: string };

/** Schemes of a stamp; clients send the first, and only published samples have the second. */
const SCHEMES = ["SIGNATURE_SCHEME_TK_API_P256", "P256_ECDSA_SHA256"];
const MEMBERS = ["publicKey", "scheme", "signature"];
const COMPRESSED_POINT = /^0[23][0-9a-f]{64}$/i;
const HEX = /^(?:[0-9a-f]{2})+$/i;
const RAW_BYTES = 64;

const malformed = (check: string): ParsedSignature => ({ form: "malformed", check });

/** The bytes of a text in canonical encoding. */
const decoded = (text: string, encoding: "base64" | "base64url") => {
  const bytes = Buffer.from(text, encoding);
  return bytes.toString(encoding) === text ? bytes : undefined;
};

/** Finds the end of a positive integer of at most 256 bits (X.690, sections 8.3 and 10.1). */
const endOfInteger = (der: Buffer, at: number) => {
  const length = der[at + 1] ?? 0;
  const [first = 0, second = 0] = der.subarray(at + 2, at + 2 + length);
  const isMinimal = first !== 0 || second >= 0x80;
  const isInRange = first < 0x80 && length <= (first === 0 ? 33 : 32);
  return der[at] === 0x02 && isMinimal && isInRange ? at + 2 + length : der.length + 1;
};

/** Tells whether bytes are exactly a DER sequence of two integers, r and s. */
const isDerSignature = (der: Buffer) =>
  der[0] === 0x30 &&
  der[1] === der.length - 2 &&
  endOfInteger(der, endOfInteger(der, 2)) === der.length;

/** Describes the problem of bytes that should be a DER signature. */
const derFailure = (name: string, bytes: Buffer) =>
  bytes.length === RAW_BYTES
    ? `${name} is 64 bytes, r and s side by side, and not DER`
    : `${name} is not the DER of an ECDSA signature`;

const objectIn = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

const stampIn = (stamp: Record<string, unknown>): ParsedSignature => {
  const names = Object.keys(stamp).sort();
  if (names.join() !== MEMBERS.join())
    return malformed("the stamp does not have exactly publicKey, scheme and signature");
  const { publicKey, scheme, signature } = stamp;
  if (typeof scheme !== "string" || !SCHEMES.includes(scheme))
    return malformed(`stamp.scheme is not ${SCHEMES[0]}`);
  if (typeof publicKey !== "string" || !COMPRESSED_POINT.test(publicKey))
    return malformed("stamp.publicKey is not 66 hex characters that start with 02 or 03");
  if (!isPoint(publicKey)) return malformed("stamp.publicKey is not a point on P-256");
  if (typeof signature !== "string" || !HEX.test(signature))
    return malformed("stamp.signature is not hex");
  const der = Buffer.from(signature, "hex");
  if (!isDerSignature(der)) return malformed(derFailure("stamp.signature", der));
  return { form: "stamp", publicKeyHex: publicKey.toLowerCase(), der };
};

/** Describes a header of neither form by the form that it resembles most. */
const resemblance = (header: string) => {
  if (header === "") return "the header is empty";
  const bytes = Buffer.from(header, "base64");
  const isBase64 = decoded(header, "base64") !== undefined;
  if (isBase64 && bytes.length === RAW_BYTES) return derFailure("the signature", bytes);
  const text = bytes.toString("utf8").trimStart();
  if (objectIn(text)) return "the stamp is not written in base64url without padding";
  if (text.startsWith("{")) return "the stamp is not a JSON object";
  if (objectIn(header)) return "the stamp is plain JSON, not the base64url of it";
  if (HEX.test(header) && isDerSignature(Buffer.from(header, "hex")))
    return "the signature is hex, not base64";
  if (isDerSignature(bytes)) return "the signature is not written in base64 with padding";
  if (isBase64) return derFailure("the signature", bytes);
  return "the header is neither a base64url stamp nor a base64 signature";
};

/**
 * Reads the header's form (decisions/strict-signature-forms.md), without checking the signature.
 * The magic value is not one of its forms.
 * @returns for neither form, a description of the failed check
 */
export const parseWalletSignature = (header: string): ParsedSignature => {
  const stamp = objectIn(decoded(header, "base64url")?.toString("utf8") ?? "");
  if (stamp) return stampIn(stamp);
  const der = decoded(header, "base64");
  return der && isDerSignature(der) ? { form: "bare", der } : malformed(resemblance(header));
};

/**
 * Tells whether a signature was made over exactly these bytes with this key. High-S signatures are
 * accepted, since real clients send them half of the time. Never throws.
 */
export const isSignatureOverBytes = (
  bytes: Buffer,
  { der, publicKeyHex }: { der: Buffer; publicKeyHex: string },
) => {
  try {
    const key = createPublicKey({ key: publicJwk(publicKeyHex), format: "jwk" });
    return verify("sha256", bytes, { key, dsaEncoding: "der" }, der);
  } catch {
    return false;
  }
};

/** The same for the UTF-8 bytes of a payload. */
export const isSignatureOver = (
  payload: string,
  signature: { der: Buffer; publicKeyHex: string },
) => isSignatureOverBytes(Buffer.from(payload), signature);

const derOver = (payload: string, privateKeyHex: string) => {
  const key = createPrivateKey({ key: privateJwk(privateKeyHex), format: "jwk" });
  return sign("sha256", Buffer.from(payload), { key, dsaEncoding: "der" });
};

/** The stamp that a client sends, with its own public key. */
export const stampOver = (payload: string, privateKeyHex: string): string => {
  const stamp = {
    publicKey: publicKeyOf(privateKeyHex, "compressed"),
    scheme: SCHEMES[0],
    signature: derOver(payload, privateKeyHex).toString("hex"),
  };
  return Buffer.from(JSON.stringify(stamp)).toString("base64url");
};

/** The bare signature that a client may send instead, without its key. */
export const bareSignatureOver = (payload: string, privateKeyHex: string): string =>
  derOver(payload, privateKeyHex).toString("base64");
