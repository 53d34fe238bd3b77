import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { p256 } from "@noble/curves/nist.js";
import { ApiKeyStamper, type Runtime, SignatureFormat } from "@turnkey/api-key-stamper";
import { verifyStampSignature } from "@turnkey/crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sessionKeyFrom } from "../../src/crypto/session-keys.ts";
import {
  bareSignatureOver,
  isSignatureOver,
  parseWalletSignature,
  stampOver,
} from "../../src/crypto/wallet-signatures.ts";
import { runsOf } from "../setup/campaign.ts";
import { withS } from "./setup/der.ts";
import { bareIn, PAYLOAD, stampIn, verdict } from "./setup/header-verdict.ts";
import { hexOf, keyPair } from "./setup/key-arbitraries.ts";
import { KNOWN } from "./setup/known-answer.ts";

/** Version 1 of the noble library, which the client libraries depend on. */
const beside = createRequire(createRequire(import.meta.url).resolve("@turnkey/api-key-stamper"));
const { p256: olderP256 } = beside("@noble/curves/p256") as {
  p256: {
    sign(digest: Uint8Array, key: string): { toDERRawBytes(): Uint8Array };
  };
};

const { sessionPrivate, sessionPublic } = KNOWN;
const COUNT = runsOf(300, 10);

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();

/** Keys, the same in every run. */
const keys = fc.sample(keyPair, { numRuns: COUNT, seed: 8 });

const runtimes: Runtime[] = ["node", "purejs", "browser"];

describe.each(runtimes)("T8: the stamper of the runtime %s", (runtimeOverride) => {
  const stamperOf = ({ publicKeyHex, privateKeyHex }: (typeof keys)[number]) =>
    new ApiKeyStamper({
      apiPublicKey: publicKeyHex,
      apiPrivateKey: privateKeyHex,
      runtimeOverride,
    });

  test(`makes ${COUNT} stamps that are all good, and would be with either s`, async () => {
    const counts = { good: 0, low: 0, high: 0 };
    for (const key of keys) {
      const { stampHeaderValue } = await stamperOf(key).stamp(PAYLOAD);
      const text = Buffer.from(stampHeaderValue, "base64url").toString();
      expect(stampHeaderValue).toBe(Buffer.from(text).toString("base64url"));
      const { publicKey, scheme, signature, ...more } = JSON.parse(text);
      expect({ publicKey, scheme, more }).toEqual({
        publicKey: key.publicKeyHex,
        scheme: "SIGNATURE_SCHEME_TK_API_P256",
        more: {},
      });
      const { der, publicKeyHex } = stampIn(stampHeaderValue);
      expect(publicKeyHex).toBe(key.publicKeyHex);
      expect(hexOf(der)).toBe(signature);
      counts.good += isSignatureOver(PAYLOAD, { der, publicKeyHex }) ? 1 : 0;
      for (const which of ["low", "high"] as const)
        counts[which] += isSignatureOver(PAYLOAD, { der: withS(der, which), publicKeyHex }) ? 1 : 0;
    }
    expect(counts).toEqual({ good: COUNT, low: COUNT, high: COUNT });
  });

  test("makes bare signatures that are good, 50 keys", async () => {
    for (const key of keys.slice(0, 50)) {
      const der = Buffer.from(await stamperOf(key).sign(PAYLOAD, SignatureFormat.Der), "hex");
      const parsed = bareIn(der.toString("base64"));
      expect(hexOf(parsed.der)).toBe(hexOf(der));
      expect(isSignatureOver(PAYLOAD, { ...parsed, publicKeyHex: key.publicKeyHex })).toBe(true);
      const raw = Buffer.from(await stamperOf(key).sign(PAYLOAD, SignatureFormat.Raw), "hex");
      expect(parseWalletSignature(raw.toString("base64"))).toEqual({
        form: "malformed",
        check: "the signature is 64 bytes, r and s side by side, and not DER",
      });
    }
  });
});

