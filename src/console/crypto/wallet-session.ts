import { decompressed, hex32, type Point, pointOfScalar } from "./p256-point.ts";

/** A client's key pair: it opens the session key that is sealed to it. */
export interface ClientKeys {
  pair: CryptoKeyPair;
  /** Uncompressed point, hex: the `clientPublicKey` of a call. */
  publicKey: string;
}

const bytesOf = (hex: string) =>
  Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

const hexOf = (bytes: ArrayBuffer | Uint8Array) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const base64Url = (hex: string) =>
  btoa(String.fromCharCode(...bytesOf(hex)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const uncompressed = ({ x, y }: Point) => `04${hex32(x)}${hex32(y)}`;

/** Makes the client's key pair by WebCrypto. */
export const makeClientKeys = async (): Promise<ClientKeys> => {
  const kind = { name: "ECDH", namedCurve: "P-256" };
  const pair = await crypto.subtle.generateKey(kind, true, ["deriveBits"]);
  return { pair, publicKey: hexOf(await crypto.subtle.exportKey("raw", pair.publicKey)) };
};

const POINT_HEX = 66;

const INFO = new TextEncoder().encode("turnkey_hpke");

/** The cipher suite of everything that is sealed here. */
const hpkeSuite = async () => {
  const { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } = await import("@hpke/core");
  return new CipherSuite({
    kem: new DhkemP256HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes256Gcm(),
  });
};

/** The private scalar of a client's key pair, hex: it signs where the client holds the session's key. */
export const scalarOf = async ({ pair }: ClientKeys): Promise<string> => {
  const { d = "" } = await crypto.subtle.exportKey("jwk", pair.privateKey);
  const text = atob(d.replaceAll("-", "+").replaceAll("_", "/"));
  return hexOf(Uint8Array.from(text, (character) => character.charCodeAt(0)));
};

/**
 * Seals a one-time code, with the client's key, to the target key of a bundle by HPKE
 * (spec/later-wallets.md#encrypted-codes).
 * @returns the text of `encryptedOtpBundle`
 */
export const sealCode = async (bundle: string, code: string, { publicKey }: ClientKeys) => {
  const suite = await hpkeSuite();
  const { data } = JSON.parse(bundle) as { data: string };
  const { targetPublic } = JSON.parse(new TextDecoder().decode(bytesOf(data))) as {
    targetPublic: string;
  };
  const recipientPublicKey = await suite.kem.deserializePublicKey(bytesOf(targetPublic));
  const context = await suite.createSenderContext({ recipientPublicKey, info: INFO });
  const encappedPublic = hexOf(context.enc);
  const plain = new TextEncoder().encode(JSON.stringify({ otp_code: code, public_key: publicKey }));
  const sealed = await context.seal(plain, bytesOf(encappedPublic + targetPublic));
  return JSON.stringify({ encappedPublic, ciphertext: hexOf(sealed) });
};

/**
 * Opens `encryptedSessionSigningKey` by HPKE: the compressed ephemeral point, then the sealed scalar,
 * with both points as additional data.
 * @returns the session's private scalar, hex
 */
export const openSessionKey = async (sealed: string, { pair, publicKey }: ClientKeys) => {
  const suite = await hpkeSuite();
  const { default: bs58check } = await import("bs58check");
  const bytes = hexOf(bs58check.decode(sealed));
  const enc = uncompressed(decompressed(bytes.slice(0, POINT_HEX)));
  const context = await suite.createRecipientContext({
    recipientKey: pair,
    enc: bytesOf(enc),
    info: INFO,
  });
  const opened = await context.open(bytesOf(bytes.slice(POINT_HEX)), bytesOf(enc + publicKey));
  return hexOf(opened);
};

/** A positive integer of a DER signature, hex. */
const derInteger = (hex: string) => {
  const bare = hex.replace(/^(00)+(?=..)/, "");
  const value = Number.parseInt(bare.slice(0, 2), 16) > 0x7f ? `00${bare}` : bare;
  return `02${(value.length / 2).toString(16).padStart(2, "0")}${value}`;
};

/** Signs a challenge with a session's key. @returns the stamp: value of `Service-Wallet-Signature` */
export const stampOf = async (payloadToSign: string, scalarHex: string): Promise<string> => {
  const { x, y } = pointOfScalar(BigInt(`0x${scalarHex}`));
  const part = (value: bigint) => base64Url(hex32(value));
  const jwk = { kty: "EC", crv: "P-256", x: part(x), y: part(y), d: base64Url(scalarHex) };
  const kind = { name: "ECDSA", namedCurve: "P-256" };
  const key = await crypto.subtle.importKey("jwk", jwk, kind, false, ["sign"]);
  const bytes = new TextEncoder().encode(payloadToSign);
  const raw = hexOf(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, bytes));
  const integers = derInteger(raw.slice(0, 64)) + derInteger(raw.slice(64));
  const stamp = {
    publicKey: `${y & 1n ? "03" : "02"}${hex32(x)}`,
    scheme: "SIGNATURE_SCHEME_TK_API_P256",
    signature: `30${(integers.length / 2).toString(16).padStart(2, "0")}${integers}`,
  };
  return base64Url(hexOf(new TextEncoder().encode(JSON.stringify(stamp))));
};
