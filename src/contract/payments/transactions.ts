import * as z from "zod";
import { PaymentInstructions } from "../accounts/payment-instructions.ts";
import { CardTransaction } from "../cards/card-transactions.ts";
import { AnyId, idOf } from "../core/identifiers.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { added, revised, withVariants } from "../core/revised-shape.ts";
import { Amount, Instant, InstantInput } from "../core/scalars.ts";
import { TransactionDirection } from "../money/directions.ts";
import { CurrencyAmount } from "../money/money.ts";
import { CounterpartyInformation, OutgoingRateDetails } from "./quotes.ts";

/**
 * Every status of both types; the list filter accepts all eight
 * (spec/transactions.md#list-filters).
 */
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

/** Failure reasons of outgoing payments (spec/transactions.md#outgoing-failure-reasons). */
export const OUTGOING_FAILURE_REASONS = [
  "QUOTE_EXPIRED",
  "QUOTE_EXECUTION_FAILED",
  "LIGHTNING_PAYMENT_FAILED",
  "FUNDING_AMOUNT_MISMATCH",
  "COUNTERPARTY_POST_TX_FAILED",
] as const;
export type OutgoingFailureReason = (typeof OUTGOING_FAILURE_REASONS)[number];

/** Failure reasons of incoming payments (spec/transactions.md#incoming-failure-reasons). */
export const INCOMING_FAILURE_REASONS = [
  "LNURLP_FAILED",
  "PAY_REQUEST_FAILED",
  "PAYMENT_APPROVAL_WEBHOOK_ERROR",
  "PAYMENT_APPROVAL_TIMED_OUT",
  "OFFRAMP_FAILED",
  "MISSING_MANDATORY_PAYEE_DATA",
  "QUOTE_EXPIRED",
  "QUOTE_EXECUTION_FAILED",
] as const;
export type IncomingFailureReason = (typeof INCOMING_FAILURE_REASONS)[number];

/**
 * Statuses of incoming payments; CREATED and EXPIRED never occur here
 * (spec/transactions.md#incoming-lifecycle).
 */
export type IncomingStatus = Exclude<(typeof TRANSACTION_STATUSES)[number], "CREATED" | "EXPIRED">;

export const REFUND_STATUSES = ["PENDING", "COMPLETED", "FAILED"] as const;
export const REFUND_REASONS = ["TRANSACTION_FAILED", "USER_CANCELLATION", "TIMEOUT"] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];
export type RefundReason = (typeof REFUND_REASONS)[number];

/** Refund of an outgoing payment (spec/transactions.md#refund-fields). */
export const Refund = z.lazy(() =>
  z
    .object({
      reference: z.string(),
      initiatedAt: Instant,
      settledAt: Instant.optional(),
      status: enumOf("RefundStatus", REFUND_STATUSES),
      reason: enumOf("RefundReason", REFUND_REASONS).optional(),
    })
    .meta({ id: "Refund" }),
);

export type Refund = z.infer<typeof Refund>;

const AccountTransactionSource = named("AccountTransactionSource", () =>
  z.object({
    sourceType: z.literal("ACCOUNT"),
    accountId: z.string(),
    currency: z.string().optional(),
  }),
);

const UmaAddressTransactionSource = named("UmaAddressTransactionSource", () =>
  z.object({
    sourceType: z.literal("UMA_ADDRESS"),
    umaAddress: z.string(),
    currency: z.string().optional(),
  }),
);

const RealtimeFundingTransactionSource = named("RealtimeFundingTransactionSource", () =>
  z.object({
    sourceType: z.literal("REALTIME_FUNDING"),
    currency: z.string(),
    customerId: z.string().optional(),
  }),
);

/** Source of the money of a transaction (spec/transactions.md#sources-and-destinations). */
export const TransactionSource = named("TransactionSource", () =>
  z.discriminatedUnion("sourceType", [
    AccountTransactionSource,
    UmaAddressTransactionSource,
    RealtimeFundingTransactionSource,
  ]),
);

export type TransactionSource = z.infer<typeof TransactionSource>;

const AccountTransactionDestination = named("AccountTransactionDestination", () =>
  z.object({
    destinationType: z.literal("ACCOUNT"),
    accountId: z.string(),
    currency: z.string().optional(),
  }),
);

const UmaAddressTransactionDestination = named("UmaAddressTransactionDestination", () =>
  z.object({
    destinationType: z.literal("UMA_ADDRESS"),
    umaAddress: z.string(),
    currency: z.string().optional(),
  }),
);

/** Destination of the money of a transaction (spec/transactions.md#sources-and-destinations). */
export const TransactionDestination = named("TransactionDestination", () =>
  z.discriminatedUnion("destinationType", [
    AccountTransactionDestination,
    UmaAddressTransactionDestination,
  ]),
);

