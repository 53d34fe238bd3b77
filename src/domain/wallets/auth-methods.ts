import type { AuthMethod } from "../../contract/wallets/credentials.ts";
import { canonicalCredentialId } from "../../crypto/credential-ids.ts";
import { find, instant, type View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import type { InternalAccountRecord } from "../records/records.ts";
import type { AuthMethodRecord } from "../records/wallet-records.ts";

/** A passkey's own id; records of earlier versions hold it as it was sent. */
export const credentialIdOf = ({ passkey }: AuthMethodRecord) =>
  passkey && { credentialId: canonicalCredentialId(passkey.credentialId) };

/** A credential as it is published: nothing beside the members of wallets digest 3.1. */
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

/** The credential a path names; 404 when there is none. */
export const authMethodByPath = (
  view: View,
  { params: { id } }: { params: { id: string } },
): AuthMethodRecord =>
  view.get("AuthMethod", id) ?? refuse("REFERENCE_NOT_FOUND", { id, resource: "AuthMethod" });

/** Refuses what is no embedded wallet (decisions, Reason words). */
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

/** The wallet a credential or a session belongs to. */
export const walletOf = (view: View, accountId: string): InternalAccountRecord =>
  view.get("InternalAccount", accountId) ??
  refuse("REFERENCE_NOT_FOUND", { id: accountId, resource: "InternalAccount" });
