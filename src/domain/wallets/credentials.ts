import type {
  AuthMethod,
  AuthMethodType,
  CredentialInput,
  SentAuthMethod,
} from "../../contract/wallets/credentials.ts";
import { canonicalCredentialId } from "../../crypto/credential-ids.ts";
import type { RegistrationFacts } from "../../crypto/webauthn.ts";
import type { Draft, Moment, Reading, View } from "../core/draft.ts";
import { type RefusalDetails, type RefusalWords, refuse } from "../core/refusal.ts";
import { isChanged, takenElsewhere } from "../core/revision.ts";
import type { InternalAccountRecord } from "../records/records.ts";
import type { AuthMethodRecord } from "../records/wallet-records.ts";
import {
  authMethodByPath,
  authMethodsOf,
  requireWallet,
  showAuthMethod,
  walletOf,
} from "./auth-methods.ts";
import { showSent } from "./code-signer.ts";
import { cryptoMode } from "./crypto-mode.ts";
import {
  type IdToken,
  idTokenRules,
  isSameIdentity,
  providerName,
  requireGenuineAtCreation,
  requireIdToken,
} from "./id-tokens.ts";
import { sendCode } from "./one-time-codes.ts";
import { requireUnusedChallenge, useChallenge } from "./registration-challenges.ts";
import { revokeSessionsOf } from "./sessions.ts";
import type { SignedCall, SignedOperation } from "./signed-operations.ts";
import { numberActivity, type WalletActivity } from "./wallet-activities.ts";

/** Facts about a proof, found before its rule ran: verified, or the reason why not. */
export interface CredentialFacts {
  registration?: RegistrationFacts;
  idToken?: IdToken;
}

export interface CreateInput {
  body: CredentialInput;
  call: SignedCall;
  facts: CredentialFacts;
}

type AboutSecond = [details: RefusalDetails, words?: RefusalWords];

/**
 * Refusals of a second credential of a type, each with its own code
 * (spec/credentials.md#create-checks).
 */
const REFUSE_SECOND: Record<AuthMethodType, (...more: AboutSecond) => never> = {
  EMAIL_OTP: (...more) => refuse("EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS", ...more),
  SMS_OTP: (...more) => refuse("SMS_OTP_CREDENTIAL_ALREADY_EXISTS", ...more),
  PASSKEY: (...more) => refuse("PASSKEY_CREDENTIAL_ALREADY_EXISTS", ...more),
  OAUTH: (...more) => refuse("OAUTH_CREDENTIAL_ALREADY_EXISTS", ...more),
};

const SAME_IDENTITY = "The wallet already has an OAUTH credential for this iss, aud and sub";

const walletInBody = (view: View, accountId: string): InternalAccountRecord => {
  const field = "accountId";
  const account =
    view.get("InternalAccount", accountId) ??
    refuse("ACCOUNT_NOT_FOUND", { field, value: accountId });
  return requireWallet(account, field);
};

/**
 * Refuses a second credential of one type on a wallet. Later revisions take several passkeys and
 * identities (spec/revisions.md#several-passkeys, spec/later-wallets.md#id-tokens).
 */
const requireNew = (view: View, { body, facts }: CreateInput) => {
  const { type, accountId } = body;
  const alike = authMethodsOf(view, accountId).filter((method) => method.type === type);
  if (alike.length === 0) return;
  const details = { field: "type", value: type };
  if (body.type === "OAUTH" && idTokenRules(view).hasSeveralIdentities) {
    const identity = requireIdToken(view, facts.idToken);
    if (alike.some(({ oidc }) => isSameIdentity(oidc, identity)))
      REFUSE_SECOND.OAUTH({ field: "oidcToken" }, { says: SAME_IDENTITY });
    return;
  }
  if (body.type !== "PASSKEY") return REFUSE_SECOND[type](details);
  const credentialId = canonicalCredentialId(body.attestation.credentialId);
  if (alike.some(({ passkey }) => passkey?.credentialId === credentialId))
    REFUSE_SECOND.PASSKEY(details);
  if (isChanged(view, "severalPasskeys")) return;
  const elsewhere = takenElsewhere(view, "severalPasskeys");
  REFUSE_SECOND.PASSKEY(details, {
    next: `Use it, or add a credential of another type; ${elsewhere}`,
  });
};

