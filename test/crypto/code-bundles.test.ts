import { createCipheriv, createDecipheriv, createHash, createPublicKey, verify } from "node:crypto";
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from "@hpke/core";
import { getPublicKey, hpkeDecrypt, hpkeEncrypt } from "@turnkey/crypto";
import { describe, expect, test } from "vitest";
import {
  BundleError,
  openCode,
  sealCode,
  sealedIn,
  targetBundle,
  targetKeyIn,
} from "../../src/crypto/code-bundles.ts";
import { pointAs, privateJwk, publicJwk, publicKeyOf } from "../../src/crypto/p256.ts";
import { CODE_VECTOR as KNOWN } from "./setup/code-vector.ts";
import { entropyFor } from "./setup/known-answer.ts";

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));
const labelled = (label: string) =>
  createHash("sha256").update(`service-sim/otp/${label}`).digest("hex");

const PLAINTEXT = `{"otp_code":"000000","public_key":"${KNOWN.tekPublic}"}`;
const QUORUM = labelled("quorum");

const sealedKnown = (publicKey: string = KNOWN.tekPublic) =>
  sealCode(
    { code: "000000", publicKey },
    { targetPublic: KNOWN.targetPublic, entropyHex: entropyFor(KNOWN.ephemeralPrivate) },
  );

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});

const info = new TextEncoder().encode("turnkey_hpke");

const pairOf = async (privateHex: string) => ({
  privateKey: await suite.kem.importKey("jwk", privateJwk(privateHex), false),
  publicKey: await suite.kem.importKey(
    "jwk",
    publicJwk(publicKeyOf(privateHex, "compressed")),
    true,
  ),
});

test("the keys of the vector are the hashes of their labels", () => {
  expect(labelled("target")).toBe(KNOWN.targetPrivate);
  expect(labelled("tek")).toBe(KNOWN.tekPrivate);
  expect(labelled("ephemeral")).toBe(KNOWN.ephemeralPrivate);
  expect(publicKeyOf(KNOWN.targetPrivate, "uncompressed")).toBe(KNOWN.targetPublic);
  expect(publicKeyOf(KNOWN.tekPrivate, "uncompressed")).toBe(KNOWN.tekPublic);
  expect(publicKeyOf(KNOWN.tekPrivate, "compressed")).toBe(KNOWN.tekCompressed);
  expect(publicKeyOf(QUORUM, "uncompressed")).toBe(KNOWN.quorumPublic);
});

test("the ciphertext is AES-256-GCM with the derived key, both points as additional data", () => {
  const cipher = createCipheriv("aes-256-gcm", bytes(KNOWN.aesKey), bytes(KNOWN.nonce));
  cipher.setAAD(bytes(KNOWN.encapped + KNOWN.targetPublic));
  const sealed = [cipher.update(PLAINTEXT, "utf8"), cipher.final(), cipher.getAuthTag()];
  expect(Buffer.concat(sealed).toString("hex")).toBe(KNOWN.ciphertext);
});

