import { createHash } from "node:crypto";
import { open, type SealedMessage, seal } from "./hpke.ts";
import { isPoint, pointAs, publicKeyOf } from "./p256.ts";
import { derOf, P256, signDigest } from "./rfc6979.ts";
import { sessionKeyFrom } from "./session-keys.ts";
import { isSignatureOverBytes } from "./wallet-signatures.ts";

/**
 * One-time codes that a client seals to a key of the server, and the signed texts that name that key
 * (spec/later-wallets.md#byte-formats).
 */
const VERSION = "v1.0.0";
const HEX = /^(?:[0-9a-f]{2})+$/i;
const UNCOMPRESSED = /^04[0-9a-f]{128}$/i;
const TAG_BYTES = 16;

/** A text that is not a bundle; the message says what was expected, and holds no secret. */
export class BundleError extends Error {
  override readonly name = "BundleError";
}

/** A text with a signature over bytes, as both kinds of signed envelopes have it. */
export interface SignedData {
  version: string;
  /** Hex of the UTF-8 bytes of an inner JSON object. */
  data: string;
  dataSignature: string;
  enclaveQuorumPublic: string;
}

/** Signs the text of an inner object; the same key and text give the same envelope. */
export const signedData = (inner: string, signerHex: string): SignedData => {
  const bytes = Buffer.from(inner);
  const digest = createHash("sha256").update(bytes).digest();
  return {
    version: VERSION,
    data: bytes.toString("hex"),
    dataSignature: derOf(signDigest(P256, digest, signerHex)).toString("hex"),
    enclaveQuorumPublic: publicKeyOf(signerHex, "uncompressed"),
  };
};

/** Tells whether the key that an envelope names made its signature. */
export const isSignedData = ({ data, dataSignature, enclaveQuorumPublic }: SignedData) =>
  HEX.test(data) &&
  HEX.test(dataSignature) &&
  isSignatureOverBytes(Buffer.from(data, "hex"), {
    der: Buffer.from(dataSignature, "hex"),
    publicKeyHex: enclaveQuorumPublic,
  });

/** Makes `otpEncryptionTargetBundle`: the key to seal a code to, uncompressed, signed. */
export const targetBundle = (input: {
  targetPrivateHex: string;
  organizationId: string;
  signerHex: string;
}): string => {
  const targetPublic = publicKeyOf(input.targetPrivateHex, "uncompressed");
  const inner = JSON.stringify({ targetPublic, organizationId: input.organizationId });
  return JSON.stringify(signedData(inner, input.signerHex));
};

const objectIn = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

/**
 * The key that a target bundle names, once its signature is checked.
 * @throws BundleError when it is not such a bundle, or signed otherwise
 */
export const targetKeyIn = (bundle: string): string => {
  const { data = "", dataSignature = "", enclaveQuorumPublic = "" } = objectIn(bundle) ?? {};
  const signed = { version: VERSION, data, dataSignature, enclaveQuorumPublic } as SignedData;
  if (![data, dataSignature, enclaveQuorumPublic].every((text) => typeof text === "string"))
    throw new BundleError("Expected an otpEncryptionTargetBundle but found other text");
  if (!isSignedData(signed))
    throw new BundleError("Expected a bundle whose dataSignature is right but found another");
  const { targetPublic } = objectIn(Buffer.from(signed.data, "hex").toString("utf8")) ?? {};
  if (typeof targetPublic !== "string" || !UNCOMPRESSED.test(targetPublic))
    throw new BundleError("Expected an uncompressed targetPublic in the bundle but found none");
  return targetPublic;
};

/** A code as its client seals it, with the key of the session to come. */
export interface SealedCode {
  code: string;
  /** The client's key: a point, in either form. */
  publicKey: string;
}

/**
 * Makes `encryptedOtpBundle`, as a client does.
 * @param input.entropyHex at least 48 bytes; determines the ephemeral key and so every byte
 */
export const sealCode = async (
  { code, publicKey }: SealedCode,
  { targetPublic, entropyHex }: { targetPublic: string; entropyHex: string },
): Promise<string> => {
  const plaintext = JSON.stringify({ otp_code: code, public_key: publicKey });
  const { encappedHex, ciphertextHex } = await seal(Buffer.from(plaintext), {
    recipientHex: targetPublic,
    ephemeralHex: sessionKeyFrom(entropyHex).privateKeyHex,
  });
  return JSON.stringify({ encappedPublic: encappedHex, ciphertext: ciphertextHex });
};

/**
 * The sealed message in an `encryptedOtpBundle`.
 * @throws BundleError when the text is not such a bundle
 */
export const sealedIn = (bundle: string): SealedMessage => {
  const { encappedPublic, ciphertext } = objectIn(bundle) ?? {};
  if (typeof encappedPublic !== "string" || typeof ciphertext !== "string")
    throw new BundleError("Expected JSON with encappedPublic and ciphertext");
  if (!UNCOMPRESSED.test(encappedPublic) || !isPoint(encappedPublic))
    throw new BundleError("Expected encappedPublic to be an uncompressed point of P-256, in hex");
  if (!HEX.test(ciphertext) || ciphertext.length / 2 <= TAG_BYTES)
    throw new BundleError("Expected ciphertext to be the hex of a ciphertext and its tag");
  return { encappedHex: encappedPublic, ciphertextHex: ciphertext };
};

/**
 * Opens a sealed code; nothing when it was sealed to another key, or changed since.
 * @returns the code, and the client's key as a compressed point in lower case
 * @throws BundleError when the opened text is not a code with a key
 */
export const openCode = async (
  sealed: SealedMessage,
  targetPrivateHex: string,
): Promise<SealedCode | undefined> => {
  const plaintext = await open(sealed, targetPrivateHex).catch(() => undefined);
  if (!plaintext) return undefined;
  const { otp_code: code, public_key: publicKey } = objectIn(plaintext.toString("utf8")) ?? {};
  if (typeof code !== "string" || typeof publicKey !== "string")
    throw new BundleError("Expected otp_code and public_key in the sealed text");
  if (!isPoint(publicKey)) throw new BundleError("Expected public_key to be a point of P-256");
  return { code, publicKey: pointAs("compressed", publicKey) };
};