const addressFor = (
  view: View,
  wallet: InternalAccountRecord,
  body: Extract<CredentialInput, { type: "EMAIL_OTP" }>,
) => {
  const { customerId = "" } = wallet;
  return (
    body.email ??
    view.get("Customer", customerId)?.email ??
    refuse(
      "INVALID_INPUT",
      { field: "email" },
      "email is required: the wallet's customer has no email address",
    )
  );
};

/** The customer's number, to which an SMS_OTP credential sends (spec/later-wallets.md#codes-by-text-message). */
const numberFor = (view: View, { customerId = "" }: InternalAccountRecord) =>
  view.get("Customer", customerId)?.phoneNumber ??
  refuse("PHONE_NUMBER_MISSING", { field: "type", value: "SMS_OTP", customerId });

const refusedRegistration = (check: string): never =>
  refuse("INVALID_INPUT", { field: "attestation", check }, `attestation: ${check}`);

/**
 * Makes a passkey from its registration; `magic-only` stores each as it is
 * (spec/passkeys.md#registration-checks).
 */
const passkeyOf = (
  view: View,
  credentialId: string,
  { registration }: CredentialFacts,
): NonNullable<AuthMethodRecord["passkey"]> => {
  const mode = cryptoMode(view);
  if (!registration || mode === "magic-only") return { credentialId };
  if (registration.kind === "refused") return refusedRegistration(registration.check);
  if (registration.kind === "unparsable")
    return mode === "strict" ? refusedRegistration(registration.check) : { credentialId };
  const { kind: _kind, credentialId: _id, ...verified } = registration;
  return { credentialId, verified };
};

/**
 * The members of a new credential, without ids and timestamps. Refuses a proof that is not
 * acceptable.
 */
const membersOf = (
  view: View,
  wallet: InternalAccountRecord,
  { body, facts }: CreateInput,
): Pick<AuthMethodRecord, "nickname"> & Partial<AuthMethodRecord> => {
  if (body.type === "EMAIL_OTP") {
    const email = addressFor(view, wallet, body);
    return { nickname: email, email };
  }
  if (body.type === "SMS_OTP") {
    const phoneNumber = numberFor(view, wallet);
    return { nickname: phoneNumber, phoneNumber };
  }
  if (body.type === "PASSKEY")
    return {
      nickname: body.nickname,
      passkey: passkeyOf(view, canonicalCredentialId(body.attestation.credentialId), facts),
    };
  const { email, ...oidc } = requireIdToken(view, facts.idToken);
  return { nickname: email ?? oidc.subject ?? oidc.issuer, oidc };
};

const additionOf = (
  view: View,
  wallet: InternalAccountRecord,
  input: CreateInput,
): WalletActivity => {
  const { body, facts } = input;
  const userId = wallet.customerId ?? wallet.id;
  if (body.type === "EMAIL_OTP")
    return {
      type: "ACTIVITY_TYPE_UPDATE_USER_EMAIL",
      parameters: { userEmail: addressFor(view, wallet, body), userId },
    };
  if (body.type === "SMS_OTP") return numberActivity(userId, numberFor(view, wallet));
  if (body.type === "OAUTH") {
    const name = providerName(requireIdToken(view, facts.idToken).issuer);
    return {
      type: "ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS",
      parameters: {
        oauthProviders: [{ oidcToken: body.oidcToken, providerName: name }],
        userId,
      },
    };
  }
  const { attestationObject, clientDataJson, transports = [] } = body.attestation;
  const credentialId = canonicalCredentialId(body.attestation.credentialId);
  return {
    type: "ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2",
    parameters: {
      authenticators: [
        {
          attestation: { attestationObject, clientDataJson, credentialId },
          authenticatorName: body.nickname,
          challenge: body.challenge,
          transports,
        },
      ],
      userId,
    },
  };
};

