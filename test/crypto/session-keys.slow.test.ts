import { p256 } from "@noble/curves/nist.js";
import { generateP256KeyPair, getPublicKey } from "@turnkey/crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isPoint, isPrivateKey, pointAs, publicKeyOf } from "../../src/crypto/p256.ts";
import { isClientPublicKey, sessionKeyFrom } from "../../src/crypto/session-keys.ts";
import { runsOf } from "../setup/campaign.ts";
import { entropy, hexOf } from "./setup/key-arbitraries.ts";
import { entropyFor, KNOWN } from "./setup/known-answer.ts";

const ORDER = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
const LAST = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550";
const zeros = (count: number) => "0".repeat(count);

describe("a key pair drawn from entropy", () => {
  test("is the one of the known answers", () => {
    expect(sessionKeyFrom(entropyFor(KNOWN.sessionPrivate))).toEqual({
      privateKeyHex: KNOWN.sessionPrivate,
      publicKeyHex: KNOWN.sessionPublic,
    });
  });

  test.each([
    { says: "zero", entropyHex: zeros(96), scalar: `${zeros(63)}1` },
    { says: "zero, and longer", entropyHex: zeros(200), scalar: `${zeros(63)}1` },
    { says: "two below the order", entropyHex: entropyFor(LAST), scalar: LAST },
    { says: "one below it", entropyHex: zeros(32) + LAST, scalar: `${zeros(63)}1` },
    { says: "the order", entropyHex: zeros(32) + ORDER, scalar: `${zeros(63)}2` },
    {
      says: "all ones",
      entropyHex: "f".repeat(96),
      scalar: "431905529c0166ce652e96b7ccca0a9a679b73e29ad16947f01cf012fc632550",
    },
  ])("from $says has the scalar $scalar", ({ entropyHex, scalar }) => {
    expect(sessionKeyFrom(entropyHex).privateKeyHex).toBe(scalar);
  });

  test("is what two other libraries make of the same bytes, many times", () => {
    fc.assert(
      fc.property(entropy, (entropyHex) => {
        const { privateKeyHex, publicKeyHex } = sessionKeyFrom(entropyHex);
        const bytes = Buffer.from(entropyHex, "hex");
        expect(privateKeyHex).toBe(hexOf(p256.utils.randomSecretKey(bytes)));
        expect(publicKeyHex).toBe(hexOf(getPublicKey(privateKeyHex)));
        expect(publicKeyOf(privateKeyHex, "uncompressed")).toBe(
          hexOf(getPublicKey(privateKeyHex, false)),
        );
      }),
      { numRuns: runsOf(300) },
    );
  });

  test.each([
    { says: "47 bytes", text: "ab".repeat(47) },
    { says: "half a byte too many", text: `${"ab".repeat(48)}c` },
    { says: "another text", text: "z".repeat(96) },
    { says: "nothing", text: "" },
  ])("is not drawn from $says, which is not repeated", ({ text }) => {
    expect(() => sessionKeyFrom(text)).toThrow(/^Expected at least 48 bytes of entropy in hex$/);
  });
});

describe("a clientPublicKey", () => {
  const { recipientPublic } = KNOWN;

  test.each([
    { says: "lower case", text: recipientPublic, is: true },
    { says: "upper case", text: recipientPublic.toUpperCase(), is: true },
    { says: "both cases", text: recipientPublic.replace("a8", "A8"), is: true },
    { says: "a compressed point", text: KNOWN.sessionPublic, is: false },
    { says: "the hybrid form", text: `06${recipientPublic.slice(2)}`, is: false },
    { says: "one digit less", text: recipientPublic.slice(0, -1), is: false },
    { says: "one digit more", text: `${recipientPublic}0`, is: false },
    { says: "a line end behind it", text: `${recipientPublic}\n`, is: false },
    { says: "a space before it", text: ` ${recipientPublic}`, is: false },
    { says: "0x before it", text: `0x${recipientPublic}`, is: false },
    { says: "no hex at its end", text: `${recipientPublic.slice(0, -2)}zz`, is: false },
    { says: "no point", text: `04${"1".repeat(128)}`, is: false },
    { says: "zeros", text: `04${zeros(128)}`, is: false },
    { says: "another last digit", text: `${recipientPublic.slice(0, -1)}4`, is: false },
    { says: "nothing", text: "", is: false },
    {
      says: "a point of another curve, secp256k1",
      text:
        "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798" +
        "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8",
      is: false,
    },
    {
      says: "coordinates that are not below the prime",
      text: `04${"f".repeat(128)}`,
      is: false,
    },
  ])("written as $says: $is", ({ text, is }) => {
    expect(isClientPublicKey(text)).toBe(is);
  });

  test("is what the client library generates, 200 times", () => {
    for (let made = 0; made < 200; made += 1) {
      const { publicKeyUncompressed, publicKey } = generateP256KeyPair();
      expect(isClientPublicKey(publicKeyUncompressed)).toBe(true);
      expect(isClientPublicKey(publicKey)).toBe(false);
      expect(pointAs("compressed", publicKeyUncompressed)).toBe(publicKey);
      expect(pointAs("uncompressed", publicKey.toUpperCase())).toBe(publicKeyUncompressed);
    }
  });
});

test.each([
  { says: "one", text: `${zeros(63)}1`, is: true },
  { says: "the order less one", text: LAST, is: true },
  { says: "upper case", text: LAST.toUpperCase(), is: true },
  { says: "zero", text: zeros(64), is: false },
  { says: "the order", text: ORDER, is: false },
  { says: "31 bytes", text: `${zeros(61)}1`, is: false },
  { says: "33 bytes", text: `${zeros(65)}1`, is: false },
  { says: "no hex at its end", text: `${"1".repeat(62)}zz`, is: false },
])("a private key of $says: $is", ({ text, is }) => {
  expect(isPrivateKey(text)).toBe(is);
});

test.each([
  { says: "compressed", text: KNOWN.sessionPublic, is: true },
  { says: "uncompressed, in upper case", text: KNOWN.recipientPublic.toUpperCase(), is: true },
  { says: "compressed, with a text behind", text: `${KNOWN.sessionPublic}zz`, is: false },
  { says: "in the hybrid form", text: `07${KNOWN.recipientPublic.slice(2)}`, is: false },
  { says: "at infinity", text: "00", is: false },
])("a point $says: $is", ({ text, is }) => {
  expect(isPoint(text)).toBe(is);
});

test("no text makes the checks throw", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect([isPoint(text), isPrivateKey(text), isClientPublicKey(text)]).toEqual([
        false,
        false,
        false,
      ]);
    }),
    { numRuns: runsOf(500) },
  );
});
