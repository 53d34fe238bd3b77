import * as z from "zod";
import { CountryCode } from "../core/scalars.ts";

/** A bank that accounts can be at (payments digest 16); `bankName` is what accounts are given. */
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

/** Filters of GET /discoveries; what is known nowhere finds nothing (payments O-69). */
export const DiscoveriesQuery = {
  country: z.string().optional(),
  currency: z.string().optional(),
};
