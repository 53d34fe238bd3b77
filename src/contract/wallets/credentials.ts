import * as z from "zod";
import { AnyId, idOf } from "../core/identifiers.ts";
import { enumOf, named } from "../core/named-shape.ts";
import {
  added,
  addedValue,
  gone,
  replaced,
  revised,
  withValues,
  withVariants,
} from "../core/revised-shape.ts";
import { Email, Instant } from "../core/scalars.ts";

/**
 * Letters, marks, numbers and spaces of Unicode 17.0, written out: the tables of Node.js grow with
 * its versions (spec/clock.md#determinism). Each word is a range in base 36: how far behind the end
 * of the one before it begins, and behind a plus how far it continues.
 */
const RANGES = `
  w g+9 8+p 7+p 12 a 8+1 2 4+1 2+2 2+m 2+u 2+cp 5+b f+4 8 2 i+38 2+1 3+3 2 7 2+2 2 2+j 2+2a 2+3u
  2+4s 2+11 3 7+14 9+18 2 2+1 2+1 2 9+q 5+3 u+a 6+21 5+2t 2+7 3+9 2+i 3 h+1m 3+2s f+1h 5 3 3+19
  j+r 5+a 6+n 2+6 8+22 2+3k 3+9 2+i 2+7 3+1 3+l 2+6 2 4+3 3+8 3+1 3+3 9 5+1 2+4 3+b 3+5 3 2 3+2
  2+5 5+1 3+l 2+6 2+1 2+1 2+1 3 2+4 5+1 3+2 4 8+3 2 8+f c+2 2+8 2+2 2+l 2+6 2+1 2+4 3+9 2+2 2+2
  3 g+3 3+9 a+6 2+2 2+7 3+1 3+l 2+6 2+1 2+4 3+8 3+1 3+2 8+2 5+1 2+4 3+9 2+6 b+1 2+5 4+2 2+3 4+1
  2 2+1 4+1 4+2 4+b 5+4 4+2 2+3 3 7 f+c e+c 2+2 2+m 2+f 3+8 2+2 2+3 8+1 2+2 2+1 3+3 3+9 9+6 2+3
  2+7 2+2 2+m 2+9 2+4 3+8 2+2 2+3 8+1 6+2 2+3 3+9 2+2 d+c 2+2 2+1e 2+2 2+4 6+f 3+i 2+5 2+2 2+h
  4+n 2+8 2 3+6 4 5+5 2 2+7 7+9 3+1 e+1l 6+e 2+9 14+1 2 2+4 2+n 2 2+m 3+4 2 2+6 2+9 3+3 x o+1
  7+j 2 2 2 5+9 2+z 5+j 2+h 2+z a 1m+21 7+25 3+11 2 6 3+16 2+98 2+3 3+6 2 2+3 3+14 2+3 3+w 2+3
  3+6 2 2+3 3+e 2+1k 2+3 3+1u 3+2 a+j 4+f h+2d 3+5 4+h7 3+17 6+22 4+a 8+l a+l c+j d+c 2+2 2+1
  d+2b 4 5+1 3+9 7+9 i+2 2+a 7+2g 8+16 6+1x b+u 2+b 5+b b+13 3+4 c+17 5+p 7+a 12+r 5+1q 2+s 3+a
  7+9 e 9+19 3+b l+24 4+9 i+8 d+37 d+1j 9+9 4+1c 3+a 6+16 3+2 h+2 2+12 6+et 3+5 3+11 3+5 3+7 2 2
  2 2+u 3+1g 2+6 2 4+2 2+6 4+3 3+5 5+c 6+2 2+6 4+a 11 1c h+1 3+5 6+a 7+c 1g+w i 5 3+9 2 4+4 7 2
  2 2+3 2+a 3+3 6+4 5 2+1l k7+1n 27+l hj+t vh+6c 7+8 a 3+11 2 6 3+1j 8 g+n a+6 2+6 2+6 2+6 2+6
  2+6 2+6 2+6 2+v 1c cx 5+2 q+e 2+4 3+4 5+2d 3+1 3+2 2+2h 2+3 6+16 2+2l 4+3 b+v 1d+f x+9 v+7 2+e
  x+9 14+e 8x+533 1t+h3g 1w+19 3+7g 4+r l+1e 2+9 2+36 12+8 3+2u 3+29 l+1i 5 4+5 b+1f d+1x b+9
  7+n 4 2+1c 3+z d+s 4+1s f+a 7+u 2+1i a+d 3+9 7+m 4+20 p+2 3+f 3+4 b+5 3+5 3+5 a+6 2+6 2+16 2+d
  7+3e 2+1 3+9 7+8mb d+m 5+1c 6it+a5 3+2x 13+6 d+4 6+b 2+c 2+4 2 2+1 2+1 2+2z y+a2 j+1r 3+1h
  15+b 5+f h+f 1t+4 2+3q k+9 8+p 7+p c+2g 4+5 3+5 3+5 3+2 10+b 2+p 2+i 2+1 2+e 3+d z+3e d+18
  d+1k i+1 36 3n+s 4+1c g+r 5+z a+t 6+16 6+t 3+z 5+7 2+4 17+4d 3+9 7+z 5+z 5+13 9+1f d+a 2+e 2+6
  2+1 2+a 2+e 2+6 2+1 4+1f d+8m a+l b+7 p+5 2+15 2+8 1y+5 3 2+17 2+1 4 3+m 3+u 3+11 9+8 1d+i 2+1
  6+w 5+p 7+p 13+1j 5+j 3+1d 2+1 6+7 2+2 2+s 3+2 5+9 o+u 2+v x+7 2+t 5+4 h+1h b+l 3+q 6+p o+6
  29+20 1k+1e e+1e 8+19 9+9 7+11 4+4 2+m 63+u 2+15 2+1 4+1 h+5 1f+19 9+10 s+l 17+r l+m a+1y c+z
  a+1n 8 e+o 8+9 7+1g 2+9 5+3 9+z 3 a+1w 5+3 2+c 2 5+j c+h 2+10 7+3 1r+6 2 2+3 2+e 2+9 8+1m 6+9
  7+3 2+7 3+1 3+l 2+6 2+1 2+4 2+9 3+1 3+2 3 7 6+6 3+6 4+4 c+9 2 3 2+11 2+9 2 3 2+3 2+7 e+1 u+22
  6+9 5+3 v+1x 2 9+9 4n+1h 3+8 o+5 z+1s 4 c+9 13+1k 8+9 7+j t+q 3+e 5+b 5+6 56+1m 2u+2a d+7 3
  3+7 2+1 2+t 2+1 3+8 d+9 1z+7 3+19 3+7 2+1 s+1q 9 9+21 4 j+20 2w+7 2h+w g+9 7+8 2+18 2+8 g+s
  6+t 3+l 2+d 22+6 2+1 2+17 4 2+1 2+8 9+9 7+5 2+1 2+10 2+1 2+5 8+9 7+17 5+9 6v+m a+g 2+14 4+4
  e+a 2e g+k 18+pl 2v+32 i+5f 219+2o g+tr h+l b+32y 6+g6 5a2+1l 1c7+fs 8+u 2+9 7+26 2+9 7+t 3+4
  c+1i a+3 d+9 2+6 2+k 6+i c1+18 4+9 5j+2e a+o 3+o 19+22 5+1k 8+g 1t+1 2+1 c+6 a+5p1 16+v 2q+36
  6pq+3 2+6 2+1 2+82 g u+2 3 f+3 9+az 1s5+2y 6+c 4+8 8+9 4+1 382+9 ef+19 3+m f3+4 4+5 9+7 3+6
  v+3 45+2 3g+j d+j 31+o 3s+2c 2+1y 2+1 3 3+1 3+3 2+b 2 2+6 2+1s 2+3 3+7 2+6 2+r 2+3 2+4 2 4+6
  2+9f 3+o 2+o 2+u 2+o 2+u 2+o 2+u 2+o 2+u 2+o 2+7 3+1d e9+1i 5+1d 9 f n+4 2+e up+u 7+5 5y+6 2+g
  3+6 2+1 2+4 6+1p y 35+18 4+d 3+9 5 8y+u i+1l d3+15 5z+16 5i+u 2+l 9+1 69+6 2+3 2+1 2+e 2+5g
  3+f 16+23 5+9 m0+1m 2+2 2+3 25+18 2+e 5f+3 2+q 2+1 2 3 2+9 2+3 2 2 7 5 2 2 2+2 2+1 2 3 2 2 2 2
  2+1 2 3+3 2+6 2+3 2+3 2 2+9 2+g 6+2 2+4 2+g g5+c 25g+9 sn+wyn x+3dp 3+4gd 3+5rk g+h9 1wj+f1
  15v+3t6 6+6jt f62v+6n
`;

