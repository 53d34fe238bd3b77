import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";

/** ECDSA on P-256 with SHA-256 (FIPS 186-5), DER signatures, PEM keys (RFC 5915, RFC 5480). */
export interface SigningKey {
  privateKey: KeyObject;
  /** SPKI PEM, as receivers get it. */
  publicPem: string;
  /** First 8 hex characters of the SHA-256 of the SPKI bytes, which people know the key by. */
  fingerprint: string;
}

export const signingKey = (privatePem: string): SigningKey => {
  const privateKey = createPrivateKey(privatePem);
  const publicPem = createPublicKey(privateKey).export({ type: "spki", format: "pem" }) as string;
  return { privateKey, publicPem, fingerprint: fingerprintOf(publicPem) };
};

/** First 8 hex characters of the SHA-256 of a public key's SPKI bytes. */
export const fingerprintOf = (publicPem: string) => {
  const spki = createPublicKey(publicPem).export({ type: "spki", format: "der" });
  return createHash("sha256").update(spki).digest("hex").slice(0, 8);
};

/** A new random key, PEM (PKCS 8). */
export const newKeyPem = () =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
    type: "pkcs8",
    format: "pem",
  }) as string;

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
export const signBytes = ({ privateKey }: SigningKey, bytes: Buffer) =>
  sign("sha256", bytes, privateKey).toString("base64");

/** Tells whether a base64 DER signature over these bytes was made with the key of this PEM. */
export const verifyBytes = (publicPem: string, bytes: Buffer, signature: string) => {
  try {
    return verify("sha256", bytes, publicPem, Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
};
