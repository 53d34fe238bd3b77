import * as z from "zod";
import { CountryCode } from "../core/scalars.ts";

/**
 * A bank for external accounts (spec/discoveries.md#fields); `bankName` is the value to give an
 * account.
 */
export const Discovery = z.lazy(() =>
  z
    .object({
      bankName: z.string(),
      displayName: z.string(),
      country: CountryCode,
      currency: z.string(),
    })
    .meta({ id: "Discovery" }),
);

export type Discovery = z.infer<typeof Discovery>;

/** Filters of GET /discoveries; unknown values give an empty list (spec/discoveries.md#filters). */
export const DiscoveriesQuery = {
  country: z.string().optional(),
  currency: z.string().optional(),
};
