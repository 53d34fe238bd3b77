import { createPrivateKey, sign } from "node:crypto";
import { decryptExportBundle, hpkeDecrypt, hpkeEncrypt } from "@turnkey/crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mnemonicFrom } from "../../src/crypto/mnemonics.ts";
import { pointAs, privateJwk, publicKeyOf } from "../../src/crypto/p256.ts";
import { openWalletExport, SealingError, sealWalletExport } from "../../src/crypto/sealing.ts";
import { runsOf } from "../setup/campaign.ts";
import { entropy, hexOf, keyPair } from "./setup/key-arbitraries.ts";
import { entropyFor, KNOWN } from "./setup/known-answer.ts";

const KEYS = runsOf(200, 8);
const MNEMONIC = "letter advice cage absurd amount doctor acoustic avoid letter advice cage above";
const client = { privateKeyHex: KNOWN.recipientPrivate };

const sealed = (organizationId = "org_sim_42") =>
  sealWalletExport({
    clientPublicKey: KNOWN.recipientPublic,
    mnemonic: MNEMONIC,
    organizationId,
    entropyHex: entropyFor(KNOWN.ephemeralPrivate),
  });

const innerOf = (text: string) =>
  JSON.parse(Buffer.from(JSON.parse(text).data, "hex").toString("utf8"));

/** An envelope around arbitrary inner bytes. */
const around = (inner: Uint8Array, members: object = {}) =>
  JSON.stringify({
    version: "v1.0.0",
    data: hexOf(inner),
    dataSignature: "",
    enclaveQuorumPublic: "",
    ...members,
  });

test("the envelope has its members in order, and no signature", async () => {
  const text = await sealed();
  expect(text).toMatch(
    /^\{"version":"v1\.0\.0","data":"(?:[0-9a-f]{2})+","dataSignature":"","enclaveQuorumPublic":""\}$/,
  );
  const inner = innerOf(text);
  expect(Object.keys(inner)).toEqual(["encappedPublic", "ciphertext", "organizationId"]);
  expect(inner.encappedPublic).toBe(KNOWN.encapped);
  expect(inner.ciphertext).toHaveLength((MNEMONIC.length + 16) * 2);
  expect(inner.organizationId).toBe("org_sim_42");
});

test("it is the same for the same entropy, and other for other", async () => {
  expect(await sealed()).toBe(await sealed());
  const other = await sealWalletExport({
    clientPublicKey: KNOWN.recipientPublic,
    mnemonic: MNEMONIC,
    organizationId: "org_sim_42",
    entropyHex: "07".repeat(48),
  });
  expect(other).not.toBe(await sealed());
});

test(`T7d: opens by hand with the client library, and here, ${KEYS} keys`, async () => {
  const words = fc.uint8Array({ minLength: 16, maxLength: 16 }).map(hexOf).map(mnemonicFrom);
  await fc.assert(
    fc.asyncProperty(keyPair, entropy, words, async (recipient, entropyHex, mnemonic) => {
      const { clientPublicKey, privateKeyHex } = recipient;
      const organizationId = "Müller & 朝";
      const input = { clientPublicKey, mnemonic, organizationId, entropyHex };
      const text = await sealWalletExport(input);
      const inner = innerOf(text);
      const plaintext = hpkeDecrypt({
        encappedKeyBuf: Buffer.from(inner.encappedPublic, "hex"),
        ciphertextBuf: Buffer.from(inner.ciphertext, "hex"),
        receiverPriv: privateKeyHex,
      });
      expect(Buffer.from(plaintext).toString("ascii")).toBe(mnemonic);
      expect(await openWalletExport(text, { privateKeyHex })).toEqual({ mnemonic, organizationId });
    }),
    { numRuns: KEYS },
  );
});

