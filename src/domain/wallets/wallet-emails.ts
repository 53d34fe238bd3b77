import { type Draft, find, type Moment, type View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import type { InternalAccountRecord } from "../records/records.ts";
import type { AuthMethodRecord } from "../records/wallet-records.ts";
import { authMethodsOf, walletOf } from "./auth-methods.ts";
import { operationOf, type SignedCall, type SigningRequest } from "./signed-operations.ts";

const walletsOf = (view: View, customerId: string): InternalAccountRecord[] =>
  find(view, "InternalAccount", ["byOwner", customerId]).filter(
    ({ type }) => type === "EMBEDDED_WALLET",
  );

/** The EMAIL_OTP credentials of a customer's wallets, which follow the customer's address. */
const tiedTo = (view: View, customerId: string): AuthMethodRecord[] =>
  walletsOf(view, customerId)
    .flatMap(({ id }) => authMethodsOf(view, id))
    .filter(({ type }) => type === "EMAIL_OTP");

/** Whether a customer's address signs in to a wallet, so that changing it needs a signature. */
export const signsIn = (view: View, customerId: string) => tiedTo(view, customerId).length > 0;

const requireFreeEmail = (view: View, tied: readonly AuthMethodRecord[], email: string) => {
  const own = new Set(tied.map(({ id }) => id));
  const holders = find(view, "AuthMethod", ["byEmail", email.toLowerCase()]);
  if (holders.some(({ id }) => !own.has(id)))
    refuse("EMAIL_OTP_EMAIL_ALREADY_EXISTS", { field: "email", value: email });
};

/** Whether a call answers a pending challenge of its own. */
const isAnswer = (view: View, call: SignedCall, { atMs }: Moment) => {
  const request = view.get("Request", call.requestId ?? "");
  return request?.operation === operationOf(call) && atMs < request.expiresAtMs;
};

const refuseChanged = (customerId: string): never =>
  refuse("EMAIL_OTP_CREDENTIAL_SET_CHANGED", { customerId });

/**
 * Asks for the signature of a new address (spec/credentials.md#e-mail-change). A credential on any
 * of the customer's wallets may sign. Nothing is asked where the address signs in to no wallet.
 * Refuses an address of another customer's credential (spec/credentials.md#taken-address).
 */
export const emailSigningRequest = (
  view: View,
  { customerId, email, call }: { customerId: string; email: string; call: SignedCall },
  moment: Moment,
): SigningRequest | "unsigned" => {
  const tied = tiedTo(view, customerId);
  const [first] = tied;
  // The credential to sign for is gone, so the answer to its challenge must not count as unsigned.
  if (!first) return isAnswer(view, call, moment) ? refuseChanged(customerId) : "unsigned";
  requireFreeEmail(view, tied, email);
  return {
    wallet: walletOf(view, first.accountId),
    wallets: walletsOf(view, customerId).map(({ id }) => id),
    activity: {
      type: "ACTIVITY_TYPE_UPDATE_USER_EMAIL",
      parameters: { userEmail: email, userId: customerId },
    },
    seen: {
      value: tied.map(({ id }) => id).join(" "),
      refuseChanged: () => refuseChanged(customerId),
    },
  };
};

/** Whether two addresses are equal where credentials are looked up by address. */
const isSameEmail = (one: string | undefined, other: string | undefined) =>
  one !== undefined && one.toLowerCase() === other?.toLowerCase();

/**
 * Gives a customer's new address to the credentials with the old one, and ends their pending codes.
 * A credential with another address keeps it.
 */
export const changeWalletEmail = (
  draft: Draft,
  { customerId, from, to }: { customerId: string; from: string | undefined; to: string },
  { atMs }: Moment,
) => {
  const equal = tiedTo(draft, customerId).filter(({ email }) => isSameEmail(email, from));
  for (const { otp: _old, ...method } of equal)
    draft.put("AuthMethod", { ...method, email: to, nickname: to, updatedAtMs: atMs });
};
