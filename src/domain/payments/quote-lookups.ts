import type { QuoteInput } from "../../contract/payments/quotes.ts";
import { instant, type View } from "../core/draft.ts";
import { assertInvariant } from "../core/invariant.ts";
import { refuse } from "../core/refusal.ts";
import { isKnown } from "../customers/customers.ts";
import {
  holderAt,
  isSameUmaAddress,
  primaryAccount,
  requireUmaAddress,
} from "../customers/uma-addresses.ts";
import type { CustomerRecord, LookupRecord } from "../records/records.ts";
import { isLookupExpired } from "./lookups.ts";
import { accountPayee, type Payee, type Payer, type Receiver } from "./quote-parties.ts";

const UMA_FIELD = "destination.umaAddress";

/** Refuses a malformed UMA destination (spec/quotes.md#uma-destination). */
export const requireUmaForm = ({ destination, lookupId }: QuoteInput) => {
  if (destination.destinationType !== "UMA_ADDRESS") return;
  requireUmaAddress(destination.umaAddress, UMA_FIELD);
  if (lookupId === undefined)
    refuse(
      "INVALID_INPUT",
      { field: "lookupId" },
      "A payment to a UMA address needs the lookupId from GET /receiver/uma",
    );
};

/** The lookup with an id, while it is valid (spec/lookups.md#lifetime). */
const usableLookup = (view: View, lookupId: string, atMs: number): LookupRecord => {
  const details = { field: "lookupId", value: lookupId };
  const lookup =
    view.get("Lookup", lookupId) ?? refuse("LOOKUP_REQUEST_NOT_FOUND_IN_BODY", details);
  if (!isLookupExpired(lookup, atMs)) return lookup;
  const expiresAt = instant(lookup.expiresAtMs);
  return refuse(
    "LOOKUP_REQUEST_NOT_FOUND_IN_BODY",
    { ...details, expiresAt },
    `The lookup ${lookupId} expired at ${expiresAt}`,
  );
};

const isFor = ({ receiver }: LookupRecord, { destination }: QuoteInput) =>
  destination.destinationType === "UMA_ADDRESS"
    ? "umaAddress" in receiver && isSameUmaAddress(receiver.umaAddress, destination.umaAddress)
    : "accountId" in receiver && receiver.accountId === destination.accountId;

const refuseReceiver = (
  { destination, lookupId }: QuoteInput,
  { receiver }: LookupRecord,
  sentence?: string,
) => {
  const details =
    destination.destinationType === "UMA_ADDRESS"
      ? { field: UMA_FIELD, value: destination.umaAddress }
      : { field: "destination.accountId", value: destination.accountId };
  const lookedUp = "umaAddress" in receiver ? receiver.umaAddress : receiver.accountId;
  return refuse("INVALID_RECEIVER", { ...details, lookupId, receiver: lookedUp }, sentence);
};

/**
 * The lookup a quote names, if it names one. Refuses one that is unknown, expired, or was made of
 * another receiver.
 */
const lookupOf = (view: View, body: QuoteInput, atMs: number): LookupRecord | undefined => {
  if (body.lookupId === undefined) return undefined;
  const lookup = usableLookup(view, body.lookupId, atMs);
  return isFor(lookup, body) ? lookup : refuseReceiver(body, lookup);
};

/** The customer that a lookup found, while the address is still theirs; undefined outside. */
const foundCustomer = (
  view: View,
  { umaAddress, lookup }: { umaAddress: string; lookup: LookupRecord },
  body: QuoteInput,
): CustomerRecord | undefined => {
  const foundId = "customerId" in lookup.receiver ? lookup.receiver.customerId : undefined;
  const holder = holderAt(view, umaAddress);
  const customer = holder && "customer" in holder ? holder.customer : undefined;
  if (holder && customer?.id === foundId) return customer;
  const lookedUpCustomer = foundId === undefined ? undefined : view.get("Customer", foundId);
  // Unusable accounts are refused later, with those of the other parties.
  if (lookedUpCustomer?.isDeleted && !holder) return lookedUpCustomer;
  return refuseReceiver(body, lookup, `${umaAddress} now belongs to another receiver`);
};

/**
 * The receiving currency: as requested, else the lookup's first (spec/quotes.md#uma-destination).
 */
const wantedCurrency = ({ destination }: QuoteInput, { currencies }: LookupRecord) => {
  const currency = destination.destinationType === "UMA_ADDRESS" ? destination.currency : undefined;
  return currency ?? currencies[0]?.currency;
};

