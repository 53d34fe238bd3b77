import { type Curve, hexOf, numberIn, signDigest } from "./rfc6979.ts";

/** Signatures over secp256k1 (SEC 2, section 2.4.1). */
const CURVE: Curve = {
  name: "secp256k1",
  order: 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n,
};
const ORDER = CURVE.order;
/** Entropy with 128 bits more than the order, so that the remainder shows no pattern. */
const ENTROPY = /^(?:[0-9a-f]{2}){48,}$/i;

/** A private scalar from entropy, always the same one (FIPS 186-5, A.2.1). */
export const privateKeyFrom = (entropyHex: string): string => {
  if (!ENTROPY.test(entropyHex)) throw new Error("Expected at least 48 bytes of entropy in hex");
  return hexOf((BigInt(`0x${entropyHex}`) % (ORDER - 1n)) + 1n);
};

/**
 * An ECDSA signature that reveals the public key (SEC 1, section 4.1.6): r, s and the number of the
 * point, 65 bytes. It is deterministic and has a low s, as the network requires.
 * @param digest SHA-256, 32 bytes
 */
export const signRecoverable = (digest: Uint8Array, privateKeyHex: string): Uint8Array => {
  const { r, s, point } = signDigest(CURVE, digest, privateKeyHex);
  const isHigh = s > ORDER / 2n;
  const isOdd = (point.at(-1) as number) % 2 === 1;
  const isReduced = numberIn(point.subarray(1, 33)) !== r;
  const recovery = (isReduced ? 2 : 0) + (isOdd === isHigh ? 0 : 1);
  return Buffer.from([hexOf(r), hexOf(isHigh ? ORDER - s : s), `0${recovery}`].join(""), "hex");
};
