import { describe, expect, test } from "vitest";
import { worldPerTest } from "../api/setup/world-per-test.ts";

const PERSON = { customerType: "INDIVIDUAL", fullName: "Ada Moreno" };
const DETAILS = {
  legalName: "North Pier Ltd",
  taxId: "98-7654321",
  incorporatedOn: "2019-04-01",
  country: "US",
};

const COUNTS = "COUNT_UNDER_10 COUNT_10_TO_100 COUNT_100_TO_500 COUNT_500_TO_1000 COUNT_OVER_1000";
const VOLUMES =
  "VOLUME_UNDER_10K VOLUME_10K_TO_100K VOLUME_100K_TO_1M VOLUME_1M_TO_10M VOLUME_OVER_10M";

/** Words of each member, and one that belongs to another member. */
const WORDS: readonly [member: string, words: string, stranger: string][] = [
  ["expectedMonthlyTransactionCount", COUNTS, "COUNT_OVER_10000"],
  ["expectedMonthlyTransactionVolume", VOLUMES, "VOLUME_OVER_1M"],
  [
    "annualIncomeRange",
    "UNDER_50K RANGE_50K_100K RANGE_100K_250K RANGE_250K_1M OVER_1M",
    "UNDER_100K",
  ],
  [
    "netWorthRange",
    "UNDER_100K RANGE_100K_500K RANGE_500K_1M RANGE_1M_5M RANGE_5M_25M OVER_25M",
    "OVER_1M",
  ],
  ["pepStatus", "NONE DOMESTIC FOREIGN HIO FAMILY_OR_ASSOCIATE", "OTHER"],
  [
    "purposeOfAccount",
    "CONTRACTOR_PAYOUTS CREATOR_PAYOUTS EMPLOYEE_PAYOUTS MARKETPLACE_SELLER_PAYOUTS SUPPLIER_PAYMENTS CROSS_BORDER_B2B AR_AUTOMATION AP_AUTOMATION EMBEDDED_PAYMENTS PLATFORM_FEE_COLLECTION P2P_TRANSFERS CHARITABLE_DONATIONS OTHER",
    "SAVINGS",
  ],
];

/** The same of members that are lists. */
const LISTED: typeof WORDS = [
  [
    "sourceOfFundsCategories",
    "SALARY SELF_EMPLOYMENT_INCOME INVESTMENT_INCOME PENSION RENTAL_INCOME GIFT INHERITANCE LOAN SAVINGS SALE_OF_ASSETS OTHER",
    "OPERATING_REVENUE",
  ],
  [
    "sourceOfWealthCategories",
    "SALARY BUSINESS_INCOME INVESTMENTS INHERITANCE PROPERTY_SALE GIFT RETIREMENT SAVINGS OTHER",
    "PENSION",
  ],
];

const DESCRIPTIONS = {
  sourceOfFundsOtherDescription: "A prize",
  sourceOfWealthOtherDescription: "A prize",
  purposeOfAccountOtherDescription: "A club",
};

const consent = (member: object) => ({
  endUserTermsConsent: {
    acceptedAt: "2026-01-05T08:00:00.000Z",
    ipAddress: "203.0.113.7",
    termsVersion: "V1",
    acceptanceMethod: "CHECKBOX",
    ...member,
  },
});

/** Members at a bound, those beyond it, and the field that is then named. */
const PERSON_BOUNDS: readonly [taken: object, refused: object, field: string][] = [
  [{ phoneNumber: "+12" }, { phoneNumber: "+1" }, "phoneNumber"],
  [{ phoneNumber: `+1${"2".repeat(14)}` }, { phoneNumber: `+1${"2".repeat(15)}` }, "phoneNumber"],
  [{ phoneNumber: "+9123" }, { phoneNumber: "+0123" }, "phoneNumber"],
  ...Object.keys(DESCRIPTIONS).flatMap((name): [object, object, string][] => [
    [{ [name]: "x" }, { [name]: "" }, name],
    [{ [name]: "x".repeat(500) }, { [name]: "x".repeat(501) }, name],
  ]),
  [
    consent({ ipAddress: "f".repeat(45) }),
    consent({ ipAddress: "f".repeat(46) }),
    "endUserTermsConsent.ipAddress",
  ],
  [
    consent({ acceptanceMethod: "CLICK_TO_ACCEPT" }),
    consent({ acceptanceMethod: "SIGNATURE" }),
    "endUserTermsConsent.acceptanceMethod",
  ],
  [
    consent({ termsVersion: "2025-10-13" }),
    consent({ acceptedAt: "yesterday" }),
    "endUserTermsConsent.acceptedAt",
  ],
  [{ countryOfIssuance: "US" }, { countryOfIssuance: "USA" }, "countryOfIssuance"],
];

