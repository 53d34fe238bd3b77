import { MAGIC_VALUES } from "../../contract/core/magic-values.ts";
import type {
  AuthSession,
  PasskeyChallenge,
  SentAuthMethod,
  VerifyInput,
} from "../../contract/wallets/credentials.ts";
import { digestHex } from "../../crypto/digest.ts";
import { counterProblem, partyProblem } from "../../crypto/relying-party.ts";
import type { AssertionFacts } from "../../crypto/webauthn.ts";
import { canonicalJson } from "../core/canonical-json.ts";
import {
  type Draft,
  HEX,
  instant,
  type Moment,
  type Reading,
  type Rule,
  type View,
} from "../core/draft.ts";
import { DURATIONS } from "../core/durations.ts";
import { type Refusal, refuse, refuseByRule } from "../core/refusal.ts";
import { isChanged } from "../core/revision.ts";
import { ruleName } from "../outcomes/rule-names.ts";
import type { AuthMethodRecord, RequestRecord } from "../records/wallet-records.ts";
import {
  authMethodByPath,
  credentialIdOf,
  credentialOfProof,
  requireSignInOf,
  showAuthMethod,
  walletOf,
} from "./auth-methods.ts";
import { showSent } from "./code-signer.ts";
import { cryptoMode } from "./crypto-mode.ts";
import { type IdToken, requireTokenOf } from "./id-tokens.ts";
import { reissueCode, takeCode } from "./one-time-codes.ts";
import { GENUINE_PROOF } from "./proof-rules.ts";
import { type IssuedKey, issueSession, originOf } from "./sessions.ts";
import { keepRequest, pendingRequest, useRequest } from "./signed-retry.ts";
import { activityText, sessionActivity } from "./wallet-activities.ts";

const CHALLENGE_BYTES = 32;

/**
 * Draws a WebAuthn challenge, in canonical base64url because clients decode and encode it again.
 */
const drawChallenge = (moment: Moment) =>
  Buffer.from(moment.draw("passkey-challenge", CHALLENGE_BYTES * 2, HEX), "hex").toString(
    "base64url",
  );

/**
 * Makes the text of a challenge from the id of its request: random bytes, or the hash of the
 * session that is asked for (spec/revisions.md#hex-challenges).
 */
const challengeFor = (
  view: View,
  { method, clientPublicKey }: { method: AuthMethodRecord; clientPublicKey: string },
  moment: Moment,
) => {
  if (!isChanged(view, "hexChallenges")) return () => drawChallenge(moment);
  const wallet = walletOf(view, method.accountId);
  return (requestId: string) =>
    digestHex(
      activityText(wallet, sessionActivity(clientPublicKey), { atMs: moment.atMs, requestId }),
    );
};

const passkeyOperation = ({ id }: AuthMethodRecord) => `PASSKEY ${id}`;

/**
 * POST /auth/credentials/{id}/challenge: mails a code or issues a passkey challenge
 * (spec/credentials.md#challenge, spec/passkeys.md#authentication-challenge).
 */
export const challengeCredential: Rule<
  { params: { id: string }; clientPublicKey: string | undefined },
  SentAuthMethod | PasskeyChallenge
> = (draft, { params, clientPublicKey }, moment) => {
  const method = authMethodByPath(draft, { params });
  requireSignInOf(draft, method.accountId);
  if (method.type === "OAUTH")
    return refuse(
      "INVALID_INPUT",
      { field: "id", value: method.id },
      "An OAUTH credential has no challenge: POST its token to verify",
    );
  if (method.type !== "PASSKEY") {
    reissueCode(draft, method, moment);
    return showSent(draft, method.id, moment);
  }
  if (clientPublicKey === undefined)
    return refuse(
      "INVALID_INPUT",
      { field: "clientPublicKey" },
      "clientPublicKey is needed: the challenge is bound to it",
    );
  const request = keepRequest(
    draft,
    {
      operation: passkeyOperation(method),
      body: canonicalJson({ clientPublicKey }),
      payloadFor: challengeFor(draft, { method, clientPublicKey }, moment),
      clientPublicKey,
      expiresAtMs: moment.atMs + DURATIONS.passkeyChallengeLifetimeMs,
    },
    moment,
  );
  return {
    ...showAuthMethod(method),
    credentialId: "",
    ...credentialIdOf(method),
    challenge: request.payloadToSign,
    requestId: request.id,
    expiresAt: instant(request.expiresAtMs),
  };
};

/** Facts about a proof, found before its rule runs. */
export interface ProofFacts {
  idToken?: IdToken;
  assertion?: AssertionFacts;
  /** Tells whether the code of the proof is the one that was mailed. */
  isCode(pending: string): boolean;
  key: IssuedKey;
}

/** A proof that needs one call: all but codes that travel sealed. */
export type PlainProof = Exclude<VerifyInput, { type: "SMS_OTP" }>;

