import type { EventType } from "../../contract/webhooks/events.ts";
import type { Moment } from "../core/draft.ts";
import { cardTransactionExample } from "./example-card-transactions.ts";
import {
  bulkJobExample,
  claimedInvitationExample,
  verificationExample,
} from "./example-onboarding.ts";
import {
  incomingExample,
  newExamplePayment,
  outgoingExample,
  type PaymentState,
  refundedExample,
} from "./example-payments.ts";
import {
  accountExample,
  actionExample,
  businessExample,
  cardExample,
  externalAccountExample,
  individualExample,
  totalledAccountExample,
} from "./example-resources.ts";

type MakeExample = (moment: Moment) => { id?: string; code?: string };

const outgoing =
  (state: PaymentState): MakeExample =>
  (moment) =>
    outgoingExample(newExamplePayment(moment), state, moment);

/**
 * An example resource for an event of each type: it does not exist in the world, and has the state
 * that the type announces (spec/events.md#payloads).
 */
export const EXAMPLE_PAYLOADS = {
  "OUTGOING_PAYMENT.PENDING": outgoing({ status: "PENDING" }),
  "OUTGOING_PAYMENT.PENDING_AUTHORIZATION": outgoing({ status: "PENDING_AUTHORIZATION" }),
  "OUTGOING_PAYMENT.PROCESSING": outgoing({ status: "PROCESSING" }),
  "OUTGOING_PAYMENT.COMPLETED": outgoing({ status: "COMPLETED" }),
  "OUTGOING_PAYMENT.FAILED": outgoing({ status: "FAILED" }),
  "OUTGOING_PAYMENT.EXPIRED": outgoing({ status: "EXPIRED" }),
  "OUTGOING_PAYMENT.REFUND_PENDING": outgoing({ status: "FAILED", refund: "PENDING" }),
  "OUTGOING_PAYMENT.REFUND_COMPLETED": outgoing({ status: "FAILED", refund: "COMPLETED" }),
  "OUTGOING_PAYMENT.REFUND_FAILED": outgoing({ status: "FAILED", refund: "FAILED" }),
  "INCOMING_PAYMENT.PENDING": (moment) => ({
    ...incomingExample("PENDING", moment),
    requestedReceiverCustomerInfoFields: [{ name: "FULL_NAME", mandatory: true }],
  }),
  "INCOMING_PAYMENT.COMPLETED": (moment) => incomingExample("COMPLETED", moment),
  "INCOMING_PAYMENT.FAILED": (moment) => incomingExample("FAILED", moment),
  "INCOMING_PAYMENT.REFUND_PENDING": (moment) => refundedExample("PENDING", moment),
  "INCOMING_PAYMENT.REFUND_COMPLETED": (moment) => refundedExample("COMPLETED", moment),
  "INCOMING_PAYMENT.REFUND_FAILED": (moment) => refundedExample("FAILED", moment),
  "AGENT_ACTION.PENDING_APPROVAL": actionExample,
  "CUSTOMER.KYC_PENDING": (moment) => individualExample("PENDING", moment),
  "CUSTOMER.KYC_APPROVED": (moment) => individualExample("APPROVED", moment),
  "CUSTOMER.KYC_REJECTED": (moment) => individualExample("REJECTED", moment),
  "CUSTOMER.KYB_PENDING": (moment) => businessExample("PENDING", moment),
  "CUSTOMER.KYB_APPROVED": (moment) => businessExample("APPROVED", moment),
  "CUSTOMER.KYB_REJECTED": (moment) => businessExample("REJECTED", moment),
  "VERIFICATION.APPROVED": (moment) => verificationExample("APPROVED", moment),
  "VERIFICATION.REJECTED": (moment) => verificationExample("REJECTED", moment),
  "VERIFICATION.RESOLVE_ERRORS": (moment) => verificationExample("RESOLVE_ERRORS", moment),
  "VERIFICATION.IN_PROGRESS": (moment) => verificationExample("IN_PROGRESS", moment),
  "VERIFICATION.PENDING_MANUAL_REVIEW": (moment) =>
    verificationExample("PENDING_MANUAL_REVIEW", moment),
  "VERIFICATION.READY_FOR_VERIFICATION": (moment) =>
    verificationExample("READY_FOR_VERIFICATION", moment),
  "INVITATION.CLAIMED": claimedInvitationExample,
  "BULK_UPLOAD.COMPLETED": (moment) => bulkJobExample("COMPLETED", moment),
  "BULK_UPLOAD.FAILED": (moment) => bulkJobExample("FAILED", moment),
  "INTERNAL_ACCOUNT.BALANCE_UPDATED": (moment) => accountExample("ACTIVE", moment),
  "INTERNAL_ACCOUNT.STATUS_UPDATED": (moment) => accountExample("FROZEN", moment),
  "card.state_change": cardExample,
  "card.funding_source_change": cardExample,
  "CARD.STATE_CHANGE": cardExample,
  "CARD.FUNDING_SOURCE_CHANGE": cardExample,
  TEST: () => ({}),
  "EXTERNAL_ACCOUNT.STATUS_UPDATED": externalAccountExample,
  "INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED": totalledAccountExample,
  "CARD_TRANSACTION.AUTHORIZED": (moment) => cardTransactionExample("AUTHORIZED", moment),
  "CARD_TRANSACTION.PARTIALLY_SETTLED": (moment) =>
    cardTransactionExample("PARTIALLY_SETTLED", moment),
  "CARD_TRANSACTION.SETTLED": (moment) => cardTransactionExample("SETTLED", moment),
  "CARD_TRANSACTION.REFUNDED": (moment) => cardTransactionExample("REFUNDED", moment),
  "CARD_TRANSACTION.EXCEPTION": (moment) => cardTransactionExample("EXCEPTION", moment),
} as const satisfies Record<EventType, MakeExample>;
