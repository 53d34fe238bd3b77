import { isCurrencyCode } from "../../contract/money/currencies.ts";
import { announceStatus } from "../accounts/internal-accounts.ts";
import { all, type Draft, find, type Moment, type View } from "../core/draft.ts";
import { platformConfig } from "../core/platform-config.ts";
import type { CustomerRecord, InternalAccountRecord } from "../records/records.ts";
import { openCustomerAccount } from "./customer-accounts.ts";
import { awaitsConsent } from "./end-user-terms.ts";

/** Opens an account in each supported currency that a customer has none in. */
export const openAccounts = (
  draft: Draft,
  { id: customerId }: CustomerRecord,
  moment: Moment,
): InternalAccountRecord[] => {
  const held = find(draft, "InternalAccount", ["byOwner", customerId]);
  return platformConfig(draft)
    .supportedCurrencies.map(({ currencyCode }) => currencyCode)
    .filter(isCurrencyCode)
    .filter((currency) => !held.some((account) => account.currency === currency))
    .map((currency) => openCustomerAccount(draft, { currency, customerId }, moment));
};

/** Customers whose accounts wait for their consent (spec/later-customers.md#required-consent). */
export const customersAwaitingConsent = (view: View): CustomerRecord[] =>
  all(view, "Customer").filter((one) => !one.isDeleted && awaitsConsent(view, one));

/** Opens the accounts of customers who waited and no longer do, and tells of each. */
export const openAwaitedAccounts = (
  draft: Draft,
  waited: readonly CustomerRecord[],
  moment: Moment,
) => {
  for (const { id } of waited) {
    const customer = draft.get("Customer", id);
    if (!customer || awaitsConsent(draft, customer)) continue;
    for (const account of openAccounts(draft, customer, moment))
      announceStatus(draft, account, moment);
  }
};
