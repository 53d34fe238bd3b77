import type { CustomerStatus } from "../../contract/customers/customer-statuses.ts";
import type {
  VerificationErrorType,
  VerificationResult,
} from "../../contract/customers/verifications.ts";

/** What comes of looking at an owner. */
export interface OwnerOutcome {
  says: string;
  kycStatus: CustomerStatus;
}

/**
 * KYC of a beneficial owner, by the last three characters of `personalInfo.lastName` (contract
 * 0-service, Sandbox outcome rules; platform O-57).
 */
export const BENEFICIAL_OWNER_OUTCOMES = {
  "001": { says: "the owner is still being looked at", kycStatus: "PENDING" },
  "002": { says: "the owner is refused", kycStatus: "REJECTED" },
  otherwise: { says: "the owner is approved", kycStatus: "APPROVED" },
} as const satisfies Record<string, OwnerOutcome>;

/** What comes of verifying a customer. */
export interface CustomerVerificationOutcome {
  says: string;
  verificationStatus: VerificationResult;
  /** What stands in the way, told of the customer. */
  errors: readonly { type: VerificationErrorType; reason: string; field?: string }[];
  /** The customer's status before the verification is told of, where another one follows. */
  passes?: "PENDING";
  /** The customer's status afterwards; none: it stays as it is. */
  leaves?: CustomerStatus;
}

/**
 * What POST /verifications comes to: of a business by the last three digits of its
 * registrationNumber, `incomplete` when nothing is known of it, `individual` of a person (contract
 * 0-service, Sandbox outcome rules; platform O-60).
 */
export const VERIFICATION_OUTCOMES = {
  "001": {
    says: "the review goes on",
    verificationStatus: "IN_PROGRESS",
    errors: [],
    leaves: "PENDING",
  },
  "002": {
    says: "the business is refused",
    verificationStatus: "REJECTED",
    errors: [
      {
        type: "APPLICANT_REJECTED",
        reason: "A registrationNumber ending in 002 simulates a refused business",
      },
    ],
    passes: "PENDING",
    leaves: "REJECTED",
  },
  incomplete: {
    says: "a business without businessInfo is asked for it",
    verificationStatus: "RESOLVE_ERRORS",
    errors: [
      {
        type: "MISSING_FIELD",
        reason: "The customer has no businessInfo",
        field: "customer.businessInfo.legalName",
      },
    ],
  },
  individual: {
    says: "a person is approved",
    verificationStatus: "APPROVED",
    errors: [],
    leaves: "APPROVED",
  },
  otherwise: {
    says: "the business is approved",
    verificationStatus: "APPROVED",
    errors: [],
    passes: "PENDING",
    leaves: "APPROVED",
  },
} as const satisfies Record<string, CustomerVerificationOutcome>;
