import type { CipherSuite } from "@hpke/core";
import { pointAs, privateJwk, publicJwk, publicKeyOf } from "./p256.ts";

/**
 * HPKE (RFC 9180) as the wallet's client libraries use it: base mode, DHKEM(P-256, HKDF-SHA256),
 * HKDF-SHA256, AES-256-GCM, this info, and both points as additional data. Each key seals one
 * message.
 */
const INFO = new TextEncoder().encode("turnkey_hpke");

/** A sealed message; points and bytes are hex. */
export interface SealedMessage {
  /** The ephemeral point, uncompressed. */
  encappedHex: string;
  /** Ciphertext and its 16-byte tag. */
  ciphertextHex: string;
}

let suite: Promise<CipherSuite> | undefined;

/** Loaded on first use: most runs of the simulator seal nothing. */
const loadedSuite = () => {
  suite ??= import("@hpke/core").then(
    ({ Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 }) =>
      new CipherSuite({
        kem: new DhkemP256HkdfSha256(),
        kdf: new HkdfSha256(),
        aead: new Aes256Gcm(),
      }),
  );
  return suite;
};

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));
const hexOf = (bytes: ArrayBuffer) => Buffer.from(bytes).toString("hex");

/** A key pair for the library, which derives a wrong point from half of all private keys. */
const keyPair = async ({ kem }: CipherSuite, privateKeyHex: string) => ({
  privateKey: await kem.importKey("jwk", privateJwk(privateKeyHex), false),
  publicKey: await kem.importKey("jwk", publicJwk(publicKeyOf(privateKeyHex, "compressed")), true),
});

/** Seals bytes to a point. The ephemeral key determines every byte of the result. */
export const seal = async (
  plaintext: Uint8Array,
  { recipientHex, ephemeralHex }: { recipientHex: string; ephemeralHex: string },
): Promise<SealedMessage> => {
  const suite = await loadedSuite();
  const recipient = pointAs("uncompressed", recipientHex);
  const encappedHex = publicKeyOf(ephemeralHex, "uncompressed");
  const context = await suite.createSenderContext({
    recipientPublicKey: await suite.kem.importKey("jwk", publicJwk(recipient), true),
    ekm: await keyPair(suite, ephemeralHex),
    info: INFO,
  });
  const ciphertext = await context.seal(plaintext, bytesOf(encappedHex + recipient));
  return { encappedHex, ciphertextHex: hexOf(ciphertext) };
};

/**
 * Opens a message with a private key.
 * @throws when it was sealed to another key, or changed since
 */
export const open = async (
  { encappedHex, ciphertextHex }: SealedMessage,
  privateKeyHex: string,
): Promise<Buffer> => {
  const suite = await loadedSuite();
  const encapped = pointAs("uncompressed", encappedHex);
  const context = await suite.createRecipientContext({
    recipientKey: await keyPair(suite, privateKeyHex),
    enc: bytesOf(encapped),
    info: INFO,
  });
  const aad = bytesOf(encapped + publicKeyOf(privateKeyHex, "uncompressed"));
  return Buffer.from(await context.open(bytesOf(ciphertextHex), aad));
};
