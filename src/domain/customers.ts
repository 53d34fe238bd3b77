import { isCurrencyCode } from "../contract/currencies.ts";
import type { Customer, CustomerInput, IndividualCustomerInput } from "../contract/customers.ts";
import { HEX, instant, type Moment, type Reading, type Rule, type View } from "./draft.ts";
import { platformConfig } from "./events.ts";
import { openInternalAccount } from "./internal-accounts.ts";
import { type ListInput, page } from "./lists.ts";
import type { CustomerRecord, PlatformConfigRecord } from "./records.ts";
import { refuse } from "./refusal.ts";
import { REGION_CURRENCIES } from "./regions.ts";

/** At most 64 characters with the `$`, in front of a domain name (platform digest 6.2). */
const UMA_ADDRESS = /^\$[a-z0-9\-_.+]{1,63}@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i;

export const showCustomer = (_view: View, customer: CustomerRecord): Customer => {
  const { createdAtMs, updatedAtMs, ...shown } = customer;
  return { ...shown, createdAt: instant(createdAtMs), updatedAt: instant(updatedAtMs) };
};

const umaAddressFor = (view: View, wanted: string | undefined, moment: Moment) => {
  if (wanted === undefined) {
    const { umaDomain } = platformConfig(view);
    if (umaDomain === undefined)
      return refuse(
        "INVALID_UMA_ADDRESS",
        { field: "umaAddress", value: "Nothing" },
        "No umaAddress was given, and the platform has no umaDomain to make one",
      );
    return `$${moment.draw("uma-address", 12, HEX)}@${umaDomain}`;
  }
  if (!UMA_ADDRESS.test(wanted))
    refuse("INVALID_UMA_ADDRESS", { field: "umaAddress", value: wanted });
  if (view.ids("Customer", "byUmaAddress", wanted.toLowerCase()).length > 0)
    refuse("UMA_ADDRESS_EXISTS", { field: "umaAddress", value: wanted });
  return wanted;
};

/** Codes asked for must be supported; none asked for: the region's, else all (O-51). */
const currenciesFor = (
  { supportedCurrencies }: PlatformConfigRecord,
  { currencies, region }: IndividualCustomerInput,
): string[] => {
  const supported = supportedCurrencies.map(({ currencyCode }) => currencyCode as string);
  const unsupported = currencies?.findIndex((code) => !supported.includes(code)) ?? -1;
  if (unsupported >= 0)
    refuse(
      "INVALID_INPUT",
      { field: `currencies.${unsupported}`, value: currencies?.[unsupported], supported },
      `${currencies?.[unsupported]} is not among the platform's supportedCurrencies`,
    );
  if (currencies) return [...new Set(currencies)];
  const regional = region === undefined ? undefined : REGION_CURRENCIES[region];
  return regional !== undefined && supported.includes(regional) ? [regional] : supported;
};

/**
 * POST /customers (platform digest 6.2). A sandbox individual is APPROVED at once and gets one
 * internal account per supported currency; no event tells of either.
 */
export const createCustomer: Rule<{ body: CustomerInput }, Customer> = (
  draft,
  { body },
  moment,
) => {
  if (body.customerType !== "INDIVIDUAL")
    return refuse("NOT_IMPLEMENTED", { what: "A customer of type BUSINESS" });
  const config = platformConfig(draft);
  const { customerType, platformCustomerId, currencies: _asked, umaAddress, ...personal } = body;
  const currencies = currenciesFor(config, body);
  if (
    platformCustomerId !== undefined &&
    draft.ids("Customer", "byPlatformCustomerId", platformCustomerId).length > 0
  )
    refuse("PLATFORM_CUSTOMER_ID_EXISTS", {
      field: "platformCustomerId",
      value: platformCustomerId,
    });
  const customer: CustomerRecord = {
    id: moment.newId("Customer"),
    customerType,
    platformCustomerId: platformCustomerId ?? moment.draw("platform-customer-id", 16, HEX),
    currencies,
    umaAddress: umaAddressFor(draft, umaAddress, moment),
    kycStatus: "APPROVED",
    isDeleted: false,
    ...withoutUndefined(personal),
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.put("Customer", customer);
  for (const { currencyCode } of config.supportedCurrencies)
    if (isCurrencyCode(currencyCode))
      openInternalAccount(draft, { currency: currencyCode, customerId: customer.id }, moment);
  return showCustomer(draft, customer);
};

type Present<T> = { [K in keyof T]: Exclude<T[K], undefined> };

const withoutUndefined = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<
    Present<T>
  >;

/** GET /customers/{customerId}; a deleted one is still shown (platform O-52). */
export const getCustomer: Reading<{ params: { customerId: string } }, Customer> = (
  view,
  { params: { customerId } },
) => showCustomer(view, customerByPath(view, customerId));

export const customerByPath = (view: View, customerId: string): CustomerRecord =>
  view.get("Customer", customerId) ??
  refuse("USER_NOT_FOUND", { id: customerId, resource: "Customer" });

/** GET /customers (platform digest 6.3), as far as it is simulated. */
export const listCustomers: Reading<ListInput<object>, unknown> = (view, input) =>
  page(view, {
    kind: "Customer",
    input,
    indexed: [["byPresence", "present"]],
    show: showCustomer,
  });

/** Whether a customer may move money (decisions, Readiness); refuses if not. */
export const requireReady = (customer: CustomerRecord, field: string) => {
  if (customer.isDeleted) refuse("CUSTOMER_DELETED_IN_PAYMENT", { field, value: customer.id });
  if (customer.kycStatus !== "APPROVED")
    refuse("USER_NOT_READY", { customerId: customer.id, customerStatus: customer.kycStatus });
};