test("what the client library seals is opened here, 50 keys", async () => {
  await fc.assert(
    fc.asyncProperty(keyPair, async (recipient) => {
      const bytes = Buffer.from(
        hpkeEncrypt({
          plainTextBuf: Buffer.from(MNEMONIC),
          targetKeyBuf: Buffer.from(recipient.clientPublicKey, "hex"),
        }),
      );
      const inner = {
        organizationId: "org_sim_42",
        ciphertext: hexOf(bytes.subarray(33)),
        encappedPublic: pointAs("uncompressed", hexOf(bytes.subarray(0, 33))),
      };
      expect(await openWalletExport(around(Buffer.from(JSON.stringify(inner))), recipient)).toEqual(
        {
          mnemonic: MNEMONIC,
          organizationId: "org_sim_42",
        },
      );
    }),
    { numRuns: runsOf(50) },
  );
});

/** Opens a bundle with the client library, which trusts our key or none. */
const openedByLibrary = (exportBundle: string, override?: string) =>
  decryptExportBundle({
    exportBundle,
    organizationId: "org_sim_42",
    embeddedKey: KNOWN.recipientPrivate,
    returnMnemonic: true,
    ...(override !== undefined && { dangerouslyOverrideSignerPublicKey: override }),
  });

describe("the client library's opener of exports", () => {
  const signed = async () => {
    const { data, ...rest } = JSON.parse(await sealed());
    const key = createPrivateKey({ key: privateJwk(KNOWN.sessionPrivate), format: "jwk" });
    const enclaveQuorumPublic = publicKeyOf(KNOWN.sessionPrivate, "uncompressed");
    const dataSignature = hexOf(sign("sha256", Buffer.from(data, "hex"), key));
    return { ...rest, data, dataSignature, enclaveQuorumPublic };
  };

  test("T7a: takes our data once a trusted key has signed it", async () => {
    const envelope = await signed();
    expect(await openedByLibrary(JSON.stringify(envelope), envelope.enclaveQuorumPublic)).toBe(
      MNEMONIC,
    );
  });

  test("T7b: refuses it without the trust", async () => {
    await expect(openedByLibrary(JSON.stringify(await signed()))).rejects.toThrow(/signer key/);
  });

  test.each([{ override: undefined }, { override: "" }])(
    "T7c: refuses the sandbox form, trusted key $override",
    async ({ override }) => {
      await expect(openedByLibrary(await sealed(), override)).rejects.toThrow(/signer key/);
    },
  );

  test("a signed envelope is opened here, and one with another's signature is refused", async () => {
    const envelope = await signed();
    expect(await openWalletExport(JSON.stringify(envelope), client)).toEqual({
      mnemonic: MNEMONIC,
      organizationId: "org_sim_42",
    });
    const enclaveQuorumPublic = KNOWN.recipientPublic;
    const other = JSON.stringify({ ...envelope, enclaveQuorumPublic });
    await expect(openWalletExport(other, client)).rejects.toThrow(
      "Expected no signature, or one that the envelope's own key made, but found another",
    );
  });

  // spec/later-wallets.md#signed-exports
  test("takes what our signer signs, once it is trusted", async () => {
    const text = await sealWalletExport({
      clientPublicKey: KNOWN.recipientPublic,
      mnemonic: MNEMONIC,
      organizationId: "org_sim_42",
      entropyHex: "07".repeat(48),
      signerHex: KNOWN.sessionPrivate,
    });
    const trusted = publicKeyOf(KNOWN.sessionPrivate, "uncompressed");
    expect(await openedByLibrary(text, trusted)).toBe(MNEMONIC);
    await expect(openedByLibrary(text, KNOWN.recipientPublic)).rejects.toThrow(/signer key/);
  });
});

