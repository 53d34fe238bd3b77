import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bareSignatureOver,
  isSignatureOver,
  parseWalletSignature,
  stampOver,
} from "../../src/crypto/wallet-signatures.ts";
import { runsOf } from "../setup/campaign.ts";
import { bareIn, base64Url, PAYLOAD, stampIn, stampOf, verdict } from "./setup/header-verdict.ts";
import { hexOf } from "./setup/key-arbitraries.ts";
import { KNOWN } from "./setup/known-answer.ts";

const { sessionPrivate, sessionPublic } = KNOWN;

describe("what is read of a stamp", () => {
  const signature = hexOf(bareIn(bareSignatureOver(PAYLOAD, sessionPrivate)).der);
  const scheme = "SIGNATURE_SCHEME_TK_API_P256";
  const whole = { publicKey: sessionPublic, scheme, signature };

  test.each([
    { says: "as clients send it", header: stampOf(whole) },
    { says: "in another order", header: stampOf({ signature, scheme, publicKey: sessionPublic }) },
    {
      says: "with the scheme of the samples",
      header: stampOf({ ...whole, scheme: "P256_ECDSA_SHA256" }),
    },
    {
      says: "with its key in upper case",
      header: stampOf({ ...whole, publicKey: sessionPublic.toUpperCase() }),
    },
    {
      says: "with its signature in upper case",
      header: stampOf({ ...whole, signature: signature.toUpperCase() }),
    },
    { says: "indented", header: base64Url(JSON.stringify(whole, null, 2)) },
  ])("$says", ({ header }) => {
    expect(stampIn(header)).toEqual({
      form: "stamp",
      publicKeyHex: sessionPublic,
      der: Buffer.from(signature, "hex"),
    });
    expect(verdict(header)).toBe("good");
  });

  const MEMBERS = "the stamp does not have exactly publicKey, scheme and signature";
  const SCHEME = "stamp.scheme is not SIGNATURE_SCHEME_TK_API_P256";
  const KEY = "stamp.publicKey is not 66 hex characters that start with 02 or 03";
  const DER = "stamp.signature is not the DER of an ECDSA signature";
  const without = (name: string) =>
    Object.fromEntries(Object.entries(whole).filter(([one]) => one !== name));
  const der = Buffer.from(signature, "hex");
  const bare = der.toString("base64");
  const NEITHER = "the header is neither a base64url stamp nor a base64 signature";
  const BARE_DER = "the signature is not the DER of an ECDSA signature";
  /** r = s = 1, with one byte in another encoding. */
  const tiny = "3006020101020101";

  test.each([
    { header: "", check: "the header is empty" },
    { header: stampOf({}), check: MEMBERS },
    { header: stampOf(without("publicKey")), check: MEMBERS },
    { header: stampOf(without("scheme")), check: MEMBERS },
    { header: stampOf(without("signature")), check: MEMBERS },
    { header: stampOf({ ...whole, more: "" }), check: MEMBERS },
    { header: stampOf({ ...whole, scheme: "SIGNATURE_SCHEME_TK_API_SECP256K1" }), check: SCHEME },
    { header: stampOf({ ...whole, scheme: 1 }), check: SCHEME },
    { header: stampOf({ ...whole, scheme: null }), check: SCHEME },
    { header: stampOf({ ...whole, publicKey: KNOWN.recipientPublic }), check: KEY },
    { header: stampOf({ ...whole, publicKey: sessionPublic.slice(0, -1) }), check: KEY },
    { header: stampOf({ ...whole, publicKey: `${sessionPublic}00` }), check: KEY },
    { header: stampOf({ ...whole, publicKey: `04${sessionPublic.slice(2)}` }), check: KEY },
    { header: stampOf({ ...whole, publicKey: `${sessionPublic}\n` }), check: KEY },
    { header: stampOf({ ...whole, publicKey: [sessionPublic] }), check: KEY },
    {
      header: stampOf({ ...whole, publicKey: `02${"f".repeat(64)}` }),
      check: "stamp.publicKey is not a point on P-256",
    },
    { header: stampOf({ ...whole, signature: "" }), check: "stamp.signature is not hex" },
    {
      header: stampOf({ ...whole, signature: `${signature}0` }),
      check: "stamp.signature is not hex",
    },
    { header: stampOf({ ...whole, signature: bare }), check: "stamp.signature is not hex" },
    { header: stampOf({ ...whole, signature: 30 }), check: "stamp.signature is not hex" },
    {
      header: stampOf({ ...whole, signature: "00".repeat(64) }),
      check: "stamp.signature is 64 bytes, r and s side by side, and not DER",
    },
    { header: stampOf({ ...whole, signature: `${signature}00` }), check: DER },
    { header: stampOf({ ...whole, signature: signature.slice(0, -2) }), check: DER },
    { header: stampOf({ ...whole, signature: `30${"ff".repeat(71)}` }), check: DER },
    { header: stampOf({ ...whole, signature: "30" }), check: DER },
    { header: stampOf({ ...whole, signature: "3000" }), check: DER },
    { header: stampOf({ ...whole, signature: "3003020101" }), check: DER },
    { header: stampOf({ ...whole, signature: "3009020101020101020101" }), check: DER },
    { header: stampOf({ ...whole, signature: "300702020001020101" }), check: DER }, // padded r
    { header: stampOf({ ...whole, signature: "3006020100020101" }), check: DER }, // zero
    { header: stampOf({ ...whole, signature: "3006020181020101" }), check: DER }, // negative
    { header: stampOf({ ...whole, signature: "3006020101030101" }), check: DER }, // no integer
    { header: stampOf({ ...whole, signature: "3106020101020101" }), check: DER }, // a set
    { header: stampOf({ ...whole, signature: "3007020101020101" }), check: DER }, // cut off
    { header: stampOf({ ...whole, signature: "308106020101020101" }), check: DER }, // long length
    { header: stampOf({ ...whole, signature: `3026022101${"00".repeat(32)}020101` }), check: DER },
    { header: JSON.stringify(whole), check: "the stamp is plain JSON, not the base64url of it" },
    {
      header: base64Url(JSON.stringify(whole).slice(0, -1)),
      check: "the stamp is not a JSON object",
    },
    { header: base64Url("{"), check: "the stamp is not a JSON object" },
    { header: base64Url("[]"), check: NEITHER },
    { header: base64Url("null"), check: NEITHER },
    { header: base64Url('"texts"'), check: NEITHER },
    {
      header: `${stampOf(whole)} `,
      check: "the stamp is not written in base64url without padding",
    },
    {
      header: Buffer.from(`${JSON.stringify(whole)} `.padEnd(301)).toString("base64"),
      check: "the stamp is not written in base64url without padding",
    },
    { header: signature, check: "the signature is hex, not base64" },
    {
      header: Buffer.from(tiny, "hex").toString("base64url"),
      check: "the signature is not written in base64 with padding",
    },
    { header: ` ${bare}`, check: "the signature is not written in base64 with padding" },
    {
      header: Buffer.from("00".repeat(64), "hex").toString("base64"),
      check: "the signature is 64 bytes, r and s side by side, and not DER",
    },
    { header: Buffer.concat([der, Buffer.from([0])]).toString("base64"), check: BARE_DER },
    { header: der.subarray(0, -1).toString("base64"), check: BARE_DER },
    { header: "sandbox-valid-signature", check: NEITHER },
    { header: "é", check: NEITHER },
    { header: "====", check: NEITHER },
  ])("malformed: $check", ({ header, check }) => {
    expect(parseWalletSignature(header)).toEqual({ form: "malformed", check });
  });

  test("the smallest DER is one, and no key has made it", () => {
    const parsed = bareIn(Buffer.from(tiny, "hex").toString("base64"));
    expect(isSignatureOver(PAYLOAD, { ...parsed, publicKeyHex: sessionPublic })).toBe(false);
  });
});

