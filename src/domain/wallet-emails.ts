import { authMethodsOf, walletOf } from "./auth-methods.ts";
import { type Draft, find, type Moment, type View } from "./draft.ts";
import type { AuthMethodRecord } from "./records.ts";
import { refuse } from "./refusal.ts";
import type { Asked } from "./signed-retry.ts";

/** The EMAIL_OTP credentials of a customer's wallets: they follow the customer's address. */
const tiedTo = (view: View, customerId: string): AuthMethodRecord[] =>
  find(view, "InternalAccount", ["byOwner", customerId])
    .filter(({ type }) => type === "EMBEDDED_WALLET")
    .flatMap(({ id }) => authMethodsOf(view, id))
    .filter(({ type }) => type === "EMAIL_OTP");

const requireFreeEmail = (view: View, tied: readonly AuthMethodRecord[], email: string) => {
  const own = new Set(tied.map(({ id }) => id));
  const holders = view.ids("AuthMethod", "byEmail", email.toLowerCase());
  if (holders.some((id) => !own.has(id)))
    refuse("EMAIL_OTP_EMAIL_ALREADY_EXISTS", { field: "email", value: email });
};

/**
 * What a customer's new address asks to be signed (wallets digest 7.3): nothing where it signs in
 * to no wallet. Refuses an address of somebody else's credential.
 */
export const askForEmail = (view: View, customerId: string, email: string): Asked | "unsigned" => {
  const tied = tiedTo(view, customerId);
  const [first] = tied;
  if (!first) return "unsigned";
  requireFreeEmail(view, tied, email);
  return {
    wallet: walletOf(view, first.accountId),
    wallets: [...new Set(tied.map(({ accountId }) => accountId))],
    activity: {
      type: "ACTIVITY_TYPE_UPDATE_USER_EMAIL",
      parameters: { userEmail: email, userId: customerId },
    },
    seen: {
      value: tied.map(({ id }) => id).join(" "),
      refuseChanged: () => refuse("EMAIL_OTP_CREDENTIAL_SET_CHANGED", { customerId }),
    },
  };
};

/** The customer's new address becomes that of its credentials; pending codes end with the old. */
export const changeWalletEmail = (
  draft: Draft,
  { customerId, email }: { customerId: string; email: string },
  { atMs }: Moment,
) => {
  for (const { otp: _old, ...method } of tiedTo(draft, customerId))
    draft.put("AuthMethod", { ...method, email, nickname: email, updatedAtMs: atMs });
};
