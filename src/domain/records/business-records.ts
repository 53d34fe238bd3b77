import type { OwnerRole, PersonalInfo } from "../../contract/customers/beneficial-owners.ts";
import type { CustomerStatus } from "../../contract/customers/customer-statuses.ts";
import type {
  VerificationError,
  VerificationResult,
} from "../../contract/customers/verifications.ts";
import type { Stamped } from "./stamped.ts";

/** Somebody who owns or leads a business (platform digest 7.1). */
export interface BeneficialOwnerRecord extends Stamped {
  customerId: string;
  roles: OwnerRole[];
  ownershipPercentage: number;
  personalInfo: PersonalInfo;
  kycStatus: CustomerStatus;
}

/** One look at a customer, and what came of it (platform digest 7.3). */
export interface VerificationRecord extends Stamped {
  customerId: string;
  /** Published as `verificationStatus`. */
  status: VerificationResult;
  errors: VerificationError[];
}

/** A link to the hosted page that asks for proofs of identity; nobody opens it here. */
export interface KycLinkRecord extends Stamped {
  customerId: string;
  expiresAtMs: number;
}

/** The kinds that customers are verified by. */
export interface BusinessRecords {
  BeneficialOwner: BeneficialOwnerRecord;
  KycLink: KycLinkRecord;
  Verification: VerificationRecord;
}
