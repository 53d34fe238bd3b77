import { isPoint, publicKeyOf } from "./p256.ts";

/** The order of P-256 (SP 800-186, 3.2.1.3). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** Entropy with 128 bits more than the order, so that the remainder shows no pattern. */
const ENTROPY = /^(?:[0-9a-f]{2}){48,}$/i;
const CLIENT_PUBLIC_KEY = /^04[0-9a-f]{128}$/i;
const COMPRESSED_KEY = /^0[23][0-9a-f]{64}$/i;

/** A P-256 key pair; the scalar is padded to 64 hex characters, the point is compressed. */
export interface SessionKey {
  privateKeyHex: string;
  publicKeyHex: string;
}

/**
 * A key pair from entropy, always the same one (FIPS 186-5, A.2.1).
 * @param entropyHex at least 48 bytes in hex
 */
export const sessionKeyFrom = (entropyHex: string): SessionKey => {
  if (!ENTROPY.test(entropyHex)) throw new Error("Expected at least 48 bytes of entropy in hex");
  const scalar = (BigInt(`0x${entropyHex}`) % (ORDER - 1n)) + 1n;
  const privateKeyHex = scalar.toString(16).padStart(64, "0");
  return { privateKeyHex, publicKeyHex: publicKeyOf(privateKeyHex, "compressed") };
};

/** Tells whether a text has the form of a compressed point, in hex. */
export const isCompressedKey = (text: string) => COMPRESSED_KEY.test(text);

/** Tells whether a text is a `clientPublicKey`: an uncompressed point on the curve, in hex. */
export const isClientPublicKey = (text: string) => CLIENT_PUBLIC_KEY.test(text) && isPoint(text);

/** Tells whether a text is the key of a session that a client holds: a compressed point, in hex. */
export const isHeldKey = (text: string) => isCompressedKey(text) && isPoint(text);
