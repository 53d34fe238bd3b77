import { createECDH, createHmac } from "node:crypto";

/** Signatures over secp256k1 (SEC 2, section 2.4.1); node:crypto multiplies points. */
const CURVE = "secp256k1";
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** Entropy with 128 bits more than the order, so that the remainder shows no pattern. */
const ENTROPY = /^(?:[0-9a-f]{2}){48,}$/i;

const hexOf = (value: bigint) => value.toString(16).padStart(64, "0");
const numberIn = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString("hex")}`);

/** A private scalar from entropy, always the same one (FIPS 186-5, A.2.1). */
export const privateKeyFrom = (entropyHex: string): string => {
  if (!ENTROPY.test(entropyHex)) throw new Error("Expected at least 48 bytes of entropy in hex");
  return hexOf((BigInt(`0x${entropyHex}`) % (ORDER - 1n)) + 1n);
};

const pointOf = (scalarHex: string) => {
  const pair = createECDH(CURVE);
  pair.setPrivateKey(scalarHex, "hex");
  return pair.getPublicKey();
};

/** The inverse modulo the order (extended Euclid). */
const inverse = (value: bigint) => {
  let [a, b] = [value, ORDER];
  let [x, y] = [1n, 0n];
  while (a > 1n) {
    const quotient = b / a;
    [a, b] = [b - quotient * a, a];
    [x, y] = [y - quotient * x, x];
  }
  return ((x % ORDER) + ORDER) % ORDER;
};

const hmac = (key: Buffer, ...parts: readonly Uint8Array[]) => {
  const code = createHmac("sha256", key);
  for (const part of parts) code.update(part);
  return code.digest();
};

/** The deterministic nonce of a key and a hash (RFC 6979, section 3.2). */
const nonceFor = (digest: Uint8Array, privateKeyHex: string): bigint => {
  const secret = Buffer.from(privateKeyHex + hexOf(numberIn(digest) % ORDER), "hex");
  let value: Buffer = Buffer.alloc(32, 1);
  let key: Buffer = Buffer.alloc(32, 0);
  for (const step of [0, 1]) {
    key = hmac(key, value, Uint8Array.of(step), secret);
    value = hmac(key, value);
  }
  for (;;) {
    value = hmac(key, value);
    const nonce = numberIn(value);
    if (nonce > 0n && nonce < ORDER) return nonce;
    key = hmac(key, value, Uint8Array.of(0));
    value = hmac(key, value);
  }
};

/**
 * An ECDSA signature that reveals the public key (SEC 1, section 4.1.6): r, s and the number of the
 * point, 65 bytes. It is deterministic and has a low s, as the network requires.
 * @param digest SHA-256, 32 bytes
 */
export const signRecoverable = (digest: Uint8Array, privateKeyHex: string): Uint8Array => {
  const nonce = nonceFor(digest, privateKeyHex);
  const point = pointOf(hexOf(nonce));
  const x = numberIn(point.subarray(1, 33));
  const r = x % ORDER;
  const secret = numberIn(digest) + r * BigInt(`0x${privateKeyHex}`);
  const s = (inverse(nonce) * secret) % ORDER;
  const isHigh = s > ORDER / 2n;
  const isOdd = (point.at(-1) as number) % 2 === 1;
  const recovery = (x === r ? 0 : 2) + (isOdd === isHigh ? 0 : 1);
  return Buffer.from([hexOf(r), hexOf(isHigh ? ORDER - s : s), `0${recovery}`].join(""), "hex");
};