/** Stores a credential, and sends the first code to an address or a number. */
export const addCredential = (
  draft: Draft,
  {
    wallet,
    type,
    members,
  }: {
    wallet: InternalAccountRecord;
    type: AuthMethodRecord["type"];
    members: ReturnType<typeof membersOf>;
  },
  moment: Moment,
): AuthMethodRecord => {
  const method: AuthMethodRecord = {
    id: moment.newId("AuthMethod"),
    accountId: wallet.id,
    type,
    ...members,
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.put("AuthMethod", method);
  if (type === "EMAIL_OTP" || type === "SMS_OTP") sendCode(draft, method, moment);
  return method;
};

/**
 * POST /auth/credentials: creates the first credential at once, further ones with a signature
 * (spec/credentials.md#first-and-further-credentials). Issues no session.
 */
export const createCredential: SignedOperation<CreateInput, SentAuthMethod> = (
  view,
  input,
  now,
) => {
  const { body, facts } = input;
  const { type } = body;
  const wallet = walletInBody(view, body.accountId);
  const members = membersOf(view, wallet, input);
  requireNew(view, input);
  if (body.type === "PASSKEY") requireUnusedChallenge(view, body.challenge, now);
  requireGenuineAtCreation(view, facts.idToken, now);
  const isFirst = authMethodsOf(view, wallet.id).length === 0;
  return {
    toSign: isFirst ? "unsigned" : { wallet, type, activity: additionOf(view, wallet, input) },
    apply: (draft, moment) => {
      if (body.type === "PASSKEY") useChallenge(draft, body.challenge, moment);
      const { id } = addCredential(draft, { wallet, type, members }, moment);
      return showSent(draft, id, moment);
    },
  };
};

/** Whether a credential is the first of its wallet, which needs no signature. */
export const isFirstCredential: Reading<{ body: unknown }, boolean> = (view, { body }) => {
  const { accountId } = (body ?? {}) as { accountId?: unknown };
  if (typeof accountId !== "string" || !view.get("InternalAccount", accountId)) return false;
  return authMethodsOf(view, accountId).length === 0;
};

/**
 * GET /auth/credentials: oldest first, empty for an unknown wallet
 * (spec/credentials.md#credential-list).
 */
export const listCredentials: Reading<{ query: { accountId: string } }, { data: AuthMethod[] }> = (
  view,
  { query },
) => ({ data: authMethodsOf(view, query.accountId).map(showAuthMethod) });

const removalOf = (method: AuthMethodRecord, wallet: InternalAccountRecord): WalletActivity => {
  const userId = wallet.customerId ?? wallet.id;
  if (method.type === "EMAIL_OTP")
    return {
      type: "ACTIVITY_TYPE_UPDATE_USER_EMAIL",
      parameters: { userEmail: "", userId },
    };
  if (method.type === "SMS_OTP") return numberActivity(userId, "");
  return method.type === "OAUTH"
    ? {
        type: "ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS",
        parameters: { providerIds: [method.id], userId },
      }
    : {
        type: "ACTIVITY_TYPE_DELETE_AUTHENTICATORS",
        parameters: { authenticatorIds: [method.id], userId },
      };
};

type DeleteInput = { params: { id: string }; call: SignedCall };

/**
 * DELETE /auth/credentials/{id}: revokes a credential and ends its sessions
 * (spec/credentials.md#revocation). Refuses the last one of a wallet. A session of another
 * credential signs.
 */
export const deleteCredential: SignedOperation<DeleteInput, void> = (view, input) => {
  const method = authMethodByPath(view, input);
  const wallet = walletOf(view, method.accountId);
  if (authMethodsOf(view, wallet.id).length === 1) refuse("LAST_CREDENTIAL", { id: method.id });
  return {
    toSign: {
      wallet,
      type: method.type,
      activity: removalOf(method, wallet),
      objection: ({ authMethodId }) =>
        authMethodId === method.id ? "the session belongs to the credential to revoke" : undefined,
    },
    apply: (draft, moment) => {
      draft.del("AuthMethod", method.id);
      revokeSessionsOf(draft, method, moment);
    },
  };
};
