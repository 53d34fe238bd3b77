import type { CustomerStatus } from "../../contract/customers/customer-statuses.ts";
import type {
  VerificationErrorType,
  VerificationResult,
} from "../../contract/customers/verifications.ts";

/** Result of checking an owner. */
export interface OwnerOutcome {
  says: string;
  kycStatus: CustomerStatus;
}

/**
 * KYC of a beneficial owner, by the last three characters of `personalInfo.lastName`
 * (spec/beneficial-owners.md#kyc-outcome).
 */
export const BENEFICIAL_OWNER_OUTCOMES = {
  "001": { says: "the owner is still under review", kycStatus: "PENDING" },
  "002": { says: "the owner is rejected", kycStatus: "REJECTED" },
  otherwise: { says: "the owner is approved", kycStatus: "APPROVED" },
} as const satisfies Record<string, OwnerOutcome>;

/** Result of verifying a customer. */
export interface CustomerVerificationOutcome {
  says: string;
  verificationStatus: VerificationResult;
  /** Errors of the customer itself; those of owners and documents come from their own tables. */
  errors: readonly { type: VerificationErrorType; reason: string; field?: string }[];
  /** Intermediate status of the customer, before the verification's event. */
  passes?: "PENDING";
  /** Final status of the customer; absent: unchanged. */
  leaves?: CustomerStatus;
}

/** Results of a business that any revision has. */
export const BUSINESS_RESULTS = {
  reviewed: {
    says: "the review continues",
    verificationStatus: "IN_PROGRESS",
    errors: [],
    leaves: "PENDING",
  },
  rejected: {
    says: "the business is rejected",
    verificationStatus: "REJECTED",
    errors: [
      {
        type: "APPLICANT_REJECTED",
        reason: "A registrationNumber ending in 002 simulates a rejected business",
      },
    ],
    passes: "PENDING",
    leaves: "REJECTED",
  },
  approved: {
    says: "the business is approved",
    verificationStatus: "APPROVED",
    errors: [],
    passes: "PENDING",
    leaves: "APPROVED",
  },
} as const satisfies Record<string, CustomerVerificationOutcome>;

/** A person who is approved. */
export const APPROVED_PERSON = {
  verificationStatus: "APPROVED",
  errors: [],
  leaves: "APPROVED",
} as const;

/**
 * Result of POST /verifications. A business is decided by the last three digits of its
 * registrationNumber (spec/verifications.md#business-outcomes), or is `incomplete` without
 * businessInfo. `individual` is the row of a person (spec/verifications.md#individual-outcome).
 */
export const VERIFICATION_OUTCOMES = {
  "001": BUSINESS_RESULTS.reviewed,
  "002": BUSINESS_RESULTS.rejected,
  incomplete: {
    says: "businessInfo is missing and is requested",
    verificationStatus: "RESOLVE_ERRORS",
    errors: [
      {
        type: "MISSING_FIELD",
        reason: "The customer has no businessInfo",
        field: "customer.businessInfo.legalName",
      },
    ],
  },
  individual: { says: "a person is approved", ...APPROVED_PERSON },
  otherwise: BUSINESS_RESULTS.approved,
} as const satisfies Record<string, CustomerVerificationOutcome>;
