import * as z from "zod";
import { AnyId, idOf } from "../core/identifiers.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { added, freed, gone, revised, withValues } from "../core/revised-shape.ts";
import {
  Amount,
  AmountInput,
  CountryCode,
  Instant,
  MAX_AMOUNT_MINOR,
  refusedAs,
} from "../core/scalars.ts";
import { TransactionDirection } from "../money/directions.ts";
import { CurrencyAmount } from "../money/money.ts";

/**
 * Statuses of a card transaction; DECLINED is an addition to the published list
 * (spec/card-transactions.md#statuses).
 */
export const CARD_TRANSACTION_STATUSES = [
  "AUTHORIZED",
  "PARTIALLY_SETTLED",
  "SETTLED",
  "REFUNDED",
  "EXCEPTION",
  "DECLINED",
] as const;
export type CardTransactionStatus = (typeof CARD_TRANSACTION_STATUSES)[number];

export const DECLINE_CODES = [
  "INSUFFICIENT_FUNDS",
  "CARD_PAUSED",
  "CARD_NOT_ACTIVE",
  "CARD_CLOSED",
] as const;
export type DeclineCode = (typeof DECLINE_CODES)[number];

/** Reasons of declines in records; those that no revision publishes come last. */
export const DECLINE_REASONS = [...DECLINE_CODES, "SPEND_LIMIT_EXCEEDED"] as const;
export type DeclineReason = (typeof DECLINE_REASONS)[number];

export const isDeclineCode = (reason: string | undefined): reason is DeclineCode =>
  (DECLINE_CODES as readonly (string | undefined)[]).includes(reason);

const Merchant = named("Merchant", () =>
  z.object({
    descriptor: z.string().min(1).max(255),
    mcc: z
      .string()
      .regex(/^[0-9]{4}$/, "Expected four digits")
      .optional(),
    country: CountryCode.optional(),
  }),
);

/**
 * Body of an authorization; only the code of `currency` is read
 * (spec/card-transactions.md#authorization).
 */
export const AuthorizationInput = named("CardAuthorizationInput", () =>
  z.object({
    amount: AmountInput,
    currency: z.object({ code: z.string() }),
    merchant: Merchant,
  }),
);

export type AuthorizationInput = z.infer<typeof AuthorizationInput>;

/** Body of a balance inquiry (spec/later-cards.md#balance-inquiry). */
export const BalanceInquiryInput = named("CardBalanceInquiryInput", () =>
  z.object({ merchant: Merchant }),
);

export type BalanceInquiryInput = z.infer<typeof BalanceInquiryInput>;

/**
 * An amount that may be 0, with the other bounds of an amount (spec/card-transactions.md#clearing).
 */
const ClearedAmount = z
  .custom<number>((value) => typeof value === "number", "Expected a number")
  .refine(
    (amount) => amount > MAX_AMOUNT_MINOR || (Number.isInteger(amount) && amount >= 0),
    refusedAs("INVALID_AMOUNT", "Expected a whole number of the smallest unit, 0 or more"),
  )
  .meta({ type: "integer", format: "int64", minimum: 0, maximum: MAX_AMOUNT_MINOR });

/** Body of a clearing (spec/card-transactions.md#clearing). */
export const ClearingInput = named("CardClearingInput", () =>
  z.object({ cardTransactionId: AnyId, amount: ClearedAmount }),
);

export type ClearingInput = z.infer<typeof ClearingInput>;

/** Body of a return (spec/card-transactions.md#return). */
export const ReturnInput = named("CardReturnInput", () =>
  z.object({ cardTransactionId: AnyId, amount: AmountInput }),
);

export type ReturnInput = z.infer<typeof ReturnInput>;

/** Body of an advice: the new total of an authorization (spec/later-cards.md#authorization-advice). */
export const AdviceInput = named("CardAuthorizationAdviceInput", () =>
  z.object({ cardTransactionId: AnyId, amount: AmountInput }),
);

export type AdviceInput = z.infer<typeof AdviceInput>;

/** Body that names a card transaction alone (spec/later-cards.md#return-reversal). */
export const TransactionRefInput = named("CardTransactionRefInput", () =>
  z.object({ cardTransactionId: AnyId }),
);

export type TransactionRefInput = z.infer<typeof TransactionRefInput>;

/** Answer of a simulation since `acceptedSimulations` (spec/revisions.md#accepted-simulations). */
export const CardSimulation = named("CardSimulation", () =>
  z.object({ issuerTransactionToken: z.string() }),
);

export type CardSimulation = z.infer<typeof CardSimulation>;

/** Totals in the smallest unit of the funding source's currency. */
const Summary = named("CardTransactionSummary", () =>
  z.object({ count: z.number().int().min(0), totalAmount: Amount }),
);

/** CardTransaction of a reply (spec/card-transactions.md#card-transaction). */
export const CardTransaction = named("CardTransaction", () =>
  revised(
    z.object({
      id: idOf("CardTransaction"),
      cardId: idOf("Card"),
      issuerTransactionToken: z.string(),
      status: withValues(enumOf("CardTransactionStatus", CARD_TRANSACTION_STATUSES), {
        DECLINED: gone("declinesAsExceptions"),
      }),
      declineCode: enumOf("DeclineCode", DECLINE_CODES).optional(),
      merchant: Merchant,
      authorizedAmount: CurrencyAmount,
      settledAmount: CurrencyAmount.optional(),
      refundedAmount: CurrencyAmount.optional(),
      accountId: z.string(),
      pullSummary: z.object({
        count: z.number().int().min(0),
        totalAmount: Amount,
        pendingCount: z.number().int().min(0),
      }),
      refundSummary: Summary,
      settlementSummary: Summary,
      authorizedAt: Instant,
      lastEventAt: Instant.optional(),
      createdAt: Instant,
      updatedAt: Instant,
    }),
    {
      declineCode: gone("declinesAsExceptions"),
      type: added("transactionDirections", z.literal("CARD")),
      direction: added("transactionDirections", TransactionDirection),
      customerId: added("transactionDirections", z.string()),
      platformCustomerId: added("transactionDirections", z.string()),
      receiptDeliveryConfirmedAt: added("transactionEnds", Instant.optional()),
      pullSummary: freed("transactionDirections"),
      refundSummary: freed("transactionDirections"),
      settlementSummary: freed("transactionDirections"),
    },
  ),
);

export type CardTransaction = z.infer<typeof CardTransaction>;
