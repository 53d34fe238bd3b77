import * as z from "zod";
import { PaymentInstructions } from "../accounts/payment-instructions.ts";
import { CardTransaction } from "../cards/card-transactions.ts";
import { AnyId, idOf } from "../core/identifiers.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { PaymentRailName } from "../core/payment-rail-shape.ts";
import {
  added,
  addedValue,
  gone,
  revised,
  withValues,
  withVariants,
} from "../core/revised-shape.ts";
import { Amount, Instant, InstantInput } from "../core/scalars.ts";
import { TransactionDirection } from "../money/directions.ts";
import { CurrencyAmount } from "../money/money.ts";
import { OnChainTransaction } from "./on-chain.ts";
import { RailSelectionMode } from "./payment-rails.ts";
import { CounterpartyInformation, OutgoingRateDetails } from "./quotes.ts";

/** Every status of both types, which the list filter takes (spec/transactions.md#list-filters). */
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

/**
 * Further reasons since `failureReasons` (spec/later-payments.md#failure-reasons). The list is of
 * what a reply may say: no rule gives the first, the second and the fourth.
 */
export const LATER_OUTGOING_REASONS = [
  "QUOTE_RATE_UNAVAILABLE",
  "SCA_NOT_COMPLETED",
  "PAYOUT_RETURNED",
  "LIMIT_EXCEEDED",
  "ACCOUNT_CANNOT_RECEIVE",
  "ACCOUNT_INVALID",
  "COMPLIANCE_REJECTED",
] as const;
export type LaterOutgoingReason = (typeof LATER_OUTGOING_REASONS)[number];

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

/** Further reasons since `failureReasons` (spec/later-payments.md#failure-reasons). */
export const LATER_INCOMING_REASONS = ["COMPLIANCE_REJECTED", "COLLECTION_FAILED"] as const;
export type LaterIncomingReason = (typeof LATER_INCOMING_REASONS)[number];

/** Causes that delay a settlement (spec/later-payments.md#pending-reasons). */
export const PENDING_REASONS = [
  "COUNTERPARTY_DECLARATION_REQUIRED",
  "WALLET_VERIFICATION_REQUIRED",
  "COUNTERPARTY_INFORMATION_REQUIRED",
  "COMPLIANCE_REVIEW",
] as const;
export type PendingReason = (typeof PENDING_REASONS)[number];

export const PendingReasonName = enumOf("TransactionPendingReason", PENDING_REASONS);

const ofRow = <Value extends string, Row extends "failureReasons" | "scaFactors">(
  values: readonly Value[],
  row: Row,
) =>
  Object.fromEntries(values.map((value) => [value, addedValue(row)])) as Record<
    Value,
    ReturnType<typeof addedValue>
  >;

/** The status of a payment that waits for its customer's authorization. */
const AWAITING = ["PENDING_AUTHORIZATION"] as const;

const TransactionStatusName = withValues(
  enumOf("TransactionStatus", TRANSACTION_STATUSES),
  ofRow(AWAITING, "scaFactors"),
);

const OutgoingStatusName = withValues(
  enumOf("OutgoingStatus", OUTGOING_STATUSES),
  ofRow(AWAITING, "scaFactors"),
);

const OutgoingFailureReasonName = withValues(
  enumOf("OutgoingFailureReason", OUTGOING_FAILURE_REASONS),
  ofRow(LATER_OUTGOING_REASONS, "failureReasons"),
);

const IncomingFailureReasonName = withValues(
  enumOf("IncomingFailureReason", INCOMING_FAILURE_REASONS),
  ofRow(LATER_INCOMING_REASONS, "failureReasons"),
);

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

const onChain = () => added("onChainTransactions", OnChainTransaction.optional());

const AccountTransactionSource = named("AccountTransactionSource", () =>
  revised(
    z.object({
      sourceType: z.literal("ACCOUNT"),
      accountId: z.string(),
      currency: z.string().optional(),
    }),
    { onChainTransaction: onChain() },
  ),
);

