import type { CustomerStatus } from "../../contract/customers/customer-statuses.ts";
import {
  APPROVED_PERSON,
  BUSINESS_RESULTS,
  type CustomerVerificationOutcome,
} from "./verification-outcomes.ts";

/** First status of a person. */
export interface FirstStatusOutcome {
  says: string;
  kycStatus: CustomerStatus;
}

/**
 * Status of a new person, by the last three characters of `fullName`
 * (spec/later-customers.md#first-status-of-a-person).
 */
export const NEW_PERSON_OUTCOMES = {
  "001": { says: "the person waits for a review", kycStatus: "PENDING" },
  "002": { says: "the person is rejected", kycStatus: "REJECTED" },
  "003": { says: "the person is not verified", kycStatus: "UNVERIFIED" },
  otherwise: { says: "the person is approved", kycStatus: "APPROVED" },
} as const satisfies Record<string, FirstStatusOutcome>;

const INCOMPLETE = {
  says: "something is missing and is requested",
  verificationStatus: "RESOLVE_ERRORS",
} as const;

/**
 * Result of POST /verifications for a person, by the last three characters of `fullName`; of one who
 * lacks something `incomplete` (spec/later-customers.md#verification-of-a-person).
 */
export const PERSON_VERIFICATION_OUTCOMES = {
  "001": {
    says: "a person reviews the customer",
    verificationStatus: "PENDING_MANUAL_REVIEW",
    errors: [],
    leaves: "PENDING",
  },
  "002": {
    says: "the person is rejected",
    verificationStatus: "REJECTED",
    errors: [
      {
        type: "APPLICANT_REJECTED",
        reason: "A fullName ending in 002 simulates a rejected person",
      },
    ],
    leaves: "REJECTED",
  },
  "003": {
    says: "a better document is requested",
    verificationStatus: "RESOLVE_ERRORS",
    errors: [
      {
        type: "POOR_QUALITY_DOCUMENT",
        reason: "A fullName ending in 003 simulates a document that cannot be read well enough",
      },
    ],
  },
  incomplete: {
    ...INCOMPLETE,
    errors: [
      { type: "MISSING_FIELD", reason: "The customer has no address", field: "customer.address" },
    ],
  },
  otherwise: { says: "the person is approved", ...APPROVED_PERSON },
} as const satisfies Record<string, CustomerVerificationOutcome>;

/**
 * Result of POST /verifications for a business, by the last three digits of its registrationNumber;
 * 001 and 003 of one that lacks something are `incomplete`
 * (spec/later-customers.md#verification-of-a-business).
 */
export const BUSINESS_VERIFICATION_OUTCOMES = {
  "001": BUSINESS_RESULTS.reviewed,
  "002": BUSINESS_RESULTS.rejected,
  "003": BUSINESS_RESULTS.reviewed,
  incomplete: {
    ...INCOMPLETE,
    errors: [{ type: "MISSING_BENEFICIAL_OWNER", reason: "The business has no beneficial owner" }],
  },
  otherwise: BUSINESS_RESULTS.approved,
} as const satisfies Record<string, CustomerVerificationOutcome>;
