import * as z from "zod";
import { shapeIn } from "../../../contract/core/revised-shape.ts";
import { LATEST_REVISION } from "../../../contract/core/revision-names.ts";
import { isRateText } from "../../../contract/money/rate-text.ts";
import {
  CounterpartyInformation,
  OutgoingRateDetails,
  QUOTE_STATUSES,
} from "../../../contract/payments/quotes.ts";
import {
  INCOMING_FAILURE_REASONS,
  IncomingRateDetails,
  OUTGOING_FAILURE_REASONS,
  OUTGOING_STATUSES,
  PENDING_REASONS,
  REFUND_REASONS,
  REFUND_STATUSES,
  TRANSACTION_STATUSES,
} from "../../../contract/payments/transactions.ts";
import { RequiredField } from "../../../contract/platform/config.ts";
import type {
  IncomingRecord,
  LookupRecord,
  OutgoingRecord,
  PlatformFeeRecord,
  QuoteRecord,
  RailRecord,
  RatesRecord,
  RefundRecord,
  ReplayRecord,
  SentRecord,
} from "../records.ts";
import { TIMER_NAMES } from "../timer-names.ts";
import {
  Count,
  Currency,
  HeaderName,
  HeaderValue,
  Id,
  oneOf,
  StoredInstant,
  stamps,
  stored,
  Text,
} from "./stored-values.ts";

const QuoteSource = z.discriminatedUnion("sourceType", [
  z.strictObject({
    sourceType: z.literal("ACCOUNT"),
    accountId: Id,
    customerId: Id.optional(),
  }),
  z.strictObject({
    sourceType: z.literal("REALTIME_FUNDING"),
    customerId: Id.optional(),
    cryptoNetwork: Text.optional(),
  }),
]);

const QuoteDestination = z.discriminatedUnion("destinationType", [
  z.strictObject({
    destinationType: z.literal("ACCOUNT"),
    accountId: Id,
    paymentRail: Text.optional(),
  }),
  z.strictObject({ destinationType: z.literal("UMA_ADDRESS"), umaAddress: Text }),
]);

const Source = z.discriminatedUnion("sourceType", [
  z.strictObject({ sourceType: z.literal("ACCOUNT"), accountId: Id }),
  z.strictObject({ sourceType: z.literal("UMA_ADDRESS"), umaAddress: Text }),
  z.strictObject({
    sourceType: z.literal("REALTIME_FUNDING"),
    customerId: Id.optional(),
  }),
]);

const Destination = z.discriminatedUnion("destinationType", [
  z.strictObject({ destinationType: z.literal("ACCOUNT"), accountId: Id }),
  z.strictObject({ destinationType: z.literal("UMA_ADDRESS"), umaAddress: Text }),
]);

const INCOMING_STATUSES = TRANSACTION_STATUSES.filter(
  (status) => status !== "CREATED" && status !== "EXPIRED",
);

const Rate = z.number().positive();

const transaction = {
  ...stamps,
  source: Source,
  destination: Destination,
  customerId: Id,
  platformCustomerId: Text,
  agentId: Id.optional(),
  receivingCurrency: Currency,
  receivedMinor: Count,
  feesMinor: Count,
  description: Text.optional(),
  counterpartyInformation: CounterpartyInformation.optional(),
  reference: Text,
  settledAtMs: StoredInstant.optional(),
  pendingReason: oneOf(PENDING_REASONS).optional(),
  heldTimer: z.strictObject({ name: oneOf(TIMER_NAMES), leftMs: Count }).optional(),
  receiptConfirmedAtMs: StoredInstant.optional(),
  creditsAccountId: Id.optional(),
  course: z.strictObject({ rows: z.array(Text), step: Count }).optional(),
};

const StoredRefund = () =>
  stored<RefundRecord>({
    reference: Text,
    initiatedAtMs: StoredInstant,
    settledAtMs: StoredInstant.optional(),
    status: oneOf(REFUND_STATUSES),
    reason: oneOf(REFUND_REASONS),
  });