const UmaAddressTransactionSource = named("UmaAddressTransactionSource", () =>
  z.object({
    sourceType: z.literal("UMA_ADDRESS"),
    umaAddress: z.string(),
    currency: z.string().optional(),
  }),
);

const text = () => added("onChainTransactions", z.string().optional());

const RealtimeFundingTransactionSource = named("RealtimeFundingTransactionSource", () =>
  revised(
    z.object({
      sourceType: z.literal("REALTIME_FUNDING"),
      currency: z.string(),
      customerId: z.string().optional(),
    }),
    {
      accountHolderName: text(),
      accountIdentifier: text(),
      bankName: text(),
      bankIdentifier: text(),
      paymentRail: added("onChainTransactions", PaymentRailName.optional()),
      remittanceInformation: text(),
      endToEndId: text(),
      traceNumber: text(),
      onChainTransaction: onChain(),
    },
  ),
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
  revised(
    z.object({
      destinationType: z.literal("ACCOUNT"),
      accountId: z.string(),
      currency: z.string().optional(),
    }),
    { onChainTransaction: onChain() },
  ),
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
  revised(z.object({ reference: z.string() }), { transactionHash: text() }),
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

/** Members that later revisions gave both types. */
const laterMembers = () => ({
  direction: added("transactionDirections", TransactionDirection),
  pendingReason: added("pendingReasons", PendingReasonName.optional()),
  receiptDeliveryConfirmedAt: added("transactionEnds", Instant.optional()),
});

/** OUTGOING transaction of a reply (spec/transactions.md#outgoing-fields). */
export const OutgoingTransaction = named("OutgoingTransaction", () =>
  revised(
    z.object({
      ...commonMembers(),
      status: OutgoingStatusName,
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
      failureReason: OutgoingFailureReasonName.optional(),
    }),
    {
      ...laterMembers(),
      platformFees: added("platformFees", Amount.optional()),
      paymentRail: added("settlementForecasts", PaymentRailName.nullable().optional()),
      railSelectionMode: added("settlementForecasts", RailSelectionMode.nullable().optional()),
      expectedSettlementAt: added("settlementForecasts", Instant.nullable().optional()),
      settlementTimelineSeconds: added("settlementForecasts", z.int().min(0).nullable().optional()),
    },
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
      status: TransactionStatusName,
      type: z.literal("INCOMING"),
      source: TransactionSource.optional(),
      receivedAmount: CurrencyAmount,
      fees: Amount.optional(),
      rateDetails: IncomingRateDetails.optional(),
      failureReason: IncomingFailureReasonName.optional(),
    }),
    {
      ...laterMembers(),
      sentAmount: added("incomingSides", CurrencyAmount.optional()),
      exchangeRate: added("incomingSides", z.number().positive().optional()),
      quoteId: added("incomingSides", idOf("Quote").optional()),
      rateDetails: gone("incomingSides"),
      refund: added("incomingRefunds", Refund.optional()),
    },
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
  status: TransactionStatusName.optional(),
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

/**
 * Optional body of POST /transactions/{transactionId}/cancel
 * (spec/later-payments.md#transaction-ends).
 */
export const CancelInput = named("CancelTransactionInput", () =>
  z.object({ reason: z.string().optional() }),
).optional();

/**
 * Optional body of POST /transactions/{transactionId}/confirm
 * (spec/later-payments.md#transaction-ends).
 */
export const ConfirmInput = named("ConfirmReceiptDeliveryInput", () =>
  z.object({ receiptDeliveryConfirmedAt: InstantInput.optional() }),
).optional();

/** Optional body of POST /transactions/{transactionId}/reject; the reason is not stored. */
export const RejectInput = named("TransactionRejectionInput", () =>
  z.object({ reason: z.string().optional() }),
).optional();

export type RejectInput = z.infer<typeof RejectInput>;
