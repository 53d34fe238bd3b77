import * as z from "zod";
import { defined } from "../../contract/core/defined.ts";
import { listOf } from "../../contract/core/lists.ts";
import {
  AuthMethod,
  AuthSession,
  ChallengeInput,
  ClientKeyInput,
  CredentialInput,
  PasskeyChallenge,
  SentAuthMethod,
  VerifyInput,
  WalletQuery,
} from "../../contract/wallets/credentials.ts";
import { canonicalCredentialId } from "../../crypto/credential-ids.ts";
import { isSameSecret } from "../../crypto/digest.ts";
import { verifyAssertion, verifyRegistration } from "../../crypto/webauthn.ts";
import { Refusal } from "../../domain/core/refusal.ts";
import type { AuthMethodRecord } from "../../domain/records/wallet-records.ts";
import { authMethodByPath } from "../../domain/wallets/auth-methods.ts";
import * as proofs from "../../domain/wallets/credential-proofs.ts";
import * as credentials from "../../domain/wallets/credentials.ts";
import { signedRetry } from "../../domain/wallets/signed-retry.ts";
import { inShape } from "../../http/body/shape.ts";
import type { Call } from "../../http/door/call.ts";
import { endpoint } from "../../http/door/endpoint.ts";
import { findIdToken } from "./id-tokens.ts";
import { isSealed, verifySealed } from "./sealed-codes.ts";
import { issuedKeyFor, requireSessionKey } from "./session-keys.ts";

/** Facts about a new credential's proof, found before its rule runs. */
const factsOf = async (body: CredentialInput, call: Call): Promise<credentials.CredentialFacts> => {
  if (body.type === "PASSKEY") {
    const { challenge, attestation } = body;
    const { transports, ...rest } = attestation;
    const canonicalAttestation = {
      ...rest,
      credentialId: canonicalCredentialId(rest.credentialId),
      ...(transports && { transports }),
    };
    const registration = await call.find("passkey registration", () =>
      verifyRegistration({ attestation: canonicalAttestation, challenge }),
    );
    return { registration };
  }
  if (body.type === "OAUTH") return { idToken: await findIdToken(body.oidcToken, call) };
  return {};
};

export const createCredential = endpoint("createCredential", {
  summary: "Add a credential to a wallet; all but the first need a signed retry",
  signing: "retry",
  body: CredentialInput,
  replies: [201, AuthMethod],
  refuses: [
    "ACCOUNT_NOT_FOUND",
    "NOT_A_WALLET",
    "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS",
    "PASSKEY_CREDENTIAL_ALREADY_EXISTS",
    "OAUTH_CREDENTIAL_ALREADY_EXISTS",
    "CHALLENGE_USED",
    "INVALID_OIDC_TOKEN",
  ],
  later: {
    change: "encryptedCodes",
    replies: [201, SentAuthMethod],
    refuses: ["SMS_OTP_CREDENTIAL_ALREADY_EXISTS", "PHONE_NUMBER_MISSING"],
  },
  isUnsigned: credentials.isFirstCredential,
  handle: async ({ body }, call) => {
    const facts = await factsOf(body, call);
    const input = { body, facts, call: call.signed };
    return call.commit(signedRetry(credentials.createCredential), input);
  },
});

export const listCredentials = endpoint("listCredentials", {
  summary: "List the credentials of a wallet, oldest first",
  query: WalletQuery,
  replies: [200, listOf(AuthMethod)],
  refuses: [],
  handle: (input, { read }) => read(credentials.listCredentials, input),
});

export const deleteCredential = endpoint("deleteCredential", {
  summary: "Revoke a credential and its sessions",
  signing: "retry",
  replies: [204, z.undefined()],
  refuses: ["REFERENCE_NOT_FOUND", "LAST_CREDENTIAL"],
  subject: authMethodByPath,
  handle: ({ params }, { commit, signed }) =>
    commit(signedRetry(credentials.deleteCredential), { params, call: signed }),
});

/** The key that a passkey's challenge is bound to; other credentials take none. */
const challengedKey = (body: unknown, call: Call): string => {
  const { clientPublicKey } = inShape(ClientKeyInput, body, "body") as ClientKeyInput;
  requireSessionKey(call, clientPublicKey);
  return clientPublicKey;
};

export const challengeCredential = endpoint("challengeCredential", {
  summary: "Email a new code, or get a challenge for a passkey to sign",
  body: ChallengeInput,
  replies: [200, z.lazy(() => z.union([PasskeyChallenge, AuthMethod]))],
  refuses: ["REFERENCE_NOT_FOUND", "RATE_LIMITED", "SIGN_IN_OF_DELETED_CUSTOMER"],
  later: {
    change: "encryptedCodes",
    replies: [200, z.lazy(() => z.union([PasskeyChallenge, SentAuthMethod]))],
  },
  subject: authMethodByPath,
  handle: ({ params, body }, call) => {
    const { type } = call.read(authMethodByPath, { params });
    const clientPublicKey = type === "PASSKEY" ? challengedKey(body, call) : undefined;
    return call.commit(proofs.challengeCredential, { params, clientPublicKey });
  },
});

const assertionFacts = async (
  body: VerifyInput,
  { method: { passkey }, challenge }: { method: AuthMethodRecord; challenge?: string },
  call: Call,
): Promise<Pick<proofs.ProofFacts, "assertion">> => {
  if (body.type !== "PASSKEY" || !passkey?.verified || challenge === undefined) return {};
  const { credentialId, verified } = passkey;
  const { userHandle, ...members } = body.assertion;
  const assertion = await call.find("passkey assertion", () =>
    verifyAssertion({
      assertion: { ...members, ...defined({ userHandle }) },
      challenge,
      passkey: { credentialId, ...verified },
    }),
  );
  return { assertion };
};

/** Facts about a proof of one call, found before its rule runs. */
const plainFacts = async (input: proofs.ProofInput, call: Call): Promise<proofs.ProofFacts> => {
  const { body } = input;
  if (body.type !== "PASSKEY") requireSessionKey(call, body.clientPublicKey ?? "");
  const subject = call.read(proofs.proofSubject, input);
  return {
    key: await issuedKeyFor(call, subject.clientPublicKey),
    ...(await assertionFacts(body, subject, call)),
    ...(body.type === "OAUTH" && { idToken: await findIdToken(body.oidcToken, call) }),
    isCode: (pending: string) =>
      call.find(
        "one-time code",
        () => body.type === "EMAIL_OTP" && isSameSecret(body.otp ?? "", pending),
      ),
  };
};

export const verifyCredential = endpoint("verifyCredential", {
  summary: "Verify a credential and start a session",
  signing: "request-id",
  body: VerifyInput,
  replies: [200, AuthSession],
  refuses: [
    "REFERENCE_NOT_FOUND",
    "INVALID_OTP_CODE",
    "INVALID_OIDC_TOKEN",
    "INVALID_PASSKEY_SIGNATURE",
    "SIGN_IN_OF_DELETED_CUSTOMER",
    "RATE_LIMITED",
  ],
  later: { change: "encryptedCodes", signing: "retry", isUnsigned: proofs.isTokenAlone },
  isUnsigned: proofs.isSingleCall,
  subject: authMethodByPath,
  handle: async ({ params, body }, call) => {
    if (isSealed(body)) return verifySealed({ params, body, call: call.signed }, call);
    const input = { params, body, requestId: call.signed.requestId };
    const facts = await plainFacts(input, call);
    const outcome = call.commit(proofs.verifyCredential, { ...input, facts });
    if (outcome instanceof Refusal) throw outcome;
    return outcome;
  },
});
