import { defined } from "../../contract/core/defined.ts";
import type { Customer, CustomerPatch, NewCustomer } from "../../contract/customers/customers.ts";
import { setAccountStatus } from "../accounts/internal-accounts.ts";
import {
  type Draft,
  find,
  HEX,
  type Moment,
  type Reading,
  type Rule,
  type View,
} from "../core/draft.ts";
import { type ListInput, page, toMs } from "../core/lists.ts";
import { platformConfig } from "../core/platform-config.ts";
import { refuse } from "../core/refusal.ts";
import { REGION_CURRENCIES } from "../core/regions.ts";
import { refuseCustomer } from "../core/unknown-customers.ts";
import { nextWithoutSettings } from "../money/currency-settings.ts";
import type { CustomerRecord } from "../records/records.ts";
import { customerKey } from "../records/tables.ts";
import { revokeSessionsOfWallet } from "../wallets/sessions.ts";
import {
  operationOf,
  type SignedCall,
  type SignedOperation,
} from "../wallets/signed-operations.ts";
import {
  type Contact,
  type ContactChange,
  changeWalletContact,
  contactSigningRequest,
  signsIn,
} from "../wallets/wallet-contacts.ts";
import { pauseAgentsOf } from "./agent-pauses.ts";
import { openAccounts, openAwaitedAccounts } from "./awaited-accounts.ts";
import { showCustomer } from "./customer-view.ts";
import { awaitsConsent } from "./end-user-terms.ts";
import { requireFitting, requireOneContact, storedLater } from "./later-members.ts";
import { holdersOf, requireUmaAddress } from "./uma-addresses.ts";
import { verificationRules } from "./verification-rules.ts";

/** Refuses an ill-formed address, and one of another customer (spec/customers.md#uma-address). */
const requireFreeUmaAddress = (view: View, wanted: string, own?: string) => {
  requireUmaAddress(wanted, "umaAddress");
  if ([...holdersOf(view, wanted)].some((id) => id !== own))
    refuse("UMA_ADDRESS_EXISTS", { field: "umaAddress", value: wanted });
  return wanted;
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
  return requireFreeUmaAddress(view, wanted);
};

const requireSupported = (view: View, currencies: readonly string[]) => {
  const supported = supportedCodes(view);
  const position = currencies.findIndex((code) => !supported.includes(code));
  const code = currencies[position];
  if (code !== undefined)
    refuse(
      "INVALID_INPUT",
      { field: `currencies.${position}`, value: code, supported },
      {
        says: `${code} is not in the platform's supportedCurrencies`,
        next: nextWithoutSettings(view, code),
      },
    );
  return [...new Set(currencies)];
};

const supportedCodes = (view: View): string[] =>
  platformConfig(view).supportedCurrencies.map(({ currencyCode }) => currencyCode);

/**
 * The supported currencies asked for, else the region's, else all
 * (spec/customers.md#currencies, spec/customers.md#region-currency).
 */
const currenciesFor = (view: View, { currencies, region }: NewCustomer): string[] => {
  if (currencies) return requireSupported(view, currencies);
  const supported = supportedCodes(view);
  const regional = region === undefined ? undefined : REGION_CURRENCIES[region];
  return regional !== undefined && supported.includes(regional) ? [regional] : supported;
};

/** The first status of a new customer (spec/customers.md#first-status). */
const bornAs = (draft: Draft, customer: NewCustomer): Partial<CustomerRecord> => {
  if (customer.customerType === "INDIVIDUAL")
    return defined({ kycStatus: verificationRules(draft).personStatus(draft, customer.fullName) });
  const { isRegulatedFinancialInstitution } = platformConfig(draft);
  return { kybStatus: isRegulatedFinancialInstitution ? "APPROVED" : "UNVERIFIED" };
};

/**
 * The member that satisfies each field a provider can require
 * (spec/customers.md#provider-requirements).
 */
const KNOWN_BY_FIELD: Readonly<Record<string, (customer: CustomerRecord) => unknown>> = {
  FULL_NAME: ({ fullName }) => fullName,
  BIRTH_DATE: ({ birthDate }) => birthDate,
  NATIONALITY: ({ nationality }) => nationality,
  EMAIL: ({ email }) => email,
  PHONE_NUMBER: ({ phoneNumber }) => phoneNumber,
  ID_TYPE: ({ idType }) => idType,
  ID_NUMBER: ({ identifier }) => identifier,
  POSTAL_ADDRESS: ({ address }) => address,
  COUNTRY_OF_RESIDENCE: ({ address }) => address?.country,
  TAX_ID: ({ businessInfo }) => businessInfo?.taxId,
  REGISTRATION_NUMBER: ({ businessInfo }) => businessInfo?.registrationNumber,
  BUSINESS_TYPE: ({ businessInfo }) => businessInfo?.businessType,
  COMPANY_LEGAL_NAME: ({ businessInfo }) => businessInfo?.legalName,
  USER_TYPE: ({ customerType }) => customerType,
};

