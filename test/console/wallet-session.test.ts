import { createPublicKey, verify } from "node:crypto";
import { expect, test } from "vitest";
import { decompressed, hex32, pointOfScalar } from "../../src/console/crypto/p256-point.ts";
import {
  makeClientKeys,
  openSessionKey,
  stampOf,
} from "../../src/console/crypto/wallet-session.ts";
import { sealSessionKey } from "../../src/crypto/sealing.ts";

// RFC 6979, A.2.5: a key of P-256.
const SCALAR = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721";
const X = "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6";
const Y = "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299";

test("a point follows from its scalar, and from its compressed form of either sign", () => {
  const { x, y } = pointOfScalar(BigInt(`0x${SCALAR}`));
  expect([hex32(x), hex32(y)]).toEqual([X, Y]);
  expect(hex32(decompressed(`03${X}`).y)).toBe(Y);
  expect(hex32(decompressed(`02${X}`).y)).toBe(
    "86fc01eef74743675be51616a9d7439b0d0e4df4d28160ae885c3d6b2bb9dd66",
  );
});

test("a key that the simulator seals is opened by the client's key alone", async () => {
  const keys = await makeClientKeys();
  const sealed = await sealSessionKey({
    clientPublicKey: keys.publicKey,
    privateKeyHex: SCALAR,
    entropyHex: "5a".repeat(48),
  });
  expect(await openSessionKey(sealed, keys)).toBe(SCALAR);
  await expect(openSessionKey(sealed, await makeClientKeys())).rejects.toThrow();
  const last = sealed.endsWith("z") ? "y" : "z";
  await expect(openSessionKey(sealed.slice(0, -1) + last, keys)).rejects.toThrow(
    "Invalid checksum",
  );
});

test("a stamp has the compressed key and a signature that Node.js verifies", async () => {
  const stamp = JSON.parse(
    Buffer.from(await stampOf("a challenge", SCALAR), "base64url").toString(),
  );
  expect(stamp).toMatchObject({ publicKey: `03${X}`, scheme: "SIGNATURE_SCHEME_TK_API_P256" });
  const part = (hex: string) => Buffer.from(hex, "hex").toString("base64url");
  const jwk = { kty: "EC", crv: "P-256", x: part(X), y: part(Y) };
  const key = createPublicKey({ key: jwk, format: "jwk" });
  const signature = Buffer.from(stamp.signature, "hex");
  expect(verify("sha256", Buffer.from("a challenge"), key, signature)).toBe(true);
  expect(verify("sha256", Buffer.from("another"), key, signature)).toBe(false);
});
