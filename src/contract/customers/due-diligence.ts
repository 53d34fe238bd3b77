import * as z from "zod";
import { enumOf } from "../core/named-shape.ts";
import { added } from "../core/revised-shape.ts";
import { CountryCode, PersonalText } from "../core/scalars.ts";
import { ID_TYPES } from "./beneficial-owners.ts";
import {
  MONTHLY_TRANSACTION_COUNTS,
  MONTHLY_TRANSACTION_VOLUMES,
  PURPOSES_OF_ACCOUNT,
} from "./businesses.ts";

/** Words of a person's due diligence (spec/later-customers.md#due-diligence). */
export const PERSONAL_SOURCES_OF_FUNDS = [
  "SALARY",
  "SELF_EMPLOYMENT_INCOME",
  "INVESTMENT_INCOME",
  "PENSION",
  "RENTAL_INCOME",
  "GIFT",
  "INHERITANCE",
  "LOAN",
  "SAVINGS",
  "SALE_OF_ASSETS",
  "OTHER",
] as const;

export const SOURCES_OF_WEALTH = [
  "SALARY",
  "BUSINESS_INCOME",
  "INVESTMENTS",
  "INHERITANCE",
  "PROPERTY_SALE",
  "GIFT",
  "RETIREMENT",
  "SAVINGS",
  "OTHER",
] as const;

export const ANNUAL_INCOME_RANGES = [
  "UNDER_50K",
  "RANGE_50K_100K",
  "RANGE_100K_250K",
  "RANGE_250K_1M",
  "OVER_1M",
] as const;

export const NET_WORTH_RANGES = [
  "UNDER_100K",
  "RANGE_100K_500K",
  "RANGE_500K_1M",
  "RANGE_1M_5M",
  "RANGE_5M_25M",
  "OVER_25M",
] as const;

export const PEP_STATUSES = ["NONE", "DOMESTIC", "FOREIGN", "HIO", "FAMILY_OR_ASSOCIATE"] as const;

/** Words in place of a choice that has none: 1 to 500 characters. */
export const OtherDescription = z.lazy(() =>
  z.string().min(1).max(500).meta({ id: "OtherDescription" }),
);

const listOf = <const Value extends string>(id: string, values: readonly Value[]) =>
  z.array(enumOf(id, values)).optional();

const diligence = <Member extends z.ZodType>(shape: Member) => added("dueDiligence", shape);

const other = () => diligence(OtherDescription.optional());

/** Due diligence of a person since `dueDiligence`, in requests and replies. */
export const dueDiligenceMembers = () => ({
  idType: diligence(enumOf("PersonalIdType", ID_TYPES).optional()),
  countryOfIssuance: diligence(CountryCode.optional()),
  sourceOfFundsCategories: diligence(
    listOf("IndividualSourceOfFundsCategory", PERSONAL_SOURCES_OF_FUNDS),
  ),
  sourceOfFundsOtherDescription: other(),
  sourceOfWealthCategories: diligence(listOf("SourceOfWealthCategory", SOURCES_OF_WEALTH)),
  sourceOfWealthOtherDescription: other(),
  purposeOfAccount: diligence(enumOf("PurposeOfAccount", PURPOSES_OF_ACCOUNT).optional()),
  purposeOfAccountOtherDescription: other(),
  expectedMonthlyTransactionCount: diligence(
    enumOf("MonthlyTransactionCount", MONTHLY_TRANSACTION_COUNTS).optional(),
  ),
  expectedMonthlyTransactionVolume: diligence(
    enumOf("MonthlyTransactionVolume", MONTHLY_TRANSACTION_VOLUMES).optional(),
  ),
  annualIncomeRange: diligence(enumOf("AnnualIncomeRange", ANNUAL_INCOME_RANGES).optional()),
  netWorthRange: diligence(enumOf("NetWorthRange", NET_WORTH_RANGES).optional()),
  pepStatus: diligence(enumOf("PepStatus", PEP_STATUSES).optional()),
});

/** The same in a request, which also takes what no reply shows. */
export const dueDiligenceInput = () => ({
  ...dueDiligenceMembers(),
  identifier: diligence(PersonalText.optional()),
});

type Unwrapped<Rows> = {
  [Name in keyof Rows]?: Rows[Name] extends { shape: infer Shape extends z.ZodType }
    ? NonNullable<z.infer<Shape>>
    : never;
};

/** Due diligence of a person, as it is stored. */
export type DueDiligence = Unwrapped<ReturnType<typeof dueDiligenceInput>>;
