import { createPublicKey, type JsonWebKey, type KeyObject, verify } from "node:crypto";

/** A COSE_Key (RFC 9052, section 7): labels and their values. */
export type CoseKey = Map<number, number | Uint8Array>;

const LABEL = { kty: 1, alg: 3, crv: -1 } as const;

/**
 * Algorithms of passkeys: their COSE numbers (RFC 9053, RFC 8230), the members of their JWK, and
 * the curve that WebAuthn Level 3, section 5.8.5, allows with each.
 */
const ALGORITHMS = {
  ES256: { alg: -7, kty: 2, crv: 1, jwk: { kty: "EC", crv: "P-256" }, parts: { x: -2, y: -3 } },
  EdDSA: { alg: -8, kty: 1, crv: 6, jwk: { kty: "OKP", crv: "Ed25519" }, parts: { x: -2 } },
  RS256: { alg: -257, kty: 3, crv: undefined, jwk: { kty: "RSA" }, parts: { n: -1, e: -2 } },
} as const;

export type PasskeyAlgorithm = keyof typeof ALGORITHMS;

export const PASSKEY_ALGORITHMS = Object.keys(ALGORITHMS) as PasskeyAlgorithm[];

/** COSE numbers of the algorithms. */
export const COSE_ALGORITHM: Readonly<Record<PasskeyAlgorithm, number>> = {
  ES256: ALGORITHMS.ES256.alg,
  EdDSA: ALGORITHMS.EdDSA.alg,
  RS256: ALGORITHMS.RS256.alg,
};

/** The COSE form of a public key on its algorithm's curve. */
export const coseKeyOf = (jwk: JsonWebKey, algorithm: PasskeyAlgorithm): CoseKey => {
  const { alg, kty, crv, parts } = ALGORITHMS[algorithm];
  return new Map<number, number | Uint8Array>([
    [LABEL.kty, kty],
    [LABEL.alg, alg],
    ...(crv === undefined ? [] : [[LABEL.crv, crv] as const]),
    ...Object.entries(parts).map(
      ([part, label]) =>
        [label, Uint8Array.from(Buffer.from(`${jwk[part]}`, "base64url"))] as const,
    ),
  ]);
};

/**
 * Reads a key from its COSE form. Nothing unless it is valid: on its algorithm's curve, with a
 * point on that curve or a modulus.
 */
export const publicKeyOf = (key: ReadonlyMap<unknown, unknown>): KeyObject | undefined => {
  const form = Object.values(ALGORITHMS).find(({ alg }) => alg === key.get(LABEL.alg));
  if (!form || key.get(LABEL.kty) !== form.kty) return undefined;
  if (form.crv !== undefined && key.get(LABEL.crv) !== form.crv) return undefined;
  const parts = Object.entries(form.parts).map(([part, label]) => [part, key.get(label)] as const);
  const texts = parts.map(([part, value]) => [
    part,
    value instanceof Uint8Array ? Buffer.from(value).toString("base64url") : undefined,
  ]);
  try {
    return createPublicKey({ key: { ...form.jwk, ...Object.fromEntries(texts) }, format: "jwk" });
  } catch {
    return undefined;
  }
};

/**
 * Checks a signature over bytes. ES256 needs strict DER, which other readers do not insist on.
 * Ed25519 includes its own hash; the others use SHA-256.
 */
export const isSignedWith = (key: KeyObject, bytes: Uint8Array, signature: Uint8Array) =>
  verify(key.asymmetricKeyType === "ed25519" ? null : "sha256", bytes, key, signature);
