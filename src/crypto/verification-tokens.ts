import { signJwsRepeatably } from "./ecdsa.ts";

/** Claims of a verification token; the client signs its text (spec/later-wallets.md#verification-token). */
export interface VerificationClaims {
  id: string;
  verification_type: "OTP_TYPE_EMAIL" | "OTP_TYPE_SMS";
  /** Address or number that the code was sent to. */
  contact: string;
  organization_id: string;
  /** The client's key, compressed. */
  public_key: string;
  /** Seconds since 1970. */
  iat: number;
  /** Milliseconds since 1970, as text. */
  exp: string;
}

const HEADER = { alg: "ES256", kid: "service-sim", typ: "JWT" };

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Makes a verification token: a compact JWS, the same for the same claims and key. */
export const verificationToken = (claims: VerificationClaims, signerHex: string): string => {
  const text = `${part(HEADER)}.${part(claims)}`;
  return `${text}.${signJwsRepeatably(signerHex, text)}`;
};
