import { describe, expect, test } from "vitest";
import { worldPerTest } from "../api/setup/world-per-test.ts";

const LATER = "2026-08";
const BOTH = ["2025-10", LATER] as const;

const PERSON = { customerType: "INDIVIDUAL", fullName: "Ada Moreno" };
const COMPANY = {
  customerType: "BUSINESS",
  businessInfo: {
    legalName: "North Pier Ltd",
    taxId: "98-7654321",
    incorporatedOn: "2019-04-01",
    country: "US",
  },
};

const DILIGENCE = {
  idType: "SSN",
  countryOfIssuance: "US",
  sourceOfFundsCategories: ["SALARY", "OTHER"],
  sourceOfFundsOtherDescription: "Prize of a contest",
  sourceOfWealthCategories: ["INVESTMENTS"],
  purposeOfAccount: "P2P_TRANSFERS",
  expectedMonthlyTransactionCount: "COUNT_UNDER_10",
  expectedMonthlyTransactionVolume: "VOLUME_UNDER_10K",
  annualIncomeRange: "RANGE_50K_100K",
  netWorthRange: "UNDER_100K",
  pepStatus: "NONE",
};

const DETAILS = {
  naicsCode: "541511",
  sourceOfFundsCategories: ["OPERATING_REVENUE"],
  expectedCounterpartyCountries: ["MX", "BR"],
  primaryContactFirstName: "Mara",
  primaryContactLastName: "Quint",
};

const CONSENT = {
  acceptedAt: "2026-01-05T10:00:00+02:00",
  ipAddress: "203.0.113.7",
  termsVersion: "V1",
  acceptanceMethod: "CHECKBOX",
};

