import type { BeneficialOwner } from "../../contract/customers/beneficial-owners.ts";
import { find, instant, type View } from "../core/draft.ts";
import type { BeneficialOwnerRecord } from "../records/business-records.ts";

/** The beneficial owners of a customer, in the order in which they were named. */
export const ownersOf = (view: View, customerId: string): BeneficialOwnerRecord[] =>
  find(view, "BeneficialOwner", ["byCustomer", customerId]);

export const showBeneficialOwner = (
  _view: View,
  { createdAtMs, updatedAtMs, ...shown }: BeneficialOwnerRecord,
): BeneficialOwner => ({
  ...shown,
  createdAt: instant(createdAtMs),
  updatedAt: instant(updatedAtMs),
});