/** Whether a customer's record has a value for a required field. */
export const isKnown = (customer: CustomerRecord, field: string) =>
  KNOWN_BY_FIELD[field]?.(customer) !== undefined;

/** Refuses a customer that lacks a field which its currencies' providers require. */
const requireProviderFields = (view: View, customer: CustomerRecord) => {
  for (const entry of platformConfig(view).supportedCurrencies) {
    if (!customer.currencies.includes(entry.currencyCode)) continue;
    for (const field of entry.providerRequiredCustomerFields ?? [])
      if (!isKnown(customer, field))
        refuse(
          "MISSING_MANDATORY_USER_INFO",
          { field, currency: entry.currencyCode },
          `${entry.currencyCode} needs the customer's ${field}`,
        );
  }
};

const requireFreePlatformId = (view: View, platformCustomerId: string | undefined) => {
  if (platformCustomerId === undefined) return;
  const key = customerKey(false, platformCustomerId);
  if (view.ids("Customer", "byPlatformCustomerId", key).length > 0)
    refuse("PLATFORM_CUSTOMER_ID_EXISTS", {
      field: "platformCustomerId",
      value: platformCustomerId,
    });
};

/**
 * POST /customers: creates a customer and its internal accounts (spec/customers.md#creation). A
 * sandbox individual is APPROVED at once. Sends no event.
 */
