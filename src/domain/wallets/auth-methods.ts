import type { AuthMethod } from "../../contract/wallets/credentials.ts";
import { canonicalCredentialId } from "../../crypto/credential-ids.ts";
import { find, instant, type View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import type { InternalAccountRecord } from "../records/records.ts";
import type { AuthMethodRecord } from "../records/wallet-records.ts";

/**
 * The canonical id of a passkey (spec/passkeys.md#credential-id). Older records hold it as it was
 * sent.
 */
export const credentialIdOf = ({ passkey }: AuthMethodRecord) =>
  passkey && { credentialId: canonicalCredentialId(passkey.credentialId) };

/** Shows a credential, without codes, keys and claims (spec/credentials.md#credential-fields). */
export const showAuthMethod = (method: AuthMethodRecord): AuthMethod => ({
  id: method.id,
  accountId: method.accountId,
  type: method.type,
  ...credentialIdOf(method),
  nickname: method.nickname,
  createdAt: instant(method.createdAtMs),
  updatedAt: instant(method.updatedAtMs),
});

/** The credentials of a wallet, oldest first. */
export const authMethodsOf = (view: View, accountId: string): AuthMethodRecord[] =>
  find(view, "AuthMethod", ["byAccount", accountId]);

/** Finds the credential that a path names, else 404. */
export const authMethodByPath = (
  view: View,
  { params: { id } }: { params: { id: string } },
): AuthMethodRecord =>
  view.get("AuthMethod", id) ?? refuse("REFERENCE_NOT_FOUND", { id, resource: "AuthMethod" });

/**
 * Finds the credential that a proof is for, and checks the proof's type
 * (spec/credentials.md#verify-checks).
 */
export const credentialOfProof = (
  view: View,
  { params, body }: { params: { id: string }; body: { type: string } },
): AuthMethodRecord => {
  const method = authMethodByPath(view, { params });
  if (body.type !== method.type)
    refuse(
      "INVALID_INPUT",
      { field: "type", value: body.type },
      `Expected type to be ${method.type}, as the credential's is`,
    );
  requireSignInOf(view, method.accountId);
  return method;
};

/** Refuses an account that is not an embedded wallet (spec/wallets.md#wallet-account). */
export const requireWallet = (
  account: InternalAccountRecord,
  field: string,
): InternalAccountRecord =>
  account.type === "EMBEDDED_WALLET"
    ? account
    : refuse("NOT_A_WALLET", { field, value: account.id, accountType: account.type });

/** Refuses to sign in to the wallet of a deleted customer. */
export const requireSignInOf = (view: View, accountId: string) => {
  const { customerId = "" } = walletOf(view, accountId);
  if (view.get("Customer", customerId)?.isDeleted)
    refuse("SIGN_IN_OF_DELETED_CUSTOMER", {
      customerId,
      check: "the wallet's customer was deleted",
    });
};

/** The wallet that a credential or a session belongs to. */
export const walletOf = (view: View, accountId: string): InternalAccountRecord =>
  view.get("InternalAccount", accountId) ??
  refuse("REFERENCE_NOT_FOUND", { id: accountId, resource: "InternalAccount" });
