import { p256 } from "@noble/curves/nist.js";
import { bytesToHex, hexToBytes } from "@noble/curves/utils.js";

/** A client's key pair: it opens the session key that is sealed to it. */
export interface ClientKeys {
  pair: CryptoKeyPair;
  /** Uncompressed point, hex: the `clientPublicKey` of a call. */
  publicKey: string;
}

const base64Url = (text: string) =>
  btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** Makes the client's key pair by WebCrypto. */
export const makeClientKeys = async (): Promise<ClientKeys> => {
  const kind = { name: "ECDH", namedCurve: "P-256" };
  const pair = await crypto.subtle.generateKey(kind, true, ["deriveBits"]);
  const raw = await crypto.subtle.exportKey("raw", pair.publicKey);
  return { pair, publicKey: bytesToHex(new Uint8Array(raw)) };
};

const INFO = new TextEncoder().encode("turnkey_hpke");

/** Bytes of a compressed point. */
const POINT_BYTES = 33;

/**
 * Opens `encryptedSessionSigningKey` by HPKE: the compressed ephemeral point, then the sealed scalar,
 * with both points as additional data.
 * @returns the session's private scalar, hex
 */
export const openSessionKey = async (sealed: string, { pair, publicKey }: ClientKeys) => {
  const { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } = await import("@hpke/core");
  const { default: bs58check } = await import("bs58check");
  const suite = new CipherSuite({
    kem: new DhkemP256HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes256Gcm(),
  });
  const bytes = bs58check.decode(sealed);
  // A fresh array: WebCrypto takes no view of memory that may be shared.
  const enc = Uint8Array.from(p256.Point.fromBytes(bytes.slice(0, POINT_BYTES)).toBytes(false));
  const context = await suite.createRecipientContext({ recipientKey: pair, enc, info: INFO });
  const points = Uint8Array.of(...enc, ...hexToBytes(publicKey));
  const opened = await context.open(Uint8Array.from(bytes.slice(POINT_BYTES)), points);
  return bytesToHex(new Uint8Array(opened));
};

/** Signs a challenge with a session's key. @returns the stamp: value of `Service-Wallet-Signature` */
export const stampOf = (payloadToSign: string, scalarHex: string): string => {
  const scalar = hexToBytes(scalarHex);
  const message = new TextEncoder().encode(payloadToSign);
  const stamp = {
    publicKey: bytesToHex(p256.getPublicKey(scalar)),
    scheme: "SIGNATURE_SCHEME_TK_API_P256",
    signature: bytesToHex(p256.sign(message, scalar, { format: "der" })),
  };
  return base64Url(JSON.stringify(stamp));
};
