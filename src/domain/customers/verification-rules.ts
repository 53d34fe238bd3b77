import type { Draft, View } from "../core/draft.ts";
import { isChanged } from "../core/revision.ts";
import type { CustomerRecord } from "../records/records.ts";
import { firstReview, laterReview, type Review, statusByName } from "./reviews.ts";

/** The rules of verification that differ between revisions. */
interface VerificationRules {
  /** Decides about a customer as it is now. */
  review(draft: Draft, customer: CustomerRecord): Review;
  /** The status of a new person. */
  personStatus(draft: Draft, fullName: string | undefined): CustomerRecord["kycStatus"];
  /** A decided customer is not verified again. */
  isFinal: boolean;
  /** Owners are decided together with their business, and by nothing else. */
  areOwnersWaiting: boolean;
}

const FIRST_RULES: VerificationRules = {
  review: firstReview,
  personStatus: () => "APPROVED",
  isFinal: false,
  areOwnersWaiting: false,
};

const LATER_RULES: VerificationRules = {
  review: laterReview,
  personStatus: statusByName,
  isFinal: true,
  areOwnersWaiting: true,
};

/** The rules of verification in a world (spec/later-customers.md#tables-of-the-sandbox). */
export const verificationRules = (view: View): VerificationRules =>
  isChanged(view, "verificationRules") ? LATER_RULES : FIRST_RULES;
