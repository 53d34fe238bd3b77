import * as z from "zod";
import { AnyId, idOf } from "../core/identifiers.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { Email, Instant } from "../core/scalars.ts";
import { nicknameCharacters } from "./nickname-characters.ts";

export const AUTH_METHOD_TYPES = ["OAUTH", "EMAIL_OTP", "PASSKEY"] as const;
export type AuthMethodType = (typeof AUTH_METHOD_TYPES)[number];

export const AUTHENTICATOR_TRANSPORTS = ["usb", "nfc", "ble", "internal", "hybrid"] as const;

/** Letters, numbers and spaces of any script, and `. _ - ' ( )` (spec/credentials.md#nicknames). */
const isNickname = (text: string) => {
  nickname ??= new RegExp(`^[${nicknameCharacters()}._\\-'()]+$`, "u");
  return nickname.test(text);
};

/** Made at its first use: it has hundreds of ranges. */
let nickname: RegExp | undefined;

const LONGEST_NICKNAME = 100;

const Nickname = z.lazy(() =>
  z
    .string()
    .trim()
    .min(1)
    .refine(isNickname, "Expected letters, numbers, spaces and . _ - ' ( )")
    .refine(
      // Counts characters, not code units: some letters take two.
      (text) => [...text].length <= LONGEST_NICKNAME,
      `Expected at most ${LONGEST_NICKNAME} characters`,
    )
    .meta({ pattern: "^[\\p{L}\\p{M}\\p{N}\\p{Zs}._\\-'()]+$" }),
);

/** Pattern of `clientPublicKey`: an uncompressed point. */
export const UNCOMPRESSED_KEY = "^04[0-9a-fA-F]{128}$";
/** Pattern of the same where a client may hold its session's key: an uncompressed or compressed point. */
export const EITHER_KEY = "^(?:04[0-9a-fA-F]{128}|0[23][0-9a-fA-F]{64})$";

export const KEY_FORM = "Expected 130 hex characters that begin with 04";

/**
 * Point of P-256 in hex (spec/wallets.md#client-public-key). The curve is checked elsewhere, and so
 * is the form that a revision takes.
 */
export const ClientPublicKey = z.lazy(() =>
  z
    .string()
    .refine((text) => new RegExp(EITHER_KEY).test(text), {
      error: KEY_FORM,
      params: { pattern: UNCOMPRESSED_KEY },
    })
    .meta({ id: "ClientPublicKey", pattern: UNCOMPRESSED_KEY }),
);

const Filled = z.lazy(() => z.string().min(1));

const Attestation = named("PasskeyAttestation", () =>
  z.object({
    credentialId: Filled,
    clientDataJson: Filled,
    attestationObject: Filled,
    transports: z.array(enumOf("AuthenticatorTransport", AUTHENTICATOR_TRANSPORTS)).optional(),
  }),
);

const EmailOtpCredentialInput = named("EmailOtpCredentialInput", () =>
  z.object({ type: z.literal("EMAIL_OTP"), accountId: AnyId, email: Email.optional() }),
);

const OauthCredentialInput = named("OauthCredentialInput", () =>
  z.object({ type: z.literal("OAUTH"), accountId: AnyId, oidcToken: Filled }),
);

const PasskeyCredentialInput = named("PasskeyCredentialInput", () =>
  z.object({
    type: z.literal("PASSKEY"),
    accountId: AnyId,
    nickname: Nickname,
    challenge: Filled,
    attestation: Attestation,
  }),
);

/**
 * Body of POST /auth/credentials (spec/credentials.md#create-body, spec/passkeys.md#registration).
 */
export const CredentialInput = named("CredentialInput", () =>
  z.discriminatedUnion("type", [
    EmailOtpCredentialInput,
    OauthCredentialInput,
    PasskeyCredentialInput,
  ]),
);

export type CredentialInput = z.infer<typeof CredentialInput>;

/**
 * Body of POST /auth/credentials/{id}/challenge: a passkey's key; otherwise ignored
 * (spec/credentials.md#challenge).
 */