const escaped = (codePoint: number) => `\\u{${codePoint.toString(16)}}`;

/** The characters, as they stand in a class of a regular expression with the flag u. */
export const nicknameCharacters = (): string => {
  let end = 0;
  return RANGES.trim()
    .split(/\s+/)
    .map((word) => {
      const [ahead = "", length = "0"] = word.split("+");
      const begin = end + Number.parseInt(ahead, 36);
      end = begin + Number.parseInt(length, 36);
      return begin === end ? escaped(begin) : `${escaped(begin)}-${escaped(end)}`;
    })
    .join("");
};

const FIRST_METHOD_TYPES = ["OAUTH", "EMAIL_OTP", "PASSKEY"] as const;

/** Types of credentials of all revisions (spec/later-wallets.md#codes-by-text-message). */
export const AUTH_METHOD_TYPES = [...FIRST_METHOD_TYPES, "SMS_OTP"] as const;
export type AuthMethodType = (typeof AUTH_METHOD_TYPES)[number];

const MethodType = () =>
  withValues(enumOf("AuthMethodType", FIRST_METHOD_TYPES), { SMS_OTP: addedValue("smsCodes") });

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

/** A key in the forms of either revision, documented in one of them. */
const keyOf = (pattern: string) =>
  z
    .string()
    .refine((text) => new RegExp(EITHER_KEY).test(text), {
      error: KEY_FORM,
      params: { pattern: UNCOMPRESSED_KEY },
    })
    .meta({ pattern });

