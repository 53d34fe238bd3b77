import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import { COSE_ALGORITHM, coseKeyOf, type PasskeyAlgorithm } from "./cose-keys.ts";
import type { Assertion, Attestation } from "./webauthn.ts";

// A software authenticator and browser, for tests without a device. It makes the results of
// navigator.credentials.create() and .get() (WebAuthn Level 3, sections 5.1, 6.3 and 6.5).

/** A passkey with its private half and its counter. */
export interface SoftwarePasskey {
  rpId: string;
  origin: string;
  algorithm: PasskeyAlgorithm;
  /** Unpadded base64url. */
  credentialId: string;
  /** PKCS #8 PEM. */
  privateKey: string;
  /** Counter of the last signature; 0 before the first one. */
  counter: number;
}

/** Settings of a new passkey; `challenge` as it was issued. */
export interface PasskeyWish {
  challenge: string;
  rpId: string;
  origin: string;
  algorithm: PasskeyAlgorithm;
  /** `packed` has the new key sign its own registration (default: `none`). */
  attestation?: "none" | "packed";
}

const FLAGS = { userPresent: 0x01, attestedCredential: 0x40 } as const;

const RSA_MODULUS_BITS = 2048;

const KEY_MAKERS: Record<PasskeyAlgorithm, () => KeyObject> = {
  ES256: () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey,
  EdDSA: () => generateKeyPairSync("ed25519").privateKey,
  RS256: () => generateKeyPairSync("rsa", { modulusLength: RSA_MODULUS_BITS }).privateKey,
};

/** Signs with the key's own hash; Ed25519 needs none. ES256 signatures are DER, as in WebAuthn. */
const signed = (key: KeyObject, bytes: Buffer) =>
  sign(key.asymmetricKeyType === "ed25519" ? null : "sha256", bytes, key);

const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest();

/** Encodes a challenge as clients do; only text that is not base64url yet changes. */
const challengeMember = (challenge: string) => {
  const decoded = Buffer.from(challenge, "base64url").toString("base64url");
  return decoded === challenge ? challenge : Buffer.from(challenge, "utf8").toString("base64url");
};

const clientDataOf = (type: string, { challenge, origin }: { challenge: string; origin: string }) =>
  Buffer.from(
    JSON.stringify({ type, challenge: challengeMember(challenge), origin, crossOrigin: false }),
  );

const authenticatorDataOf = (rpId: string, flags: number, counter: number) => {
  const data = Buffer.alloc(37);
  sha256(rpId).copy(data);
  data.writeUInt8(flags, 32);
  data.writeUInt32BE(counter, 33);
  return data;
};

const AAGUID_OF_NOBODY = Buffer.alloc(16);

const uint16 = (value: number) => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
};

/** Makes a passkey and its registration. */
export const createPasskey = async (
  wish: PasskeyWish,
): Promise<{ passkey: SoftwarePasskey; attestation: Attestation }> => {
  const { isoCBOR } = await import("@simplewebauthn/server/helpers");
  const { rpId, origin, algorithm } = wish;
  const key = KEY_MAKERS[algorithm]();
  const credentialId = randomBytes(32);
  const clientData = clientDataOf("webauthn.create", wish);
  const publicKey = coseKeyOf(createPublicKey(key).export({ format: "jwk" }), algorithm);
  const authData = Buffer.concat([
    authenticatorDataOf(rpId, FLAGS.userPresent | FLAGS.attestedCredential, 0),
    AAGUID_OF_NOBODY,
    uint16(credentialId.length),
    credentialId,
    isoCBOR.encode(publicKey),
  ]);
  const statement: [string, number | Uint8Array][] = [
    ["alg", COSE_ALGORITHM[algorithm]],
    ["sig", Uint8Array.from(signed(key, Buffer.concat([authData, sha256(clientData)])))],
  ];
  const format = wish.attestation ?? "none";
  const object = new Map<string, string | Map<string, number | Uint8Array> | Uint8Array>([
    ["fmt", format],
    ["attStmt", new Map(format === "packed" ? statement : [])],
    ["authData", Uint8Array.from(authData)],
  ]);
  return {
    passkey: {
      rpId,
      origin,
      algorithm,
      credentialId: credentialId.toString("base64url"),
      privateKey: key.export({ type: "pkcs8", format: "pem" }) as string,
      counter: 0,
    },
    attestation: {
      credentialId: credentialId.toString("base64url"),
      clientDataJson: clientData.toString("base64url"),
      attestationObject: Buffer.from(isoCBOR.encode(object)).toString("base64url"),
      transports: ["internal"],
    },
  };
};

/**
 * Signs in with a passkey.
 * @returns the assertion, and the passkey with its raised counter
 */
export const signWithPasskey = (
  passkey: SoftwarePasskey,
  { challenge, origin = passkey.origin }: { challenge: string; origin?: string },
): { passkey: SoftwarePasskey; assertion: Assertion } => {
  const counter = passkey.counter + 1;
  const clientData = clientDataOf("webauthn.get", { challenge, origin });
  const authenticatorData = authenticatorDataOf(passkey.rpId, FLAGS.userPresent, counter);
  const signature = signed(
    createPrivateKey(passkey.privateKey),
    Buffer.concat([authenticatorData, sha256(clientData)]),
  );
  return {
    passkey: { ...passkey, counter },
    assertion: {
      credentialId: passkey.credentialId,
      clientDataJson: clientData.toString("base64url"),
      authenticatorData: authenticatorData.toString("base64url"),
      signature: signature.toString("base64url"),
    },
  };
};
