import type { VerificationError } from "../../contract/customers/verifications.ts";
import type { Draft, View } from "../core/draft.ts";
import {
  BUSINESS_VERIFICATION_OUTCOMES,
  NEW_PERSON_OUTCOMES,
  PERSON_VERIFICATION_OUTCOMES,
} from "../outcomes/later-verification-outcomes.ts";
import { takeRow } from "../outcomes/next-outcomes.ts";
import { outcomeFor } from "../outcomes/outcomes.ts";
import { type RuleTable, ruleName } from "../outcomes/rule-names.ts";
import { digitsAtEnd } from "../outcomes/scenario-suffix.ts";
import {
  type CustomerVerificationOutcome,
  VERIFICATION_OUTCOMES,
} from "../outcomes/verification-outcomes.ts";
import type { CustomerRecord } from "../records/records.ts";
import { identityDocumentOf, lacksOf } from "./customer-lacks.ts";

/** The decision about a customer, with the errors that it shows. */
export interface Review {
  outcome: CustomerVerificationOutcome;
  errors: VerificationError[];
}

/** A table of reviews, and the text that chooses the customer's row. */
interface Choice {
  table: RuleTable;
  rows: Record<string, CustomerVerificationOutcome> & { otherwise: CustomerVerificationOutcome };
  match: string | undefined;
}

const taken = (draft: Draft, customerId: string, { table, rows, match }: Choice) => {
  const asked = outcomeFor<CustomerVerificationOutcome>(rows, match);
  const row = takeRow(draft, { table, row: asked.row, about: [customerId] });
  draft.decidedBy(ruleName(table, row));
  return { row, outcome: outcomeFor<CustomerVerificationOutcome>(rows, row).outcome };
};

/** The text that chooses a customer's row (spec/verifications.md#business-outcomes). */
const matchOf = ({ customerType, businessInfo = {} }: CustomerRecord): string | undefined => {
  if (customerType === "INDIVIDUAL") return "individual";
  if (Object.keys(businessInfo).length === 0) return "incomplete";
  return digitsAtEnd(businessInfo.registrationNumber ?? "");
};

/** Endings of businesses that are not decided at once. */
const REVIEWED: readonly (string | undefined)[] = ["001", "003"];

const laterChoice = (customer: CustomerRecord, isIncomplete: boolean): Choice => {
  if (customer.customerType === "INDIVIDUAL") {
    const match = isIncomplete ? "incomplete" : customer.fullName?.slice(-3);
    return { table: "personVerification", rows: PERSON_VERIFICATION_OUTCOMES, match };
  }
  const digits = digitsAtEnd(customer.businessInfo?.registrationNumber ?? "");
  const match = isIncomplete && REVIEWED.includes(digits) ? "incomplete" : digits;
  return { table: "businessVerification", rows: BUSINESS_VERIFICATION_OUTCOMES, match };
};

const ofDocument = (view: View, customerId: string) =>
  identityDocumentOf(view, customerId)?.id ?? customerId;

/** Decides by the customer's name or number, and by what is missing (spec/later-customers.md#verification-of-a-person). */
export const laterReview = (draft: Draft, customer: CustomerRecord): Review => {
  const { id: customerId } = customer;
  const lacks = lacksOf(draft, customer);
  const { row, outcome } = taken(draft, customerId, laterChoice(customer, lacks.length > 0));
  if (row === "incomplete" && lacks.length > 0) return { outcome, errors: lacks };
  const errors = outcome.errors.map((error) => ({
    resourceId: error.type === "POOR_QUALITY_DOCUMENT" ? ofDocument(draft, customerId) : customerId,
    ...error,
  }));
  return { outcome, errors };
};

/** Decides about a customer as it is now (spec/verifications.md#creation). */
export const firstReview = (draft: Draft, customer: CustomerRecord): Review => {
  const choice = { table: "verification", rows: VERIFICATION_OUTCOMES, match: matchOf(customer) };
  const { outcome } = taken(draft, customer.id, choice as Choice);
  const errors = outcome.errors.map((error) => ({ resourceId: customer.id, ...error }));
  return { outcome, errors };
};

/** The status of a new person, by the name (spec/later-customers.md#first-status-of-a-person). */
export const statusByName = (
  draft: Draft,
  fullName: string | undefined,
): CustomerRecord["kycStatus"] => {
  const { row: asked } = outcomeFor(NEW_PERSON_OUTCOMES, fullName?.slice(-3));
  const row = takeRow(draft, { table: "newPerson", row: asked, about: [] });
  draft.decidedBy(ruleName("newPerson", row));
  return outcomeFor<{ kycStatus: CustomerRecord["kycStatus"] }>(NEW_PERSON_OUTCOMES, row).outcome
    .kycStatus;
};
