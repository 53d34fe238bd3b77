import type { AuthMethodType } from "../../contract/wallets/credentials.ts";
import type { RelyingParty } from "../../crypto/relying-party.ts";
import type { Stamped } from "./stamped.ts";

/** A code that was mailed; the newest one only (decisions, OTP limits). */
export interface OtpState {
  code: string;
  expiresAtMs: number;
  wrongCount: number;
}

/**
 * What was verified of a passkey's registration. Records of earlier versions name no relying party:
 * the first assertion that verifies binds them to its own.
 */
export interface VerifiedPasskey extends Partial<RelyingParty> {
  publicKeyCose: string;
  algorithm: number;
  counter: number;
}

/** A way to sign in to a wallet (wallets digest 3.1). */
export interface AuthMethodRecord extends Stamped {
  accountId: string;
  type: AuthMethodType;
  nickname: string;
  email?: string;
  otp?: OtpState;
  /** When codes were asked for again, newest last. */
  otpReissuedAtMs?: readonly number[];
  oidc?: { issuer: string; isOwn?: true; subject?: string; audience?: string };
  passkey?: {
    credentialId: string;
    /** Absent where the registration could not be verified: only magic values work then. */
    verified?: VerifiedPasskey;
  };
}

/** The private key was sealed to the client and is kept nowhere. */
export interface SessionRecord extends Stamped {
  accountId: string;
  authMethodId: string;
  type: AuthMethodType;
  nickname: string;
  credentialId?: string;
  /** Compressed point, hex. */
  publicKeyHex: string;
  expiresAtMs: number;
  revokedAtMs?: number;
}

/** A request that waits for its signed retry, or a passkey challenge for its assertion. */
export interface RequestRecord extends Stamped {
  /** `DELETE /auth/sessions/Session:…`, or `PASSKEY AuthMethod:…`. */
  operation: string;
  /** The body as canonical JSON. */
  body: string;
  /** What is to be signed; the WebAuthn challenge of a passkey. */
  payloadToSign: string;
  /** Client key of the session to come, where the challenge binds one. */
  clientPublicKey?: string;
  /** What must still be so on the retry. */
  seen?: string;
  expiresAtMs: number;
  usedAtMs?: number;
}

/** A registration challenge that a passkey was made with. */
export interface UsedChallengeRecord {
  id: string;
  digest: string;
  usedAtMs: number;
}

/** A mail that would have been sent (decisions, Inbox). */
export interface MailRecord extends Stamped {
  to: string;
  code: string;
  subject: string;
  text: string;
  credentialId: string;
  /** When its code stops being valid, if no newer one takes its place first. */
  expiresAtMs: number;
}
