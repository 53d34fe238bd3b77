import * as z from "zod";
import { Address } from "../core/addresses.ts";
import { AnyId, idOf } from "../core/identifiers.ts";
import { CalendarDate, CountryCode, Email, Instant, PersonalText } from "../core/scalars.ts";
import { CUSTOMER_STATUSES } from "./customer-statuses.ts";

/** What somebody is to a business (platform digest 7.1). */
export const OWNER_ROLES = [
  "UBO",
  "DIRECTOR",
  "COMPANY_OFFICER",
  "CONTROL_PERSON",
  "TRUSTEE",
  "GENERAL_PARTNER",
] as const;
export type OwnerRole = (typeof OWNER_ROLES)[number];

/** What the `identifier` of a person is (platform digest 7.1). */
export const ID_TYPES = ["SSN", "ITIN", "EIN", "NON_US_TAX_ID"] as const;

/** E.164. */
const PhoneNumber = z
  .string()
  .regex(/^\+[1-9]\d{1,14}$/, "Expected + and 2 to 15 digits, the first of them not 0");

const personalMembers = () => ({
  firstName: PersonalText,
  middleName: PersonalText.optional(),
  lastName: PersonalText,
  birthDate: CalendarDate,
  nationality: CountryCode,
  address: Address,
  idType: z.enum(ID_TYPES),
  identifier: PersonalText,
  countryOfIssuance: CountryCode.optional(),
  email: Email.optional(),
  phoneNumber: PhoneNumber.optional(),
});

/** Who an owner is (platform digest 7.1). */
const PersonalInfo = z.lazy(() => z.object(personalMembers()).meta({ id: "PersonalInfo" }));

export type PersonalInfo = z.infer<typeof PersonalInfo>;

const Roles = z.array(z.enum(OWNER_ROLES)).min(1);
const OwnershipPercentage = z.number().int().min(0).max(100);

/** Body of POST /beneficial-owners (contract 0-service): every member is required. */
export const BeneficialOwnerInput = z.lazy(() =>
  z.object({
    customerId: AnyId,
    roles: Roles,
    ownershipPercentage: OwnershipPercentage,
    personalInfo: PersonalInfo,
  }),
);

export type BeneficialOwnerInput = z.infer<typeof BeneficialOwnerInput>;

/**
 * Body of PATCH /beneficial-owners/{beneficialOwnerId} (platform digest 7.1): what is not sent
 * stays, inside `personalInfo` too; an address is replaced as a whole.
 */
export const BeneficialOwnerPatch = z.lazy(() =>
  z.object({
    roles: Roles.optional(),
    ownershipPercentage: OwnershipPercentage.optional(),
    personalInfo: z.object(personalMembers()).partial().optional(),
  }),
);

export type BeneficialOwnerPatch = z.infer<typeof BeneficialOwnerPatch>;

/** Query of GET /beneficial-owners: whose owners is always said. */
export const BeneficialOwnersQuery = { customerId: z.string().min(1) };

/** BeneficialOwner of a reply (contract 0-service; platform digest 7.1). */
export const BeneficialOwner = z.lazy(() =>
  z
    .object({
      id: idOf("BeneficialOwner"),
      customerId: idOf("Customer"),
      roles: Roles,
      ownershipPercentage: OwnershipPercentage,
      personalInfo: PersonalInfo,
      kycStatus: z.enum(CUSTOMER_STATUSES),
      createdAt: Instant,
      updatedAt: Instant,
    })
    .meta({ id: "BeneficialOwner" }),
);

export type BeneficialOwner = z.infer<typeof BeneficialOwner>;
