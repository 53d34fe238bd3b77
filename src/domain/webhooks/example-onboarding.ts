import type { BulkError, BulkJob } from "../../contract/customers/bulk-customers.ts";
import type { Verification, VerificationError } from "../../contract/customers/verifications.ts";
import type { Invitation } from "../../contract/platform/invitations.ts";
import { HEX, type Moment } from "../core/draft.ts";
import { INVITATION_PAGE } from "../platform/invitations.ts";
import { exampleStamps } from "./example-payments.ts";

/** The problems of an example verification. */
const obstacle = (resourceId: string): VerificationError => ({
  resourceId,
  type: "MISSING_BENEFICIAL_OWNER",
  reason: "No beneficial owner is known",
});

/** A business's verification with a status. */
export const verificationExample = (
  verificationStatus: Verification["verificationStatus"],
  moment: Moment,
): Verification => {
  const customerId = moment.newId("Customer");
  return {
    id: moment.newId("Verification"),
    customerId,
    verificationStatus,
    errors: verificationStatus === "RESOLVE_ERRORS" ? [obstacle(customerId)] : [],
    ...exampleStamps(moment),
  };
};

const CODE_LENGTH = 8;

/** An invitation that has just been claimed. */
export const claimedInvitationExample = (moment: Moment): Invitation => {
  const code = moment.draw("example-invitation", CODE_LENGTH, HEX);
  const { createdAt, updatedAt } = exampleStamps(moment);
  return {
    code,
    createdAt,
    claimedAt: updatedAt,
    inviterUma: "$example@pay.sandbox.test",
    inviteeUma: "$friend@pay.sandbox.test",
    status: "CLAIMED",
    url: INVITATION_PAGE + code,
  };
};

const refusedRow: BulkError = {
  correlationId: "example-customer",
  code: "INVALID_INPUT",
  message: "Expected birthDate but found nothing",
};

/** An import of three rows: two imported, or none. */
export const bulkJobExample = (status: "COMPLETED" | "FAILED", moment: Moment): BulkJob => {
  const total = 3;
  const failed = status === "COMPLETED" ? 1 : total;
  return {
    id: moment.newId("Job"),
    status,
    progress: { total, processed: total, successful: total - failed, failed },
    errors: Array.from({ length: failed }, () => refusedRow),
    completedAt: exampleStamps(moment).updatedAt,
  };
};
