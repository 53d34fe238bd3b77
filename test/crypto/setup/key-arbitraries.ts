import fc from "fast-check";
import { publicKeyOf } from "../../../src/crypto/p256.ts";
import { sessionKeyFrom } from "../../../src/crypto/session-keys.ts";

export const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** 48 bytes in hex, including all zeros and similar cases that make scalars full of zeros. */
export const entropy = fc.uint8Array({ minLength: 48, maxLength: 48 }).map(hexOf);

/** Key pairs with both forms of their point. */
export const keyPair = entropy.map((entropyHex) => {
  const { privateKeyHex, publicKeyHex } = sessionKeyFrom(entropyHex);
  return {
    privateKeyHex,
    publicKeyHex,
    clientPublicKey: publicKeyOf(privateKeyHex, "uncompressed"),
  };
});
