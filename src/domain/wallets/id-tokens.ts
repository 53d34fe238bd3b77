import type { CryptoMode } from "../../contract/core/crypto-modes.ts";
import { defined } from "../../contract/core/defined.ts";
import { MAGIC_VALUES } from "../../contract/core/magic-values.ts";
import { revisionBefore, takenBy } from "../../contract/core/revisions.ts";
import { digestHex } from "../../crypto/digest.ts";
import type { IdTokenClaims } from "../../crypto/id-tokens.ts";
import type { Draft, Moment, Reading, View } from "../core/draft.ts";
import { CLAIM_LEEWAY, showBeyond, showDuration } from "../core/durations.ts";
import { refuse, refuseByRule } from "../core/refusal.ts";
import { isChanged } from "../core/revision.ts";
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

/** The problem with the claims that later revisions demand, if there is one (spec/later-wallets.md#id-tokens). */
const claimsProblem = ({ sub, aud, exp, isAudList }: IdTokenClaims, atMs: number) => {
  if (exp === undefined) return "the token has no exp claim";
  if (exp * 1000 <= atMs) return "the token expired: exp is not later than the simulated clock";
  if (!sub) return "the token has no sub claim, or an empty one";
  if (!aud || isAudList) return "aud is not one text, or a list of one";
  return undefined;
};

/** The rules of ID tokens that differ between revisions. */
interface IdTokenRules {
  /** The problem with the claims beside their age, if there is one. */
  claimsProblem(claims: IdTokenClaims, atMs: number): string | undefined;
  /** Crypto modes in which a token that makes a credential has to be genuine. */
  provedAtCreation: readonly CryptoMode[];
  /** Crypto modes in which the signature of a token counts. */
  verifiedIn: readonly CryptoMode[];
  /** Refuses the magic token in a mode that takes magic values, where it is withdrawn. */
  refuseMagic(mode: CryptoMode): void;
  /** Refuses text of a wrong form at a sign-in as at the creation of a credential. */
  requireForm(view: View, token: IdToken): void;
  /** A wallet has a credential for each identity. */
  hasSeveralIdentities: boolean;
}

const FIRST_RULES: IdTokenRules = {
  claimsProblem: () => undefined,
  provedAtCreation: ["strict"],
  verifiedIn: ["both", "strict", "magic-only"],
  refuseMagic: () => {},
  requireForm: () => {},
  hasSeveralIdentities: false,
};

const LATER_RULES: IdTokenRules = {
  claimsProblem,
  provedAtCreation: ["both", "strict"],
  verifiedIn: ["strict"],
  refuseMagic: (mode) => {
    if (mode === "both")
      refusedForm(
        `Expected a JWT: header.payload.signature; ${takenBy(revisionBefore("idTokenRules"))}`,
      );
  },
  requireForm: requireIdToken,
  hasSeveralIdentities: true,
};

/** The rules of ID tokens in a world (spec/later-wallets.md#id-tokens). */
export const idTokenRules = (view: View): IdTokenRules =>
  isChanged(view, "idTokenRules") ? LATER_RULES : FIRST_RULES;

/** Tells whether the signature of a token counts. */
export const isSignatureVerified: Reading<unknown, boolean> = (view) =>
  idTokenRules(view).verifiedIn.includes(cryptoMode(view));

/** Refuses a token that is too old or that no known key signed; the age is checked first. */
const requireGenuine = (view: View, { claims = {}, problem }: IdToken, { atMs }: Moment) => {
  const further = idTokenRules(view).claimsProblem(claims, atMs);
  const check = timeProblem(claims, atMs) ?? further ?? problem;
  if (check !== undefined) refusedProof(check);
};

/**
 * Demands a genuine token at creation too, in `--crypto strict` (spec/id-tokens.md#creation-proof).
 * Later revisions look at its claims in `both` as well (spec/later-wallets.md#id-tokens).
 */
export const requireGenuineAtCreation = (
  view: View,
  token: IdToken | undefined,
  moment: Moment,
) => {
  const isChecked = idTokenRules(view).provedAtCreation.includes(cryptoMode(view));
  if (token && isChecked) requireGenuine(view, token, moment);
};

/** The identity of a credential, as its record has it. */
type Kept = AuthMethodRecord["oidc"];

const isSameIssuer = (kept: Kept, { issuer, isOwn }: Pick<TokenIdentity, "issuer" | "isOwn">) =>
  issuer === kept?.issuer || (isOwn === true && kept?.isOwn === true);

/** Tells whether a token names the identity of a credential (spec/id-tokens.md#identity-match). */
export const isSameIdentity = (kept: Kept, identity: TokenIdentity) =>
  isSameIssuer(kept, identity) &&
  kept?.subject === identity.subject &&
  kept?.audience === identity.audience;

/** Refuses the magic token where it does not count; tells whether it was one. */
const isMagicToken = (draft: Draft, text: string): boolean => {
  if (text !== MAGIC_VALUES.oidcToken) return false;
  const mode = cryptoMode(draft);
  if (mode === "strict") refusedProof("--crypto strict accepts no magic value");
  idTokenRules(draft).refuseMagic(mode);
  draft.decidedBy(ruleName("walletProof", text));
  return true;
};

/** The claims of a token to sign in with, whose form is right. */
const claimsToProve = (draft: Draft, token: IdToken): IdTokenClaims => {
  idTokenRules(draft).requireForm(draft, token);
  if (!token.claims) return refusedProof("it is not a JWT: header.payload.signature");
  const { iss = "" } = token.claims;
  if (!isRecognised(draft, token, iss)) refusedProof(`the issuer ${iss} is not recognized`);
  return token.claims;
};

/** Refuses a token that does not prove the credential (spec/id-tokens.md#token-checks). */
export const requireTokenOf = (
  draft: Draft,
  { oidc }: AuthMethodRecord,
  { token, clientPublicKey, moment }: { token: IdToken; clientPublicKey: string; moment: Moment },
) => {
  if (isMagicToken(draft, token.text)) return;
  draft.decidedBy(GENUINE_PROOF);
  if (cryptoMode(draft) === "magic-only")
    refusedProof(`--crypto magic-only accepts only ${MAGIC_VALUES.oidcToken}`);
  const { iss: issuer = "", sub, aud, nonce } = claimsToProve(draft, token);
  requireGenuine(draft, token, moment);
  if (!isSameIssuer(oidc, { issuer, ...(token.isOwn && { isOwn: true }) }))
    refusedProof("iss is not the one of the credential");
  if (sub !== oidc?.subject) refusedProof("sub is not the one of the credential");
  if (aud !== oidc?.audience) refusedProof("aud is not the one of the credential");
  if (isChanged(draft, "idTokenNonces") && nonce !== digestHex(clientPublicKey))
    refusedProof("nonce is not the SHA-256 of the text of clientPublicKey, in lower-case hex");
};
