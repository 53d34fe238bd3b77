import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from "@hpke/core";
import { decryptCredentialBundle, getPublicKey, hpkeEncrypt } from "@turnkey/crypto";
import bs58check from "bs58check";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pointAs } from "../../src/crypto/p256.ts";
import { openSessionKey, SealingError, sealSessionKey } from "../../src/crypto/sealing.ts";
import { runsOf } from "../setup/campaign.ts";
import { entropy, hexOf, keyPair } from "./setup/key-arbitraries.ts";
import { entropyFor, KNOWN } from "./setup/known-answer.ts";

const KEYS = runsOf(250, 8);

const client = { privateKeyHex: KNOWN.recipientPrivate };

const known = (clientPublicKey: string) =>
  sealSessionKey({
    clientPublicKey,
    privateKeyHex: KNOWN.sessionPrivate,
    entropyHex: entropyFor(KNOWN.ephemeralPrivate),
  });

// spec/wallets.md#known-answer-vector
describe("the known answer", () => {
  test("is sealed byte for byte", async () => {
    const bundle = await known(KNOWN.recipientPublic);
    expect(bundle).toBe(KNOWN.bundle);
    expect(hexOf(bs58check.decode(bundle))).toBe(
      `0252559f5ddc36eeee15f4937ceb90e2f74877767aedcda213d55f451c01b85520${KNOWN.ciphertext}`,
    );
    expect(pointAs("compressed", KNOWN.encapped)).toBe(
      "0252559f5ddc36eeee15f4937ceb90e2f74877767aedcda213d55f451c01b85520",
    );
  });

  test("T2: is the same for the key in upper case, and opens with either", async () => {
    expect(await known(KNOWN.recipientPublic.toUpperCase())).toBe(KNOWN.bundle);
    const opened = await openSessionKey(KNOWN.bundle, {
      privateKeyHex: KNOWN.recipientPrivate.toUpperCase(),
    });
    expect(opened.privateKeyHex).toBe(KNOWN.sessionPrivate);
  });

  test("is opened, here and by the client library", async () => {
    expect(await openSessionKey(KNOWN.bundle, client)).toEqual({
      privateKeyHex: KNOWN.sessionPrivate,
      publicKeyHex: KNOWN.sessionPublic,
    });
    expect(decryptCredentialBundle(KNOWN.bundle, KNOWN.recipientPrivate)).toBe(
      KNOWN.sessionPrivate,
    );
  });
});

test(`T1: the client library opens what is sealed here, ${KEYS} keys`, async () => {
  await fc.assert(
    fc.asyncProperty(keyPair, keyPair, entropy, async (recipient, session, entropyHex) => {
      const { clientPublicKey } = recipient;
      const { privateKeyHex, publicKeyHex } = session;
      const bundle = await sealSessionKey({ clientPublicKey, privateKeyHex, entropyHex });
      expect(bundle).toMatch(/^[1-9A-HJ-NP-Za-km-z]{115,116}$/);
      expect(decryptCredentialBundle(bundle, recipient.privateKeyHex)).toBe(privateKeyHex);
      expect(hexOf(getPublicKey(privateKeyHex))).toBe(publicKeyHex);
    }),
    { numRuns: KEYS },
  );
});

test(`T1d: what the client library seals is opened here, ${KEYS} keys`, async () => {
  await fc.assert(
    fc.asyncProperty(keyPair, keyPair, async (recipient, { privateKeyHex, publicKeyHex }) => {
      const sealed = hpkeEncrypt({
        plainTextBuf: Buffer.from(privateKeyHex, "hex"),
        targetKeyBuf: Buffer.from(recipient.clientPublicKey, "hex"),
      });
      expect(await openSessionKey(bs58check.encode(sealed), recipient)).toEqual({
        privateKeyHex,
        publicKeyHex,
      });
    }),
    { numRuns: KEYS },
  );
});

/** The same message, sealed with other parameters than the client library's. */
const sealedWith = async ({ info, aad }: { info: string; aad: boolean }) => {
  const suite = new CipherSuite({
    kem: new DhkemP256HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes256Gcm(),
  });
  const recipient = Buffer.from(KNOWN.recipientPublic, "hex");
  const context = await suite.createSenderContext({
    recipientPublicKey: await suite.kem.deserializePublicKey(recipient),
    info: Buffer.from(info),
  });
  const enc = Buffer.from(context.enc);
  const plaintext = Buffer.from(KNOWN.sessionPrivate, "hex");
  const ciphertext = await context.seal(
    plaintext,
    aad ? Buffer.concat([enc, recipient]) : undefined,
  );
  const compressed = Buffer.from(pointAs("compressed", hexOf(enc)), "hex");
  return bs58check.encode(Buffer.concat([compressed, Buffer.from(ciphertext)]));
};

