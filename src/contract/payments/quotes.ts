import * as z from "zod";
import { PaymentInstructions } from "../accounts/payment-instructions.ts";
import { PAYMENT_RAILS } from "../core/account-fields.ts";
import { AnyId, idOf } from "../core/identifiers.ts";
import { Amount, AmountInput, Instant } from "../core/scalars.ts";
import { Currency } from "../money/money.ts";

export const QUOTE_STATUSES = ["PENDING", "PROCESSING", "COMPLETED", "FAILED", "EXPIRED"] as const;
export type QuoteStatus = (typeof QUOTE_STATUSES)[number];

export const PURPOSES_OF_PAYMENT = [
  "GIFT",
  "SELF",
  "GOODS_OR_SERVICES",
  "EDUCATION",
  "HEALTH_OR_MEDICAL",
  "REAL_ESTATE_PURCHASE",
  "TAX_PAYMENT",
  "LOAN_PAYMENT",
  "UTILITY_BILL",
  "DONATION",
  "TRAVEL",
  "OTHER",
] as const;

const AccountSourceInput = z.lazy(() =>
  z.object({
    sourceType: z.literal("ACCOUNT"),
    accountId: AnyId,
    customerId: AnyId.optional(),
  }),
);

const RealtimeFundingInput = z.lazy(() =>
  z.object({
    sourceType: z.literal("REALTIME_FUNDING"),
    currency: z.string(),
    customerId: AnyId.optional(),
    cryptoNetwork: z.string().optional(),
  }),
);

const AccountDestinationInput = z.lazy(() =>
  z.object({
    destinationType: z.literal("ACCOUNT"),
    accountId: AnyId,
    paymentRail: z.enum(PAYMENT_RAILS).optional(),
  }),
);

const UmaDestinationInput = z.lazy(() =>
  z.object({
    destinationType: z.literal("UMA_ADDRESS"),
    umaAddress: z.string(),
    currency: z.string().optional(),
  }),
);

/** Body of POST /quotes (spec/quotes.md#request-fields). */
export const QuoteInput = z.lazy(() =>
  z.object({
    source: z.discriminatedUnion("sourceType", [AccountSourceInput, RealtimeFundingInput]),
    destination: z.discriminatedUnion("destinationType", [
      AccountDestinationInput,
      UmaDestinationInput,
    ]),
    lockedCurrencySide: z.enum(["SENDING", "RECEIVING"]),
    lockedCurrencyAmount: AmountInput,
    lookupId: AnyId.optional(),
    immediatelyExecute: z.boolean().optional(),
    description: z.string().max(255).optional(),
    purposeOfPayment: z.enum(PURPOSES_OF_PAYMENT).optional(),
    senderCustomerInfo: z.record(z.string(), z.unknown()).optional(),
  }),
);

export type QuoteInput = z.infer<typeof QuoteInput>;

/** The multipliers and fees behind a quote's amounts (spec/exchange-rates.md#rate-details). */
export const OutgoingRateDetails = z.lazy(() =>
  z
    .object({
      counterpartyMultiplier: z.number().positive(),
      counterpartyFixedFee: Amount,
      serviceApiMultiplier: z.number().positive(),
      serviceApiFixedFee: Amount,
      serviceApiVariableFeeRate: z.number().min(0),
      serviceApiVariableFeeAmount: Amount,
    })
    .meta({ id: "OutgoingRateDetails" }),
);

export type OutgoingRateDetails = z.infer<typeof OutgoingRateDetails>;

/**
 * Data about the other side of a payment, by field name
 * (spec/uma-payments.md#counterparty-information).
 */
export const CounterpartyInformation = z.lazy(() => z.record(z.string(), z.string()));

export type CounterpartyInformation = z.infer<typeof CounterpartyInformation>;

const QuoteSource = z.lazy(() =>
  z.discriminatedUnion("sourceType", [
    z.object({
      sourceType: z.literal("ACCOUNT"),
      accountId: z.string(),
      customerId: z.string().optional(),
    }),
    z.object({
      sourceType: z.literal("REALTIME_FUNDING"),
      currency: z.string(),
      customerId: z.string().optional(),
      cryptoNetwork: z.string().optional(),
    }),
  ]),
);

const QuoteDestination = z.lazy(() =>
  z.discriminatedUnion("destinationType", [
    z.object({
      destinationType: z.literal("ACCOUNT"),
      accountId: z.string(),
      paymentRail: z.enum(PAYMENT_RAILS).optional(),
    }),
    z.object({
      destinationType: z.literal("UMA_ADDRESS"),
      umaAddress: z.string(),
      currency: z.string().optional(),
    }),
  ]),
);

/** Quote of a reply (spec/quotes.md#quote-fields). */
export const Quote = z.lazy(() =>
  z
    .object({
      id: idOf("Quote"),
      status: z.enum(QUOTE_STATUSES),
      createdAt: Instant,
      expiresAt: Instant,
      source: QuoteSource,
      destination: QuoteDestination,
      sendingCurrency: Currency,
      receivingCurrency: Currency,
      totalSendingAmount: Amount,
      totalReceivingAmount: Amount,
      exchangeRate: z.number().positive(),
      feesIncluded: Amount,
      transactionId: idOf("Transaction"),
      paymentInstructions: z.array(PaymentInstructions).optional(),
      counterpartyInformation: CounterpartyInformation.optional(),
      rateDetails: OutgoingRateDetails,
    })
    .meta({ id: "Quote" }),
);

export type Quote = z.infer<typeof Quote>;