const refused = ["malformed", "bad", "another key"];

describe("what was changed is refused", () => {
  const { der } = bareIn(bareSignatureOver(PAYLOAD, sessionPrivate));

  test("each bit of a signature, in both forms", () => {
    for (let bit = 0; bit < der.length * 8; bit += runsOf(1, 11)) {
      const changed = Buffer.from(der);
      changed[bit >> 3] = (der[bit >> 3] as number) ^ (1 << (bit & 7));
      const stamp = stampOf({
        publicKey: sessionPublic,
        scheme: "SIGNATURE_SCHEME_TK_API_P256",
        signature: hexOf(changed),
      });
      expect(refused).toContain(verdict(stamp));
      expect(refused).toContain(verdict(changed.toString("base64")));
      expect(isSignatureOver(PAYLOAD, { der: changed, publicKeyHex: sessionPublic })).toBe(false);
    }
  });

  test("each bit of the key in a stamp", () => {
    const key = Buffer.from(sessionPublic, "hex");
    for (let bit = 0; bit < key.length * 8; bit += runsOf(1, 11)) {
      const changed = Buffer.from(key);
      changed[bit >> 3] = (key[bit >> 3] as number) ^ (1 << (bit & 7));
      const publicKeyHex = hexOf(changed);
      const stamp = stampOf({
        publicKey: publicKeyHex,
        scheme: "SIGNATURE_SCHEME_TK_API_P256",
        signature: hexOf(der),
      });
      expect(refused).toContain(verdict(stamp));
      expect(isSignatureOver(PAYLOAD, { der, publicKeyHex })).toBe(false);
    }
  });

  const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= ";

  /** A text with one of its characters replaced. */
  const replaced = (text: string, at: number, other: string) =>
    text.slice(0, at) + other + text.slice(at + 1);

  /** Every other character in a campaign; otherwise a fifth of them, others at each place. */
  const othersOf = (one: string, place: number) =>
    [...ALPHABET.replace(one, "")].filter((_, at) => (at + place) % runsOf(1, 29) === 0);

  test("each character of a bare signature, by others", () => {
    const bare = der.toString("base64");
    for (let at = 0; at < bare.length; at += 1)
      for (const other of othersOf(bare[at] as string, at))
        expect(refused).toContain(verdict(replaced(bare, at, other)));
  });

  const textOf = (stamp: string) => Buffer.from(stamp, "base64url").toString();

  test("each bit of each character of a stamp, and characters of other alphabets", () => {
    const stamp = stampOver(PAYLOAD, sessionPrivate);
    const whole = stampIn(stamp);
    for (let at = 0; at < stamp.length; at += 1) {
      const value = ALPHABET.indexOf(stamp[at] as string);
      const flipped = [1, 2, 4, 8, 16, 32].map((bit) => ALPHABET[value ^ bit] as string);
      for (const other of [...flipped, "+", "/", "=", " "]) {
        const changed = replaced(stamp, at, other);
        if (verdict(changed) !== "good") continue;
        // Only the case of a hex digit may have changed.
        expect(stampIn(changed)).toEqual(whole);
        expect(textOf(changed).toLowerCase()).toBe(textOf(stamp).toLowerCase());
      }
    }
  });

  test("each way to leave a character out, or to say it twice", () => {
    for (const header of [stampOver(PAYLOAD, sessionPrivate), der.toString("base64")])
      for (let at = 0; at < header.length; at += 1) {
        expect(refused).toContain(verdict(header.slice(0, at) + header.slice(at + 1)));
        expect(refused).toContain(verdict(header.slice(0, at + 1) + header.slice(at)));
      }
  });
});

