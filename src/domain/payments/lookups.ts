import { MAX_AMOUNT_MINOR } from "../../contract/core/scalars.ts";
import {
  type CurrencyCode,
  currencyObject,
  isCurrencyCode,
} from "../../contract/money/currencies.ts";
import type { ExternalAccountLookup, UmaLookup } from "../../contract/payments/lookups.ts";
import type { RequiredField } from "../../contract/platform/config.ts";
import type { Draft, Moment, Reading, Rule, View } from "../core/draft.ts";
import { DURATIONS } from "../core/durations.ts";
import { toSignificant } from "../core/rational.ts";
import { refuse } from "../core/refusal.ts";
import { refuseCustomer } from "../core/unknown-customers.ts";
import {
  customerAt,
  holderAt,
  isAtKnownDomain,
  isSameUmaAddress,
  primaryAccount,
  requireUmaAddress,
  sandboxDirectory,
  type UmaHolder,
} from "../customers/uma-addresses.ts";
import { currencySettings } from "../money/currency-settings.ts";
import { RATE_DIGITS } from "../money/quote-arithmetic.ts";
import { crossRate, unitsPerUsd } from "../money/rates.ts";
import { UMA_LOOKUP_OUTCOMES } from "../outcomes/lookup-outcomes.ts";
import { type ChosenRow, chooseRow, refuseByRow, useRow } from "../outcomes/next-outcomes.ts";
import type { UmaLocalPart } from "../outcomes/outcomes.ts";
import { ruleName } from "../outcomes/rule-names.ts";
import type {
  CustomerRecord,
  ExternalAccountRecord,
  LookupRecord,
  ReceivableCurrency,
} from "../records/records.ts";

interface SandboxPerson {
  /** Currencies of the person; the first one when a payment names none. */
  currencies: readonly CurrencyCode[];
  /** Payer information that the person requires. */
  requiredFields: readonly RequiredField[];
}

/** Smallest and largest payment they take, in the smallest unit of any of their currencies. */
const SANDBOX_PERSON_BOUNDS = { minMinor: 100, maxMinor: 10_000_000 } as const;

const NAME: readonly RequiredField[] = [{ name: "FULL_NAME", mandatory: true }];
const NAME_AND_BIRTH: readonly RequiredField[] = [...NAME, { name: "BIRTH_DATE", mandatory: true }];

/**
 * The people at the sandbox's UMA domain as a lookup shows them (spec/lookups.md#sandbox-people).
 */
const SANDBOX_PEOPLE = {
  "$success.usd": { currencies: ["USD", "EUR"], requiredFields: NAME_AND_BIRTH },
  "$success.eur": { currencies: ["EUR", "USD"], requiredFields: NAME_AND_BIRTH },
  "$success.mxn": { currencies: ["MXN", "USD", "EUR"], requiredFields: NAME_AND_BIRTH },
  "$pending.long.usd": { currencies: ["USD", "EUR"], requiredFields: NAME },
  "$fail.compliance.usd": { currencies: ["USD", "EUR"], requiredFields: NAME },
} as const satisfies Record<UmaLocalPart, SandboxPerson>;

/** Lookups kept at most; the oldest go first. */
export const MAX_KEPT_LOOKUPS = 10_000;
/** Expired ones taken away with each new one, so that sweeping never costs a pause. */
const SWEPT_AT_ONCE = 8;

interface SenderQuery {
  senderUmaAddress?: string | undefined;
  customerId?: string | undefined;
}

/** The customer who sends; the platform itself without one. */
interface Sender {
  customer?: CustomerRecord | undefined;
  umaAddress?: string | undefined;
  /** The parameter that names them. */
  field: keyof SenderQuery;
}

