import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { derOf, P256, rawOf, signDigest } from "./rfc6979.ts";

/** ECDSA on P-256 with SHA-256 (FIPS 186-5), DER signatures, PEM keys (RFC 5915, RFC 5480). */
export interface SigningKey {
  privateKey: KeyObject;
  /** SPKI PEM, as receivers get it. */
  publicPem: string;
  /** First 8 hex characters of the SHA-256 of the SPKI bytes, which people know the key by. */
  fingerprint: string;
  /** Set when it gives the same bytes the same signature (RFC 6979): its private scalar, hex. */
  repeatableScalar?: string;
}

/** @param options.isRepeatable signs without randomness (spec/clock.md#repeatable-signatures) */
export const signingKey = (
  privatePem: string,
  { isRepeatable = false }: { isRepeatable?: boolean } = {},
): SigningKey => {
  const privateKey = createPrivateKey(privatePem);
  const publicPem = createPublicKey(privateKey).export({ type: "spki", format: "pem" }) as string;
  const key = { privateKey, publicPem, fingerprint: fingerprintOf(publicPem) };
  return isRepeatable ? { ...key, repeatableScalar: scalarOf(privateKey) } : key;
};

const scalarOf = (privateKey: KeyObject) =>
  Buffer.from(privateKey.export({ format: "jwk" }).d ?? "", "base64url")
    .toString("hex")
    .padStart(64, "0");

/** First 8 hex characters of the SHA-256 of a public key's SPKI bytes. */
export const fingerprintOf = (publicPem: string) => {
  const spki = createPublicKey(publicPem).export({ type: "spki", format: "der" });
  return createHash("sha256").update(spki).digest("hex").slice(0, 8);
};

/** Tells whether a PEM holds a public key on P-256. */
export const isPublicKey = (pem: string) => {
  try {
    return createPublicKey(pem).asymmetricKeyDetails?.namedCurve === "prime256v1";
  } catch {
    return false;
  }
};

/** Tells whether a PEM holds a private key on P-256. */
export const isSigningKey = (pem: string) => {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === "prime256v1";
  } catch {
    return false;
  }
};

/**
 * Signs bytes.
 * @returns base64 of the DER signature
 */
export const signBytes = ({ privateKey, repeatableScalar }: SigningKey, bytes: Buffer) => {
  const signature =
    repeatableScalar === undefined
      ? sign("sha256", bytes, privateKey)
      : derOf(signRepeatably(repeatableScalar, bytes));
  return signature.toString("base64");
};

const signRepeatably = (scalarHex: string, bytes: Buffer) =>
  signDigest(P256, createHash("sha256").update(bytes).digest(), scalarHex);

/** The signature of a JWS (RFC 7518, section 3.4), of a key that signs without randomness. */
export const signJwsRepeatably = (scalarHex: string, text: string) =>
  rawOf(signRepeatably(scalarHex, Buffer.from(text))).toString("base64url");

/** Tells whether a base64 DER signature over these bytes was made with the key of this PEM. */
export const verifyBytes = (publicPem: string, bytes: Buffer, signature: string) => {
  try {
    return verify("sha256", bytes, publicPem, Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
};
