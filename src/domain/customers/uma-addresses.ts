import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { CounterpartyInformation } from "../../contract/payments/quotes.ts";
import { find, type View } from "../core/draft.ts";
import { platformConfig } from "../core/platform-config.ts";
import { refuse } from "../core/refusal.ts";
import { settingsInForce } from "../core/world-settings.ts";
import { currencySettings } from "../money/currency-settings.ts";
import { UMA_LOCAL_PARTS, type UmaLocalPart } from "../outcomes/outcomes.ts";
import type { CustomerRecord, InternalAccountRecord } from "../records/records.ts";
import { customerKey } from "../records/tables.ts";

/** At most 64 characters with the `$`, before a domain name (spec/uma-payments.md#address-form). */
const UMA_ADDRESS = /^\$[a-z0-9\-_.+]{1,63}@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i;

export const isUmaAddress = (text: string) => UMA_ADDRESS.test(text);

/** Refuses text that is not a UMA address, and returns it unchanged. */
export const requireUmaAddress = (text: string, field: string): string =>
  isUmaAddress(text) ? text : refuse("INVALID_UMA_ADDRESS", { field, value: text });

export const isSameUmaAddress = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Ids of the customers with an address: at most one, never a deleted one. */
export const holdersOf = (view: View, umaAddress: string) =>
  view.ids("Customer", "byUmaAddress", customerKey(false, umaAddress.toLowerCase()));

/** The customer with this address, on any domain. */
export const customerAt = (view: View, umaAddress: string): CustomerRecord | undefined => {
  const [id] = holdersOf(view, umaAddress);
  return id === undefined ? undefined : view.get("Customer", id);
};

const domainOf = (umaAddress: string) =>
  umaAddress.slice(umaAddress.indexOf("@") + 1).toLowerCase();

/** The domains of the sandbox's own people. */
export const sandboxDomains = (view: View): readonly string[] =>
  settingsInForce(view).sandboxUmaDomains;

/** Whether an address is on the sandbox's own domain. */
export const isAtSandbox = (view: View, umaAddress: string) =>
  sandboxDomains(view).includes(domainOf(umaAddress));

/** Whether all addresses of a domain are known here: the sandbox's and the platform's domains. */
export const isAtKnownDomain = (view: View, umaAddress: string) =>
  isAtSandbox(view, umaAddress) ||
  platformConfig(view).umaDomain?.toLowerCase() === domainOf(umaAddress);

/** The name before the `@`, if it is one of the sandbox's people. */
export const sandboxNameIn = (umaAddress: string): UmaLocalPart | undefined => {
  const local = umaAddress.slice(0, umaAddress.indexOf("@")).toLowerCase();
  return UMA_LOCAL_PARTS.find((part) => part === local);
};

/** The sandbox person that an address names, if any. */
export const sandboxPersonAt = (view: View, umaAddress: string): UmaLocalPart | undefined =>
  isAtSandbox(view, umaAddress) ? sandboxNameIn(umaAddress) : undefined;

/** The holder of an address: one of the sandbox's people, or a customer. */
export type UmaHolder = { person: UmaLocalPart } | { customer: CustomerRecord };

/**
 * Finds the holder of an address. The sandbox's people come first, because their behavior is
 * promised.
 */
export const holderAt = (view: View, umaAddress: string): UmaHolder | undefined => {
  const person = sandboxPersonAt(view, umaAddress);
  if (person) return { person };
  const customer = customerAt(view, umaAddress);
  return customer && { customer };
};

/**
 * The account that receives a customer's UMA money: its oldest in the currency. The embedded wallet
 * receives it only if no other account is in the currency (spec/uma-payments.md#primary-account).
 */
export const primaryAccount = (
  view: View,
  customerId: string,
  currency: string,
): InternalAccountRecord | undefined => {
  const held = find(view, "InternalAccount", ["byOwner", customerId]).filter(
    (account) => account.currency === currency,
  );
  return held.find(({ type }) => type !== "EMBEDDED_WALLET") ?? held[0];
};

const TOLD_OF_COUNTERPARTY: Readonly<Record<string, string>> = {
  FULL_NAME: "Sandbox Counterparty",
  BIRTH_DATE: "1990-01-01",
  NATIONALITY: "US",
  COUNTRY_OF_RESIDENCE: "US",
};

/**
 * The counterparty's answers to the fields that the platform asks for
 * (spec/uma-payments.md#counterparty-information).
 */
export const counterpartyInformation = (
  view: View,
  currency: CurrencyCode,
): CounterpartyInformation | undefined => {
  const entry = currencySettings(view, currency);
  const fields = entry?.requiredCounterpartyFields ?? [];
  if (fields.length === 0) return undefined;
  return Object.fromEntries(
    fields.map(({ name }) => [name, TOLD_OF_COUNTERPARTY[name] ?? "SANDBOX"]),
  );
};

/** Addresses that a caller can name instead. */
export const sandboxDirectory = (view: View) => ({
  sandboxPeople: UMA_LOCAL_PARTS.join(", "),
  sandboxDomains: sandboxDomains(view).join(", "),
});