export const createCustomer: Rule<{ body: NewCustomer }, Customer> = (draft, { body }, moment) => {
  const { customerType, platformCustomerId, currencies: _asked, umaAddress, ...rest } = body;
  const currencies = currenciesFor(draft, body);
  requireFreePlatformId(draft, platformCustomerId);
  const customer: CustomerRecord = {
    id: moment.newId("Customer"),
    customerType,
    platformCustomerId: platformCustomerId ?? moment.draw("platform-customer-id", 16, HEX),
    currencies,
    umaAddress: umaAddressFor(draft, umaAddress, moment),
    ...bornAs(draft, body),
    isDeleted: false,
    ...defined(rest),
    ...storedLater(body),
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  requireFitting(body, customer);
  requireProviderFields(draft, customer);
  draft.put("Customer", customer);
  if (!awaitsConsent(draft, customer)) openAccounts(draft, customer, moment);
  return showCustomer(draft, customer);
};

/** GET /customers/{customerId}, also for a deleted customer (spec/customers.md#reads). */
export const getCustomer: Reading<{ params: { customerId: string } }, Customer> = (
  view,
  { params: { customerId } },
) => showCustomer(view, customerByPath(view, customerId));

export const customerByPath = (view: View, customerId: string): CustomerRecord =>
  view.get("Customer", customerId) ?? refuseCustomer(view, customerId);

/** Finds the customer that a path names; 404 for an unknown or deleted one. */
export const presentCustomerByPath: Reading<{ params: { customerId: string } }, CustomerRecord> = (
  view,
  { params: { customerId } },
) => {
  const customer = customerByPath(view, customerId);
  return customer.isDeleted ? refuseCustomer(view, customerId) : customer;
};

/** Finds the customer that a body names by `customerId`; 404 for an unknown or deleted one. */
export const customerInBody = (view: View, id: string): CustomerRecord => {
  const customer = view.get("Customer", id);
  return customer && !customer.isDeleted ? customer : refuseCustomer(view, id, "customerId");
};

interface PatchInput {
  params: { customerId: string };
  body: CustomerPatch;
  call: SignedCall;
}

const patched = (view: View, { params, body }: PatchInput, moment: Moment): CustomerRecord => {
  const customer = presentCustomerByPath(view, { params }, moment);
  if (body.customerType !== customer.customerType)
    refuse(
      "INVALID_INPUT",
      { field: "customerType", value: body.customerType },
      `Expected customerType to be ${customer.customerType}, as the customer's is`,
    );
  requireOneContact(body);
  if (body.currencies) requireSupported(view, body.currencies);
  if (body.umaAddress !== undefined) requireFreeUmaAddress(view, body.umaAddress, customer.id);
  const { currencies, ...rest } = body;
  const changed: CustomerRecord = {
    ...customer,
    ...(defined(rest) as Partial<CustomerRecord>),
    ...(currencies && { currencies: [...new Set(currencies)] }),
    ...("businessInfo" in body &&
      body.businessInfo && {
        businessInfo: { ...customer.businessInfo, ...defined(body.businessInfo) },
      }),
    ...storedLater(body),
    updatedAtMs: moment.atMs,
  };
  requireFitting(body, changed);
  requireProviderFields(view, changed);
  return changed;
};

/**
 * PATCH /customers/{customerId} (spec/customers.md#update). Replaces `currencies` and merges
 * `businessInfo`; omitted fields are unchanged. A new email or phone number needs a signature where
 * it signs in to a wallet (spec/credentials.md#e-mail-change, spec/later-wallets.md#phone-numbers).
 */
export const patchCustomer: SignedOperation<PatchInput, Customer> = (view, input, now) => {
  const before = presentCustomerByPath(view, input, now);
  const customer = patched(view, input, now);
  const change = contactChange(before, customer);
  return {
    toSign: change ? contactSigningRequest(view, { change, call: input.call }, now) : "unsigned",
    apply: (draft, moment) => {
      draft.put("Customer", customer);
      if (awaitsConsent(draft, before)) openAwaitedAccounts(draft, [before], moment);
      if (change) changeWalletContact(draft, change, moment);
      return showCustomer(draft, customer);
    },
  };
};

const CONTACTS = ["email", "phoneNumber"] as const satisfies readonly Contact[];

/** The address or number that an update changes; it changes one of them at most. */
const contactChange = (
  before: CustomerRecord,
  { id: customerId, ...after }: CustomerRecord,
): ContactChange | undefined => {
  for (const contact of CONTACTS) {
    const to = after[contact];
    const from = before[contact];
    if (to !== undefined && to !== from) return { customerId, contact, from, to };
  }
  return undefined;
};

/**
 * Tells if an update of a customer needs no signature, so that signature headers do not count
 * (spec/signed-retry.md#ignored-headers). A repeated signed update still counts as signed.
 */
export const isUnsignedPatch: Reading<
  { params: { customerId: string }; body: unknown; call: SignedCall },
  boolean
> = (view, { params: { customerId }, body, call }) => {
  const asked = (body ?? {}) as Readonly<Record<string, unknown>>;
  const { requestId = "" } = call;
  if (view.get("Request", requestId)?.operation === operationOf(call)) return false;
  const customer = view.get("Customer", customerId);
  if (!customer) return false;
  return !CONTACTS.some(
    (contact) =>
      typeof asked[contact] === "string" &&
      asked[contact] !== customer[contact] &&
      signsIn(view, customerId, contact),
  );
};

/**
 * DELETE /customers/{customerId}: closes empty accounts and ends the sessions
 * (spec/customers.md#deletion). The customer stays readable. A second deletion is 410.
 */
export const deleteCustomer: Rule<{ params: { customerId: string } }, Customer> = (
  draft,
  { params: { customerId } },
  moment,
) => {
  const customer = customerByPath(draft, customerId);
  if (customer.isDeleted) refuse("CUSTOMER_DELETED", { id: customerId });
  const deleted: CustomerRecord = { ...customer, isDeleted: true, updatedAtMs: moment.atMs };
  draft.put("Customer", deleted);
  pauseAgentsOf(draft, customerId, moment);
  for (const account of find(draft, "InternalAccount", ["byOwner", customerId])) {
    revokeSessionsOfWallet(draft, account.id, moment);
    if (draft.balanceMinor(account.id, account.currency) === 0n)
      setAccountStatus(draft, { account, status: "CLOSED" }, moment);
  }
  return showCustomer(draft, deleted);
};

interface CustomerFilters {
  platformCustomerId?: string | undefined;
  customerType?: string | undefined;
  createdAfter?: string | undefined;
  createdBefore?: string | undefined;
  updatedAfter?: string | undefined;
  updatedBefore?: string | undefined;
  region?: string | undefined;
  currency?: string | undefined;
  umaAddress?: string | undefined;
  isIncludingDeleted?: boolean | undefined;
}

/** GET /customers; lists deleted ones only when asked. */
export const listCustomers: Reading<ListInput<CustomerFilters>, unknown> = (view, input) => {
  const { query } = input;
  const scoped = (value: string | undefined) =>
    value === undefined ? undefined : customerKey(query.isIncludingDeleted === true, value);
  const filters = [
    ["byPlatformCustomerId", scoped(query.platformCustomerId)],
    ["byType", scoped(query.customerType)],
    ["byRegion", scoped(query.region)],
    ["byCurrency", scoped(query.currency)],
    ["byUmaAddress", scoped(query.umaAddress?.toLowerCase())],
  ] as const;
  const isUnfiltered = filters.every(([, key]) => key === undefined);
  const after = toMs(query.updatedAfter);
  const before = toMs(query.updatedBefore);
  const isBounded = after !== undefined || before !== undefined;
  return page(view, {
    kind: "Customer",
    input,
    indexed: [...filters, ["byPresence", isUnfiltered ? scoped("") : undefined]],
    createdMs: { from: toMs(query.createdAfter), to: toMs(query.createdBefore) },
    ...(isBounded && {
      where: ({ updatedAtMs }: CustomerRecord) =>
        updatedAtMs >= (after ?? 0) && updatedAtMs <= (before ?? Number.POSITIVE_INFINITY),
    }),
    show: showCustomer,
  });
};

/** The two customer ids of a transaction; the platform's own transactions show its id twice. */
export const partyIdsOf = (view: View, customer: CustomerRecord | undefined) => {
  const { id: platformId } = platformConfig(view);
  return {
    customerId: customer?.id ?? platformId,
    platformCustomerId: customer?.platformCustomerId ?? platformId,
  };
};
