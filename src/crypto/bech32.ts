/** Bech32 (BIP-173) in groups of five bits, without its limit of 90 characters (BOLT 11). */
const ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const CHECKSUM_WORDS = 6;

/** Bytes as words of five bits, padded with zeros. */
export const wordsOf = (bytes: Uint8Array): number[] => {
  const words: number[] = [];
  let rest = 0;
  let bits = 0;
  for (const byte of bytes) {
    rest = (rest << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) words.push((rest >> (bits - 5)) & 31);
    rest &= 31;
  }
  if (bits > 0) words.push((rest << (5 - bits)) & 31);
  return words;
};

/** Words of five bits as bytes, padded with zeros. */
export const bytesOf = (words: readonly number[]): Uint8Array => {
  const bytes: number[] = [];
  let rest = 0;
  let bits = 0;
  for (const word of words) {
    rest = (rest << 5) | word;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((rest >> bits) & 255);
    rest &= (1 << bits) - 1;
  }
  if (bits > 0) bytes.push((rest << (8 - bits)) & 255);
  return Uint8Array.from(bytes);
};

const polymod = (words: readonly number[]) => {
  let sum = 1;
  for (const word of words) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ word;
    GENERATORS.forEach((generator, at) => {
      if ((top >>> at) & 1) sum ^= generator;
    });
  }
  return sum;
};

const expanded = (prefix: string) => {
  const codes = Array.from(prefix, (sign) => sign.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
};

const checksum = (prefix: string, words: readonly number[]) => {
  const sum = polymod([...expanded(prefix), ...words, ...Array(CHECKSUM_WORDS).fill(0)]) ^ 1;
  return Array.from({ length: CHECKSUM_WORDS }, (_, at) => (sum >>> (5 * (5 - at))) & 31);
};

/** @param prefix in lower case */
export const bech32 = (prefix: string, words: readonly number[]): string => {
  const signs = [...words, ...checksum(prefix, words)].map((word) => ALPHABET[word]);
  return `${prefix}1${signs.join("")}`;
};