describe("nothing makes it throw", () => {
  const headers = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.base64String(),
    fc.json().map(base64Url),
    fc.json(),
    fc
      .record({ publicKey: fc.anything(), scheme: fc.anything(), signature: fc.anything() })
      .map((stamp) =>
        base64Url(JSON.stringify(stamp, (_, value) => (typeof value === "bigint" ? 0 : value))),
      ),
    fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes).toString("base64")),
    fc
      .uint8Array({ maxLength: 70 })
      .map((bytes) => Buffer.from([0x30, bytes.length, ...bytes]).toString("base64")),
  );

  test("a header of any kind, many times", () => {
    fc.assert(
      fc.property(headers, (header) => {
        const parsed = parseWalletSignature(header);
        if (parsed.form === "malformed") expect(parsed.check).not.toBe("");
        else
          expect(isSignatureOver(PAYLOAD, { publicKeyHex: sessionPublic, ...parsed })).toBe(false);
      }),
      { numRuns: runsOf(5_000) },
    );
  });

  test("a header as long as a server takes, and one nested as deep", () => {
    for (const header of [
      "A".repeat(65_536),
      base64Url("[".repeat(40_000)),
      base64Url("{".repeat(9)),
    ])
      expect(parseWalletSignature(header).form).toBe("malformed");
  });

  test("a signature, key and payload of any kind, many times", () => {
    fc.assert(
      fc.property(
        fc.uint8Array(),
        fc.string(),
        fc.string({ unit: "binary" }),
        (bytes, key, text) => {
          const der = Buffer.from(bytes);
          expect(isSignatureOver(text, { der, publicKeyHex: key })).toBe(false);
          expect(isSignatureOver(text, { der, publicKeyHex: sessionPublic })).toBe(false);
        },
      ),
      { numRuns: runsOf(1_000) },
    );
  });
});