/**
 * An own customer's primary account, or a receiver outside
 * (spec/uma-payments.md#paying-a-customer).
 */
const umaReceiver = (
  view: View,
  body: QuoteInput,
  { payer, umaAddress, lookup }: { payer: Payer; umaAddress: string; lookup: LookupRecord },
): Receiver => {
  if (payer.customer && isSameUmaAddress(payer.customer.umaAddress, umaAddress))
    refuse(
      "SELF_PAYMENT",
      { field: UMA_FIELD, value: umaAddress },
      `Payer and payee are both ${umaAddress}`,
    );
  const customer = foundCustomer(view, { umaAddress, lookup }, body);
  const currency = wantedCurrency(body, lookup);
  const internal = customer && currency && primaryAccount(view, customer.id, currency);
  return {
    destination: { destinationType: "UMA_ADDRESS", umaAddress },
    lookup,
    ...(internal && { internal }),
  };
};

/** The receiver of a quote, with the promises of its lookup. */
export const receiverOf = (
  view: View,
  body: QuoteInput,
  { payer, atMs }: { payer: Payer; atMs: number },
): Receiver => {
  const { destination } = body;
  if (destination.destinationType === "ACCOUNT") {
    const payee = accountPayee(view, destination, payer);
    const lookup = lookupOf(view, body, atMs);
    return { ...payee, ...(lookup && { lookup }) };
  }
  const lookup = lookupOf(view, body, atMs);
  assertInvariant(lookup !== undefined, "a lookup for every UMA destination");
  return umaReceiver(view, body, { payer, umaAddress: destination.umaAddress, lookup });
};

/** The receiver as a payee: an account has its currency, a UMA address takes what it listed. */
export const payeeOf = (receiver: Receiver, body: QuoteInput): Payee => {
  const { currency: own, internal, lookup } = receiver;
  if (own) return { ...receiver, currency: own };
  const wanted = lookup && wantedCurrency(body, lookup);
  const receivable = lookup?.currencies.find(({ currency }) => currency === wanted);
  const isCustomers = lookup !== undefined && "customerId" in lookup.receiver;
  if (receivable && (internal || !isCustomers))
    return { ...receiver, currency: receivable.currency };
  const allowed = lookup?.currencies.map(({ currency }) => currency) ?? [];
  return refuse(
    "INVALID_CURRENCY",
    { field: "destination.currency", value: wanted, currency: wanted ?? "(none)", allowed },
    {
      says: `The receiver does not accept ${wanted ?? "any currency"}`,
      ...(allowed.length > 0 && { next: `Use ${allowed.join(" or ")}` }),
    },
  );
};

const requireReceivable = (
  { currencies }: LookupRecord,
  { currency, receivingMinor }: { currency: string; receivingMinor: number },
) => {
  const bounds = currencies.find((receivable) => receivable.currency === currency);
  if (!bounds) return;
  const { minMinor: min, maxMinor: max } = bounds;
  if (receivingMinor < min || receivingMinor > max)
    refuse(
      "AMOUNT_OUT_OF_RANGE",
      { field: "lockedCurrencyAmount", totalReceivingAmount: receivingMinor, currency, min, max },
      `The total to receive is ${receivingMinor}, outside the ${min} to ${max} of the lookup`,
    );
};

const isGiven = (info: Record<string, unknown>, name: string) =>
  Object.hasOwn(info, name) && info[name] !== null && info[name] !== "";

const requirePayerInfo = (
  { requiredFields }: LookupRecord,
  info: Record<string, unknown>,
  customer: CustomerRecord | undefined,
) => {
  const missing = requiredFields.find(
    ({ name, mandatory }) =>
      mandatory && !isGiven(info, name) && !(customer && isKnown(customer, name)),
  );
  if (missing)
    refuse(
      "MISSING_MANDATORY_USER_INFO",
      { field: missing.name },
      `The receiver requires the payer's ${missing.name}`,
    );
};

/**
 * Refuses a quote outside the receiving bounds of its lookup (spec/quotes.md#lookup-binding), or
 * without the payer information that the lookup requires (spec/quotes.md#payer-information).
 */
export const requireAsLookedUp = (
  { lookup, currency }: Payee,
  { senderCustomerInfo = {} }: QuoteInput,
  { receivingMinor, customer }: { receivingMinor: number; customer: CustomerRecord | undefined },
) => {
  if (!lookup) return;
  requireReceivable(lookup, { currency, receivingMinor });
  requirePayerInfo(lookup, senderCustomerInfo, customer);
};