export type TransactionDestination = z.infer<typeof TransactionDestination>;

const ReconciliationInstructions = named("ReconciliationInstructions", () =>
  z.object({ reference: z.string() }),
);

/** Fields of both transaction types (spec/transactions.md#common-fields). */
const commonMembers = () => ({
  id: idOf("Transaction"),
  destination: TransactionDestination,
  customerId: z.string(),
  platformCustomerId: z.string(),
  agentId: idOf("Agent").optional(),
  description: z.string().optional(),
  counterpartyInformation: CounterpartyInformation.optional(),
  reconciliationInstructions: ReconciliationInstructions.optional(),
  settledAt: Instant.optional(),
  createdAt: Instant,
  updatedAt: Instant,
});

/** OUTGOING transaction of a reply (spec/transactions.md#outgoing-fields). */
export const OutgoingTransaction = named("OutgoingTransaction", () =>
  revised(
    z.object({
      ...commonMembers(),
      status: enumOf("OutgoingStatus", OUTGOING_STATUSES),
      type: z.literal("OUTGOING"),
      source: TransactionSource,
      sentAmount: CurrencyAmount,
      receivedAmount: CurrencyAmount.optional(),
      exchangeRate: z.number().positive().optional(),
      fees: Amount.optional(),
      quoteId: idOf("Quote").optional(),
      paymentInstructions: z.array(PaymentInstructions).optional(),
      rateDetails: OutgoingRateDetails.optional(),
      refund: Refund.optional(),
      failureReason: enumOf("OutgoingFailureReason", OUTGOING_FAILURE_REASONS).optional(),
    }),
    { direction: added("transactionDirections", TransactionDirection) },
  ),
);

export type OutgoingTransaction = z.infer<typeof OutgoingTransaction>;

/**
 * The multiplier and fees behind an incoming payment's amounts
 * (spec/uma-payments.md#incoming-fees).
 */
export const IncomingRateDetails = z.lazy(() =>
  z
    .object({
      serviceApiMultiplier: z.number().positive(),
      serviceApiFixedFee: Amount,
      serviceApiVariableFeeRate: z.number().min(0),
      serviceApiVariableFeeAmount: Amount,
    })
    .meta({ id: "IncomingRateDetails" }),
);

export type IncomingRateDetails = z.infer<typeof IncomingRateDetails>;

/** INCOMING transaction of a reply (spec/transactions.md#incoming-fields). */
export const IncomingTransaction = named("IncomingTransaction", () =>
  revised(
    z.object({
      ...commonMembers(),
      status: enumOf("TransactionStatus", TRANSACTION_STATUSES),
      type: z.literal("INCOMING"),
      source: TransactionSource.optional(),
      receivedAmount: CurrencyAmount,
      fees: Amount.optional(),
      rateDetails: IncomingRateDetails.optional(),
      failureReason: enumOf("IncomingFailureReason", INCOMING_FAILURE_REASONS).optional(),
    }),
    { direction: added("transactionDirections", TransactionDirection) },
  ),
);

export type IncomingTransaction = z.infer<typeof IncomingTransaction>;

/** A transaction of either type; a card transaction too, since `cardTransactionsListed`. */
export const Transaction = named("Transaction", () =>
  withVariants(z.discriminatedUnion("type", [IncomingTransaction, OutgoingTransaction]), [
    added("cardTransactionsListed", CardTransaction),
  ]),
);

/** A payment. */
export type Transaction = IncomingTransaction | OutgoingTransaction;

/** A transaction of a list: a payment, or a card transaction. */
export type AnyTransaction = Transaction | CardTransaction;

/** Filters of GET /transactions (spec/transactions.md#list-filters). */
export const TransactionsQuery = {
  customerId: AnyId.optional(),
  platformCustomerId: z.string().optional(),
  accountIdentifier: z.string().optional(),
  senderAccountIdentifier: z.string().optional(),
  receiverAccountIdentifier: z.string().optional(),
  reference: z.string().optional(),
  status: enumOf("TransactionStatus", TRANSACTION_STATUSES).optional(),
  type: enumOf("TransactionType", TRANSACTION_TYPES).optional(),
  startDate: InstantInput.optional(),
  endDate: InstantInput.optional(),
};

/**
 * Optional body of POST /transactions/{transactionId}/approve
 * (spec/uma-payments.md#approval-by-call).
 */
export const ApproveInput = named("TransactionApprovalInput", () =>
  z.object({ receiverCustomerInfo: z.record(z.string(), z.unknown()).optional() }),
).optional();

export type ApproveInput = z.infer<typeof ApproveInput>;

/** Optional body of POST /transactions/{transactionId}/reject; the reason is not stored. */
export const RejectInput = named("TransactionRejectionInput", () =>
  z.object({ reason: z.string().optional() }),
).optional();

export type RejectInput = z.infer<typeof RejectInput>;