const BUSINESS_BOUNDS: typeof PERSON_BOUNDS = [
  [{ naicsCode: "42" }, { naicsCode: "4" }, "naicsCode"],
  [{ naicsCode: "541511" }, { naicsCode: "5415110" }, "naicsCode"],
  [{ naicsCode: "000" }, { naicsCode: "54a" }, "naicsCode"],
  ...["sourceOfFundsOtherDescription", "purposeOfAccountOtherDescription"].flatMap(
    (name): [object, object, string][] => [
      [{ [name]: "x" }, { [name]: "" }, name],
      [{ [name]: "x".repeat(500) }, { [name]: "x".repeat(501) }, name],
    ],
  ),
  ...["primaryContactFirstName", "primaryContactLastName"].map((name): [object, object, string] => [
    { [name]: "x".repeat(250) },
    { [name]: "x".repeat(251) },
    name,
  ]),
  [
    { expectedCounterpartyCountries: ["MX", "BR"] },
    { expectedCounterpartyCountries: ["MX", "Brazil"] },
    "expectedCounterpartyCountries.1",
  ],
  [
    {
      sourceOfFundsCategories:
        "OPERATING_REVENUE INVESTMENT_INCOME LOANS VENTURE_CAPITAL PERSONAL_SAVINGS DONATIONS OTHER".split(
          " ",
        ),
    },
    { sourceOfFundsCategories: ["SALARY"] },
    "sourceOfFundsCategories.0",
  ],
];

describe("a customer of 2026-08", () => {
  const world = worldPerTest({ revision: "2026-08" });
  const create = (body: object) => world().call("POST", "/customers", body);

  // spec/later-customers.md#due-diligence
  test.each(WORDS)("%s is one of its words", async (member, words, stranger) => {
    for (const word of words.split(" ")) {
      const { status, body } = await create({ ...PERSON, ...DESCRIPTIONS, [member]: word });
      expect([status, body[member]]).toEqual([201, word]);
    }
    const { status, body } = await create({ ...PERSON, [member]: stranger });
    expect([status, body.details?.field]).toEqual([400, member]);
    expect(body.details.errors[0].constraint).toEqual({ enum: words.split(" ") });
  });

  // spec/later-customers.md#due-diligence
  test.each(LISTED)("%s has its words alone", async (member, words, stranger) => {
    const all = words.split(" ");
    const { status, body } = await create({ ...PERSON, ...DESCRIPTIONS, [member]: all });
    expect([status, body[member]]).toEqual([201, all]);
    const refused = await create({ ...PERSON, [member]: [all[0], stranger] });
    expect([refused.status, refused.body.details?.field]).toEqual([400, `${member}.1`]);
  });

  // spec/later-customers.md#phone-numbers, spec/later-customers.md#consent
  test.each(PERSON_BOUNDS)("has %j, and not %j", async (taken, refused, field) => {
    expect((await create({ ...PERSON, ...taken })).status).toBe(201);
    const { status, body } = await create({ ...PERSON, ...refused });
    expect([status, body.code, body.details?.field]).toEqual([400, "INVALID_INPUT", field]);
  });

  // spec/later-customers.md#businesses
  test.each(BUSINESS_BOUNDS)("that is a business has %j, and not %j", async (taken, ...rest) => {
    const [refused, field] = rest;
    const company = (members: object) =>
      create({ customerType: "BUSINESS", businessInfo: { ...DETAILS, ...members } });
    const made = await company(taken);
    expect([made.status, made.body.businessInfo]).toEqual([201, { ...DETAILS, ...taken }]);
    const { status, body } = await company(refused);
    expect([status, body.details?.field]).toEqual([400, `businessInfo.${field}`]);
  });

  // spec/later-customers.md#businesses
  test.each(["legalName", "taxId", "incorporatedOn", "country"] as const)(
    "that is a business needs its %s",
    async (member) => {
      const { [member]: _absent, ...businessInfo } = DETAILS;
      const { status, body } = await create({ customerType: "BUSINESS", businessInfo });
      expect([status, body.details?.field]).toEqual([400, `businessInfo.${member}`]);
    },
  );

  // spec/later-customers.md#field-errors
  test("is told the constraint that each field breaks", async () => {
    const { body } = await create({
      ...PERSON,
      phoneNumber: "030",
      pepStatus: "MAYOR",
      sourceOfFundsOtherDescription: "",
      endUserTermsConsent: consent({ ipAddress: "f".repeat(46) }).endUserTermsConsent,
    });
    const constraints = Object.fromEntries(
      body.details.errors.map((one: { field: string; constraint?: object }) => [
        one.field,
        one.constraint,
      ]),
    );
    expect(constraints).toEqual({
      phoneNumber: { pattern: "^\\+[1-9]\\d{1,14}$" },
      pepStatus: { enum: ["NONE", "DOMESTIC", "FOREIGN", "HIO", "FAMILY_OR_ASSOCIATE"] },
      sourceOfFundsOtherDescription: { minLength: 1 },
      "endUserTermsConsent.ipAddress": { maxLength: 45 },
    });
  });
});
