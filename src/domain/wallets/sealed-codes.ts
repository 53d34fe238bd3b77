import { MAGIC_VALUES } from "../../contract/core/magic-values.ts";
import type { AuthSession, VerifyInput } from "../../contract/wallets/credentials.ts";
import { digestHex } from "../../crypto/digest.ts";
import { verificationToken } from "../../crypto/verification-tokens.ts";
import { canonicalJson } from "../core/canonical-json.ts";
import {
  type Draft,
  instant,
  type Moment,
  type Reading,
  type Rule,
  type View,
} from "../core/draft.ts";
import { DURATIONS } from "../core/durations.ts";
import { type Refusal, refusalByRule, refuse, refuseByRule } from "../core/refusal.ts";
import type { AuthMethodRecord, RequestRecord } from "../records/wallet-records.ts";
import { credentialOfProof, walletOf } from "./auth-methods.ts";
import { quorumKeyHex } from "./code-signer.ts";
import { countCode, useUpCode } from "./one-time-codes.ts";
import { GENUINE_PROOF } from "./proof-rules.ts";
import { issueSession, originOf } from "./sessions.ts";
import { operationOf, type SignedCall } from "./signed-operations.ts";
import {
  Challenged,
  keepRequest,
  pendingRequest,
  requireSameBody,
  useRequest,
} from "./signed-retry.ts";
import { providerNames } from "./wallet-activities.ts";
import { requireSignatureOfKey } from "./wallet-signatures.ts";

/** A code and a key that were opened; nothing of the code but whether it is the magic one. */
export interface OpenedCode {
  kind: "opened";
  /** The client's key, compressed. */
  publicKeyHex: string;
  isMagic: boolean;
}

/** Facts about a sealed code, found before its rule runs. */
export interface SealedCodeFacts {
  /** Private half of the key that it was opened with; absent where no code is pending. */
  targetKeyHex: string | undefined;
  found: OpenedCode | { kind: "sealed otherwise" } | { kind: "no code"; check: string };
  /** Tells whether the code is the one that was sent. */
  isCode(pending: string): boolean;
}

type CodeProof = Extract<VerifyInput, { type: "EMAIL_OTP" | "SMS_OTP" }>;

export interface SealedProof {
  params: { id: string };
  body: CodeProof;
  call: SignedCall;
}

/** Finds the credential of a code and the key that its newest challenge gave. */
export const sealedSubject: Reading<
  SealedProof,
  { method: AuthMethodRecord; targetKeyHex: string | undefined }
> = (view, input, { atMs }) => {
  const method = credentialOfProof(view, input);
  const { otp } = method;
  const isPending = otp !== undefined && atMs < otp.expiresAtMs;
  return { method, targetKeyHex: isPending ? otp.targetKeyHex : undefined };
};

/** Tells whether a call carries neither signature header, so that it is the first one. */
export const isFirstCall = ({ signature, requestId }: SignedCall) =>
  signature === undefined && requestId === undefined;

const refusedBundle = () =>
  refusalByRule(
    GENUINE_PROOF,
    "INVALID_OTP_CODE",
    { check: "bundle" },
    {
      says: "The code was not accepted: the bundle does not open with the key of the newest challenge",
    },
  );

const OTP_TYPES = { EMAIL_OTP: "OTP_TYPE_EMAIL", SMS_OTP: "OTP_TYPE_SMS" } as const;

const tokenFor = (
  view: View,
  {
    method,
    publicKeyHex,
  }: { method: AuthMethodRecord & { type: CodeProof["type"] }; publicKeyHex: string },
  moment: Moment,
) => {
  const { organizationId } = providerNames(walletOf(view, method.accountId));
  const signerHex = quorumKeyHex(moment);
  const iat = Math.floor(moment.atMs / 1000);
  return (id: string) =>
    verificationToken(
      {
        id,
        verification_type: OTP_TYPES[method.type],
        contact: method.email ?? method.phoneNumber ?? method.nickname,
        organization_id: organizationId,
        public_key: publicKeyHex,
        iat,
        exp: `${iat * 1000 + DURATIONS.verificationTokenLifetimeMs}`,
      },
      signerHex,
    );
};

/**
 * Takes a sealed code and asks for the signature of the key in it
 * (spec/later-wallets.md#encrypted-codes). A wrong code is counted, so its refusal is returned.
 */
export const proveCode: Rule<SealedProof & { facts: SealedCodeFacts }, Challenged | Refusal> = (
  draft,
  input,
  moment,
) => {
  const { body, call, facts } = input;
  const { found, isCode } = facts;
  const { method, targetKeyHex } = sealedSubject(draft, input, moment);
  if (found.kind === "no code")
    return refuse("INVALID_INPUT", { field: "encryptedOtpBundle" }, found.check);
  // Another challenge may have come between the opening and here.
  if (found.kind !== "opened" || targetKeyHex === undefined || targetKeyHex !== facts.targetKeyHex)
    return refusedBundle();
  const code = found.isMagic ? MAGIC_VALUES.otp : "";
  const problem = countCode(draft, method, { code, isSame: isCode, moment });
  if (problem) return problem;
  const { publicKeyHex } = found;
  const { type } = body;
  const request = keepRequest(
    draft,
    {
      operation: operationOf(call),
      body: canonicalJson(body),
      payloadFor: tokenFor(draft, { method: { ...method, type }, publicKeyHex }, moment),
      clientPublicKey: publicKeyHex,
      seen: digestHex(targetKeyHex),
      expiresAtMs: moment.atMs + DURATIONS.signedRetryLifetimeMs,
    },
    moment,
  );
  return new Challenged({
    payloadToSign: request.payloadToSign,
    requestId: request.id,
    expiresAt: instant(request.expiresAtMs),
    type,
  });
};

const answeredRequest = (
  draft: Draft,
  { call, body }: SealedProof,
  moment: Moment,
): RequestRecord => {
  const { signature, requestId, find } = call;
  if (signature === undefined)
    return refuse("WALLET_SIGNATURE_MISSING", { requestId, check: "only Request-Id was sent" });
  if (requestId === undefined)
    return refuse("REQUEST_ID_MISSING", { check: "only Service-Wallet-Signature was sent" });
  const request = pendingRequest(draft, { requestId, operation: operationOf(call) }, moment);
  requireSameBody(request, body);
  const { payloadToSign: payload, clientPublicKey: publicKeyHex = "" } = request;
  requireSignatureOfKey(draft, { signature, payload, publicKeyHex, find });
  return request;
};

/**
 * Starts the session of a code that was proved, whose key the client holds
 * (spec/later-wallets.md#encrypted-codes). The code is used up.
 */
export const startSealedSession: Rule<SealedProof, AuthSession> = (draft, input, moment) => {
  const method = credentialOfProof(draft, input);
  const request = answeredRequest(draft, input, moment);
  if (digestHex(method.otp?.targetKeyHex ?? "") !== request.seen)
    refuseByRule(GENUINE_PROOF, "INVALID_OTP_CODE", {
      check: "its code was used, or another one was sent since",
    });
  useRequest(draft, request, moment);
  useUpCode(draft, method);
  const key = { publicKeyHex: request.clientPublicKey ?? "" };
  return issueSession(draft, { origin: originOf(method), key }, moment);
};
