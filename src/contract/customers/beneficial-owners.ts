import * as z from "zod";
import { Address } from "../core/addresses.ts";
import { AnyId, idOf } from "../core/identifiers.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { CalendarDate, CountryCode, Email, Instant, PersonalText } from "../core/scalars.ts";
import { CUSTOMER_STATUSES } from "./customer-statuses.ts";

/** Roles of a person in a business (spec/beneficial-owners.md#fields). */
export const OWNER_ROLES = [
  "UBO",
  "DIRECTOR",
  "COMPANY_OFFICER",
  "CONTROL_PERSON",
  "TRUSTEE",
  "GENERAL_PARTNER",
] as const;
export type OwnerRole = (typeof OWNER_ROLES)[number];

/** Meanings of a person's `identifier` (spec/beneficial-owners.md#personal-info). */
export const ID_TYPES = ["SSN", "ITIN", "EIN", "NON_US_TAX_ID"] as const;

/** E.164. */
export const PhoneNumber = z.lazy(() =>
  z.string().regex(/^\+[1-9]\d{1,14}$/, "Expected + and 2 to 15 digits, the first of them not 0"),
);

const personalMembers = () => ({
  firstName: PersonalText,
  middleName: PersonalText.optional(),
  lastName: PersonalText,
  birthDate: CalendarDate,
  nationality: CountryCode,
  address: Address,
  idType: enumOf("PersonalIdType", ID_TYPES),
  identifier: PersonalText,
  countryOfIssuance: CountryCode.optional(),
  email: Email.optional(),
  phoneNumber: PhoneNumber.optional(),
});

/** Personal data of an owner (spec/beneficial-owners.md#personal-info). */
export const PersonalInfo = z.lazy(() => z.object(personalMembers()).meta({ id: "PersonalInfo" }));

export type PersonalInfo = z.infer<typeof PersonalInfo>;

const Roles = z.lazy(() => z.array(enumOf("OwnerRole", OWNER_ROLES)).min(1));
const OwnershipPercentage = z.lazy(() => z.number().int().min(0).max(100));

/**
 * Body of POST /beneficial-owners; every member is required (spec/beneficial-owners.md#creation).
 */
export const BeneficialOwnerInput = named("BeneficialOwnerInput", () =>
  z.object({
    customerId: AnyId,
    roles: Roles,
    ownershipPercentage: OwnershipPercentage,
    personalInfo: PersonalInfo,
  }),
);

export type BeneficialOwnerInput = z.infer<typeof BeneficialOwnerInput>;

/**
 * Body of PATCH /beneficial-owners/{beneficialOwnerId}; omitted fields are unchanged, in
 * `personalInfo` too. An address is replaced as a whole (spec/beneficial-owners.md#update).
 */
export const BeneficialOwnerPatch = named("BeneficialOwnerPatch", () =>
  z.object({
    roles: Roles.optional(),
    ownershipPercentage: OwnershipPercentage.optional(),
    personalInfo: z.object(personalMembers()).partial().optional(),
  }),
);

export type BeneficialOwnerPatch = z.infer<typeof BeneficialOwnerPatch>;

/**
 * Query of GET /beneficial-owners; the customer is required (spec/beneficial-owners.md#owner-list).
 */
export const BeneficialOwnersQuery = { customerId: z.string().min(1) };

/** BeneficialOwner of a reply (spec/beneficial-owners.md#fields). */
export const BeneficialOwner = z.lazy(() =>
  z
    .object({
      id: idOf("BeneficialOwner"),
      customerId: idOf("Customer"),
      roles: Roles,
      ownershipPercentage: OwnershipPercentage,
      personalInfo: PersonalInfo,
      kycStatus: enumOf("CustomerStatus", CUSTOMER_STATUSES),
      createdAt: Instant,
      updatedAt: Instant,
    })
    .meta({ id: "BeneficialOwner" }),
);

export type BeneficialOwner = z.infer<typeof BeneficialOwner>;
