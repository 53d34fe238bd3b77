import * as z from "zod";
import { idOf } from "./identifiers.ts";
import { CalendarDate, CountryCode, Email, Instant, PersonalText } from "./scalars.ts";

export const CUSTOMER_STATUSES = ["UNVERIFIED", "PENDING", "APPROVED", "REJECTED"] as const;

/** Postal address (platform digest 6.1). */
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

/** Body of POST /customers (platform digest 6.2); `kycStatus` is ignored on input (C-13). */
export const IndividualCustomerInput = z.lazy(() =>
  z.object({
    customerType: z.literal("INDIVIDUAL"),
    platformCustomerId: PersonalText.optional(),
    region: CountryCode.optional(),
    currencies: z.array(z.string()).min(1).optional(),
    email: Email.optional(),
    umaAddress: z.string().optional(),
    fullName: PersonalText.optional(),
    birthDate: CalendarDate.optional(),
    nationality: CountryCode.optional(),
    address: Address.optional(),
  }),
);

/** Only the discriminator is read yet: business customers are refused as not simulated. */
export const BusinessCustomerInput = z.lazy(() =>
  z.object({ customerType: z.literal("BUSINESS") }),
);

export const CustomerInput = z.lazy(() =>
  z.discriminatedUnion("customerType", [IndividualCustomerInput, BusinessCustomerInput]),
);

export type CustomerInput = z.infer<typeof CustomerInput>;
export type IndividualCustomerInput = z.infer<typeof IndividualCustomerInput>;

/** Customer of a reply (platform digest 6.1). */
export const Customer = z.lazy(() =>
  z
    .object({
      id: idOf("Customer"),
      platformCustomerId: z.string(),
      customerType: z.enum(["INDIVIDUAL", "BUSINESS"]),
      region: z.string().optional(),
      currencies: z.array(z.string()),
      email: z.string().optional(),
      umaAddress: z.string(),
      kycStatus: z.enum(CUSTOMER_STATUSES).optional(),
      fullName: z.string().optional(),
      birthDate: z.string().optional(),
      nationality: z.string().optional(),
      address: Address.optional(),
      isDeleted: z.boolean(),
      createdAt: Instant,
      updatedAt: Instant,
    })
    .meta({ id: "Customer" }),
);

export type Customer = z.infer<typeof Customer>;
