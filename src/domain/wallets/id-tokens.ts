import { defined } from "../../contract/core/defined.ts";
import { MAGIC_VALUES } from "../../contract/core/magic-values.ts";
import { digestHex } from "../../crypto/digest.ts";
import type { IdTokenClaims } from "../../crypto/id-tokens.ts";
import type { Draft, Moment, View } from "../core/draft.ts";
import { CLAIM_LEEWAY, showBeyond, showDuration } from "../core/durations.ts";
import { refuse, refuseByRule } from "../core/refusal.ts";
import { isChanged, takenElsewhere } from "../core/revision.ts";
import { settingsInForce } from "../core/world-settings.ts";
import { ruleName } from "../outcomes/rule-names.ts";
import type { AuthMethodRecord } from "../records/wallet-records.ts";
import { cryptoMode } from "./crypto-mode.ts";
import { GENUINE_PROOF } from "./proof-rules.ts";

/**
 * Public issuers that are always recognized, each with its name
 * (spec/id-tokens.md#recognized-issuers).
 */
export const KNOWN_ISSUERS: Readonly<Record<string, string>> = {
  "https://accounts.google.com": "Google",
  "accounts.google.com": "Google",
  "https://appleid.apple.com": "Apple",
};

/** An ID token with the facts found before its rule runs. */
export interface IdToken {
  text: string;
  /** Absent when the text is not a JWT. */
  claims: IdTokenClaims | undefined;
  /** True when the token names the simulator's own issuer. */
  isOwn: boolean;
  /** True when the start names keys for its issuer. */
  isConfigured: boolean;
  /** The reason why no known key verifies the token; absent when one does. */
  problem: string | undefined;
}

/** The identity in a token, which its credential keeps (spec/id-tokens.md#identity-match). */
export interface TokenIdentity {
  issuer: string;
  /** Marks the simulator's own issuer, whose address may change at a restart. */
  isOwn?: true;
  subject?: string;
  audience?: string;
  email?: string;
}

/**
 * The provider's name in a payload: a known name, else the host (spec/id-tokens.md#provider-names).
 */
export const providerName = (issuer: string): string =>
  KNOWN_ISSUERS[issuer] ?? (URL.canParse(issuer) ? new URL(issuer).host : issuer);

const refusedForm = (check: string): never =>
  refuse("INVALID_INPUT", { field: "oidcToken", check }, `oidcToken: ${check}`);

const refusedProof = (check: string): never =>
  refuseByRule(GENUINE_PROOF, "INVALID_OIDC_TOKEN", { check });

const isRecognised = (view: View, { isOwn, isConfigured }: IdToken, issuer: string) =>
  isOwn ||
  isConfigured ||
  Object.hasOwn(KNOWN_ISSUERS, issuer) ||
  settingsInForce(view).oidcIssuers.includes(issuer);

/** Refuses text that is not a JWT, or not of a recognized issuer (spec/id-tokens.md#token-form). */
export const requireIdToken = (view: View, token: IdToken | undefined): TokenIdentity => {
  const claims = token?.claims;
  if (!token || !claims) return refusedForm("Expected a JWT: header.payload.signature");
  const { iss, sub, aud, email } = claims;
  if (iss === undefined) return refusedForm("Expected a token with an iss claim");
  if (!isRecognised(view, token, iss))
    return refusedForm(`the issuer ${iss} is not recognized; --oidc-issuer adds one`);
  return {
    issuer: iss,
    ...(token.isOwn && { isOwn: true }),
    ...defined({ subject: sub, audience: aud, email }),
  };
};

/** The problem with a token's age, if there is one (spec/id-tokens.md#token-age). */
const timeProblem = ({ iat }: IdTokenClaims, atMs: number): string | undefined => {
  if (iat === undefined) return "the token has no iat claim";
  const ageMs = atMs - iat * 1000;
  const { pastMs: oldestMs, aheadMs } = CLAIM_LEEWAY.iat;
  if (ageMs > oldestMs)
    return `iat is ${showBeyond(ageMs, oldestMs)} old, more than ${showDuration(oldestMs)}`;
  if (-ageMs <= aheadMs) return undefined;
  const ahead = showBeyond(-ageMs, aheadMs);
  return `iat is ${ahead} ahead of the simulated clock, more than ${showDuration(aheadMs)}`;
};

export const isTimely = (claims: IdTokenClaims, atMs: number) =>
  timeProblem(claims, atMs) === undefined;

/** Refuses a token that is too old or that no known key signed; the age is checked first. */
export const requireGenuine = ({ claims = {}, problem }: IdToken, { atMs }: Moment) => {
  const check = timeProblem(claims, atMs) ?? problem;
  if (check !== undefined) refusedProof(check);
};

/**
 * Demands a genuine token at creation too, in `--crypto strict` (spec/id-tokens.md#creation-proof).
 */
export const requireGenuineAtCreation = (
  view: View,
  token: IdToken | undefined,
  moment: Moment,
) => {
  if (token && cryptoMode(view) === "strict") requireGenuine(token, moment);
};

/** Refuses a token that does not prove the credential (spec/id-tokens.md#token-checks). */
export const requireTokenOf = (
  draft: Draft,
  { oidc }: AuthMethodRecord,
  { token, clientPublicKey, moment }: { token: IdToken; clientPublicKey: string; moment: Moment },
) => {
  const mode = cryptoMode(draft);
  const hasNonce = isChanged(draft, "idTokenNonces");
  if (token.text === MAGIC_VALUES.oidcToken) {
    if (mode === "strict") refusedProof("--crypto strict accepts no magic value");
    if (hasNonce && mode === "both")
      refusedProof(`it is not a JWT; ${takenElsewhere(draft, "idTokenNonces")}`);
    draft.decidedBy(ruleName("walletProof", token.text));
    return;
  }
  draft.decidedBy(GENUINE_PROOF);
  if (mode === "magic-only")
    refusedProof(`--crypto magic-only accepts only ${MAGIC_VALUES.oidcToken}`);
  if (!token.claims) return refusedProof("it is not a JWT: header.payload.signature");
  const { iss = "", sub, aud, nonce } = token.claims;
  if (!isRecognised(draft, token, iss)) refusedProof(`the issuer ${iss} is not recognized`);
  requireGenuine(token, moment);
  if (iss !== oidc?.issuer && !(token.isOwn && oidc?.isOwn))
    refusedProof("iss is not the one of the credential");
  if (sub !== oidc?.subject) refusedProof("sub is not the one of the credential");
  if (aud !== oidc?.audience) refusedProof("aud is not the one of the credential");
  if (hasNonce && nonce !== digestHex(clientPublicKey))
    refusedProof("nonce is not the SHA-256 of the text of clientPublicKey, in lower-case hex");
};
