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
 * Tells whether a customer has to accept the terms first (spec/later-customers.md#required-consent). A
 * regulated platform answers for its customers itself.
 */
export const awaitsConsent = (view: View, customer: CustomerRecord): boolean =>
  settingsInForce(view).endUserTerms === "required" &&
  customer.endUserTermsConsent === undefined &&
  isChanged(view, "endUserConsents") &&
  !platformConfig(view).isRegulatedFinancialInstitution;

/** Refuses a customer that has to accept the terms first. */
export const requireConsent = (view: View, customer: CustomerRecord) => {
  if (awaitsConsent(view, customer))
    refuse("END_USER_TERMS_NOT_ACCEPTED", { customerId: customer.id });
};