// spec/later-wallets.md#byte-formats
describe("a sealed code", () => {
  test("is the known answer", async () => {
    expect(await sealedKnown()).toBe(
      `{"encappedPublic":"${KNOWN.encapped}","ciphertext":"${KNOWN.ciphertext}"}`,
    );
  });

  test("of the vector is opened", async () => {
    const text = `{"encappedPublic":"${KNOWN.encapped}","ciphertext":"${KNOWN.ciphertext}"}`;
    expect(await openCode(sealedIn(text), KNOWN.targetPrivate)).toEqual({
      code: "000000",
      publicKey: KNOWN.tekCompressed,
    });
  });

  test("in capitals, with the compressed key, is opened to the same point", async () => {
    const { encappedPublic, ciphertext } = JSON.parse(
      await sealedKnown(KNOWN.tekCompressed.toUpperCase()),
    );
    const text = JSON.stringify({
      ciphertext: ciphertext.toUpperCase(),
      encappedPublic: encappedPublic.toUpperCase(),
    });
    expect(await openCode(sealedIn(text), KNOWN.targetPrivate)).toEqual({
      code: "000000",
      publicKey: KNOWN.tekCompressed,
    });
  });

  test("is opened by @hpke/core, and sealed there is opened here", async () => {
    const { encappedPublic, ciphertext } = JSON.parse(await sealedKnown());
    const receiver = await suite.createRecipientContext({
      ...{ recipientKey: await pairOf(KNOWN.targetPrivate), enc: bytes(encappedPublic), info },
    });
    const aad = bytes(encappedPublic + KNOWN.targetPublic);
    expect(new TextDecoder().decode(await receiver.open(bytes(ciphertext), aad))).toBe(PLAINTEXT);

    const { publicKey: recipientPublicKey } = await pairOf(KNOWN.targetPrivate);
    const sender = await suite.createSenderContext({ recipientPublicKey, info });
    const enc = Buffer.from(sender.enc).toString("hex");
    const made = await sender.seal(
      new TextEncoder().encode(PLAINTEXT),
      bytes(enc + KNOWN.targetPublic),
    );
    const text = { encappedPublic: enc, ciphertext: Buffer.from(made).toString("hex") };
    expect(await openCode(sealedIn(JSON.stringify(text)), KNOWN.targetPrivate)).toEqual({
      ...{ code: "000000", publicKey: KNOWN.tekCompressed },
    });
  });

  test("is opened by the client library, and sealed there is opened here", async () => {
    const { encappedPublic, ciphertext } = JSON.parse(await sealedKnown());
    const opened = hpkeDecrypt({
      encappedKeyBuf: bytes(encappedPublic),
      ciphertextBuf: bytes(ciphertext),
      receiverPriv: KNOWN.targetPrivate,
    });
    expect(Buffer.from(opened).toString()).toBe(PLAINTEXT);
    const made = Buffer.from(
      hpkeEncrypt({
        plainTextBuf: Buffer.from(PLAINTEXT),
        targetKeyBuf: bytes(KNOWN.targetPublic),
      }),
    );
    const text = {
      encappedPublic: pointAs("uncompressed", made.subarray(0, 33).toString("hex")),
      ciphertext: made.subarray(33).toString("hex"),
    };
    expect(await openCode(sealedIn(JSON.stringify(text)), KNOWN.targetPrivate)).toEqual({
      ...{ code: "000000", publicKey: KNOWN.tekCompressed },
    });
  });

  test("does not open with another key, nor once it was changed", async () => {
    const sealed = sealedIn(await sealedKnown());
    expect(await openCode(sealed, KNOWN.tekPrivate)).toBeUndefined();
    const { ciphertextHex } = sealed;
    const changed = `${ciphertextHex.slice(0, -1)}${ciphertextHex.endsWith("0") ? "1" : "0"}`;
    const again = { ...sealed, ciphertextHex: changed };
    expect(await openCode(again, KNOWN.targetPrivate)).toBeUndefined();
  });

  test.each([
    { is: "no JSON", text: "000000" },
    { is: "an array", text: "[]" },
    { is: "without ciphertext", text: `{"encappedPublic":"${KNOWN.encapped}"}` },
    { is: "with a compressed point", text: wrapped(pointAs("compressed", KNOWN.encapped), "00") },
    { is: "with no point", text: wrapped(`04${"f".repeat(128)}`, KNOWN.ciphertext) },
    { is: "with bad hex", text: wrapped(KNOWN.encapped, "xyz") },
    { is: "with a tag alone", text: wrapped(KNOWN.encapped, "00".repeat(16)) },
  ])("$is is no bundle", ({ text }) => {
    expect(() => sealedIn(text)).toThrow(BundleError);
  });

  test.each([
    { is: "another key than a point", publicKey: "02ff" },
    { is: "an empty key", publicKey: "" },
  ])("with $is is no code", async ({ publicKey }) => {
    const sealed = sealedIn(await sealedKnown(publicKey));
    await expect(openCode(sealed, KNOWN.targetPrivate)).rejects.toThrow(BundleError);
  });
});

function wrapped(encappedPublic: string, ciphertext: string) {
  return JSON.stringify({ encappedPublic, ciphertext });
}

// spec/later-wallets.md#target-bundles
describe("a target bundle", () => {
  const bundle = targetBundle({
    targetPrivateHex: KNOWN.targetPrivate,
    organizationId: "org_sim_1",
    signerHex: QUORUM,
  });

  test("has the known data, signed by the quorum key", () => {
    const { dataSignature, ...rest } = JSON.parse(bundle);
    const inner = `{"targetPublic":"${KNOWN.targetPublic}","organizationId":"org_sim_1"}`;
    const data = Buffer.from(inner).toString("hex");
    expect(rest).toEqual({ version: "v1.0.0", data, enclaveQuorumPublic: KNOWN.quorumPublic });
    const key = createPublicKey({ key: publicJwk(KNOWN.quorumPublic), format: "jwk" });
    expect(verify("sha256", bytes(data), key, bytes(dataSignature))).toBe(true);
    expect(Buffer.from(getPublicKey(QUORUM, false)).toString("hex")).toBe(KNOWN.quorumPublic);
  });

  test("names the key to a client, which refuses a changed one", () => {
    expect(targetKeyIn(bundle)).toBe(KNOWN.targetPublic);
    const parsed = JSON.parse(bundle);
    const other = { ...parsed, data: `${parsed.data.slice(0, -4)}317d` };
    expect(() => targetKeyIn(JSON.stringify(other))).toThrow(BundleError);
    expect(() => targetKeyIn("{}")).toThrow(BundleError);
  });
});

test("the key and nonce of the vector open its ciphertext", () => {
  const sealed = bytes(KNOWN.ciphertext);
  const decipher = createDecipheriv("aes-256-gcm", bytes(KNOWN.aesKey), bytes(KNOWN.nonce));
  decipher.setAAD(bytes(KNOWN.encapped + KNOWN.targetPublic));
  decipher.setAuthTag(sealed.subarray(-16));
  const opened = decipher.update(sealed.subarray(0, -16));
  expect(Buffer.concat([opened, decipher.final()]).toString()).toBe(PLAINTEXT);
});
