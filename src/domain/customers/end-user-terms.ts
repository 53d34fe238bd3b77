import { END_USER_TERMS, type EndUserTerms } from "../../contract/customers/end-user-terms.ts";
import type { Reading, View } from "../core/draft.ts";
import { platformConfig } from "../core/platform-config.ts";
import { refuse } from "../core/refusal.ts";
import { isChanged } from "../core/revision.ts";
import { settingsInForce } from "../core/world-settings.ts";
import type { CustomerRecord } from "../records/records.ts";

/** GET /customers/end-user-terms (spec/later-customers.md#end-user-terms). */
export const getEndUserTerms: Reading<unknown, EndUserTerms> = () => ({ ...END_USER_TERMS });

/**
 * Tells whether a platform must record consents (spec/later-customers.md#required-consent). A
 * regulated one answers for its customers itself.
 */
export const asksConsent = (view: View): boolean =>
  settingsInForce(view).endUserTerms === "required" &&
  isChanged(view, "endUserConsents") &&
  !platformConfig(view).isRegulatedFinancialInstitution;

/** Tells whether a customer has to accept the terms first. */
export const awaitsConsent = (view: View, customer: CustomerRecord): boolean =>
  customer.endUserTermsConsent === undefined && asksConsent(view);

/** Refuses a customer that has to accept the terms first. */
export const requireConsent = (view: View, customer: CustomerRecord) => {
  if (awaitsConsent(view, customer))
    refuse("END_USER_TERMS_NOT_ACCEPTED", { customerId: customer.id });
};