/** The sender of a lookup (spec/lookups.md#sender). A deleted customer counts as unknown. */
const senderOf = (view: View, { senderUmaAddress, customerId }: SenderQuery): Sender => {
  if (senderUmaAddress !== undefined) requireUmaAddress(senderUmaAddress, "senderUmaAddress");
  if (customerId === undefined) {
    const customer =
      senderUmaAddress === undefined ? undefined : customerAt(view, senderUmaAddress);
    return { customer, umaAddress: senderUmaAddress, field: "senderUmaAddress" };
  }
  const customer = view.get("Customer", customerId);
  if (!customer || customer.isDeleted) return refuseCustomer(view, customerId, "customerId");
  const { umaAddress } = customer;
  if (senderUmaAddress !== undefined && !isSameUmaAddress(senderUmaAddress, umaAddress))
    refuse(
      "INVALID_INPUT",
      { field: "senderUmaAddress", value: senderUmaAddress, customerId, umaAddress },
      `The customer's UMA address is ${umaAddress}, not ${senderUmaAddress}`,
    );
  return { customer, umaAddress, field: "customerId" };
};

/** The currency of an estimate: the sender's first, or dollars for an unknown sender. */
const sendingCurrency = ({ customer }: Sender): CurrencyCode =>
  customer?.currencies.find(isCurrencyCode) ?? "USD";

const showCurrencies = (
  view: View,
  { currencies }: LookupRecord,
  sending: CurrencyCode,
): UmaLookup["supportedCurrencies"] => {
  const rates = unitsPerUsd(view);
  return currencies.map(({ currency, minMinor, maxMinor }) => ({
    currency: currencyObject(currency),
    estimatedExchangeRate: toSignificant(
      crossRate({ sending, receiving: currency }, rates),
      RATE_DIGITS,
    ),
    min: minMinor,
    max: maxMinor,
  }));
};

/** Whether a lookup can still be used; nothing tells when it no longer can. */
export const isLookupExpired = ({ expiresAtMs }: LookupRecord, nowMs: number) =>
  nowMs >= expiresAtMs;

/** Forgets the oldest lookups: the expired ones, and any that are too many. */
const sweep = (draft: Draft, nowMs: number) => {
  const kept = draft.ids("Lookup", "all", "");
  for (const id of kept.slice(0, SWEPT_AT_ONCE)) {
    const lookup = draft.get("Lookup", id);
    if (lookup && (isLookupExpired(lookup, nowMs) || kept.length >= MAX_KEPT_LOOKUPS))
      draft.del("Lookup", id);
  }
};

type LookupResult = Pick<LookupRecord, "receiver" | "currencies" | "requiredFields">;

const keep = (draft: Draft, result: LookupResult, moment: Moment): LookupRecord => {
  sweep(draft, moment.atMs);
  const lookup: LookupRecord = {
    id: moment.newId("Lookup"),
    ...result,
    createdAtMs: moment.atMs,
    expiresAtMs: moment.atMs + DURATIONS.lookupLifetimeMs,
  };
  draft.put("Lookup", lookup);
  return lookup;
};

const lookupReply = (draft: Draft, lookup: LookupRecord, sender: Sender) => ({
  lookupId: lookup.id,
  supportedCurrencies: showCurrencies(draft, lookup, sendingCurrency(sender)),
  requiredPayerDataFields: [...lookup.requiredFields],
});

/**
 * The holder of the address in a path; undefined for an address at another domain. Refuses a
 * malformed address, and an unknown one at a domain known here (spec/lookups.md#receiver-address).
 */
export const umaReceiverByPath: Reading<
  { params: { receiverUmaAddress: string } },
  UmaHolder | undefined
> = (view, { params: { receiverUmaAddress: id } }) => {
  requireUmaAddress(id, "receiverUmaAddress");
  const holder = holderAt(view, id);
  const chosen = lookupRow(view, { address: id, holder });
  if (chosen.row === "unknown") refuseUnknown(view, chosen, id);
  return holder;
};

/** The row of a lookup, by the holder of the address, unless another one was set. */
const lookupRow = (
  view: View,
  {
    address,
    holder,
    senderId,
  }: { address: string; holder: UmaHolder | undefined; senderId?: string | undefined },
): ChosenRow => {
  const receiverId = holder && "customer" in holder ? holder.customer.id : undefined;
  const missing = isAtKnownDomain(view, address) ? "unknown" : "otherwise";
  const holderRow = receiverId === undefined ? "person" : "customer";
  const row = holder ? holderRow : missing;
  return chooseRow(view, { table: "umaLookup", row, about: [receiverId, senderId] });
};