const Outgoing = () =>
  stored<OutgoingRecord>({
    ...transaction,
    type: z.literal("OUTGOING"),
    status: oneOf(OUTGOING_STATUSES),
    sendingCurrency: Currency,
    sentMinor: Count,
    exchangeRate: Rate.optional(),
    rateDetails: OutgoingRateDetails.optional(),
    quoteId: Id.optional(),
    debitsAccountId: Id.optional(),
    collectedMinor: Count.optional(),
    refund: StoredRefund().optional(),
    failureReason: oneOf(OUTGOING_FAILURE_REASONS).optional(),
    platformFeesMinor: Count.optional(),
    feeAccountId: Id.optional(),
    rail: stored<RailRecord>({ name: Text as never, mode: oneOf(["AUTO", "MANUAL"]) }).optional(),
  });

const Incoming = () =>
  stored<IncomingRecord>({
    ...transaction,
    type: z.literal("INCOMING"),
    status: oneOf(INCOMING_STATUSES),
    rateDetails: IncomingRateDetails.optional(),
    requestedFields: z.array(Text).optional(),
    failureReason: oneOf(INCOMING_FAILURE_REASONS).optional(),
    sent: stored<SentRecord>({
      currency: Currency,
      amountMinor: Count,
      feesMinor: Count,
      exchangeRate: Rate,
    }).optional(),
    refund: StoredRefund().optional(),
  });

const PerUsd = z.partialRecord(
  Currency as never,
  Text.refine(isRateText, "Expected a rate"),
) as z.ZodType<RatesRecord["perUsd"]>;

export const PAYMENT_SHAPES = {
  Quote: () =>
    stored<QuoteRecord>({
      ...stamps,
      status: oneOf(QUOTE_STATUSES),
      expiresAtMs: StoredInstant,
      source: QuoteSource,
      destination: QuoteDestination,
      sendingCurrency: Currency,
      receivingCurrency: Currency,
      totalSendingMinor: Count,
      totalReceivingMinor: Count,
      feesMinor: Count,
      exchangeRate: Rate,
      rateDetails: OutgoingRateDetails,
      transactionId: Id,
      payloadToSign: Text.optional(),
      lightningInvoice: Text.optional(),
      counterpartyInformation: CounterpartyInformation.optional(),
      agentId: Id.optional(),
      lockedSide: z.literal("RECEIVING").optional(),
      platformFee: stored<PlatformFeeRecord>({
        fixedMinor: Count,
        variableBps: Count,
        amountMinor: Count,
      }).optional(),
      perUsd: PerUsd.optional(),
    }),
  Transaction: () =>
    z.discriminatedUnion("type", [Outgoing() as never, Incoming() as never]) as z.ZodType<
      OutgoingRecord | IncomingRecord
    >,
  Lookup: () =>
    stored<LookupRecord>({
      id: Id,
      createdAtMs: StoredInstant,
      expiresAtMs: StoredInstant,
      receiver: z.union([
        z.strictObject({ umaAddress: Text, customerId: Id.optional() }),
        z.strictObject({ accountId: Id }),
      ]),
      currencies: z.array(z.strictObject({ currency: Currency, minMinor: Count, maxMinor: Count })),
      requiredFields: z.array(shapeIn(RequiredField, LATEST_REVISION)),
    }),
  Rates: () =>
    stored<RatesRecord>({
      id: Id,
      perUsd: PerUsd,
    }),
  Replay: () =>
    stored<ReplayRecord>({
      id: Id,
      key: Text,
      atMs: StoredInstant,
      status: z.int().min(100).max(599),
      text: Text,
      headers: z.record(HeaderName, HeaderValue).optional(),
      requestId: Text.optional(),
      bodyDigest: Text.optional(),
    }),
};
