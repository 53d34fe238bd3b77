import * as z from "zod";
import { CountryCode, PersonalText } from "./scalars.ts";

/** Postal address of a person or a business. */
export const Address = z.lazy(() =>
  z
    .object({
      line1: PersonalText,
      line2: PersonalText.optional(),
      city: PersonalText.optional(),
      state: PersonalText.optional(),
      postalCode: PersonalText,
      country: CountryCode,
    })
    .meta({ id: "Address" }),
);

export type Address = z.infer<typeof Address>;