export const ChallengeInput = named("CredentialChallengeInput", () =>
  z.object({
    // Any value is ignored, save with a passkey: documented is the one that means something.
    clientPublicKey: z.unknown().optional().meta({ type: "string", pattern: UNCOMPRESSED_KEY }),
  }),
).optional();

const EmailOtpProof = named("EmailOtpProof", () =>
  z.object({
    type: z.literal("EMAIL_OTP"),
    otp: z.string(),
    clientPublicKey: ClientPublicKey,
  }),
);

const OauthProof = named("OauthProof", () =>
  z.object({
    type: z.literal("OAUTH"),
    oidcToken: z.string(),
    clientPublicKey: ClientPublicKey,
  }),
);

const PasskeyProof = named("PasskeyProof", () =>
  z.object({
    type: z.literal("PASSKEY"),
    assertion: z.object({
      credentialId: Filled,
      clientDataJson: Filled,
      authenticatorData: Filled,
      signature: Filled,
      userHandle: z.string().nullable().optional(),
    }),
  }),
);

/** Body of POST /auth/credentials/{id}/verify (spec/credentials.md#verify-body). */
export const VerifyInput = named("CredentialProof", () =>
  z.discriminatedUnion("type", [EmailOtpProof, OauthProof, PasskeyProof]),
);

export type VerifyInput = z.infer<typeof VerifyInput>;

const members = () => ({
  accountId: z.string(),
  type: enumOf("AuthMethodType", AUTH_METHOD_TYPES),
  credentialId: z.string().optional(),
  nickname: z.string(),
  createdAt: Instant,
  updatedAt: Instant,
});

/** AuthMethod of a reply, without any other member (spec/credentials.md#credential-fields). */
export const AuthMethod = z.lazy(() =>
  z.strictObject({ id: idOf("AuthMethod"), ...members() }).meta({ id: "AuthMethod" }),
);

export type AuthMethod = z.infer<typeof AuthMethod>;

/** Challenge for a passkey, with its credential (spec/passkeys.md#authentication-challenge). */
export const PasskeyChallenge = z.lazy(() =>
  z
    .strictObject({
      id: idOf("AuthMethod"),
      ...members(),
      type: z.literal("PASSKEY"),
      credentialId: z.string(),
      challenge: z.string(),
      requestId: idOf("Request"),
      expiresAt: Instant,
    })
    .meta({ id: "PasskeyChallenge" }),
);

export type PasskeyChallenge = z.infer<typeof PasskeyChallenge>;

/** AuthSession of a reply; the sealed key only at issue (spec/sessions.md#session-fields). */
export const AuthSession = z.lazy(() =>
  z
    .strictObject({
      id: idOf("Session"),
      ...members(),
      expiresAt: Instant,
      encryptedSessionSigningKey: z.string().optional(),
    })
    .meta({ id: "AuthSession" }),
);

export type AuthSession = z.infer<typeof AuthSession>;

/** Body of POST /auth/sessions/{id}/refresh. */
export const ClientKeyInput = named("SessionRefreshInput", () =>
  z.object({ clientPublicKey: ClientPublicKey }),
);

export type ClientKeyInput = z.infer<typeof ClientKeyInput>;

/** Body of POST /internal-accounts/{id}/export (spec/wallets.md#export). */
export const WalletExportInput = named("WalletExportInput", () =>
  z.object({ clientPublicKey: ClientPublicKey }),
);

/**
 * Query of the two lists; an id that is no wallet gives an empty list
 * (spec/sessions.md#session-list).
 */
export const WalletQuery = { accountId: z.string().min(1) };

/** Challenge of a signed retry (spec/signed-retry.md#challenge-fields). */
export const SigningChallenge = z.lazy(() =>
  z
    .object({
      payloadToSign: z.string(),
      requestId: idOf("Request"),
      expiresAt: Instant,
      type: enumOf("AuthMethodType", AUTH_METHOD_TYPES).optional(),
    })
    .meta({ id: "SigningChallenge" }),
);

export type SigningChallenge = z.infer<typeof SigningChallenge>;
