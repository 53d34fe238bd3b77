import * as z from "zod";
import { AnyId, idOf } from "../core/identifiers.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { addedValue, withValues } from "../core/revised-shape.ts";
import { Instant } from "../core/scalars.ts";

/** States of a verification (spec/verifications.md#fields). */
export const VERIFICATION_STATUSES = [
  "RESOLVE_ERRORS",
  "PENDING_MANUAL_REVIEW",
  "IN_PROGRESS",
  "APPROVED",
  "REJECTED",
  "READY_FOR_VERIFICATION",
] as const;

/** A status that the simulator reaches; it never sends the other one. */
export type VerificationResult = Exclude<
  (typeof VERIFICATION_STATUSES)[number],
  "READY_FOR_VERIFICATION"
>;

/** Obstacles to a verification (spec/verifications.md#error-entries). */
export const VERIFICATION_ERROR_TYPES = [
  "MISSING_FIELD",
  "INVALID_FIELD",
  "MISSING_LEGAL_PRESENCE_DOCUMENT",
  "MISSING_CONTROL_STRUCTURE_DOCUMENT",
  "MISSING_OWNERSHIP_STRUCTURE_DOCUMENT",
  "MISSING_PROOF_OF_ADDRESS_DOCUMENT",
  "MISSING_IDENTITY_DOCUMENT",
  "INVALID_DOCUMENT",
  "EXPIRED_DOCUMENT",
  "POOR_QUALITY_DOCUMENT",
  "SUSPECTED_FRAUD_DOCUMENT",
  "WRONG_DOCUMENT_TYPE",
  "INCOMPLETE_DOCUMENT",
  "UNREADABLE_DOCUMENT",
  "DOCUMENT_VERIFICATION_FAILED",
  "APPLICANT_SANCTIONED",
  "APPLICANT_FRAUD",
  "APPLICANT_CRIMINAL_RECORD",
  "APPLICANT_REJECTED",
  "MISSING_BENEFICIAL_OWNER",
] as const;

export type VerificationErrorType =
  | (typeof VERIFICATION_ERROR_TYPES)[number]
  | "MISSING_CONTROL_PERSON"
  | "MISSING_GOOD_STANDING_DOCUMENT";

const ErrorType = z.lazy(() =>
  withValues(enumOf("VerificationErrorType", VERIFICATION_ERROR_TYPES), {
    MISSING_CONTROL_PERSON: addedValue("verificationRules"),
    MISSING_GOOD_STANDING_DOCUMENT: addedValue("verificationRules"),
  }),
);

/** Body of POST /verifications. */
export const VerificationInput = named("VerificationInput", () => z.object({ customerId: AnyId }));

export type VerificationInput = z.infer<typeof VerificationInput>;

/** Filters of GET /verifications (spec/verifications.md#reads). */
export const VerificationsQuery = {
  customerId: AnyId.optional(),
  verificationStatus: enumOf("VerificationStatus", VERIFICATION_STATUSES).optional(),
};

/** An obstacle; `field` is a dot path, only of MISSING_FIELD and INVALID_FIELD. */
export const VerificationError = z.lazy(() =>
  z
    .object({
      resourceId: z.string(),
      type: ErrorType,
      reason: z.string(),
      field: z.string().optional(),
      acceptedDocumentTypes: z.array(z.string()).optional(),
    })
    .meta({ id: "VerificationError" }),
);

export type VerificationError = z.infer<typeof VerificationError>;

/** Verification of a reply (spec/verifications.md#fields). */
export const Verification = z.lazy(() =>
  z
    .object({
      id: idOf("Verification"),
      customerId: idOf("Customer"),
      verificationStatus: enumOf("VerificationStatus", VERIFICATION_STATUSES),
      errors: z.array(VerificationError),
      createdAt: Instant,
      updatedAt: Instant,
    })
    .meta({ id: "Verification" }),
);

export type Verification = z.infer<typeof Verification>;
