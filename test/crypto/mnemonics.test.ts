import { entropyToMnemonic, mnemonicToEntropy, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mnemonicFrom } from "../../src/crypto/mnemonics.ts";
import { runsOf } from "../setup/campaign.ts";
import { hexOf } from "./setup/key-arbitraries.ts";

// Published vectors of BIP-39 with 128 bits.
test.each([
  {
    entropyHex: "00000000000000000000000000000000",
    words:
      "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about",
  },
  {
    entropyHex: "7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f",
    words: "legal winner thank year wave sausage worth useful legal winner thank yellow",
  },
  {
    entropyHex: "80808080808080808080808080808080",
    words: "letter advice cage absurd amount doctor acoustic avoid letter advice cage above",
  },
  {
    entropyHex: "ffffffffffffffffffffffffffffffff",
    words: "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong",
  },
  {
    entropyHex: "9E885D952AD362CAEB4EFE34A8E91BD2",
    words: "ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic",
  },
])("$entropyHex is the words $words", ({ entropyHex, words }) => {
  expect(mnemonicFrom(entropyHex)).toBe(words);
});

test("the words are those of another implementation, many times", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      const words = mnemonicFrom(hexOf(bytes));
      expect(words).toBe(entropyToMnemonic(bytes, wordlist));
      expect(validateMnemonic(words, wordlist)).toBe(true);
      expect(hexOf(mnemonicToEntropy(words, wordlist))).toBe(hexOf(bytes));
    }),
    { numRuns: runsOf(1_000) },
  );
});

test.each([{ text: "" }, { text: "00" }, { text: "0".repeat(33) }, { text: "g".repeat(32) }])(
  "no words are made of $text",
  ({ text }) => {
    expect(() => mnemonicFrom(text)).toThrow(/^Expected 16 bytes of entropy in hex$/);
  },
);
