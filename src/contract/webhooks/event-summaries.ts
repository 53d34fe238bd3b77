import type { EventType } from "./events.ts";

const STATE_CHANGE = "A card changed its state";
const FUNDING_SOURCE_CHANGE = "A card's funding accounts changed";

/** The cause of each event in one sentence (spec/events.md#causes). */
export const EVENT_SUMMARIES: Readonly<Record<EventType, string>> = {
  "OUTGOING_PAYMENT.PENDING": "A payment was created and waits for funds",
  "OUTGOING_PAYMENT.PROCESSING": "A payment was funded and is in progress",
  "OUTGOING_PAYMENT.COMPLETED": "A payment reached its recipient",
  "OUTGOING_PAYMENT.FAILED": "A payment failed",
  "OUTGOING_PAYMENT.EXPIRED": "A payment expired before it was funded",
  "OUTGOING_PAYMENT.REFUND_PENDING": "The refund of a failed payment is in progress",
  "OUTGOING_PAYMENT.REFUND_COMPLETED": "The refund of a failed payment arrived",
  "OUTGOING_PAYMENT.REFUND_FAILED": "The refund of a failed payment failed",
  "INCOMING_PAYMENT.PENDING": "A payment to a customer waits for your approval",
  "INCOMING_PAYMENT.COMPLETED": "A payment to a customer arrived",
  "INCOMING_PAYMENT.FAILED": "A payment to a customer failed or was rejected",
  "AGENT_ACTION.PENDING_APPROVAL": "An agent's action waits for a person's approval",
  "CUSTOMER.KYC_PENDING": "The identity check of a person is in progress",
  "CUSTOMER.KYC_APPROVED": "A person passed the identity check",
  "CUSTOMER.KYC_REJECTED": "A person failed the identity check",
  "CUSTOMER.KYB_PENDING": "The check of a business is in progress",
  "CUSTOMER.KYB_APPROVED": "A business passed its check",
  "CUSTOMER.KYB_REJECTED": "A business failed its check",
  "VERIFICATION.APPROVED": "A verification was approved",
  "VERIFICATION.REJECTED": "A verification was rejected",
  "VERIFICATION.RESOLVE_ERRORS": "A verification found errors to resolve",
  "VERIFICATION.IN_PROGRESS": "A verification is in progress",
  "VERIFICATION.PENDING_MANUAL_REVIEW": "A verification waits for a manual review",
  "VERIFICATION.READY_FOR_VERIFICATION": "A verification can begin",
  "INTERNAL_ACCOUNT.BALANCE_UPDATED": "The balance of an internal account changed",
  "INTERNAL_ACCOUNT.STATUS_UPDATED": "The status of an internal account changed",
  "INVITATION.CLAIMED": "An invitation was claimed",
  "BULK_UPLOAD.COMPLETED": "A bulk upload of customers is done",
  "BULK_UPLOAD.FAILED": "A bulk upload of customers failed",
  "card.state_change": STATE_CHANGE,
  "card.funding_source_change": FUNDING_SOURCE_CHANGE,
  "CARD.STATE_CHANGE": STATE_CHANGE,
  "CARD.FUNDING_SOURCE_CHANGE": FUNDING_SOURCE_CHANGE,
  TEST: "A delivery that you asked for, to test your endpoint",
  "EXTERNAL_ACCOUNT.STATUS_UPDATED": "The status of an external account changed",
  "INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED":
    "The ways to pay into an internal account changed",
};
