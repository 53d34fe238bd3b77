import { secp256k1 } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { privateKeyFrom, signRecoverable } from "../../src/crypto/secp256k1.ts";
import { runsOf } from "../setup/campaign.ts";
import { entropy, hexOf } from "./setup/key-arbitraries.ts";

const digest = fc.uint8Array({ minLength: 32, maxLength: 32 });

test("signs what another implementation signs, byte for byte", () => {
  fc.assert(
    fc.property(entropy, digest, (entropyHex, bytes) => {
      const privateKeyHex = privateKeyFrom(entropyHex);
      const options = { prehash: false, format: "recovered" } as const;
      // The library writes the number of the point before r and s; ours comes after them.
      const theirs = secp256k1.sign(bytes, Buffer.from(privateKeyHex, "hex"), options);
      const [recovery, ...rAndS] = theirs;
      const ours = signRecoverable(bytes, privateKeyHex);
      expect(hexOf(ours)).toBe(hexOf(Uint8Array.from([...rAndS, recovery as number])));
    }),
    { numRuns: runsOf(100) },
  );
});

test.each([
  { entropyHex: "0".repeat(96), scalar: "1".padStart(64, "0") },
  // The divisor is the order minus one: it leaves the remainder zero, to which one is added.
  {
    entropyHex: "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140".padStart(
      96,
      "0",
    ),
    scalar: "1".padStart(64, "0"),
  },
  {
    entropyHex: "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd036413f".padStart(
      96,
      "0",
    ),
    scalar: "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140",
  },
])("entropy $entropyHex is a scalar above zero and below the order", ({ entropyHex, scalar }) => {
  expect(privateKeyFrom(entropyHex)).toBe(scalar);
});

test.each(["", "00".repeat(47), "zz".repeat(48)])("no key is made of entropy %j", (entropyHex) => {
  expect(() => privateKeyFrom(entropyHex)).toThrow("Expected at least 48 bytes of entropy in hex");
});
