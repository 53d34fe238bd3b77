import * as z from "zod";
import { ExternalAccount } from "../accounts/external-accounts.ts";
import { InternalAccount } from "../accounts/internal-accounts.ts";
import { AgentAction } from "../agents/agent-actions.ts";
import { CardTransaction } from "../cards/card-transactions.ts";
import { Card } from "../cards/cards.ts";
import { idOf } from "../core/identifiers.ts";
import { inPascalCase, named, sharedShape } from "../core/named-shape.ts";
import { added, extended, withVariants } from "../core/revised-shape.ts";
import { FIRST_REVISION } from "../core/revision-names.ts";
import { Instant } from "../core/scalars.ts";
import { BulkJob } from "../customers/bulk-customers.ts";
import { Customer } from "../customers/customers.ts";
import { Verification } from "../customers/verifications.ts";
import { IncomingTransaction, OutgoingTransaction } from "../payments/transactions.ts";
import { RequiredField } from "../platform/config.ts";
import { Invitation } from "../platform/invitations.ts";
import { EVENT_SPELLINGS, type EventType, eventSince, eventsOf } from "./events.ts";

/** An incoming payment that asks for a decision, with the facts that its sender wants to have. */
const PendingIncomingTransaction = named("PendingIncomingTransaction", () =>
  extended(IncomingTransaction.unwrap(), {
    requestedReceiverCustomerInfoFields: z.array(RequiredField).optional(),
  }),
);

/** The shape of `data` for each type: the resource after the change (spec/events.md#payloads). */
export const EVENT_PAYLOADS = {
  "OUTGOING_PAYMENT.PENDING": OutgoingTransaction,
  "OUTGOING_PAYMENT.PENDING_AUTHORIZATION": OutgoingTransaction,
  "OUTGOING_PAYMENT.PROCESSING": OutgoingTransaction,
  "OUTGOING_PAYMENT.COMPLETED": OutgoingTransaction,
  "OUTGOING_PAYMENT.FAILED": OutgoingTransaction,
  "OUTGOING_PAYMENT.EXPIRED": OutgoingTransaction,
  "OUTGOING_PAYMENT.REFUND_PENDING": OutgoingTransaction,
  "OUTGOING_PAYMENT.REFUND_COMPLETED": OutgoingTransaction,
  "OUTGOING_PAYMENT.REFUND_FAILED": OutgoingTransaction,
  "INCOMING_PAYMENT.PENDING": PendingIncomingTransaction,
  "INCOMING_PAYMENT.COMPLETED": IncomingTransaction,
  "INCOMING_PAYMENT.FAILED": IncomingTransaction,
  "INCOMING_PAYMENT.REFUND_PENDING": IncomingTransaction,
  "INCOMING_PAYMENT.REFUND_COMPLETED": IncomingTransaction,
  "INCOMING_PAYMENT.REFUND_FAILED": IncomingTransaction,
  "AGENT_ACTION.PENDING_APPROVAL": AgentAction,
  "CUSTOMER.KYC_PENDING": Customer,
  "CUSTOMER.KYC_APPROVED": Customer,
  "CUSTOMER.KYC_REJECTED": Customer,
  "CUSTOMER.KYB_PENDING": Customer,
  "CUSTOMER.KYB_APPROVED": Customer,
  "CUSTOMER.KYB_REJECTED": Customer,
  "VERIFICATION.APPROVED": Verification,
  "VERIFICATION.REJECTED": Verification,
  "VERIFICATION.RESOLVE_ERRORS": Verification,
  "VERIFICATION.IN_PROGRESS": Verification,
  "VERIFICATION.PENDING_MANUAL_REVIEW": Verification,
  "VERIFICATION.READY_FOR_VERIFICATION": Verification,
  "INVITATION.CLAIMED": Invitation,
  "BULK_UPLOAD.COMPLETED": BulkJob,
  "BULK_UPLOAD.FAILED": BulkJob,
  "INTERNAL_ACCOUNT.BALANCE_UPDATED": InternalAccount,
  "INTERNAL_ACCOUNT.STATUS_UPDATED": InternalAccount,
  "card.state_change": Card,
  "card.funding_source_change": Card,
  "CARD.STATE_CHANGE": Card,
  "CARD.FUNDING_SOURCE_CHANGE": Card,
  TEST: named("EmptyObject", () => z.object({})),
  "EXTERNAL_ACCOUNT.STATUS_UPDATED": ExternalAccount,
  "INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED": InternalAccount,
  "CARD_TRANSACTION.AUTHORIZED": CardTransaction,
  "CARD_TRANSACTION.PARTIALLY_SETTLED": CardTransaction,
  "CARD_TRANSACTION.SETTLED": CardTransaction,
  "CARD_TRANSACTION.REFUNDED": CardTransaction,
  "CARD_TRANSACTION.EXCEPTION": CardTransaction,
} as const satisfies Record<EventType, z.ZodType>;

const wholeEvent = (types: readonly EventType[], data: z.ZodType) =>
  z.object({ id: idOf("Webhook"), type: z.literal(types), timestamp: Instant, data });

/** A whole event of a type, as it is sent (spec/events.md#envelope). */
export const eventShape = (type: EventType) => wholeEvent([type], EVENT_PAYLOADS[type]);

/** Name of an event's shape: `CardStateChangeEvent`. */
export const eventName = (type: EventType) => `${inPascalCase(type)}Event`;

/** The shape of an event, under each spelling of its type. */
export const spelledEvent = (types: readonly EventType[]) => {
  const [type = "TEST"] = types;
  return sharedShape(eventName(type), () => wholeEvent(types, EVENT_PAYLOADS[type]));
};

const laterEvents = () =>
  EVENT_SPELLINGS.flatMap((types) => {
    const since = types[0] && eventSince(types[0]);
    return since ? [added(since, spelledEvent(types))] : [];
  });

/** The body of a webhook: an event of any type, told apart by `type` (spec/events.md#envelope). */
export const WebhookEvent = named("WebhookEvent", () => {
  const [first, ...others] = eventsOf(FIRST_REVISION).map(spelledEvent);
  const events = z.discriminatedUnion("type", [first as NonNullable<typeof first>, ...others]);
  return withVariants(events, laterEvents()) as unknown as typeof events;
});
