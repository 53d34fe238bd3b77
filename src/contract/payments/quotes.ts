import * as z from "zod";
import { PaymentInstructions } from "../accounts/payment-instructions.ts";
import { AnyId, idOf } from "../core/identifiers.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { PaymentRailName } from "../core/payment-rail-shape.ts";
import { added, addedValue, revised, withValues } from "../core/revised-shape.ts";
import { ScaChallenge } from "../core/sca-challenges.ts";
import { Amount, AmountInput, Instant } from "../core/scalars.ts";
import { Currency } from "../money/money.ts";
import { PlatformFeeOverride } from "../platform/fee-configs.ts";
import { PurposeOfPayment, RemittanceInformation } from "./remittance.ts";

export const QUOTE_STATUSES = ["PENDING", "PROCESSING", "COMPLETED", "FAILED", "EXPIRED"] as const;
export type QuoteStatus = (typeof QUOTE_STATUSES)[number];

const AccountQuoteSource = named("AccountQuoteSource", () =>
  z.object({
    sourceType: z.literal("ACCOUNT"),
    accountId: AnyId,
    customerId: AnyId.optional(),
  }),
);

const RealtimeFundingQuoteSource = named("RealtimeFundingQuoteSource", () =>
  z.object({
    sourceType: z.literal("REALTIME_FUNDING"),
    currency: z.string(),
    customerId: AnyId.optional(),
    cryptoNetwork: z.string().optional(),
  }),
);

const QuoteSource = named("QuoteSource", () =>
  z.discriminatedUnion("sourceType", [AccountQuoteSource, RealtimeFundingQuoteSource]),
);

const AccountQuoteDestination = named("AccountQuoteDestination", () =>
  z.object({
    destinationType: z.literal("ACCOUNT"),
    accountId: AnyId,
    paymentRail: PaymentRailName.optional(),
  }),
);

const UmaAddressQuoteDestination = named("UmaAddressQuoteDestination", () =>
  z.object({
    destinationType: z.literal("UMA_ADDRESS"),
    umaAddress: z.string(),
    currency: z.string().optional(),
  }),
);

const QuoteDestination = named("QuoteDestination", () =>
  z.discriminatedUnion("destinationType", [AccountQuoteDestination, UmaAddressQuoteDestination]),
);

/** Body of POST /quotes (spec/quotes.md#request-fields). */
export const QuoteInput = named("QuoteInput", () =>
  revised(
    z.object({
      source: QuoteSource,
      destination: QuoteDestination,
      lockedCurrencySide: enumOf("CurrencySide", ["SENDING", "RECEIVING"]),
      lockedCurrencyAmount: AmountInput,
      lookupId: AnyId.optional(),
      immediatelyExecute: z.boolean().optional(),
      description: z.string().max(255).optional(),
      purposeOfPayment: PurposeOfPayment.optional(),
      senderCustomerInfo: z.record(z.string(), z.unknown()).optional(),
    }),
    {
      remittanceInformation: added("remittance", RemittanceInformation),
      platformFeeOverride: added("platformFees", PlatformFeeOverride.optional()),
      scaFactor: added("scaFactors", PaymentScaFactor.optional()),
    },
  ),
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
export const CounterpartyInformation = named("CounterpartyInformation", () =>
  z.record(z.string(), z.string()),
);

export type CounterpartyInformation = z.infer<typeof CounterpartyInformation>;

/** Factors that a payment can be authorized with (spec/later-payments.md#sca-factors). */
const PaymentScaFactor = enumOf("PaymentScaFactor", ["SMS_OTP", "PASSKEY"]);

/** Optional body of POST /quotes/{quoteId}/execute since `scaFactors`. */
export const ExecuteQuoteInput = named("ExecuteQuoteInput", () =>
  z.object({ scaFactor: PaymentScaFactor.optional() }),
).optional();

const QuoteStatusName = withValues(enumOf("QuoteStatus", QUOTE_STATUSES), {
  PENDING_AUTHORIZATION: addedValue("scaFactors"),
});

/** Quote of a reply (spec/quotes.md#quote-fields). */
export const Quote = z.lazy(() =>
  revised(
    z.object({
      id: idOf("Quote"),
      status: QuoteStatusName,
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
    }),
    {
      platformFeesIncluded: added("platformFees", Amount.optional()),
      scaChallenge: added("scaFactors", ScaChallenge.optional()),
    },
  ).meta({ id: "Quote" }),
);

export type Quote = z.infer<typeof Quote>;
