import type { CurrencyCode } from "../../contract/money/currencies.ts";
import { openInternalAccount } from "../accounts/internal-accounts.ts";
import type { Draft, Moment } from "../core/draft.ts";
import { settingsInForce } from "../core/world-settings.ts";
import type { InternalAccountRecord } from "../records/records.ts";
import { addCredential } from "../wallets/credentials.ts";

/**
 * Opens an account of a customer. A new wallet may start with a credential
 * (spec/wallets.md#initial-credential).
 */
export const openCustomerAccount = (
  draft: Draft,
  owner: { currency: CurrencyCode; customerId: string; suffix?: string },
  moment: Moment,
): InternalAccountRecord => {
  const account = openInternalAccount(draft, owner, moment);
  const { walletCredential } = settingsInForce(draft);
  const email = draft.get("Customer", owner.customerId)?.email;
  if (account.type === "EMBEDDED_WALLET" && walletCredential === "email" && email !== undefined)
    addCredential(
      draft,
      { wallet: account, type: "EMAIL_OTP", members: { nickname: email, email } },
      moment,
    );
  return account;
};
