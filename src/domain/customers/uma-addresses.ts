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

/** At most 64 characters with the `$`, in front of a domain name (platform digest 6.2). */
const UMA_ADDRESS = /^\$[a-z0-9\-_.+]{1,63}@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i;

export const isUmaAddress = (text: string) => UMA_ADDRESS.test(text);

/** Whether a text can stand after the `@` of a UMA address. */
export const isUmaDomain = (text: string) => isUmaAddress(`$a@${text}`);

/** Refuses what is no UMA address; they are the same in upper and lower case. */
export const requireUmaAddress = (text: string, field: string): string =>
  isUmaAddress(text) ? text : refuse("INVALID_UMA_ADDRESS", { field, value: text });

export const isSameUmaAddress = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Ids of the customers that have an address; at most one, and none that is deleted. */
export const holdersOf = (view: View, umaAddress: string) =>
  view.ids("Customer", "byUmaAddress", customerKey(false, umaAddress.toLowerCase()));

/** The customer whose address it is, whatever its domain (decisions, UMA addresses). */
export const customerAt = (view: View, umaAddress: string): CustomerRecord | undefined => {
  const [id] = holdersOf(view, umaAddress);
  return id === undefined ? undefined : view.get("Customer", id);
};

const domainOf = (umaAddress: string) =>
  umaAddress.slice(umaAddress.indexOf("@") + 1).toLowerCase();

/** The domains of the sandbox's own people. */
export const sandboxDomains = (view: View): readonly string[] =>
  settingsInForce(view).sandboxUmaDomains;

/** Whether an address is at the sandbox's own domain. */
export const isAtSandbox = (view: View, umaAddress: string) =>
  sandboxDomains(view).includes(domainOf(umaAddress));

/** Whether everybody at an address's domain is known here: the sandbox's and the platform's. */
export const isAtKnownDomain = (view: View, umaAddress: string) =>
  isAtSandbox(view, umaAddress) ||
  platformConfig(view).umaDomain?.toLowerCase() === domainOf(umaAddress);

/** The name in front of the `@`, if it is one of the sandbox's people's (payments 14.5). */
export const sandboxNameIn = (umaAddress: string): UmaLocalPart | undefined => {
  const local = umaAddress.slice(0, umaAddress.indexOf("@")).toLowerCase();
  return UMA_LOCAL_PARTS.find((part) => part === local);
};

/** The one of the sandbox's people an address names, if it names one. */
export const sandboxPersonAt = (view: View, umaAddress: string): UmaLocalPart | undefined =>
  isAtSandbox(view, umaAddress) ? sandboxNameIn(umaAddress) : undefined;

/** Whose an address is: one of the sandbox's people, or a customer. */
export type UmaHolder = { person: UmaLocalPart } | { customer: CustomerRecord };

/** Who has an address: the sandbox's people first, since what they do is promised. */
export const holderAt = (view: View, umaAddress: string): UmaHolder | undefined => {
  const person = sandboxPersonAt(view, umaAddress);
  if (person) return { person };
  const customer = customerAt(view, umaAddress);
  return customer && { customer };
};

/**
 * Where a customer's UMA money goes: its oldest account in the currency; the embedded wallet only
 * for the currency nothing else holds (payments O-11).
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

/** What the other side tells of itself: what the platform asks for (decisions, Money). */
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

/** Whom a caller could have named instead. */
export const sandboxDirectory = (view: View) => ({
  sandboxPeople: UMA_LOCAL_PARTS.join(", "),
  sandboxDomains: sandboxDomains(view).join(", "),
});