describe("what was changed is refused", () => {
  /** Tells whether everything but the organization opened as it was sealed. */
  const outcomeOf = async (text: string) => {
    try {
      const { mnemonic, organizationId } = await openWalletExport(text, client);
      expect(mnemonic).toBe(MNEMONIC);
      return organizationId === "org_sim_42" ? "same" : "other organization";
    } catch (error) {
      expect(error).toBeInstanceOf(SealingError);
      return "refused";
    }
  };

  test("each bit of the inner JSON, but in the organization and in the case of hex", async () => {
    const bytes = Buffer.from(JSON.parse(await sealed()).data, "hex");
    const organizationAt = bytes.indexOf("org_sim_42");
    // Eleven from one to the next: each bit of a byte is met within eleven bytes.
    for (let bit = 0; bit < bytes.length * 8; bit += runsOf(1, 11)) {
      const at = bit >> 3;
      const changed = Buffer.from(bytes);
      changed[at] = (bytes[at] as number) ^ (1 << (bit & 7));
      const isCase = /^[a-f]$/i.test(changed.toString("latin1", at, at + 1)) && (bit & 7) === 5;
      const isOrganization = at >= organizationAt && at < organizationAt + "org_sim_42".length;
      const outcome = await outcomeOf(around(changed));
      if (isOrganization) expect(outcome).not.toBe("same");
      else if (!isCase) expect([at, outcome]).toEqual([at, "refused"]);
    }
  });

  test("each character of the envelope, but in the organization", async () => {
    const text = await sealed();
    const organization = hexOf(Buffer.from("org_sim_42"));
    const organizationAt = text.indexOf(organization);
    for (let at = 0; at < text.length; at += runsOf(1, 5)) {
      const other = String.fromCharCode(text.charCodeAt(at) ^ 1);
      const outcome = await outcomeOf(text.slice(0, at) + other + text.slice(at + 1));
      const isOrganization = at >= organizationAt && at < organizationAt + organization.length;
      if (isOrganization) expect(outcome).not.toBe("same");
      else expect([at, outcome]).toEqual([at, "refused"]);
    }
  });

  test("any text, many times", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
        await expect(openWalletExport(text, client)).rejects.toThrow(SealingError);
        await expect(openWalletExport(around(Buffer.from(text)), client)).rejects.toThrow(
          SealingError,
        );
      }),
      { numRuns: runsOf(500) },
    );
  });

  const inner = {
    encappedPublic: KNOWN.encapped,
    ciphertext: "00".repeat(90),
    organizationId: "o",
  };
  const aroundInner = (members: object) =>
    around(Buffer.from(JSON.stringify({ ...inner, ...members })));

  test.each([
    { says: "another version", text: around(Buffer.from("{}"), { version: "v2" }), why: /version/ },
    { says: "no version", text: around(Buffer.from("{}"), { version: undefined }), why: /JSON/ },
    { says: "a member more", text: around(Buffer.from("{}"), { more: "" }), why: /JSON/ },
    { says: "a number", text: around(Buffer.from("{}"), { data: 7 }), why: /JSON/ },
    { says: "data that is not hex", text: around(Buffer.from(""), { data: "zz" }), why: /data/ },
    { says: "half a byte", text: around(Buffer.from(""), { data: "7b7" }), why: /data/ },
    { says: "no data", text: around(Buffer.from("")), why: /data/ },
    { says: "bytes that are not text", text: around(Buffer.from([0xff])), why: /data/ },
    {
      says: "an organization that is not text",
      text: around(Buffer.from(JSON.stringify({ ...inner, organizationId: "\xff" }), "latin1")),
      why: /data with/,
    },
    { says: "null", text: "null", why: /JSON/ },
    { says: "a list", text: "[]", why: /JSON/ },
    { says: "nothing", text: "", why: /JSON/ },
    { says: "the bundle of a session", text: KNOWN.bundle, why: /JSON/ },
    { says: "no point", text: aroundInner({ encappedPublic: "04" }), why: /a point on P-256/ },
    { says: "no ciphertext", text: aroundInner({ ciphertext: "" }), why: /ciphertext in hex/ },
    { says: "less than a tag", text: aroundInner({ ciphertext: "00" }), why: /sealed to this key/ },
    { says: "a ciphertext of zeros", text: aroundInner({}), why: /sealed to this key/ },
    { says: "a member less", text: aroundInner({ ciphertext: undefined }), why: /data with/ },
  ])("$says, with the reason", async ({ text, why }) => {
    await expect(openWalletExport(text, client)).rejects.toThrow(why);
    await expect(openWalletExport(text, client)).rejects.toThrow(SealingError);
  });

  test("what was sealed to another", async () => {
    const other = { privateKeyHex: KNOWN.ephemeralPrivate };
    await expect(openWalletExport(await sealed(), other)).rejects.toThrow(/sealed to another key/);
  });
});
