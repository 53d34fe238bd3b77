import * as z from "zod";
import { AnyId, idOf } from "../core/identifiers.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { added, freed, revised } from "../core/revised-shape.ts";
import {
  Amount,
  AmountInput,
  CountryCode,
  Instant,
  MAX_AMOUNT_MINOR,
  refusedAs,
} from "../core/scalars.ts";
import { CurrencyAmount } from "../money/money.ts";
import { TransactionDirection } from "../payments/directions.ts";

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
      status: enumOf("CardTransactionStatus", CARD_TRANSACTION_STATUSES),
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
      type: added("transactionDirections", z.literal("CARD")),
      direction: added("transactionDirections", TransactionDirection),
      customerId: added("transactionDirections", z.string()),
      platformCustomerId: added("transactionDirections", z.string()),
      pullSummary: freed("transactionDirections"),
      refundSummary: freed("transactionDirections"),
      settlementSummary: freed("transactionDirections"),
    },
  ),
);

export type CardTransaction = z.infer<typeof CardTransaction>;