describe(`${COUNT} stamps of ours`, () => {
  test("T8d: are all taken by the client library", async () => {
    let taken = 0;
    for (const { privateKeyHex, publicKeyHex } of keys) {
      const text = Buffer.from(stampOver(PAYLOAD, privateKeyHex), "base64url").toString();
      expect(text).toMatch(
        /^\{"publicKey":"0[23][0-9a-f]{64}","scheme":"SIGNATURE_SCHEME_TK_API_P256","signature":"30/,
      );
      const { publicKey, signature } = JSON.parse(text);
      expect(publicKey).toBe(publicKeyHex);
      taken += (await verifyStampSignature(publicKeyHex, signature, PAYLOAD)) ? 1 : 0;
    }
    expect(taken).toBe(COUNT);
  });

  test("T8c: are accepted by noble 2.x when their s is low, unless configured otherwise", () => {
    const message = Buffer.from(PAYLOAD);
    const counts = { asMade: 0, low: 0, high: 0, highByDefault: 0 };
    for (const { privateKeyHex, publicKeyHex } of keys) {
      const { der } = bareIn(bareSignatureOver(PAYLOAD, privateKeyHex));
      const point = Buffer.from(publicKeyHex, "hex");
      const isTaken = (bytes: Buffer, lowS?: false) =>
        p256.verify(bytes, message, point, { format: "der", ...(lowS === false && { lowS }) });
      counts.asMade += isTaken(der, false) ? 1 : 0;
      counts.low += isTaken(withS(der, "low")) ? 1 : 0;
      counts.high += isTaken(withS(der, "high"), false) ? 1 : 0;
      counts.highByDefault += isTaken(withS(der, "high")) ? 1 : 0;
    }
    expect(counts).toEqual({ asMade: COUNT, low: COUNT, high: COUNT, highByDefault: 0 });
  });
});

describe("what is signed is the text's UTF-8 bytes and nothing else", () => {
  const stampers = runtimes.map(
    (runtimeOverride) =>
      new ApiKeyStamper({
        apiPublicKey: sessionPublic,
        apiPrivateKey: sessionPrivate,
        runtimeOverride,
      }),
  );

  test.each([
    { payload: '{"userEmail":"josé@例え.jp","note":"😀 ﬁ"}' },
    { payload: "\u00e9 e\u0301" },
  ])("T9: $payload", async ({ payload }) => {
    for (const stamper of stampers) {
      const { stampHeaderValue } = await stamper.stamp(payload);
      expect(verdict(stampHeaderValue, payload)).toBe("good");
      expect(verdict(stampHeaderValue, payload.normalize("NFKC"))).toBe("bad");
    }
    const stamp = stampOver(payload, sessionPrivate);
    const { der } = stampIn(stamp);
    expect(await verifyStampSignature(sessionPublic, hexOf(der), payload)).toBe(true);
  });

  test.each([
    { says: "a space behind", payload: `${PAYLOAD} ` },
    { says: "a line end behind", payload: `${PAYLOAD}\n` },
    { says: "a byte order mark before", payload: `\ufeff${PAYLOAD}` },
    {
      says: "the same JSON in another order",
      payload: JSON.stringify(JSON.parse(PAYLOAD), null, 1),
    },
    { says: "nothing", payload: "" },
  ])("T10: $says is another text", async ({ payload }) => {
    for (const stamper of stampers) {
      const { stampHeaderValue } = await stamper.stamp(PAYLOAD);
      expect(verdict(stampHeaderValue, payload)).toBe("bad");
    }
    expect(verdict(stampOver(PAYLOAD, sessionPrivate), payload)).toBe("bad");
    expect(verdict(bareSignatureOver(PAYLOAD, sessionPrivate), payload)).toBe("bad");
  });

  test("any text, and one of its bytes changed, many times", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), keyPair, (payload, key) => {
        const stamp = stampOver(payload, key.privateKeyHex);
        expect(verdict(stamp, payload, key.publicKeyHex)).toBe("good");
        expect(verdict(stamp, `${payload.slice(0, -1)}\u0000`, key.publicKeyHex)).toBe(
          payload.endsWith("\u0000") ? "good" : "bad",
        );
      }),
      { numRuns: runsOf(300) },
    );
  });
});

describe("form B as browsers' libraries make it", () => {
  const message = Buffer.from(PAYLOAD);
  const digest = sha256(message);
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

  test("T11: noble 1.x from the digest, noble 2.x from the message, 200 keys", () => {
    for (const { privateKeyHex, publicKeyHex } of keys.slice(0, 200)) {
      const older = olderP256.sign(digest, privateKeyHex).toDERRawBytes();
      const secret = Buffer.from(privateKeyHex, "hex");
      const newer = p256.sign(message, secret, { format: "der", lowS: false });
      expect(base64(older)).toMatch(/^M[CDE]/);
      expect(verdict(base64(older), PAYLOAD, publicKeyHex)).toBe("good");
      expect(verdict(base64(newer), PAYLOAD, publicKeyHex)).toBe("good");
    }
  });

  test("T12: noble 2.x from the digest is hashed twice and is bad, 200 keys", () => {
    for (const { privateKeyHex, publicKeyHex } of keys.slice(0, 200)) {
      const twice = p256.sign(digest, Buffer.from(privateKeyHex, "hex"), { format: "der" });
      expect(verdict(base64(twice), PAYLOAD, publicKeyHex)).toBe("bad");
    }
  });
});

test("a signature of one key is none of another's", () => {
  const other = sessionKeyFrom("05".repeat(48));
  const stamp = stampOver(PAYLOAD, other.privateKeyHex);
  expect(verdict(stamp)).toBe("another key");
  expect(verdict(bareSignatureOver(PAYLOAD, other.privateKeyHex))).toBe("bad");
  expect(isSignatureOver(PAYLOAD, { der: stampIn(stamp).der, publicKeyHex: sessionPublic })).toBe(
    false,
  );
});
