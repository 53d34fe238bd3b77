import * as z from "zod";
import { PaymentRailName } from "../core/payment-rail-shape.ts";
import { added, revised } from "../core/revised-shape.ts";
import { Amount, Instant, MAX_AMOUNT_MINOR } from "../core/scalars.ts";
import { Currency } from "./money.ts";

/**
 * Default of `sendingAmount`, in the source's smallest unit
 * (spec/exchange-rates.md#list-parameters).
 */
export const DEFAULT_SENDING_MINOR = 10_000;

/** Fees of a rate, in the smallest unit of the source currency. */
const ExchangeRateFees = revised(z.object({ fixed: Amount }), {
  total: added("platformFees", Amount.optional()),
});

/** One row of GET /exchange-rates (spec/exchange-rates.md#row-fields). */
export const ExchangeRate = z.lazy(() =>
  z
    .object({
      sourceCurrency: Currency,
      destinationCurrency: Currency,
      sendingAmount: Amount,
      minSendingAmount: Amount,
      maxSendingAmount: Amount,
      destinationPaymentRail: PaymentRailName,
      receivingAmount: Amount,
      exchangeRate: z.number().positive(),
      fees: ExchangeRateFees,
      updatedAt: Instant,
    })
    .meta({ id: "ExchangeRate" }),
);

export type ExchangeRate = z.infer<typeof ExchangeRate>;

/**
 * Filters of GET /exchange-rates; `destinationCurrency` may be repeated, comma-joined, or both
 * (spec/exchange-rates.md#list-parameters).
 */
export const ExchangeRatesQuery = {
  sourceCurrency: z.string().optional(),
  destinationCurrency: z.array(z.string()).optional(),
  sendingAmount: z
    .string()
    .regex(/^[0-9]{1,16}$/, "Expected a whole number of the smallest unit, of at most 16 digits,")
    .transform(Number)
    .optional()
    .meta({ type: "integer", minimum: 0, maximum: MAX_AMOUNT_MINOR }),
};