/**
 * Point of P-256 in hex (spec/wallets.md#client-public-key). The curve is checked elsewhere, and so
 * is the form that a revision takes.
 */
export const ClientPublicKey: z.ZodType<string, string> = replaced(
  named("ClientPublicKey", () => keyOf(UNCOMPRESSED_KEY)),
  added(
    "clientHeldSessionKeys",
    named("ClientPublicKey", () => keyOf(EITHER_KEY)),
  ),
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

const SmsOtpCredentialInput = named("SmsOtpCredentialInput", () =>
  z.object({ type: z.literal("SMS_OTP"), accountId: AnyId }),
);

/**
 * Body of POST /auth/credentials (spec/credentials.md#create-body, spec/passkeys.md#registration).
 */
export const CredentialInput = named("CredentialInput", () =>
  withVariants(
    z.discriminatedUnion("type", [
      EmailOtpCredentialInput,
      OauthCredentialInput,
      PasskeyCredentialInput,
    ]),
    [added("smsCodes", SmsOtpCredentialInput)],
  ),
);

export type CredentialInput = z.infer<typeof CredentialInput>;

/** Any value is ignored, save with a passkey: documented is the one that means something. */
const anyKey = (pattern: string) => z.unknown().optional().meta({ type: "string", pattern });

/**
 * Body of POST /auth/credentials/{id}/challenge: a passkey's key; otherwise ignored
 * (spec/credentials.md#challenge).
 */
export const ChallengeInput = named("CredentialChallengeInput", () =>
  revised(z.object({ clientPublicKey: anyKey(UNCOMPRESSED_KEY) }), {
    clientPublicKey: added("clientHeldSessionKeys", anyKey(EITHER_KEY)),
  }),
).optional();

/** A code and a key that travel sealed (spec/later-wallets.md#encrypted-codes). */
const SealedCode = z.string().min(1);

const EmailOtpProof = named("EmailOtpProof", () =>
  revised(
    z.object({
      type: z.literal("EMAIL_OTP"),
      otp: z.string(),
      clientPublicKey: ClientPublicKey,
    }),
    {
      otp: gone("encryptedCodes"),
      clientPublicKey: gone("encryptedCodes"),
      encryptedOtpBundle: added("encryptedCodes", SealedCode),
    },
  ),
);

const SmsOtpProof = named("SmsOtpProof", () =>
  z.object({ type: z.literal("SMS_OTP"), encryptedOtpBundle: SealedCode }),
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
  withVariants(z.discriminatedUnion("type", [EmailOtpProof, OauthProof, PasskeyProof]), [
    added("smsCodes", SmsOtpProof),
  ]),
);

export type VerifyInput = z.infer<typeof VerifyInput>;

const members = () => ({
  accountId: z.string(),
  type: MethodType(),
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

/**
 * The credential whose code was sent, with the key that it is sealed to; lists have none
 * (spec/later-wallets.md#encrypted-codes).
 */
export const SentAuthMethod = named("AuthMethodResponse", () =>
  z.strictObject({
    id: idOf("AuthMethod"),
    ...members(),
    otpEncryptionTargetBundle: z.string().optional(),
  }),
);

export type SentAuthMethod = z.infer<typeof SentAuthMethod>;

/** Challenge for a passkey, with its credential (spec/passkeys.md#authentication-challenge). */
export const PasskeyChallenge = named("PasskeyChallenge", () =>
  revised(
    z.strictObject({
      id: idOf("AuthMethod"),
      ...members(),
      type: z.literal("PASSKEY"),
      credentialId: z.string(),
      challenge: z.string(),
      requestId: idOf("Request"),
      expiresAt: Instant,
    }),
    { challenge: added("hexChallenges", z.string().regex(/^[0-9a-f]{64}$/)) },
  ),
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
  revised(z.object({ clientPublicKey: ClientPublicKey }), {
    // An export is sealed to the client, which takes the whole point.
    clientPublicKey: added("clientHeldSessionKeys", z.string().regex(new RegExp(UNCOMPRESSED_KEY))),
  }),
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
      type: MethodType().optional(),
    })
    .meta({ id: "SigningChallenge" }),
);

export type SigningChallenge = z.infer<typeof SigningChallenge>;
