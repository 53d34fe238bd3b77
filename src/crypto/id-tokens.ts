import { createHash, createPublicKey, type JsonWebKey } from "node:crypto";
import { defined } from "../contract/core/defined.ts";
import { stableWords } from "../contract/core/stable-words.ts";
import { signingKey, signJwsRepeatably } from "./ecdsa.ts";

/**
 * Claims of an ID token that matter here (OpenID Connect Core 1.0, section 2;
 * spec/id-tokens.md#claims).
 */
export interface IdTokenClaims {
  iss?: string;
  sub?: string;
  /** Several are joined by a space. */
  aud?: string;
  email?: string;
  nonce?: string;
  /** Seconds since 1970. */
  iat?: number;
  /** Expiry, seconds since 1970. */
  exp?: number;
  /** Set where `aud` is a list of none, or of several. */
  isAudList?: true;
}

const BASE64URL = /^[A-Za-z0-9_-]+$/;

const jsonObject = (part: string): Record<string, unknown> | undefined => {
  if (!BASE64URL.test(part)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
};

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);

const numberOf = (value: unknown) =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

const audienceOf = (value: unknown) =>
  Array.isArray(value) && value.every((one) => typeof one === "string")
    ? value.join(" ")
    : textOf(value);

/**
 * Reads the claims of a token (spec/id-tokens.md#token-form; RFC 7519, section 7.2): three parts,
 * with JSON objects as header and payload, and an `alg`. Nothing for any other text; the signature
 * is not checked.
 */
export const readIdToken = (token: string): IdTokenClaims | undefined => {
  const [header = "", payload = "", signature = "", ...more] = token.split(".");
  if (more.length > 0 || !BASE64URL.test(signature)) return undefined;
  if (textOf(jsonObject(header)?.alg) === undefined) return undefined;
  const claims = jsonObject(payload);
  if (!claims) return undefined;
  const [iss, sub, email, nonce] = [claims.iss, claims.sub, claims.email, claims.nonce].map(textOf);
  const aud = audienceOf(claims.aud);
  return {
    ...(iss !== undefined && { iss }),
    ...(sub !== undefined && { sub }),
    ...(aud !== undefined && { aud }),
    ...(email !== undefined && { email }),
    ...(nonce !== undefined && { nonce }),
    ...defined({ iat: numberOf(claims.iat), exp: numberOf(claims.exp) }),
    ...(Array.isArray(claims.aud) && claims.aud.length !== 1 && { isAudList: true }),
  };
};

/** A public key as a JWKS lists it (RFC 7517, section 4). */
export type PublicJwk = JsonWebKey & { kid?: string; alg?: string };

/**
 * Algorithms that tokens may be signed with (spec/id-tokens.md#signing-algorithms); `none` and
 * shared secrets are left out.
 */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "ES512", "EdDSA"];

/** The public half of an issuer's key, given as P-256 PEM (PKCS 8) and named by its thumbprint. */
export const publicJwkOf = (keyPem: string): PublicJwk => {
  const { kty, crv, x, y } = createPublicKey(keyPem).export({ format: "jwk" });
  const members = JSON.stringify({ crv, kty, x, y });
  const kid = createHash("sha256").update(members).digest("base64url"); // RFC 7638
  return { kty, crv, x, y, kid, alg: "ES256", use: "sig" } as PublicJwk;
};

const CHECKS: Readonly<Record<string, string>> = {
  ERR_JWKS_NO_MATCHING_KEY: "no known key has its kid and alg",
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: "its signature does not match the known key",
  ERR_JWT_EXPIRED: "its exp has passed on the simulated clock",
  ERR_JOSE_ALG_NOT_ALLOWED: "its alg is not a public-key algorithm",
};

/** Distances of a token's times from the simulated clock that are allowed, in milliseconds. */
interface Leeway {
  nbf: { aheadMs: number };
  exp: { pastMs: number };
}

/** Recognizes jose's error for a missing claim. */
const isMissingClaim = ({ claim, reason }: { claim?: string; reason?: string }) =>
  claim === "exp" && reason === "missing";

/**
 * Checks that one of some keys signed a token that is valid at an instant.
 * @param expected.needsExpiry refuses a token without `exp`, as production does
 * @returns the reason why not; nothing when it is valid
 */
export const verifyIdToken = async (
  token: string,
  expected: { keys: readonly JsonWebKey[]; atMs: number; leeway: Leeway; needsExpiry?: boolean },
): Promise<string | undefined> => {
  const { keys, atMs, leeway, needsExpiry = false } = expected;
  const { createLocalJWKSet, errors, jwtVerify } = await import("jose");
  const options = {
    algorithms: ALGORITHMS,
    currentDate: new Date(atMs),
    // For `nbf` and `exp` alike; the leeway of `exp` is checked below.
    clockTolerance: Math.max(leeway.nbf.aheadMs, leeway.exp.pastMs) / 1000,
    requiredClaims: needsExpiry ? ["exp"] : [],
  };
  try {
    const known = createLocalJWKSet({
      keys: keys as Parameters<typeof createLocalJWKSet>[0]["keys"],
    });
    const { payload } = await jwtVerify(token, known, options).catch(async (error: unknown) => {
      // A token without a key id may be signed with any of several keys.
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      let last: unknown = new errors.JWSSignatureVerificationFailed();
      for await (const key of error)
        try {
          return await jwtVerify(token, key, options);
        } catch (refused) {
          last = refused;
        }
      throw last;
    });
    const isExpired = Number(payload.exp) * 1000 + leeway.exp.pastMs <= atMs;
    return isExpired ? CHECKS.ERR_JWT_EXPIRED : undefined;
  } catch (error) {
    const { code = "" } = error as { code?: string };
    if (isMissingClaim(error as object)) return "the token has no exp claim, which strict requires";
    return CHECKS[code] ?? stableWords(error, "it cannot be checked");
  }
};

const base64UrlOf = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/**
 * Signs claims as an issuer does: ES256, with the key's `kid` in the header.
 * @param options.isRepeatable signs without randomness (spec/clock.md#repeatable-signatures)
 */
export const signIdToken = async (
  claims: object,
  keyPem: string,
  { isRepeatable }: { isRepeatable: boolean },
): Promise<string> => {
  const header = { alg: "ES256", typ: "JWT", kid: publicJwkOf(keyPem).kid as string };
  const { repeatableScalar } = signingKey(keyPem, { isRepeatable });
  if (repeatableScalar !== undefined) {
    const signed = `${base64UrlOf(header)}.${base64UrlOf(claims)}`;
    return `${signed}.${signJwsRepeatably(repeatableScalar, signed)}`;
  }
  const { importPKCS8, SignJWT } = await import("jose");
  return new SignJWT({ ...claims })
    .setProtectedHeader(header)
    .sign(await importPKCS8(keyPem, "ES256"));
};
