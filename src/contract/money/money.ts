import * as z from "zod";

/**
 * Currency object of a reply; all four members are always present
 * (spec/currencies.md#currency-object).
 */
export const Currency = z.lazy(() =>
  z
    .object({
      code: z.string(),
      name: z.string(),
      symbol: z.string(),
      decimals: z.number().int().min(0),
    })
    .meta({ id: "Currency" }),
);

export type Currency = z.infer<typeof Currency>;

/** An amount with its currency, in minor units (spec/currencies.md#amounts). */
export const CurrencyAmount = z.lazy(() =>
  z
    .object({ amount: z.number().int().meta({ format: "int64" }), currency: Currency })
    .meta({ id: "CurrencyAmount" }),
);

export type CurrencyAmount = z.infer<typeof CurrencyAmount>;