export interface ProofInput {
  params: { id: string };
  body: PlainProof;
  requestId: string | undefined;
}

/** Tells whether a credential is proved by a single call, so that `Request-Id` does not count. */
export const isSingleCall: Reading<{ params: { id: string } }, boolean> = (
  view,
  { params: { id } },
) => {
  const method = view.get("AuthMethod", id);
  return method !== undefined && method.type !== "PASSKEY";
};

/** Tells the same where codes travel sealed, in two calls: ID tokens alone need one. */
export const isTokenAlone: typeof isSingleCall = (view, { params: { id } }) =>
  view.get("AuthMethod", id)?.type === "OAUTH";

/** Finds the passkey challenge that a proof answers (spec/passkeys.md#request-binding). */
const challengeOf = (
  view: View,
  { method, requestId }: { method: AuthMethodRecord; requestId: string | undefined },
  moment: Moment,
): RequestRecord => {
  if (requestId === undefined)
    return refuse("REQUEST_ID_MISSING", { check: "a passkey's proof names its challenge" });
  return pendingRequest(view, { requestId, operation: passkeyOperation(method) }, moment);
};

/**
 * Finds the credential of a proof and checks the proof's form (spec/credentials.md#verify-checks).
 */
export const proofSubject: Reading<
  ProofInput,
  { method: AuthMethodRecord; clientPublicKey: string; challenge?: string }
> = (view, { params, body, requestId }, moment) => {
  const method = credentialOfProof(view, { params, body });
  if (body.type !== "PASSKEY") return { method, clientPublicKey: body.clientPublicKey ?? "" };
  const request = challengeOf(view, { method, requestId }, moment);
  return {
    method,
    clientPublicKey: request.clientPublicKey ?? "",
    challenge: request.payloadToSign,
  };
};

/**
 * Accepts an assertion: stores its counter and binds its relying party
 * (spec/passkeys.md#signature-counter). The magic assertion changes nothing. Counter and party are
 * compared with the stored ones, because another assertion may have come in during the
 * verification.
 */
const takeAssertion = (
  draft: Draft,
  method: AuthMethodRecord,
  { signature, facts }: { signature: string; facts: ProofFacts },
): AuthMethodRecord => {
  const refusedAssertion = (check: string): never =>
    refuseByRule(GENUINE_PROOF, "INVALID_PASSKEY_SIGNATURE", { id: method.id, check });
  const mode = cryptoMode(draft);
  if (signature === MAGIC_VALUES.passkeySignature) {
    if (mode === "strict") refusedAssertion("--crypto strict accepts no magic value");
    draft.decidedBy(ruleName("walletProof", signature));
    return method;
  }
  if (mode === "magic-only")
    refusedAssertion(`--crypto magic-only accepts only ${MAGIC_VALUES.passkeySignature}`);
  const { assertion } = facts;
  const { passkey } = method;
  if (!passkey?.verified || !assertion)
    return refusedAssertion(
      "the passkey's registration could not be read, so its proofs cannot be verified",
    );
  if (assertion.kind === "refused") return refusedAssertion(assertion.check);
  const { kind: _kind, counter, ...party } = assertion;
  const { verified } = passkey;
  const problem = partyProblem(party, verified) ?? counterProblem(counter, verified.counter);
  if (problem !== undefined) refusedAssertion(problem);
  draft.decidedBy(GENUINE_PROOF);
  return { ...method, passkey: { ...passkey, verified: { ...verified, counter, ...party } } };
};

/**
 * POST /auth/credentials/{id}/verify: issues a session for a right proof
 * (spec/credentials.md#verify-checks). A wrong code is counted, so its refusal is returned as a
 * value. The caller throws it once the count is stored.
 */
export const verifyCredential: Rule<ProofInput & { facts: ProofFacts }, AuthSession | Refusal> = (
  draft,
  input,
  moment,
) => {
  const { body, facts, requestId } = input;
  const { method } = proofSubject(draft, input, moment);
  const origin = originOf(method);
  if (body.type === "EMAIL_OTP") {
    const problem = takeCode(draft, method, { code: body.otp ?? "", isSame: facts.isCode, moment });
    return problem ?? issueSession(draft, { origin, key: facts.key }, moment);
  }
  if (body.type === "OAUTH") {
    const { clientPublicKey } = body;
    requireTokenOf(draft, method, { token: facts.idToken as IdToken, clientPublicKey, moment });
    return issueSession(draft, { origin, key: facts.key }, moment);
  }
  const request = challengeOf(draft, { method, requestId }, moment);
  const { signature } = body.assertion;
  draft.put("AuthMethod", takeAssertion(draft, method, { signature, facts }));
  useRequest(draft, request, moment);
  return issueSession(draft, { origin, key: facts.key }, moment);
};
