/**
 * Webhook type strings (platform digest 13.5), as far as they are simulated.
 * `VERIFICATION.READY_FOR_VERIFICATION` is one of them that is never sent (C-27).
 */
export const EVENT_TYPES = [
  "OUTGOING_PAYMENT.PENDING",
  "OUTGOING_PAYMENT.PROCESSING",
  "OUTGOING_PAYMENT.COMPLETED",
  "OUTGOING_PAYMENT.FAILED",
  "OUTGOING_PAYMENT.EXPIRED",
  "OUTGOING_PAYMENT.REFUND_PENDING",
  "OUTGOING_PAYMENT.REFUND_COMPLETED",
  "OUTGOING_PAYMENT.REFUND_FAILED",
  "INCOMING_PAYMENT.PENDING",
  "INCOMING_PAYMENT.COMPLETED",
  "INCOMING_PAYMENT.FAILED",
  "AGENT_ACTION.PENDING_APPROVAL",
  "CUSTOMER.KYC_PENDING",
  "CUSTOMER.KYC_APPROVED",
  "CUSTOMER.KYC_REJECTED",
  "CUSTOMER.KYB_PENDING",
  "CUSTOMER.KYB_APPROVED",
  "CUSTOMER.KYB_REJECTED",
  "VERIFICATION.APPROVED",
  "VERIFICATION.REJECTED",
  "VERIFICATION.RESOLVE_ERRORS",
  "VERIFICATION.IN_PROGRESS",
  "VERIFICATION.PENDING_MANUAL_REVIEW",
  "VERIFICATION.READY_FOR_VERIFICATION",
  "INTERNAL_ACCOUNT.BALANCE_UPDATED",
  "INTERNAL_ACCOUNT.STATUS_UPDATED",
  "INVITATION.CLAIMED",
  "BULK_UPLOAD.COMPLETED",
  "BULK_UPLOAD.FAILED",
  "card.state_change",
  "card.funding_source_change",
  "CARD.STATE_CHANGE",
  "CARD.FUNDING_SOURCE_CHANGE",
  "TEST",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export const isEventType = (name: string): name is EventType =>
  (EVENT_TYPES as readonly string[]).includes(name);

/** Further answers that say so, of events that ask for a decision (platform digest 13.6). */
const DECIDED_BY: Readonly<Record<string, readonly number[]>> = {
  "INCOMING_PAYMENT.PENDING": [403, 422],
};

/**
 * Whether a receiver's answer says that it has the event. 2xx: taken; 409: taken before; anything
 * else, no answer included, is a failed attempt (platform digest 13.3).
 */
export const isAccepted = (type: string, httpStatus: number | null | undefined) =>
  typeof httpStatus === "number" &&
  ((httpStatus >= 200 && httpStatus < 300) ||
    httpStatus === 409 ||
    DECIDED_BY[type]?.includes(httpStatus) === true);
