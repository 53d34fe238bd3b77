import type { AuthMethodType } from "../../contract/wallets/credentials.ts";
import type { DelegatedKeyStatus } from "../../contract/wallets/delegated-keys.ts";
import type { RelyingParty } from "../../crypto/relying-party.ts";
import type { Timestamps } from "./timestamps.ts";

/** The newest code that was mailed; older ones are void (spec/credentials.md#code-lifetime). */
export interface OtpState {
  code: string;
  expiresAtMs: number;
  wrongCount: number;
  /** Private scalar, hex, of the key that the code is sealed to; absent where it travels open. */
  targetKeyHex?: string;
}

/**
 * Verified values of a passkey's registration. Records of earlier versions name no relying party;
 * the first valid assertion binds them to its own.
 */
export interface VerifiedPasskey extends Partial<RelyingParty> {
  publicKeyCose: string;
  algorithm: number;
  counter: number;
}

/** A way to sign in to a wallet (spec/credentials.md#credential-fields). */
export interface AuthMethodRecord extends Timestamps {
  accountId: string;
  type: AuthMethodType;
  nickname: string;
  email?: string;
  /** Number of an SMS_OTP credential, E.164. */
  phoneNumber?: string;
  otp?: OtpState;
  /** Instants at which codes were requested again, newest last. */
  otpReissuedAtMs?: readonly number[];
  oidc?: { issuer: string; isOwn?: true; subject?: string; audience?: string };
  passkey?: {
    credentialId: string;
    /** Absent if the registration could not be verified; only magic values work then. */
    verified?: VerifiedPasskey;
  };
}

/** A session. Its private key was sealed to the client and is not stored. */
export interface SessionRecord extends Timestamps {
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
export interface RequestRecord extends Timestamps {
  /** `DELETE /auth/sessions/Session:…`, or `PASSKEY AuthMethod:…`. */
  operation: string;
  /** The body as canonical JSON. */
  body: string;
  /** The text to sign; for a passkey the WebAuthn challenge. */
  payloadToSign: string;
  /** Key of the future session or of its client, where the challenge binds one. */
  clientPublicKey?: string;
  /** Facts that must be unchanged on the retry. */
  seen?: string;
  expiresAtMs: number;
  usedAtMs?: number;
}

/** A key of the service that spends a wallet's money for a card (spec/later-wallets.md#delegated-keys). */
export interface DelegatedKeyRecord extends Timestamps {
  cardId: string;
  accountId: string;
  fundingSourceId: string;
  nickname: string;
  /** Compressed point, hex. */
  publicKeyHex: string;
  status: DelegatedKeyStatus;
}

/** A registration challenge that has been used by a passkey. */
export interface UsedChallengeRecord {
  id: string;
  digest: string;
  usedAtMs: number;
}

/** A mail or a text message of the simulated inbox (spec/inbox.md#mail-fields). */
export interface MailRecord extends Timestamps {
  to: string;
  code: string;
  subject: string;
  text: string;
  credentialId: string;
  /** Set for a text message. */
  channel?: "sms";
  /** End of the code's validity, unless a newer code replaces it earlier. */
  expiresAtMs: number;
}