// spec/wallets.md#hpke-parameters
describe("T3: info and additional data", () => {
  test("of the client library are opened by it and here", async () => {
    const bundle = await sealedWith({ info: "turnkey_hpke", aad: true });
    expect(decryptCredentialBundle(bundle, KNOWN.recipientPrivate)).toBe(KNOWN.sessionPrivate);
    expect(await openSessionKey(bundle, client)).toMatchObject({
      privateKeyHex: KNOWN.sessionPrivate,
    });
  });

  test.each([
    { info: "", aad: true },
    { info: "turnkey_hpke", aad: false },
    { info: "", aad: false },
  ])('info "$info" and additional data $aad are refused by it and here', async (values) => {
    const bundle = await sealedWith(values);
    expect(() => decryptCredentialBundle(bundle, KNOWN.recipientPrivate)).toThrow();
    await expect(openSessionKey(bundle, client)).rejects.toThrow(SealingError);
  });
});

describe("what was not sealed like this is refused", () => {
  test("T6: 81 random bytes, by the library and here, many times", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 81, maxLength: 81 }), async (bytes) => {
        const bundle = bs58check.encode(bytes);
        expect(() => decryptCredentialBundle(bundle, KNOWN.recipientPrivate)).toThrow();
        await expect(openSessionKey(bundle, client)).rejects.toThrow(SealingError);
      }),
      { numRuns: runsOf(200) },
    );
  });

  test("any text at all, many times", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (bundle, privateKeyHex) => {
        await expect(openSessionKey(bundle, client)).rejects.toThrow(SealingError);
        await expect(openSessionKey(KNOWN.bundle, { privateKeyHex })).rejects.toThrow(
          "Expected a P-256 private key of 64 hex characters but found another",
        );
      }),
      { numRuns: runsOf(500) },
    );
  });

  test("each bit of the 81 bytes turned round, the checksum being right", async () => {
    const bytes = bs58check.decode(KNOWN.bundle);
    expect(bytes).toHaveLength(81);
    // Eleven from one to the next: each bit of a byte is met within eleven bytes.
    for (let bit = 0; bit < bytes.length * 8; bit += runsOf(1, 11)) {
      const changed = Uint8Array.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      await expect(openSessionKey(bs58check.encode(changed), client)).rejects.toThrow(SealingError);
    }
  });

  test("each character of the text changed, left out or doubled", async () => {
    const { bundle } = KNOWN;
    for (let at = 0; at < bundle.length; at += 1) {
      const [before, one, after] = [bundle.slice(0, at), bundle[at], bundle.slice(at + 1)];
      for (const other of [one === "2" ? "3" : "2", "", `${one}${one}`, "0", " ", "é"])
        await expect(openSessionKey(before + other + after, client)).rejects.toThrow(SealingError);
    }
  });

  test.each([
    { says: "nothing", bundle: "", expected: /base58check/ },
    { says: "no base58", bundle: `0${KNOWN.bundle}`, expected: /base58check/ },
    { says: "a text without end", bundle: "2".repeat(1_000_000), expected: /base58check/ },
    {
      says: "80 bytes",
      bundle: bs58check.encode(new Uint8Array(80)),
      expected: /^Expected a bundle of 81 bytes but found 80$/,
    },
    {
      says: "no point",
      bundle: bs58check.encode(new Uint8Array(81)),
      expected: /a point on P-256/,
    },
  ])("$says, with the reason", async ({ bundle, expected }) => {
    await expect(openSessionKey(bundle, client)).rejects.toThrow(expected);
    await expect(openSessionKey(bundle, client)).rejects.toThrow(SealingError);
  });

  test.each([
    { says: "zero", scalarHex: "00".repeat(32) },
    { says: "the order of the curve and more", scalarHex: "ff".repeat(32) },
  ])("$says in place of a private key", async ({ scalarHex }) => {
    const sealed = hpkeEncrypt({
      plainTextBuf: Buffer.from(scalarHex, "hex"),
      targetKeyBuf: Buffer.from(KNOWN.recipientPublic, "hex"),
    });
    await expect(openSessionKey(bs58check.encode(sealed), client)).rejects.toThrow(
      "Expected a P-256 private key in the bundle but found other bytes",
    );
  });

  test("what was sealed to another, and no failure shows a key", async () => {
    const other = { privateKeyHex: KNOWN.ephemeralPrivate };
    const failure = await openSessionKey(KNOWN.bundle, other).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SealingError);
    expect(`${failure}`).toBe(
      "SealingError: Expected a text sealed to this key but found one sealed to another key, " +
        "or changed since",
    );
  });
});

test("nothing is sealed to an invalid point", async () => {
  await expect(known(`04${"1".repeat(128)}`)).rejects.toThrow();
  await expect(known("")).rejects.toThrow();
});

test("entropy decides the bytes: the same again, and others for other entropy", async () => {
  const sealed = (entropyHex: string) =>
    sealSessionKey({
      clientPublicKey: KNOWN.recipientPublic,
      privateKeyHex: KNOWN.sessionPrivate,
      entropyHex,
    });
  const [first, again, other] = await Promise.all([
    sealed("01".repeat(48)),
    sealed("01".repeat(48)),
    sealed("02".repeat(48)),
  ]);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});
