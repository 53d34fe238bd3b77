import { defined } from "../../contract/core/defined.ts";
import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { QuoteInput } from "../../contract/payments/quotes.ts";
import { requirePullable } from "../accounts/external-accounts.ts";
import { requireFundingNetwork } from "../accounts/payment-instructions.ts";
import { railsOfAccount } from "../accounts/shown-external-accounts.ts";
import type { View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { isCurrencyIn, revisionOf } from "../core/revision.ts";
import { refuseCustomerInBody } from "../core/unknown-customers.ts";
import { requireReady } from "../customers/customer-status.ts";
import type {
  CustomerRecord,
  ExternalAccountRecord,
  InternalAccountRecord,
  LookupRecord,
  OutgoingRecord,
  QuoteDestinationRecord,
  QuoteRecord,
  QuoteSourceRecord,
} from "../records/records.ts";

/** The payer of a quote, with the source of the money. */
export interface Payer {
  source: QuoteSourceRecord;
  currency: CurrencyCode;
  /** Account that is debited. */
  internal?: InternalAccountRecord;
  /** Account that is pulled from. */
  external?: ExternalAccountRecord;
  /** The customer it is paid for; the platform itself without one. */
  customer: CustomerRecord | undefined;
  /** Customer whose account it is. */
  ownerId: string | undefined;
}

/** The receiver of a payment; the currency may still be open. */
export interface Receiver {
  destination: QuoteDestinationRecord;
  currency?: CurrencyCode;
  /** Account that is credited. */
  internal?: InternalAccountRecord;
  /** Account that the money leaves the platform for. */
  external?: ExternalAccountRecord;
  /** The lookup of the receiver, if there was one. */
  lookup?: LookupRecord;
}

/** A receiver whose currency is known. */
export type Payee = Receiver & { currency: CurrencyCode };

/** Both sides of a quote. */
export interface Parties {
  payer: Payer;
  payee: Payee;
}

type AccountSource = Extract<QuoteInput["source"], { sourceType: "ACCOUNT" }>;
type RealtimeSource = Extract<QuoteInput["source"], { sourceType: "REALTIME_FUNDING" }>;

/** The payer that the source of a request names (spec/quotes.md#source). */
export const payerOf = (view: View, source: QuoteInput["source"]): Payer =>
  source.sourceType === "ACCOUNT" ? accountPayer(view, source) : realtimePayer(view, source);

const accountPayer = (view: View, { accountId, customerId }: AccountSource): Payer => {
  const field = "source.accountId";
  const internal = view.get("InternalAccount", accountId);
  const external = view.get("ExternalAccount", accountId);
  const account = internal ?? external ?? refuse("ACCOUNT_NOT_FOUND", { field, value: accountId });
  if (external) requirePullable(external, field);
  return {
    source: { sourceType: "ACCOUNT", accountId, ...defined({ customerId }) },
    currency: account.currency,
    ...(internal && { internal }),
    ...(external && { external }),
    customer: payingCustomer(view, account, customerId),
    ownerId: account.customerId,
  };
};

const payingCustomer = (
  view: View,
  account: InternalAccountRecord | ExternalAccountRecord,
  customerId: string | undefined,
): CustomerRecord | undefined => {
  const field = "source.customerId";
  const named = customerId === undefined ? undefined : view.get("Customer", customerId);
  // A deleted customer counts as unknown; that its own account is out of use is told below.
  const isUnknown = !named || (named.isDeleted && account.customerId !== named.id);
  if (customerId !== undefined && isUnknown)
    return refuseCustomerInBody(view, { field, value: customerId });
  if (account.customerId === undefined) return named;
  if (customerId !== undefined && customerId !== account.customerId)
    refuse(
      "OWNER_MISMATCH",
      { field, value: customerId },
      {
        says: `source.accountId is not an account of ${customerId}`,
        next: "Omit source.customerId, or name the owner of the account",
      },
    );
  return view.get("Customer", account.customerId);
};

const realtimePayer = (view: View, source: RealtimeSource): Payer => {
  const { currency, customerId, cryptoNetwork } = source;
  const customer = customerId === undefined ? undefined : view.get("Customer", customerId);
  if (customerId !== undefined && (!customer || customer.isDeleted))
    return refuseCustomerInBody(view, { field: "source.customerId", value: customerId });
  if (!isCurrencyIn(view, currency))
    return refuse("INVALID_CURRENCY", { field: "source.currency", value: currency, currency });
  requireFundingNetwork(currency, cryptoNetwork, revisionOf(view));
  return {
    source: {
      sourceType: "REALTIME_FUNDING",
      ...defined({ customerId, cryptoNetwork }),
    },
    currency,
    customer,
    ownerId: customerId,
  };
};

type AccountDestination = Extract<QuoteInput["destination"], { destinationType: "ACCOUNT" }>;

const accountField = "destination.accountId";

/** The payee, where the destination is an account (spec/quotes.md#destination). */
export const accountPayee = (view: View, destination: AccountDestination, payer: Payer): Payee => {
  const { accountId, paymentRail } = destination;
  const external = view.get("ExternalAccount", accountId);
  const internal = view.get("InternalAccount", accountId);
  const account =
    external ?? internal ?? refuse("ACCOUNT_NOT_FOUND", { field: accountField, value: accountId });
  requireOther(payer, account.id);
  const rails = external ? railsOfAccount(view, external) : [];
  if (paymentRail !== undefined && !rails.includes(paymentRail))
    refuse(
      "INVALID_INPUT",
      { field: "destination.paymentRail", value: paymentRail, allowed: rails },
      `The destination does not take ${paymentRail}`,
    );
  const isForeign = external?.customerId !== undefined && external.customerId !== payer.ownerId;
  if (isForeign && payer.ownerId !== undefined)
    refuse("OWNER_MISMATCH", { field: accountField, value: accountId });
  return {
    destination: {
      destinationType: "ACCOUNT",
      accountId,
      ...defined({ paymentRail }),
    },
    currency: account.currency,
    ...(internal && { internal }),
    ...(external && { external }),
  };
};

/** Refuses a payment of an account to itself. */
export const requireOther = ({ internal, external }: Payer, payeeAccountId: string) => {
  if (payeeAccountId === internal?.id || payeeAccountId === external?.id)
    refuse("SELF_PAYMENT", { field: accountField, value: payeeAccountId });
};

const requireUsable = (
  view: View,
  account: InternalAccountRecord | ExternalAccountRecord | undefined,
  { field, value = account?.id }: { field: string; value?: string },
) => {
  if (!account) return;
  const { customerId, status: accountStatus } = account;
  const owner = customerId === undefined ? undefined : view.get("Customer", customerId);
  if (owner?.isDeleted) refuse("CUSTOMER_DELETED_IN_PAYMENT", { field, value });
  if (accountStatus !== "ACTIVE") refuse("ACCOUNT_NOT_ACTIVE", { field, value, accountStatus });
};

/** Refuses accounts that are out of use: not ACTIVE, or of a deleted customer. */
export const requireUsableParties = (view: View, payer: Payer, payee: Receiver) => {
  requireUsable(view, payer.internal ?? payer.external, { field: "source.accountId" });
  const { destination, internal, external } = payee;
  const named =
    destination.destinationType === "UMA_ADDRESS"
      ? { field: "destination.umaAddress", value: destination.umaAddress }
      : { field: accountField };
  requireUsable(view, internal ?? external, named);
  if (payer.customer?.isDeleted)
    refuse("CUSTOMER_DELETED_IN_PAYMENT", {
      field: "source.customerId",
      value: payer.customer.id,
    });
};

/** Refuses parties that may not move money now (spec/quotes.md#usable-parties). */
export const requireReadyParties = (view: View, payer: Payer, payee: Receiver) => {
  requireUsableParties(view, payer, payee);
  if (payer.customer) requireReady(view, payer.customer);
};

const gone = (field: string, value: string) =>
  refuse(
    "INVALID_BANK_ACCOUNT",
    { field, value },
    {
      says: `The account ${value} was deleted`,
      next: "POST /quotes with an existing account",
    },
  );

/**
 * The parties of a quote as they are now; an account may be deleted
 * (spec/quotes.md#usable-parties).
 */
export const partiesOf = (
  view: View,
  quote: QuoteRecord,
  { customerId, creditsAccountId }: OutgoingRecord,
): Parties => {
  const { source, destination, sendingCurrency, receivingCurrency } = quote;
  const from = source.sourceType === "ACCOUNT" ? source.accountId : undefined;
  const to = destination.destinationType === "ACCOUNT" ? destination.accountId : undefined;
  const debited = from === undefined ? undefined : view.get("InternalAccount", from);
  const pulled = from === undefined ? undefined : view.get("ExternalAccount", from);
  const paid = to === undefined ? undefined : view.get("ExternalAccount", to);
  const credited =
    creditsAccountId === undefined ? undefined : view.get("InternalAccount", creditsAccountId);
  if (from !== undefined && !debited && !pulled) gone("source.accountId", from);
  if (to !== undefined && !paid && !credited) gone(accountField, to);
  return {
    payer: {
      source,
      currency: sendingCurrency,
      ...(debited && { internal: debited }),
      ...(pulled && { external: pulled }),
      customer: view.get("Customer", customerId),
      ownerId: (debited ?? pulled)?.customerId,
    },
    payee: {
      destination,
      currency: receivingCurrency,
      ...(credited && { internal: credited }),
      ...(paid && { external: paid }),
    },
  };
};
