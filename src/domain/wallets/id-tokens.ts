import { defined } from "../../contract/core/defined.ts";
import { MAGIC_VALUES } from "../../contract/core/magic-values.ts";
import type { IdTokenClaims } from "../../crypto/id-tokens.ts";
import type { Moment, View } from "../core/draft.ts";
import { DURATIONS, showBeyond, showDuration } from "../core/durations.ts";
import { refuse } from "../core/refusal.ts";
import { settingsInForce } from "../core/world-settings.ts";
import type { AuthMethodRecord } from "../records/wallet-records.ts";
import { cryptoMode } from "./crypto-mode.ts";

/** Issuers that are known to everybody, and the provider's name (wallets digest 11.7). */
export const KNOWN_ISSUERS: Readonly<Record<string, string>> = {
  "https://accounts.google.com": "Google",
  "accounts.google.com": "Google",
  "https://appleid.apple.com": "Apple",
};

/** A token as it was found before its rule ran. */
export interface IdToken {
  text: string;
  /** Nothing when it has not the form of a JWT. */
  claims: IdTokenClaims | undefined;
  /** It says to come from the simulator's own issuer. */
  isOwn: boolean;
  /** The start names keys for its issuer. */
  isConfigured: boolean;
  /** Why no known key has signed it; nothing when one has. */
  problem: string | undefined;
}

/** Whose identity a token tells. */
export interface TokenIdentity {
  issuer: string;
  /** The simulator's own, whose address may be another one after a restart. */
  isOwn?: true;
  subject?: string;
  audience?: string;
  email?: string;
}

/** What a provider is called in a payload: by name where it is known, else by its host. */
export const providerName = (issuer: string): string =>
  KNOWN_ISSUERS[issuer] ?? (URL.canParse(issuer) ? new URL(issuer).host : issuer);

const refusedForm = (check: string): never =>
  refuse("INVALID_INPUT", { field: "oidcToken", check }, `oidcToken: ${check}`);

const refusedProof = (check: string): never => refuse("INVALID_OIDC_TOKEN", { check });

const isRecognised = (view: View, { isOwn, isConfigured }: IdToken, issuer: string) =>
  isOwn ||
  isConfigured ||
  Object.hasOwn(KNOWN_ISSUERS, issuer) ||
  settingsInForce(view).oidcIssuers.includes(issuer);

/** Refuses what is no JWT of a recognised issuer (wallets digest 5.1, 11.7). */
export const requireIdToken = (view: View, token: IdToken | undefined): TokenIdentity => {
  const claims = token?.claims;
  if (!token || !claims) return refusedForm("Expected a JWT: header.payload.signature");
  const { iss, sub, aud, email } = claims;
  if (iss === undefined) return refusedForm("Expected a token with an iss claim");
  if (!isRecognised(view, token, iss))
    return refusedForm(`the issuer ${iss} is not recognised; --oidc-issuer adds one`);
  return {
    issuer: iss,
    ...(token.isOwn && { isOwn: true }),
    ...defined({ subject: sub, audience: aud, email }),
  };
};

/** What is wrong with a token's time; nothing when it is right (wallets digest 11.7). */
const timeProblem = ({ iat }: IdTokenClaims, atMs: number): string | undefined => {
  if (iat === undefined) return "the token has no iat claim";
  const ageMs = atMs - iat * 1000;
  const { oidcTokenAgeMs: oldestMs, oidcTokenAheadMs: aheadMs } = DURATIONS;
  if (ageMs > oldestMs)
    return `iat is ${showBeyond(ageMs, oldestMs)} old, more than ${showDuration(oldestMs)}`;
  if (-ageMs <= aheadMs) return undefined;
  const ahead = showBeyond(-ageMs, aheadMs);
  return `iat is ${ahead} ahead of the simulated clock, more than ${showDuration(aheadMs)}`;
};

export const isTimely = (claims: IdTokenClaims, atMs: number) =>
  timeProblem(claims, atMs) === undefined;

/** Refuses a token whose time is wrong or that no known key has signed; time first (O29). */
export const requireGenuine = ({ claims = {}, problem }: IdToken, { atMs }: Moment) => {
  const check = timeProblem(claims, atMs) ?? problem;
  if (check !== undefined) refusedProof(check);
};

/** In `--crypto strict` a token is proved when its credential is made, too. */
export const requireGenuineAtCreation = (
  view: View,
  token: IdToken | undefined,
  moment: Moment,
) => {
  if (token && cryptoMode(view) === "strict") requireGenuine(token, moment);
};

/** Refuses a token that does not prove to be the credential's own (wallets digest 5.5). */
export const requireTokenOf = (
  view: View,
  { oidc }: AuthMethodRecord,
  { token, moment }: { token: IdToken; moment: Moment },
) => {
  const mode = cryptoMode(view);
  if (token.text === MAGIC_VALUES.oidcToken) {
    if (mode === "strict") refusedProof("--crypto strict takes no magic value");
    return;
  }
  if (mode === "magic-only")
    refusedProof(`--crypto magic-only takes only ${MAGIC_VALUES.oidcToken}`);
  if (!token.claims) return refusedProof("it is no JWT: header.payload.signature");
  const { iss = "", sub, aud } = token.claims;
  if (!isRecognised(view, token, iss)) refusedProof(`the issuer ${iss} is not recognised`);
  requireGenuine(token, moment);
  if (iss !== oidc?.issuer && !(token.isOwn && oidc?.isOwn))
    refusedProof("iss is not the one of the credential");
  if (sub !== oidc?.subject) refusedProof("sub is not the one of the credential");
  if (aud !== oidc?.audience) refusedProof("aud is not the one of the credential");
};