const refuseUnknown = (view: View, chosen: ChosenRow, id: string) =>
  refuseByRow(chosen, UMA_LOOKUP_OUTCOMES.unknown.refusal, {
    details: { id, ...sandboxDirectory(view) },
  });

/** Amounts that a customer's primary accounts can take (spec/lookups.md#customer-receivers). */
const takenBy = (view: View, customer: CustomerRecord): ReceivableCurrency[] =>
  customer.currencies.flatMap((currency) => {
    const entry = currencySettings(view, currency);
    if (!entry || entry.maxAmount < 1 || !isCurrencyCode(currency)) return [];
    if (!primaryAccount(view, customer.id, currency)) return [];
    return [{ currency, minMinor: Math.max(1, entry.minAmount), maxMinor: entry.maxAmount }];
  });

const foundAt = (view: View, umaAddress: string, holder: UmaHolder): LookupResult => {
  if ("customer" in holder) {
    const { customer } = holder;
    const receiver = { umaAddress, customerId: customer.id };
    return { receiver, currencies: takenBy(view, customer), requiredFields: [] };
  }
  const { currencies, requiredFields } = SANDBOX_PEOPLE[holder.person];
  return {
    receiver: { umaAddress },
    currencies: currencies.map((currency) => ({ currency, ...SANDBOX_PERSON_BOUNDS })),
    requiredFields,
  };
};

/**
 * GET /receiver/uma/{receiverUmaAddress}: the amounts and payer information that a receiver takes,
 * and the id that a quote needs (spec/lookups.md#reply-fields).
 */
export const lookUpUma: Rule<
  { params: { receiverUmaAddress: string }; query: SenderQuery },
  UmaLookup
> = (draft, { params, query }, moment) => {
  const { receiverUmaAddress } = params;
  const holder = umaReceiverByPath(draft, { params }, moment);
  const sender = senderOf(draft, query);
  if (sender.umaAddress !== undefined && isSameUmaAddress(sender.umaAddress, receiverUmaAddress))
    refuse(
      "SELF_PAYMENT",
      { field: sender.field, value: query[sender.field] },
      `Sender and receiver are both ${receiverUmaAddress}`,
    );
  const parties = { address: receiverUmaAddress, holder, senderId: sender.customer?.id };
  const chosen = lookupRow(draft, parties);
  if (chosen.row === "unknown") return refuseUnknown(draft, chosen, receiverUmaAddress);
  if (!holder || chosen.row === "otherwise")
    return refuseByRow(chosen, UMA_LOOKUP_OUTCOMES.otherwise.refusal, {
      details: { value: receiverUmaAddress, ...sandboxDirectory(draft) },
    });
  draft.decidedBy(ruleName("umaLookup", useRow(draft, chosen)));
  const lookup = keep(draft, foundAt(draft, receiverUmaAddress, holder), moment);
  return { receiverUmaAddress, ...lookupReply(draft, lookup, sender) };
};

type AccountPath = { params: { accountId: string } };

/** The external account of a path, a customer's or the platform's. */
export const externalReceiverByPath: Reading<AccountPath, ExternalAccountRecord> = (
  view,
  { params: { accountId: id } },
) =>
  view.get("ExternalAccount", id) ??
  refuse("REFERENCE_NOT_FOUND", { id, resource: "ExternalAccount" });

/**
 * GET /receiver/external-account/{accountId}: an account takes any amount of its own currency and
 * needs no payer information (spec/lookups.md#external-account-receivers).
 */
export const lookUpExternalAccount: Rule<
  AccountPath & { query: SenderQuery },
  ExternalAccountLookup
> = (draft, { params, query }, moment) => {
  const { id, currency } = externalReceiverByPath(draft, { params }, moment);
  const sender = senderOf(draft, query);
  const lookup = keep(
    draft,
    {
      receiver: { accountId: id },
      currencies: [{ currency, minMinor: 1, maxMinor: MAX_AMOUNT_MINOR }],
      requiredFields: [],
    },
    moment,
  );
  return { accountId: id, ...lookupReply(draft, lookup, sender) };
};
