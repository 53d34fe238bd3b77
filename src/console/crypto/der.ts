/** The two numbers of an ECDSA signature, 32 bytes each, as WebCrypto takes them. */
export interface RawSignature {
  bytes: Uint8Array<ArrayBuffer>;
}

const NUMBER_BYTES = 32;

/** Order of the curve P-256 (SEC 2, 2.4.2): both numbers of a signature lie below it. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

const toBigInt = (bytes: Uint8Array) => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/** Reads an INTEGER at a place. @throws Error that says what differs from DER */
const integerAt = (der: Uint8Array, at: number) => {
  if (der[at] !== 0x02) throw new Error("Expected a number, tag 0x02");
  const length = der[at + 1] ?? 0;
  const value = der.slice(at + 2, at + 2 + length);
  if (length === 0 || value.length !== length) throw new Error("Expected a whole number");
  if ((value[0] ?? 0) >= 0x80) throw new Error("Expected a number that is not negative");
  if (value[0] === 0 && (value[1] ?? 0) < 0x80) throw new Error("Expected no needless zero byte");
  const number = toBigInt(value);
  if (number === 0n || number >= ORDER)
    throw new Error("Expected r and s within the curve's order");
  return { value: value[0] === 0 ? value.slice(1) : value, end: at + 2 + length };
};

/**
 * Turns a signature in DER (RFC 3279, 2.2.3) into the two numbers one after the other.
 * @throws Error that says what differs from DER
 */
export const rawSignature = (der: Uint8Array): RawSignature => {
  if (der[0] !== 0x30) throw new Error("Expected a sequence, tag 0x30");
  if (der[1] !== der.length - 2) throw new Error("Expected the length of the whole sequence");
  const r = integerAt(der, 2);
  const s = integerAt(der, r.end);
  if (s.end !== der.length) throw new Error("Expected nothing behind the second number");
  const bytes = new Uint8Array(2 * NUMBER_BYTES);
  bytes.set(r.value, NUMBER_BYTES - r.value.length);
  bytes.set(s.value, 2 * NUMBER_BYTES - s.value.length);
  return { bytes };
};
