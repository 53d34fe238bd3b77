import { createECDH, createHmac } from "node:crypto";

/** A curve whose order has 256 bits; node:crypto multiplies its points. */
export interface Curve {
  /** Its name in node:crypto. */
  name: string;
  order: bigint;
}

/** Curve P-256 (FIPS 186-5; SP 800-186, section 3.2.1.3). */
export const P256: Curve = {
  name: "prime256v1",
  order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
};

export const hexOf = (value: bigint) => value.toString(16).padStart(64, "0");
export const numberIn = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString("hex")}`);

const pointOf = ({ name }: Curve, scalarHex: string) => {
  const pair = createECDH(name);
  pair.setPrivateKey(scalarHex, "hex");
  return pair.getPublicKey();
};

/** The inverse modulo the order (extended Euclid). */
const inverse = (value: bigint, order: bigint) => {
  let [a, b] = [value, order];
  let [x, y] = [1n, 0n];
  while (a > 1n) {
    const quotient = b / a;
    [a, b] = [b - quotient * a, a];
    [x, y] = [y - quotient * x, x];
  }
  return ((x % order) + order) % order;
};

const hmac = (key: Buffer, ...parts: readonly Uint8Array[]) => {
  const code = createHmac("sha256", key);
  for (const part of parts) code.update(part);
  return code.digest();
};

/** The deterministic nonce of a key and a hash (RFC 6979, section 3.2). */
const nonceFor = ({ order }: Curve, digest: Uint8Array, privateKeyHex: string): bigint => {
  const secret = Buffer.from(privateKeyHex + hexOf(numberIn(digest) % order), "hex");
  let value: Buffer = Buffer.alloc(32, 1);
  let key: Buffer = Buffer.alloc(32, 0);
  for (const step of [0, 1]) {
    key = hmac(key, value, Uint8Array.of(step), secret);
    value = hmac(key, value);
  }
  for (;;) {
    value = hmac(key, value);
    const nonce = numberIn(value);
    if (nonce > 0n && nonce < order) return nonce;
    key = hmac(key, value, Uint8Array.of(0));
    value = hmac(key, value);
  }
};

/** The numbers of a signature, and the point whose x coordinate is r. */
export interface SignatureNumbers {
  r: bigint;
  s: bigint;
  point: Buffer;
}

/**
 * Signs a hash with the deterministic nonce of RFC 6979: the same key and hash give the same
 * signature.
 * @param digest SHA-256, 32 bytes
 */
export const signDigest = (
  curve: Curve,
  digest: Uint8Array,
  privateKeyHex: string,
): SignatureNumbers => {
  const { order } = curve;
  const nonce = nonceFor(curve, digest, privateKeyHex);
  const point = pointOf(curve, hexOf(nonce));
  const r = numberIn(point.subarray(1, 33)) % order;
  const secret = numberIn(digest) + r * BigInt(`0x${privateKeyHex}`);
  return { r, s: (inverse(nonce, order) * secret) % order, point };
};

/** A positive number as DER writes it: no needless zero bytes, and none that reads as a minus. */
const derNumber = (value: bigint) => {
  const bytes = Buffer.from(hexOf(value), "hex");
  const first = bytes.findIndex((byte) => byte !== 0);
  const trimmed = bytes.subarray(first);
  const isSigned = (trimmed[0] as number) >= 0x80;
  const content = isSigned ? Buffer.concat([Buffer.of(0), trimmed]) : trimmed;
  return Buffer.concat([Buffer.of(0x02, content.length), content]);
};

/** A signature as DER (RFC 3279, section 2.2.3). */
export const derOf = ({ r, s }: Pick<SignatureNumbers, "r" | "s">): Buffer => {
  const numbers = Buffer.concat([derNumber(r), derNumber(s)]);
  return Buffer.concat([Buffer.of(0x30, numbers.length), numbers]);
};

/** A signature as JWS has it (RFC 7518, section 3.4): 64 bytes. */
export const rawOf = ({ r, s }: Pick<SignatureNumbers, "r" | "s">): Buffer =>
  Buffer.from(hexOf(r) + hexOf(s), "hex");
