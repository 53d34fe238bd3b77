import * as z from "zod";
import { enumOf, named } from "../core/named-shape.ts";
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

const members = () => ({
  legalName: PersonalText,
  taxId: PersonalText,
  incorporatedOn: CalendarDate,
  doingBusinessAs: PersonalText.optional(),
  country: CountryCode.optional(),
  registrationNumber: PersonalText.optional(),
  entityType: enumOf("EntityType", ENTITY_TYPES).optional(),
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

/**
 * Data of a business; a creation requires the first three members
 * (spec/customers.md#business-info).
 */
export const BusinessInfo = z.lazy(() => z.object(members()).meta({ id: "BusinessInfo" }));

/** Data of a business in an update, where every member is optional. */
export const BusinessInfoPatch = named("PartialBusinessInfo", () => z.object(members()).partial());

export type BusinessInfo = z.infer<typeof BusinessInfo>;
