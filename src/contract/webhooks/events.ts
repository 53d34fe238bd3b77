import type { Revision } from "../core/revision-names.ts";
import { hasChange, type RevisionRow } from "../core/revisions.ts";

/**
 * Webhook types that are simulated (spec/events.md#types). No rule sends
 * `VERIFICATION.READY_FOR_VERIFICATION` and `OUTGOING_PAYMENT.PENDING_AUTHORIZATION`; a tester's
 * trigger does.
 */
export const EVENT_TYPES = [
  "OUTGOING_PAYMENT.PENDING",
  "OUTGOING_PAYMENT.PENDING_AUTHORIZATION",
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
  "INCOMING_PAYMENT.REFUND_PENDING",
  "INCOMING_PAYMENT.REFUND_COMPLETED",
  "INCOMING_PAYMENT.REFUND_FAILED",
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
  "EXTERNAL_ACCOUNT.STATUS_UPDATED",
  "INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED",
  "CARD_TRANSACTION.AUTHORIZED",
  "CARD_TRANSACTION.PARTIALLY_SETTLED",
  "CARD_TRANSACTION.SETTLED",
  "CARD_TRANSACTION.REFUNDED",
  "CARD_TRANSACTION.EXCEPTION",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

const isSameEvent = (one: EventType, other: EventType) => one.toUpperCase() === other.toUpperCase();

/**
 * The events of all revisions, each with the spellings of its type: the card events have two
 * (spec/events.md#card-event-spelling).
 */
export const EVENT_SPELLINGS: readonly (readonly EventType[])[] = EVENT_TYPES.map((type) =>
  EVENT_TYPES.filter((other) => isSameEvent(type, other)),
).filter(([first], at) => first === EVENT_TYPES[at]);

/** Types that later revisions brought. */
const EVENT_SINCE: Partial<Record<EventType, RevisionRow>> = {
  "OUTGOING_PAYMENT.PENDING_AUTHORIZATION": "scaFactors",
  "INCOMING_PAYMENT.REFUND_PENDING": "incomingRefunds",
  "INCOMING_PAYMENT.REFUND_COMPLETED": "incomingRefunds",
  "INCOMING_PAYMENT.REFUND_FAILED": "incomingRefunds",
  "EXTERNAL_ACCOUNT.STATUS_UPDATED": "accountEvents",
  "INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED": "accountEvents",
  "CARD_TRANSACTION.AUTHORIZED": "cardEvents",
  "CARD_TRANSACTION.PARTIALLY_SETTLED": "cardEvents",
  "CARD_TRANSACTION.SETTLED": "cardEvents",
  "CARD_TRANSACTION.REFUNDED": "cardEvents",
  "CARD_TRANSACTION.EXCEPTION": "cardEvents",
};

/** The row that brought a type; nothing for types of the first revision. */
export const eventSince = (type: EventType): RevisionRow | undefined => EVENT_SINCE[type];

/** Tells whether a revision has a type. */
export const hasEvent = (revision: Revision, type: EventType): boolean => {
  const since = eventSince(type);
  return since === undefined || hasChange(revision, since);
};

/** The events of a revision, each with the spellings of its type. */
export const eventsOf = (revision: Revision) =>
  EVENT_SPELLINGS.filter(([type]) => type === undefined || hasEvent(revision, type));

export const isEventType = (name: string): name is EventType =>
  (EVENT_TYPES as readonly string[]).includes(name);

/**
 * Further statuses that accept an event which asks for a decision (spec/webhooks.md#acceptance).
 */
export const ALSO_ACCEPTS: Readonly<Record<string, readonly number[]>> = {
  "INCOMING_PAYMENT.PENDING": [403, 422],
};

/** Tells if the body of a receiver's answer counts beside its status: one that is cut is no answer. */
export const bodyDecides = (type: string) => ALSO_ACCEPTS[type] !== undefined;

/**
 * Tells if a receiver's answer accepts an event: 2xx, or 409, by which it says that it has the event
 * (spec/webhooks.md#acceptance). Any other answer is a failed attempt, and so is a missing one.
 */
export const isAccepted = (type: string, httpStatus: number | null | undefined) =>
  typeof httpStatus === "number" &&
  ((httpStatus >= 200 && httpStatus < 300) ||
    httpStatus === 409 ||
    ALSO_ACCEPTS[type]?.includes(httpStatus) === true);
