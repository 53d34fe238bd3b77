import { type Draft, find, type Moment } from "../core/draft.ts";
import { takeRow } from "../outcomes/next-outcomes.ts";
import { outcomeFor } from "../outcomes/outcomes.ts";
import { ruleName } from "../outcomes/rule-names.ts";
import { BENEFICIAL_OWNER_OUTCOMES, type OwnerOutcome } from "../outcomes/verification-outcomes.ts";
import type { CustomerRecord } from "../records/records.ts";
import { verificationRules } from "./verification-rules.ts";

/**
 * Checks an owner by the ending of the last name, exactly as sent
 * (spec/beneficial-owners.md#kyc-outcome).
 */
export const checkOwner = (
  draft: Draft,
  { lastName }: { lastName: string },
  about: readonly (string | undefined)[],
) => {
  const suffixOutcome = outcomeFor<OwnerOutcome>(BENEFICIAL_OWNER_OUTCOMES, lastName.slice(-3));
  const row = takeRow(draft, { table: "beneficialOwner", row: suffixOutcome.row, about });
  const { outcome } = outcomeFor<OwnerOutcome>(BENEFICIAL_OWNER_OUTCOMES, row);
  draft.decidedBy(ruleName("beneficialOwner", row));
  return outcome.kycStatus;
};

const DECIDED: readonly unknown[] = ["APPROVED", "REJECTED"];

/** Tells whether a status ends a review. */
export const isDecided = (status: string | undefined) => DECIDED.includes(status);

/**
 * Decides the owners of a business together with it
 * (spec/later-customers.md#decision-about-owners).
 */
export const decideOwners = (draft: Draft, customer: CustomerRecord, { atMs }: Moment) => {
  if (!isDecided(customer.kybStatus) || !verificationRules(draft).areOwnersWaiting) return;
  for (const owner of find(draft, "BeneficialOwner", ["byCustomer", customer.id])) {
    if (owner.kycStatus !== "UNVERIFIED") continue;
    const kycStatus = checkOwner(draft, owner.personalInfo, [owner.id, customer.id]);
    draft.put("BeneficialOwner", { ...owner, kycStatus, updatedAtMs: atMs });
  }
};