describe.each(BOTH)("a customer in %s", (revision) => {
  const world = worldPerTest({ revision });
  const isLater = revision === LATER;
  const create = (body: object) => world().call("POST", "/customers", body);
  const patch = (id: string, body: object) => world().call("PATCH", `/customers/${id}`, body);
  const only = <T>(value: T) => (isLater ? value : undefined);

  // spec/later-customers.md#phone-numbers
  test("has a phone number in the later revision alone", async () => {
    const { status, body } = await create({ ...PERSON, phoneNumber: "+14155550123" });
    expect([status, body.phoneNumber]).toEqual([201, only("+14155550123")]);
    const changed = await patch(body.id, {
      customerType: "INDIVIDUAL",
      phoneNumber: "+4930123456",
    });
    expect([changed.status, changed.body.phoneNumber]).toEqual([200, only("+4930123456")]);
    expect(changed.body.contactVerification).toBeUndefined();
    const wrong = await create({ ...PERSON, phoneNumber: "030 123456" });
    expect([wrong.status, wrong.body.details?.field]).toEqual(
      isLater ? [400, "phoneNumber"] : [201, undefined],
    );
  });

  // spec/later-customers.md#phone-numbers
  test("has one of its contacts changed at a time", async () => {
    const { body } = await create({ ...PERSON, email: "ada@shop.example" });
    const { status, body: answer } = await patch(body.id, {
      customerType: "INDIVIDUAL",
      email: "ada@shop.example",
      phoneNumber: "+14155550123",
    });
    expect([status, answer.code, answer.details?.field]).toEqual(
      isLater ? [400, "INVALID_INPUT", "phoneNumber"] : [200, undefined, undefined],
    );
  });

  // spec/later-customers.md#due-diligence
  test("shows due diligence, never the number of the identification", async () => {
    const { status, body } = await create({ ...PERSON, ...DILIGENCE, identifier: "123-45-6789" });
    expect(status).toBe(201);
    const seen = (await world().call("GET", `/customers/${body.id}`)).body;
    for (const shown of [body, seen]) {
      expect(Object.fromEntries(Object.keys(DILIGENCE).map((name) => [name, shown[name]]))).toEqual(
        isLater ? DILIGENCE : {},
      );
      expect(shown).not.toHaveProperty("identifier");
    }
  });

  // spec/later-customers.md#identification
  test.each([
    [{ idType: "EIN" }, "idType"],
    [{ idType: "NON_US_TAX_ID", countryOfIssuance: "DE" }, "idType"],
    [{ idType: "SSN", countryOfIssuance: "DE" }, "countryOfIssuance"],
    [{ idType: "ITIN", countryOfIssuance: "US" }, undefined],
    [{ countryOfIssuance: "DE" }, undefined],
    [{ idType: "PASSPORT" }, "idType"],
  ])("is refused %o for %s", async (members, field) => {
    const refused = isLater && field !== undefined;
    const made = await create({ ...PERSON, ...members });
    expect([made.status, made.body.details?.field]).toEqual(
      refused ? [400, field] : [201, undefined],
    );
    const { body } = await create(PERSON);
    const changed = await patch(body.id, { customerType: "INDIVIDUAL", ...members });
    expect([changed.status, changed.body.details?.field]).toEqual(
      refused ? [400, field] : [200, undefined],
    );
  });

  // spec/later-customers.md#identification
  test.each([
    ["123-45-6789", true],
    ["123456789", false],
    ["123-45-678", false],
    ["123-45-67890", false],
    ["12-345-6789", false],
    ["abc-de-fghi", false],
    ["", false],
  ])("has the SSN %j: %s", async (identifier, isTaken) => {
    const taken = isTaken || !isLater;
    const expected = [taken, taken ? undefined : "identifier"];
    const made = await create({ ...PERSON, idType: "SSN", identifier });
    expect([made.status === 201, made.body.details?.field]).toEqual(expected);
    const { body } = await create({ ...PERSON, idType: "SSN" });
    const changed = await patch(body.id, { customerType: "INDIVIDUAL", identifier });
    expect([changed.status === 200, changed.body.details?.field]).toEqual(expected);
    const itin = await create({ ...PERSON, idType: "ITIN", identifier: `9${identifier}` });
    expect(itin.status).toBe(201);
  });

  // spec/later-customers.md#identification
  test("has a number first, which its type must fit", async () => {
    const { body } = await create({ ...PERSON, identifier: "987654321" });
    const typed = await patch(body.id, { customerType: "INDIVIDUAL", idType: "SSN" });
    expect([typed.status, typed.body.details?.field]).toEqual(
      isLater ? [400, "identifier"] : [200, undefined],
    );
  });

  // spec/later-customers.md#identification
  test("has an identification of the United States without a word about its country", async () => {
    const { body } = await create({ ...PERSON, idType: "SSN", identifier: "123-45-6789" });
    expect(body.countryOfIssuance).toBe(only("US"));
  });

  // spec/later-customers.md#due-diligence
  test("describes a choice that is OTHER", async () => {
    const made = await create({
      ...PERSON,
      sourceOfWealthCategories: ["GIFT", "OTHER"],
      purposeOfAccount: "OTHER",
    });
    expect([made.status, made.body.details]).toEqual(
      isLater
        ? [
            400,
            {
              field: "sourceOfWealthOtherDescription",
              errors: [
                {
                  field: "sourceOfWealthOtherDescription",
                  message:
                    "Expected sourceOfWealthOtherDescription where sourceOfWealthCategories is OTHER",
                },
                {
                  field: "purposeOfAccountOtherDescription",
                  message:
                    "Expected purposeOfAccountOtherDescription where purposeOfAccount is OTHER",
                },
              ],
            },
          ]
        : [201, undefined],
    );
    const { body } = await create({ ...PERSON, sourceOfFundsOtherDescription: "A prize" });
    const changed = await patch(body.id, {
      customerType: "INDIVIDUAL",
      sourceOfFundsCategories: ["OTHER"],
    });
    expect(changed.status).toBe(200);
  });

  // spec/later-customers.md#businesses
  test("that is a business says more of itself", async () => {
    const businessInfo = { ...COMPANY.businessInfo, ...DETAILS };
    const { status, body } = await create({ ...COMPANY, businessInfo });
    expect([status, body.businessInfo]).toEqual([
      201,
      isLater ? businessInfo : COMPANY.businessInfo,
    ]);
    const changed = await patch(body.id, {
      customerType: "BUSINESS",
      businessInfo: { naicsCode: "42" },
    });
    expect(changed.body.businessInfo.naicsCode).toBe(only("42"));
    expect(changed.body.businessInfo.primaryContactFirstName).toBe(only("Mara"));
  });

  // spec/later-customers.md#businesses
  test.each(["PUBLICLY_LISTED_COMPANY", "TRUST", "PRIVATE_FOUNDATION", "CHARITY"])(
    "may be a %s",
    async (entityType) => {
      const { status, body } = await create({
        ...COMPANY,
        businessInfo: { ...COMPANY.businessInfo, entityType },
      });
      expect(status).toBe(isLater ? 201 : 400);
      if (!isLater) expect(body.message).toContain("--revision 2026-08");
    },
  );

  // spec/later-customers.md#businesses
  test("that is a business has businessInfo with its country", async () => {
    const { country: _country, ...abroad } = COMPANY.businessInfo;
    const without = await create({ customerType: "BUSINESS" });
    expect([without.status, without.body.details?.field]).toEqual(
      isLater ? [400, "businessInfo"] : [201, undefined],
    );
    const nowhere = await create({ customerType: "BUSINESS", businessInfo: abroad });
    expect([nowhere.status, nowhere.body.details?.field]).toEqual(
      isLater ? [400, "businessInfo.country"] : [201, undefined],
    );
    if (isLater) expect(nowhere.body.message).toContain("--revision 2025-10");
  });

  // spec/later-customers.md#on-hold
  test("is put on hold by the operator", async () => {
    const { body } = await create(PERSON);
    const path = `/customers/${body.id}`;
    const { status, body: held } = await world().control("PATCH", path, { kycStatus: "HOLD" });
    expect([status, held.kycStatus]).toEqual(isLater ? [200, "HOLD"] : [400, undefined]);
  });

  // spec/kyc-links.md#page
  test.each([PERSON, COMPANY])(
    "of either kind opens the same link, which changes no status: %j",
    async (members) => {
      const { body: made } = await create(members);
      const path = `/customers/${made.id}`;
      const { status, body: link } = await world().call("POST", `${path}/kyc-link`, {});
      expect([status, link.kycUrl]).toEqual([201, expect.stringMatching(/\/kyc\/[0-9a-f]{32}$/)]);
      expect((await world().call("GET", path)).body).toEqual(made);
    },
  );

  // spec/later-customers.md#field-names
  test("may be asked for an identification", async () => {
    const wanted = ["ID_TYPE", "ID_NUMBER"].map((name) => ({ name, mandatory: false }));
    const { status, body } = await world().call("PATCH", "/config", {
      supportedCurrencies: [
        {
          currencyCode: "USD",
          minAmount: 1,
          maxAmount: 1_000,
          requiredCounterpartyFields: wanted,
        },
      ],
    });
    expect([status, body.supportedCurrencies?.[0].requiredCounterpartyFields]).toEqual(
      isLater ? [200, wanted] : [400, undefined],
    );
  });

  // spec/later-customers.md#consent
  test("has accepted the terms for end users", async () => {
    const { status, body } = await create({ ...PERSON, endUserTermsConsent: CONSENT });
    expect([status, body.endUserTermsConsent]).toEqual([
      201,
      only({ ...CONSENT, acceptedAt: "2026-01-05T08:00:00.000Z" }),
    ]);
    const unknown = await patch(body.id, {
      customerType: "INDIVIDUAL",
      endUserTermsConsent: { ...CONSENT, termsVersion: "V9" },
    });
    expect([unknown.status, unknown.body.code]).toEqual(
      isLater ? [400, "END_USER_TERMS_VERSION_NOT_FOUND"] : [200, undefined],
    );
    const partly = await create({ ...PERSON, endUserTermsConsent: { termsVersion: "V1" } });
    expect([partly.status, partly.body.details?.field]).toEqual(
      isLater ? [400, "endUserTermsConsent.acceptedAt"] : [201, undefined],
    );
  });

  // spec/later-customers.md#field-errors
  test("is refused for every wrong field at once", async () => {
    const { status, body } = await create({
      customerType: "INDIVIDUAL",
      fullName: "",
      email: "nobody",
      birthDate: "1990-13-01",
      region: "usa",
    });
    expect([status, body.details.field]).toEqual([400, "email"]);
    expect(body.details.errors?.map(({ field }: { field: string }) => field)).toEqual(
      only(["email", "region", "fullName", "birthDate"]),
    );
  });

  // spec/later-customers.md#field-errors
  test("is refused by rules with a list of one", async () => {
    const made = await create({ ...PERSON, currencies: ["USD", "XXX"] });
    expect([made.status, made.body.details.field]).toEqual([400, "currencies.1"]);
    expect(made.body.details.errors).toEqual(
      only([
        {
          field: "currencies.1",
          message: "XXX is not in the platform's supportedCurrencies",
        },
      ]),
    );
    const other = await world().call("POST", "/quotes", {});
    expect(other.body.details.errors).toBeUndefined();
  });
});
