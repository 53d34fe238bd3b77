import * as z from "zod";
import { AnyId, idOf } from "./identifiers.ts";
import { CurrencyAmount } from "./money.ts";
import { OutgoingRateDetails } from "./quotes.ts";
import { Amount, Instant, InstantInput } from "./scalars.ts";

/** Every status of either type; the list filter takes all eight (payments digest 11.4). */
export const TRANSACTION_STATUSES = [
  "CREATED",
  "PENDING",
  "PROCESSING",
  "COMPLETED",
  "REJECTED",
  "FAILED",
  "REFUNDED",
  "EXPIRED",
] as const;

export const OUTGOING_STATUSES = [
  "PENDING",
  "PROCESSING",
  "COMPLETED",
  "FAILED",
  "EXPIRED",
] as const;
export type OutgoingStatus = (typeof OUTGOING_STATUSES)[number];

export const TRANSACTION_TYPES = ["INCOMING", "OUTGOING"] as const;

/** Why an outgoing payment failed (payments digest 11.3). */
export const OUTGOING_FAILURE_REASONS = [
  "QUOTE_EXPIRED",
  "QUOTE_EXECUTION_FAILED",
  "LIGHTNING_PAYMENT_FAILED",
  "FUNDING_AMOUNT_MISMATCH",
  "COUNTERPARTY_POST_TX_FAILED",
] as const;
export type OutgoingFailureReason = (typeof OUTGOING_FAILURE_REASONS)[number];

export const REFUND_STATUSES = ["PENDING", "COMPLETED", "FAILED"] as const;
export const REFUND_REASONS = ["TRANSACTION_FAILED", "USER_CANCELLATION", "TIMEOUT"] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];
export type RefundReason = (typeof REFUND_REASONS)[number];

/** Refund of an outgoing payment (payments digest 11.6). */
export const Refund = z.lazy(() =>
  z
    .object({
      reference: z.string(),
      initiatedAt: Instant,
      settledAt: Instant.optional(),
      status: z.enum(REFUND_STATUSES),
      reason: z.enum(REFUND_REASONS).optional(),
    })
    .meta({ id: "Refund" }),
);

export type Refund = z.infer<typeof Refund>;

/** OUTGOING transaction of a reply (payments digest 11.1 and 11.3). */
export const OutgoingTransaction = z.lazy(() =>
  z
    .object({
      id: idOf("Transaction"),
      status: z.enum(OUTGOING_STATUSES),
      type: z.literal("OUTGOING"),
      source: z.object({
        sourceType: z.literal("ACCOUNT"),
        accountId: z.string(),
        currency: z.string(),
      }),
      destination: z.object({
        destinationType: z.literal("ACCOUNT"),
        accountId: z.string(),
        currency: z.string(),
      }),
      customerId: z.string(),
      platformCustomerId: z.string(),
      sentAmount: CurrencyAmount,
      receivedAmount: CurrencyAmount.optional(),
      exchangeRate: z.number().positive().optional(),
      fees: Amount.optional(),
      quoteId: idOf("Quote").optional(),
      description: z.string().optional(),
      rateDetails: OutgoingRateDetails.optional(),
      reconciliationInstructions: z.object({ reference: z.string() }).optional(),
      refund: Refund.optional(),
      failureReason: z.enum(OUTGOING_FAILURE_REASONS).optional(),
      settledAt: Instant.optional(),
      createdAt: Instant,
      updatedAt: Instant,
    })
    .meta({ id: "OutgoingTransaction" }),
);

export type OutgoingTransaction = z.infer<typeof OutgoingTransaction>;

/** Filters of GET /transactions (payments digest 11.7). */
export const TransactionsQuery = {
  customerId: AnyId.optional(),
  platformCustomerId: z.string().optional(),
  accountIdentifier: z.string().optional(),
  senderAccountIdentifier: z.string().optional(),
  receiverAccountIdentifier: z.string().optional(),
  reference: z.string().optional(),
  status: z.enum(TRANSACTION_STATUSES).optional(),
  type: z.enum(TRANSACTION_TYPES).optional(),
  startDate: InstantInput.optional(),
  endDate: InstantInput.optional(),
};
