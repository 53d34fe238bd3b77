import * as z from "zod";
import { enumOf, named } from "../core/named-shape.ts";
import { added, addedValue, demanded, revised, withValues } from "../core/revised-shape.ts";
import { CalendarDate, CountryCode, PersonalText } from "../core/scalars.ts";

/** Enumerations of a business (spec/customers.md#business-info). */
export const ENTITY_TYPES = [
  "SOLE_PROPRIETORSHIP",
  "PARTNERSHIP",
  "LLC",
  "CORPORATION",
  "S_CORPORATION",
  "NON_PROFIT",
  "OTHER",
] as const;

/** Further legal forms of later revisions (spec/later-customers.md#businesses). */
export const LATER_ENTITY_TYPES = [
  "PUBLICLY_LISTED_COMPANY",
  "TRUST",
  "PRIVATE_FOUNDATION",
  "CHARITY",
] as const;

export const BUSINESS_TYPES = [
  "AGRICULTURE_FORESTRY_FISHING_AND_HUNTING",
  "MINING_QUARRYING_AND_OIL_AND_GAS_EXTRACTION",
  "UTILITIES",
  "CONSTRUCTION",
  "MANUFACTURING",
  "WHOLESALE_TRADE",
  "RETAIL_TRADE",
  "TRANSPORTATION_AND_WAREHOUSING",
  "INFORMATION",
  "FINANCE_AND_INSURANCE",
  "REAL_ESTATE_AND_RENTAL_AND_LEASING",
  "PROFESSIONAL_SCIENTIFIC_AND_TECHNICAL_SERVICES",
  "MANAGEMENT_OF_COMPANIES_AND_ENTERPRISES",
  "ADMINISTRATIVE_AND_SUPPORT_AND_WASTE_MANAGEMENT_AND_REMEDIATION_SERVICES",
  "EDUCATIONAL_SERVICES",
  "HEALTH_CARE_AND_SOCIAL_ASSISTANCE",
  "ARTS_ENTERTAINMENT_AND_RECREATION",
  "ACCOMMODATION_AND_FOOD_SERVICES",
  "OTHER_SERVICES",
  "PUBLIC_ADMINISTRATION",
] as const;

export const PURPOSES_OF_ACCOUNT = [
  "CONTRACTOR_PAYOUTS",
  "CREATOR_PAYOUTS",
  "EMPLOYEE_PAYOUTS",
  "MARKETPLACE_SELLER_PAYOUTS",
  "SUPPLIER_PAYMENTS",
  "CROSS_BORDER_B2B",
  "AR_AUTOMATION",
  "AP_AUTOMATION",
  "EMBEDDED_PAYMENTS",
  "PLATFORM_FEE_COLLECTION",
  "P2P_TRANSFERS",
  "CHARITABLE_DONATIONS",
  "OTHER",
] as const;

export const MONTHLY_TRANSACTION_COUNTS = [
  "COUNT_UNDER_10",
  "COUNT_10_TO_100",
  "COUNT_100_TO_500",
  "COUNT_500_TO_1000",
  "COUNT_OVER_1000",
] as const;

export const MONTHLY_TRANSACTION_VOLUMES = [
  "VOLUME_UNDER_10K",
  "VOLUME_10K_TO_100K",
  "VOLUME_100K_TO_1M",
  "VOLUME_1M_TO_10M",
  "VOLUME_OVER_10M",
] as const;

/** Origins of a business's money (spec/later-customers.md#businesses). */
export const BUSINESS_SOURCES_OF_FUNDS = [
  "OPERATING_REVENUE",
  "INVESTMENT_INCOME",
  "LOANS",
  "VENTURE_CAPITAL",
  "PERSONAL_SAVINGS",
  "DONATIONS",
  "OTHER",
] as const;

const EntityType = z.lazy(() => {
  const later = addedValue("businessDetails");
  return withValues(enumOf("EntityType", ENTITY_TYPES), {
    PUBLICLY_LISTED_COMPANY: later,
    TRUST: later,
    PRIVATE_FOUNDATION: later,
    CHARITY: later,
  });
});

const members = () => ({
  legalName: PersonalText,
  taxId: PersonalText,
  incorporatedOn: CalendarDate,
  doingBusinessAs: PersonalText.optional(),
  country: CountryCode.optional(),
  registrationNumber: PersonalText.optional(),
  entityType: EntityType.optional(),
  countriesOfOperation: z.array(CountryCode).optional(),
  businessType: enumOf("BusinessType", BUSINESS_TYPES).optional(),
  purposeOfAccount: enumOf("PurposeOfAccount", PURPOSES_OF_ACCOUNT).optional(),
  sourceOfFunds: PersonalText.optional(),
  expectedMonthlyTransactionCount: enumOf(
    "MonthlyTransactionCount",
    MONTHLY_TRANSACTION_COUNTS,
  ).optional(),
  expectedMonthlyTransactionVolume: enumOf(
    "MonthlyTransactionVolume",
    MONTHLY_TRANSACTION_VOLUMES,
  ).optional(),
  expectedRecipientJurisdictions: z.array(CountryCode).optional(),
});

const details = <Member extends z.ZodType>(shape: Member) => added("businessDetails", shape);

const NAME_PART = 250;
const OTHER_WORDS = 500;

/** Members that later revisions added to the data of a business. */
const laterMembers = () => ({
  naicsCode: details(
    z
      .string()
      .regex(/^\d{2,6}$/, "Expected 2 to 6 digits")
      .optional(),
  ),
  sourceOfFundsCategories: details(
    z.array(enumOf("SourceOfFundsCategory", BUSINESS_SOURCES_OF_FUNDS)).optional(),
  ),
  sourceOfFundsOtherDescription: details(z.string().min(1).max(OTHER_WORDS).optional()),
  purposeOfAccountOtherDescription: details(z.string().min(1).max(OTHER_WORDS).optional()),
  expectedCounterpartyCountries: details(z.array(CountryCode).optional()),
  primaryContactFirstName: details(z.string().max(NAME_PART).optional()),
  primaryContactLastName: details(z.string().max(NAME_PART).optional()),
});

/** Names of the members that only later revisions have. */
export const LATER_BUSINESS_MEMBERS = [
  "naicsCode",
  "sourceOfFundsCategories",
  "sourceOfFundsOtherDescription",
  "purposeOfAccountOtherDescription",
  "expectedCounterpartyCountries",
  "primaryContactFirstName",
  "primaryContactLastName",
] as const satisfies readonly (keyof ReturnType<typeof laterMembers>)[];

/**
 * Data of a business; a creation requires the first three members
 * (spec/customers.md#business-info).
 */
export const BusinessInfo = named("BusinessInfo", () =>
  revised(z.object(members()), { ...laterMembers(), country: demanded("businessDetails") }),
);

/** Data of a business in an update, where every member is optional. */
export const BusinessInfoPatch = named("PartialBusinessInfo", () =>
  revised(z.object(members()).partial(), laterMembers()),
);

export type BusinessInfo = z.infer<typeof BusinessInfo>;
