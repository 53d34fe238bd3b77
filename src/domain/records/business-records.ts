import type { OwnerRole, PersonalInfo } from "../../contract/customers/beneficial-owners.ts";
import type { CustomerStatus } from "../../contract/customers/customer-statuses.ts";
import type {
  VerificationError,
  VerificationResult,
} from "../../contract/customers/verifications.ts";
import type { Timestamps } from "./timestamps.ts";

/** A person who owns or leads a business (spec/beneficial-owners.md#fields). */
export interface BeneficialOwnerRecord extends Timestamps {
  customerId: string;
  roles: OwnerRole[];
  ownershipPercentage: number;
  personalInfo: PersonalInfo;
  kycStatus: CustomerStatus;
}

/** One check of a customer and its result (spec/verifications.md#fields). */
export interface VerificationRecord extends Timestamps {
  customerId: string;
  /** Published as `verificationStatus`. */
  status: VerificationResult;
  errors: VerificationError[];
}

/** A link to the hosted page that asks for proofs of identity (spec/kyc-links.md#page). */
export interface KycLinkRecord extends Timestamps {
  customerId: string;
  expiresAtMs: number;
}

/** The record kinds of customer verification. */
export interface BusinessRecords {
  BeneficialOwner: BeneficialOwnerRecord;
  KycLink: KycLinkRecord;
  Verification: VerificationRecord;
}
