import * as z from "zod";
import { Address } from "../core/addresses.ts";
import { idOf } from "../core/identifiers.ts";
import { BooleanQuery } from "../core/lists.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { added, revised } from "../core/revised-shape.ts";
import {
  CalendarDate,
  CountryCode,
  Email,
  Instant,
  InstantInput,
  PersonalText,
} from "../core/scalars.ts";
import { BeneficialOwner, PhoneNumber } from "./beneficial-owners.ts";
import { BusinessInfo, BusinessInfoPatch } from "./businesses.ts";
import { CUSTOMER_STATUSES } from "./customer-statuses.ts";

const sharedMembers = () => ({
  currencies: z.array(z.string()).min(1).optional(),
  email: Email.optional(),
  umaAddress: z.string().optional(),
  address: Address.optional(),
});

const creationMembers = () => ({
  ...sharedMembers(),
  platformCustomerId: PersonalText.optional(),
  region: CountryCode.optional(),
});

const personalMembers = () => ({
  fullName: PersonalText.optional(),
  birthDate: CalendarDate.optional(),
  nationality: CountryCode.optional(),
});

/** Members of every request since later revisions (spec/later-wallets.md#phone-numbers). */
const laterMembers = () => ({
  phoneNumber: added("customerContacts", PhoneNumber.optional()),
});

const individual = { customerType: z.literal("INDIVIDUAL") };
const business = { customerType: z.literal("BUSINESS") };

const IndividualCustomerInput = named("IndividualCustomerInput", () =>
  revised(z.object({ ...individual, ...creationMembers(), ...personalMembers() }), laterMembers()),
);

const BusinessCustomerInput = named("BusinessCustomerInput", () =>
  revised(
    z.object({ ...business, ...creationMembers(), businessInfo: BusinessInfo.optional() }),
    laterMembers(),
  ),
);

const IndividualCustomerPatch = named("IndividualCustomerPatch", () =>
  revised(z.object({ ...individual, ...sharedMembers(), ...personalMembers() }), laterMembers()),
);

const BusinessCustomerPatch = named("BusinessCustomerPatch", () =>
  revised(
    z.object({ ...business, ...sharedMembers(), businessInfo: BusinessInfoPatch.optional() }),
    laterMembers(),
  ),
);

/** Body of POST /customers; statuses are ignored (spec/customers.md#creation). */
export const CustomerInput = named("CustomerInput", () =>
  z.discriminatedUnion("customerType", [IndividualCustomerInput, BusinessCustomerInput]),
);

/**
 * Body of PATCH /customers/{customerId}; omitted fields are unchanged (spec/customers.md#update).
 */
export const CustomerPatch = named("CustomerPatch", () =>
  z.discriminatedUnion("customerType", [IndividualCustomerPatch, BusinessCustomerPatch]),
);

export type CustomerInput = z.infer<typeof CustomerInput>;
export type CustomerPatch = z.infer<typeof CustomerPatch>;

type NewBusiness = Extract<CustomerInput, { customerType: "BUSINESS" }>;

/** A customer to create; a row of a bulk file may say less of a business. */
export type NewCustomer =
  | Extract<CustomerInput, { customerType: "INDIVIDUAL" }>
  | (Omit<NewBusiness, "businessInfo"> & { businessInfo?: Partial<BusinessInfo> | undefined });

export const CUSTOMER_TYPES = ["INDIVIDUAL", "BUSINESS"] as const;

/** Filters of GET /customers; date bounds are inclusive (spec/customers.md#reads). */
export const CustomersQuery = {
  platformCustomerId: z.string().optional(),
  customerType: enumOf("CustomerType", CUSTOMER_TYPES).optional(),
  createdAfter: InstantInput.optional(),
  createdBefore: InstantInput.optional(),
  updatedAfter: InstantInput.optional(),
  updatedBefore: InstantInput.optional(),
  region: z.string().optional(),
  currency: z.string().optional(),
  umaAddress: z.string().optional(),
  isIncludingDeleted: BooleanQuery.optional(),
};

/** Customer of a reply; a BUSINESS always has `beneficialOwners` (spec/customers.md#fields). */
export const Customer = named("Customer", () =>
  revised(
    z.object({
      id: idOf("Customer"),
      platformCustomerId: z.string(),
      customerType: enumOf("CustomerType", CUSTOMER_TYPES),
      region: z.string().optional(),
      currencies: z.array(z.string()),
      email: z.string().optional(),
      umaAddress: z.string(),
      kycStatus: enumOf("CustomerStatus", CUSTOMER_STATUSES).optional(),
      kybStatus: enumOf("CustomerStatus", CUSTOMER_STATUSES).optional(),
      businessInfo: BusinessInfoPatch.optional(),
      beneficialOwners: z.array(BeneficialOwner).optional(),
      fullName: z.string().optional(),
      birthDate: z.string().optional(),
      nationality: z.string().optional(),
      address: Address.optional(),
      isDeleted: z.boolean(),
      createdAt: Instant,
      updatedAt: Instant,
    }),
    { phoneNumber: added("customerContacts", z.string().optional()) },
  ),
);

export type Customer = z.infer<typeof Customer>;
