import { createHash } from "node:crypto";
import { wordlist } from "@scure/bip39/wordlists/english.js";

const ENTROPY = /^[0-9a-f]{32}$/i;
const WORDS = 12;
const BITS_A_WORD = 11;

/**
 * Twelve words (BIP-39): 128 bits of entropy and 4 of its SHA-256, in pieces of 11 bits. Only the
 * word list comes from the library: its code loads slowly, and every start loads this file.
 * @param entropyHex 16 bytes in hex
 */
export const mnemonicFrom = (entropyHex: string): string => {
  if (!ENTROPY.test(entropyHex)) throw new Error("Expected 16 bytes of entropy in hex");
  const checksum = createHash("sha256").update(entropyHex, "hex").digest("hex").charAt(0);
  const bits = BigInt(`0x${entropyHex}${checksum}`)
    .toString(2)
    .padStart(WORDS * BITS_A_WORD, "0");
  const wordAt = (at: number) =>
    wordlist[Number.parseInt(bits.slice(at * BITS_A_WORD, (at + 1) * BITS_A_WORD), 2)];
  return Array.from({ length: WORDS }, (_, at) => wordAt(at)).join(" ");
};
