import { isSignedData, signedData } from "./code-bundles.ts";
import { open, type SealedMessage, seal } from "./hpke.ts";
import { isPoint, isPrivateKey, pointAs, publicKeyOf } from "./p256.ts";
import { sessionKeyFrom } from "./session-keys.ts";

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
 * Makes `encryptedWalletCredentials`: JSON text, signed where a signer is given. The sandbox of the
 * first revision signs nothing.
 * @param input.entropyHex at least 48 bytes; determines the ephemeral key and so every byte
 */
export const sealWalletExport = async (input: {
  clientPublicKey: string;
  mnemonic: string;
  organizationId: string;
  entropyHex: string;
  /** Private scalar that signs it, hex. */
  signerHex?: string;
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
  const text = JSON.stringify(inner);
  const { signerHex } = input;
  if (signerHex !== undefined) return JSON.stringify(signedData(text, signerHex));
  return JSON.stringify({
    version: EXPORT_VERSION,
    data: Buffer.from(text).toString("hex"),
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
  const isUnsigned = dataSignature === "" && enclaveQuorumPublic === "";
  if (!isUnsigned && !isSignedData(outer))
    throw new SealingError(
      "Expected no signature, or one that the envelope's own key made, but found another",
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
