import { type Draft, find, type Moment, type View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import type { InternalAccountRecord } from "../records/records.ts";
import type { AuthMethodRecord } from "../records/wallet-records.ts";
import { authMethodsOf, walletOf } from "./auth-methods.ts";
import { operationOf, type SignedCall, type SigningRequest } from "./signed-operations.ts";
import { numberActivity, type WalletActivity } from "./wallet-activities.ts";

const walletsOf = (view: View, customerId: string): InternalAccountRecord[] =>
  find(view, "InternalAccount", ["byOwner", customerId]).filter(
    ({ type }) => type === "EMBEDDED_WALLET",
  );

/** Places of a customer that codes are sent to. */
export type Contact = "email" | "phoneNumber";

/** The type of the credentials that follow a customer's address or number. */
const TYPES = { email: "EMAIL_OTP", phoneNumber: "SMS_OTP" } as const;

/** The credentials of a customer's wallets that follow the customer's address or number. */
const tiedTo = (view: View, customerId: string, contact: Contact): AuthMethodRecord[] =>
  walletsOf(view, customerId)
    .flatMap(({ id }) => authMethodsOf(view, id))
    .filter(({ type }) => type === TYPES[contact]);

/** Tells whether a customer's address or number signs in to a wallet: its change is signed then. */
export const signsIn = (view: View, customerId: string, contact: Contact = "email") =>
  tiedTo(view, customerId, contact).length > 0;

const requireFreeEmail = (view: View, tied: readonly AuthMethodRecord[], email: string) => {
  const own = new Set(tied.map(({ id }) => id));
  const holders = find(view, "AuthMethod", ["byEmail", email.toLowerCase()]);
  if (holders.some(({ id }) => !own.has(id)))
    refuse("EMAIL_OTP_EMAIL_ALREADY_EXISTS", { field: "email", value: email });
};

/** Tells whether a call answers a pending challenge of its own. */
const isAnswer = (view: View, call: SignedCall, { atMs }: Moment) => {
  const request = view.get("Request", call.requestId ?? "");
  return request?.operation === operationOf(call) && atMs < request.expiresAtMs;
};

const requireFreeNumber = (view: View, number: string) => {
  if (view.ids("AuthMethod", "byPhoneNumber", number).length > 0)
    refuse("SMS_OTP_PHONE_NUMBER_ALREADY_EXISTS", { field: "phoneNumber", value: number });
};

const REFUSE_CHANGED: Record<Contact, (customerId: string) => never> = {
  email: (customerId) => refuse("EMAIL_OTP_CREDENTIAL_SET_CHANGED", { customerId }),
  phoneNumber: (customerId) => refuse("SMS_OTP_CREDENTIAL_SET_CHANGED", { customerId }),
};

/** An address or a number that a customer is to have. */
export interface ContactChange {
  customerId: string;
  contact: Contact;
  /** The value before. */
  from: string | undefined;
  to: string;
}

const activityOf = ({ contact, customerId, to }: ContactChange): WalletActivity =>
  contact === "phoneNumber"
    ? numberActivity(customerId, to)
    : {
        type: "ACTIVITY_TYPE_UPDATE_USER_EMAIL",
        parameters: { userEmail: to, userId: customerId },
      };

/**
 * Asks for the signature of a new address or number (spec/credentials.md#e-mail-change,
 * spec/later-wallets.md#phone-numbers). A credential on any of the customer's wallets may sign.
 * Nothing is asked where it signs in to no wallet. Refuses one of another customer's credential
 * (spec/credentials.md#taken-address).
 */
export const contactSigningRequest = (
  view: View,
  { change, call }: { change: ContactChange; call: SignedCall },
  moment: Moment,
): SigningRequest | "unsigned" => {
  const { customerId, contact, to } = change;
  const tied = tiedTo(view, customerId, contact);
  const [first] = tied;
  const refuseChanged = () => REFUSE_CHANGED[contact](customerId);
  // The credential to sign for is gone, so the answer to its challenge must not count as unsigned.
  if (!first) return isAnswer(view, call, moment) ? refuseChanged() : "unsigned";
  if (contact === "email") requireFreeEmail(view, tied, to);
  else requireFreeNumber(view, to);
  return {
    wallet: walletOf(view, first.accountId),
    wallets: walletsOf(view, customerId).map(({ id }) => id),
    activity: activityOf(change),
    seen: { value: tied.map(({ id }) => id).join(" "), refuseChanged },
  };
};

/** Tells whether two addresses are equal where credentials are looked up by address. */
const isSame = (one: string | undefined, other: string | undefined) =>
  one !== undefined && one.toLowerCase() === other?.toLowerCase();

/**
 * Gives a customer's new address or number to the credentials with the old one, and ends their
 * pending codes. A credential with another one keeps it.
 */
export const changeWalletContact = (
  draft: Draft,
  { customerId, contact, from, to }: ContactChange,
  { atMs }: Moment,
) => {
  const equal = tiedTo(draft, customerId, contact).filter((method) =>
    isSame(method[contact], from),
  );
  for (const { otp: _old, ...method } of equal)
    draft.put("AuthMethod", { ...method, [contact]: to, nickname: to, updatedAtMs: atMs });
};
