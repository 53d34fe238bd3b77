import type { CipherSuite } from "@hpke/core";
import { isPoint, isPrivateKey, pointAs, privateJwk, publicJwk, publicKeyOf } from "./p256.ts";
import { sessionKeyFrom } from "./session-keys.ts";

/**
 * HPKE (RFC 9180) as the wallet's client libraries use it: base mode, DHKEM(P-256, HKDF-SHA256),
 * HKDF-SHA256, AES-256-GCM, this info, and both points as additional data. Each key seals one
 * message.
 */
const INFO = new TextEncoder().encode("turnkey_hpke");

/** A sealed message; points and bytes are hex. */
interface SealedMessage {
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
const seal = async (
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
const open = async (
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

/** Raised when a text cannot be opened; the message says what was expected and holds no secret. */
export class SealingError extends Error {
  override readonly name = "SealingError";
}

/** The client's key, which opens a bundle. */
export interface ClientKey {
  privateKeyHex: string;
}

const ENCAPPED_HEX = 66;
const SCALAR_BYTES = 32;
const TAG_BYTES = 16;
/** Compressed point, ciphertext of a scalar, tag. */
const BUNDLE_BYTES = ENCAPPED_HEX / 2 + SCALAR_BYTES + TAG_BYTES;
/** Longest text that is decoded: Base58 takes quadratic time, and a bundle has 116 characters. */
const MAX_BUNDLE_LENGTH = 128;
const EXPORT_VERSION = "v1.0.0";
const HEX = /^(?:[0-9a-f]{2})+$/i;

const base58check = async () => (await import("bs58check")).default;

const opened = async (sealed: SealedMessage, { privateKeyHex }: ClientKey) => {
  if (!isPrivateKey(privateKeyHex))
    throw new SealingError("Expected a P-256 private key of 64 hex characters but found another");
  if (!isPoint(sealed.encappedHex))
    throw new SealingError("Expected the sealed text to name a point on P-256 but found none");
  try {
    return await open(sealed, privateKeyHex);
  } catch {
    throw new SealingError(
      "Expected a text sealed to this key but found one sealed to another key, or changed since",
    );
  }
};

/**
 * Makes `encryptedSessionSigningKey`: base58check of the compressed ephemeral point and of the
 * private scalar, sealed with HPKE to the client's key.
 * @param input.entropyHex at least 48 bytes; determines the ephemeral key and so every byte
 */
export const sealSessionKey = async (input: {
  clientPublicKey: string;
  privateKeyHex: string;
  entropyHex: string;
}): Promise<string> => {
  const { encappedHex, ciphertextHex } = await seal(Buffer.from(input.privateKeyHex, "hex"), {
    recipientHex: input.clientPublicKey,
    ephemeralHex: sessionKeyFrom(input.entropyHex).privateKeyHex,
  });
  const { encode } = await base58check();
  return encode(Buffer.from(pointAs("compressed", encappedHex) + ciphertextHex, "hex"));
};

/**
 * Opens the session key in a bundle; rejects with a SealingError for another client's key.
 * @returns the scalar, and its point in compressed form
 */
export const openSessionKey = async (
  bundle: string,
  client: ClientKey,
): Promise<{ privateKeyHex: string; publicKeyHex: string }> => {
  const { decodeUnsafe } = await base58check();
  const bytes = bundle.length > MAX_BUNDLE_LENGTH ? undefined : decodeUnsafe(bundle);
  if (!bytes)
    throw new SealingError(
      "Expected a base58check bundle but found other text, or a wrong checksum",
    );
  if (bytes.length !== BUNDLE_BYTES)
    throw new SealingError(`Expected a bundle of ${BUNDLE_BYTES} bytes but found ${bytes.length}`);
  const hex = Buffer.from(bytes).toString("hex");
  const sealed = {
    encappedHex: hex.slice(0, ENCAPPED_HEX),
    ciphertextHex: hex.slice(ENCAPPED_HEX),
  };
  const privateKeyHex = (await opened(sealed, client)).toString("hex");
  if (!isPrivateKey(privateKeyHex))
    throw new SealingError("Expected a P-256 private key in the bundle but found other bytes");
  return { privateKeyHex, publicKeyHex: publicKeyOf(privateKeyHex, "compressed") };
};

/**
 * Makes `encryptedWalletCredentials` in the sandbox's form: JSON text without an enclave's
 * signature.
 * @param input.entropyHex at least 48 bytes; determines the ephemeral key and so every byte
 */
export const sealWalletExport = async (input: {
  clientPublicKey: string;
  mnemonic: string;
  organizationId: string;
  entropyHex: string;
}): Promise<string> => {
  const { encappedHex, ciphertextHex } = await seal(Buffer.from(input.mnemonic), {
    recipientHex: input.clientPublicKey,
    ephemeralHex: sessionKeyFrom(input.entropyHex).privateKeyHex,
  });
  const inner = {
    encappedPublic: encappedHex,
    ciphertext: ciphertextHex,
    organizationId: input.organizationId,
  };
  return JSON.stringify({
    version: EXPORT_VERSION,
    data: Buffer.from(JSON.stringify(inner)).toString("hex"),
    dataSignature: "",
    enclaveQuorumPublic: "",
  });
};

const utf8 = (bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true }).decode(bytes);

/** The members of a JSON object that has exactly these names, all of them texts. */
const textsIn = <Name extends string>(text: () => string, names: readonly Name[]) => {
  try {
    const value: unknown = JSON.parse(text());
    const entries = Object.entries(value as object);
    const isWhole =
      entries.length === names.length &&
      names.every((name) => entries.some(([key, one]) => key === name && typeof one === "string"));
    return isWhole ? (value as Record<Name, string>) : undefined;
  } catch {
    return undefined;
  }
};

const OUTER = ["version", "data", "dataSignature", "enclaveQuorumPublic"] as const;
const INNER = ["encappedPublic", "ciphertext", "organizationId"] as const;

const innerOf = (text: string) => {
  const outer = textsIn(() => text, OUTER);
  if (!outer) throw new SealingError(`Expected JSON with ${OUTER.join(", ")} but found another`);
  const { version, data, dataSignature, enclaveQuorumPublic } = outer;
  if (version !== EXPORT_VERSION)
    throw new SealingError(`Expected version ${EXPORT_VERSION} but found another`);
  if (dataSignature !== "" || enclaveQuorumPublic !== "")
    throw new SealingError(
      "Expected no enclave's signature, as the sandbox has none, but found one",
    );
  const inner = HEX.test(data) ? textsIn(() => utf8(Buffer.from(data, "hex")), INNER) : undefined;
  if (!inner) throw new SealingError(`Expected data with ${INNER.join(", ")} but found another`);
  return inner;
};

/**
 * Opens the words in a wallet export; rejects with a SealingError for another client's key.
 * @returns also the organization, which nothing protects: compare it with payloadToSign's
 */
export const openWalletExport = async (
  text: string,
  client: ClientKey,
): Promise<{ mnemonic: string; organizationId: string }> => {
  const { encappedPublic, ciphertext, organizationId } = innerOf(text);
  if (!HEX.test(ciphertext)) throw new SealingError("Expected a ciphertext in hex but found none");
  const sealed = { encappedHex: encappedPublic, ciphertextHex: ciphertext };
  return { mnemonic: (await opened(sealed, client)).toString("utf8"), organizationId };
};
