import { createHash, createPrivateKey, verify } from "node:crypto";
import { p256 } from "@noble/curves/nist.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { signBytes, signingKey, verifyBytes } from "../../src/crypto/ecdsa.ts";
import { publicJwkOf, signIdToken, verifyIdToken } from "../../src/crypto/id-tokens.ts";
import { privateJwk } from "../../src/crypto/p256.ts";
import { derOf, P256, rawOf, signDigest } from "../../src/crypto/rfc6979.ts";
import { runsOf } from "../setup/campaign.ts";

const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest();

const pemOf = (scalarHex: string) =>
  createPrivateKey({ key: privateJwk(scalarHex), format: "jwk" }).export({
    type: "pkcs8",
    format: "pem",
  }) as string;

/** RFC 6979, appendix A.2.5. */
const SCALAR = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721";

test.each([
  {
    message: "sample",
    r: "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
    s: "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8",
  },
  {
    message: "test",
    r: "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367",
    s: "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083",
  },
])("the vector of the message $message", ({ message, r, s }) => {
  expect(rawOf(signDigest(P256, sha256(message), SCALAR)).toString("hex")).toBe(r + s);
});

const scalar = fc
  .bigInt({ min: 1n, max: P256.order - 1n })
  .map((value) => value.toString(16).padStart(64, "0"));

test("signs what another implementation signs, and node:crypto verifies it", () => {
  fc.assert(
    fc.property(scalar, fc.uint8Array(), (scalarHex, bytes) => {
      const signed = signDigest(P256, sha256(bytes), scalarHex);
      const theirs = p256.sign(bytes, Buffer.from(scalarHex, "hex"), { lowS: false });
      expect(rawOf(signed).toString("hex")).toBe(Buffer.from(theirs).toString("hex"));
      const key = signingKey(pemOf(scalarHex), { isRepeatable: true });
      const signature = signBytes(key, Buffer.from(bytes));
      expect(signature).toBe(derOf(signed).toString("base64"));
      expect(verifyBytes(key.publicPem, Buffer.from(bytes), signature)).toBe(true);
    }),
    { numRuns: runsOf(500, 50) },
  );
});

test.each([1n, 127n, 128n, 255n, 256n, P256.order - 1n])("the numbers 1 and %i as DER", (s) => {
  const der = derOf({ r: 1n, s });
  // The form is strict: node:crypto refuses needless zeros, and reads a wrong signature as false.
  const key = createPrivateKey(pemOf(SCALAR));
  expect(() => verify("sha256", Buffer.of(1), key, der)).not.toThrow();
  expect(der.subarray(0, 6).toString("hex")).toMatch(/^30..02010102$/);
});

test("without the option two signatures of the same bytes differ, with it they do not", () => {
  const bytes = Buffer.from("{}");
  const [usual, repeatable] = [false, true].map((isRepeatable) =>
    signingKey(pemOf(SCALAR), { isRepeatable }),
  ) as [ReturnType<typeof signingKey>, ReturnType<typeof signingKey>];
  expect(signBytes(usual, bytes)).not.toBe(signBytes(usual, bytes));
  expect(signBytes(repeatable, bytes)).toBe(signBytes(repeatable, bytes));
});

test("an ID token is the same each time, but for the signature the one of before, and verifies", async () => {
  const keyPem = pemOf(SCALAR);
  const claims = { iss: "http://127.0.0.1/_sim/oidc", sub: "é", iat: 1_767_603_600 };
  const sign = (isRepeatable: boolean) => signIdToken(claims, keyPem, { isRepeatable });
  const [token, again, usual] = [await sign(true), await sign(true), await sign(false)];
  expect(again).toBe(token);
  expect(token.split(".").slice(0, 2)).toEqual(usual.split(".").slice(0, 2));
  expect(token).not.toBe(usual);
  const leeway = { nbf: { aheadMs: 5_000 }, exp: { pastMs: 0 } };
  const expected = { keys: [publicJwkOf(keyPem)], atMs: 1_767_603_600_000, leeway };
  expect(await verifyIdToken(token, expected)).toBeUndefined();
});
