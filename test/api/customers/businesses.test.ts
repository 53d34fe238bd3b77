import { describe, expect, test } from "vitest";
import { expectRefused } from "../setup/refused.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const START = "2026-01-05T09:00:00.000Z";
const PERSON = { customerType: "INDIVIDUAL" };
const ADDRESS = { line1: "Av. Norte 12", city: "Puebla", postalCode: "72000", country: "MX" };
const LENA = {
  ...PERSON,
  platformCustomerId: "acct-7781",
  region: "MX",
  currencies: ["USD", "USDC"],
  email: "lena@shop.example",
  umaAddress: "$lena@pay.example",
  fullName: "Lena Ortiz",
  birthDate: "1991-11-02",
  nationality: "MX",
  address: ADDRESS,
};

const world = worldPerTest();

const create = (body: unknown) => world().call("POST", "/customers", body);
const count = async () => (await world().call("GET", "/customers")).body.totalCount;

describe("a business", () => {
  const MOLINO = { legalName: "Molino SA", taxId: "12-3456789", incorporatedOn: "2011-04-30" };
  const FIRM = { customerType: "BUSINESS", businessInfo: MOLINO };

  test("is shown as it was sent, unverified, without fields of people", async () => {
    const businessInfo = {
      ...MOLINO,
      doingBusinessAs: "Molino",
      country: "MX",
      registrationNumber: "MX-001",
      entityType: "LLC",
      countriesOfOperation: ["MX", "US"],
      businessType: "RETAIL_TRADE",
      purposeOfAccount: "P2P_TRANSFERS",
      sourceOfFunds: "sales",
      expectedMonthlyTransactionCount: "COUNT_UNDER_10",
      expectedMonthlyTransactionVolume: "VOLUME_UNDER_10K",
      expectedRecipientJurisdictions: ["US"],
    };
    const { fullName: _name, birthDate: _born, nationality: _nation, ...kept } = LENA;
    const { status, body } = await create({ ...LENA, ...FIRM, businessInfo });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...kept,
      customerType: "BUSINESS",
      businessInfo,
      beneficialOwners: [],
      id: expect.stringMatching(/^Customer:[0-9a-f-]{36}$/),
      kybStatus: "UNVERIFIED",
      isDeleted: false,
      createdAt: START,
      updatedAt: START,
    });
    expect((await world().call("GET", `/customers/${body.id}`)).body).toEqual(body);
  });

  test.each([
    { member: "legalName", bad: [undefined, "", 5, null, "x".repeat(256)] },
    { member: "taxId", bad: [undefined, "", 5, null] },
    { member: "incorporatedOn", bad: [undefined, "", "2011-02-30", 2011, null] },
    { member: "country", bad: ["", "mx", "MEX", null] },
    { member: "entityType", bad: ["", "GMBH", null] },
    { member: "businessType", bad: ["", "retail_trade", null] },
    { member: "countriesOfOperation", bad: ["MX", {}, null] },
  ])("is refused if its $member is ill-formed", async ({ member, bad }) => {
    for (const value of bad)
      expectRefused(await create({ ...FIRM, businessInfo: { ...MOLINO, [member]: value } }), {
        status: 400,
        code: "INVALID_INPUT",
        field: `businessInfo.${member}`,
      });
    expect(await count()).toBe(0);
  });

  test("keeps omitted fields in a change, and cannot become a person", async () => {
    const { body } = await create(FIRM);
    const path = `/customers/${body.id}`;
    const changed = await world().call("PATCH", path, {
      customerType: "BUSINESS",
      businessInfo: { legalName: "Molino Dos SA", country: "MX" },
      kybStatus: "APPROVED",
      fullName: "Lena Ortiz",
    });
    const after = {
      ...body,
      businessInfo: { ...MOLINO, legalName: "Molino Dos SA", country: "MX" },
    };
    expect(changed).toMatchObject({ status: 200 });
    expect(changed.body).toEqual(after);
    expectRefused(await world().call("PATCH", path, { ...PERSON, fullName: "Lena" }), {
      status: 400,
      code: "INVALID_INPUT",
      field: "customerType",
    });
    expect((await world().call("GET", path)).body).toEqual(after);
  });

  test("is listed by its type", async () => {
    await create(PERSON);
    const { body } = await create(FIRM);
    const list = await world().call("GET", "/customers?customerType=BUSINESS");
    expect(list.body).toMatchObject({ totalCount: 1, data: [body] });
  });
});
