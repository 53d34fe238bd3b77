import * as z from "zod";
import { BooleanQuery, SortOrder } from "../core/lists.ts";
import { CountryCode } from "../core/scalars.ts";
import { Currency } from "../money/money.ts";

/** An institution that UMA addresses are at (spec/uma-providers.md#provider-fields). */
export const UmaProvider = z.lazy(() =>
  z
    .object({
      name: z.string(),
      supportedRegions: z.array(CountryCode),
      domain: z.string(),
      logoUrl: z.url(),
      supportedCurrencies: z.array(Currency),
      lei: z.string(),
      allowListStatus: z.boolean(),
    })
    .meta({ id: "UmaProvider" }),
);

export type UmaProvider = z.infer<typeof UmaProvider>;

/**
 * Filters of GET /uma-providers; `hasBlockedProviders=false` leaves out blocked ones
 * (spec/uma-providers.md#provider-filters).
 */
export const UmaProvidersQuery = {
  countryCode: z.string().optional(),
  currencyCode: z.string().optional(),
  hasBlockedProviders: BooleanQuery.optional(),
  sortOrder: SortOrder,
};
