import { describe, expect, test } from "vitest";
import { everyRow } from "../../setup/every-row.ts";
import { START } from "../../setup/test-simulator.ts";
import { invalid } from "../setup/refused.ts";
import {
  createBusiness,
  createCustomer,
  createOwner,
  customerOf,
  NOBODY,
  NOOR,
  nameOwner,
  OWNER,
} from "./setup/people.ts";
import { toldPerTest } from "./setup/told-per-test.ts";

const { world, told, expectNothing } = toldPerTest();

describe("a new owner", () => {
  // spec/beneficial-owners.md#no-events
  test("is shown as it was sent, already checked, and sends no event", async () => {
    const customerId = await createBusiness(world());
    const { status, body } = await nameOwner(world(), customerId);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^BeneficialOwner:[0-9a-f-]{36}$/),
      customerId,
      roles: ["UBO", "DIRECTOR"],
      ownershipPercentage: 60,
      personalInfo: NOOR,
      kycStatus: "APPROVED",
      createdAt: START,
      updatedAt: START,
    });
    expect((await world().call("GET", `/beneficial-owners/${body.id}`)).body).toEqual(body);
    expect(await told()).toEqual([]);
  });

  test("needs neither middle name, country of issuance, email nor phone number", async () => {
    const { middleName, countryOfIssuance, email, phoneNumber, ...needed } = NOOR;
    const { line2, city, state, ...address } = NOOR.address;
    const personalInfo = { ...needed, address };
    const owner = await createOwner(world(), await createBusiness(world()), { personalInfo });
    expect(owner.personalInfo).toEqual(personalInfo);
  });

  test("ignores the service's own fields in the body", async () => {
    const made = await createOwner(world(), await createBusiness(world()), {
      id: "BeneficialOwner:mine",
      kycStatus: "REJECTED",
      createdAt: "1999-01-01T00:00:00.000Z",
    });
    expect(made).toMatchObject({ kycStatus: "APPROVED", createdAt: START });
    expect(made.id).not.toBe("BeneficialOwner:mine");
  });

  /** Endings of the last name, read exactly as sent (spec/beneficial-owners.md#kyc-outcome). */
  test.each([
    { lastName: "Haddad001", kycStatus: "PENDING" },
    { lastName: "Haddad002", kycStatus: "REJECTED" },
    { lastName: "Haddad 002", kycStatus: "REJECTED" },
    { lastName: "Haddad-001", kycStatus: "PENDING" },
    { lastName: "001", kycStatus: "PENDING" },
    { lastName: "002", kycStatus: "REJECTED" },
    { lastName: "Haddad003", kycStatus: "APPROVED" },
    { lastName: "Haddad000", kycStatus: "APPROVED" },
    { lastName: "Haddad1001", kycStatus: "PENDING" },
    { lastName: "Haddad", kycStatus: "APPROVED" },
    { lastName: "02", kycStatus: "APPROVED" },
    { lastName: "Haddad0-02", kycStatus: "APPROVED" },
    { lastName: "Haddad00 2", kycStatus: "APPROVED" },
    { lastName: "Haddad002 ", kycStatus: "APPROVED" },
    { lastName: "002Haddad", kycStatus: "APPROVED" },
    { lastName: "Haddad٠٠٢", kycStatus: "APPROVED" },
  ])("called $lastName is $kycStatus", async ({ lastName, kycStatus }) => {
    const personalInfo = { ...NOOR, lastName };
    const owner = await createOwner(world(), await createBusiness(world()), { personalInfo });
    expect(owner).toMatchObject({ kycStatus, personalInfo: { lastName } });
    expect(await told()).toEqual([]);
  });

  test("may bring the shares above a hundred percent, since they are not added up", async () => {
    const customerId = await createBusiness(world());
    for (const ownershipPercentage of [60, 60])
      await createOwner(world(), customerId, { ownershipPercentage });
    expect((await customerOf(world(), customerId)).beneficialOwners).toHaveLength(2);
  });
});

const person = (member: string, values: unknown[], field = `personalInfo.${member}`) =>
  values.map((value) => ({
    says: `personalInfo.${member} ${JSON.stringify(value)}`,
    change: { personalInfo: { ...NOOR, [member]: value } },
    field,
  }));

const member = (name: string, values: unknown[], field = name) =>
  values.map((value) => ({
    says: `${name} ${JSON.stringify(value)}`,
    change: { [name]: value },
    field,
  }));

const address = (change: object, field: string) => ({
  says: `an address with ${JSON.stringify(change)}`,
  change: { personalInfo: { ...NOOR, address: { ...NOOR.address, ...change } } },
  field: `personalInfo.address.${field}`,
});

const REFUSED = [
  ...member("ownershipPercentage", [undefined, null, -1, 101, 50.5, "50", 1e308, true]),
  ...member("roles", [undefined, null, [], "UBO", {}]),
  ...member("roles", [["OWNER"], ["ubo"], [null], [""]], "roles.0"),
  ...member("roles", [["UBO", "CEO"]], "roles.1"),
  ...member("personalInfo", [undefined, null, "Noor", []]),
  ...person("firstName", [undefined, null, "", 5, "x".repeat(256), "No\u0000or"]),
  ...person("middleName", [null, "", 5]),
  ...person("lastName", [undefined, null, "", 5, "x".repeat(256)]),
  ...person("birthDate", [undefined, null, "", "1984-02-30", "1983-02-29", "20.02.1984", 1984]),
  ...person("birthDate", ["1984-2-20", "1984-02-20T00:00:00Z"]),
  ...person("nationality", [undefined, null, "", "ae", "ARE"]),
  ...person("address", [undefined, null, "Marina Walk 4"]),
  address({ line1: undefined }, "line1"),
  address({ postalCode: undefined }, "postalCode"),
  address({ country: undefined }, "country"),
  address({ country: "UAE" }, "country"),
  address({ city: null }, "city"),
  ...person("idType", [undefined, null, "", "PASSPORT", "ssn"]),
  ...person("identifier", [undefined, null, "", 5]),
  ...person("countryOfIssuance", [null, "", "are"]),
  ...person("email", [null, "", "noor", "noor@"]),
  ...person("phoneNumber", [null, "", "971501234567", "+0971501234567", "+1", "+"]),
  ...person("phoneNumber", [`+1${"2".repeat(15)}`, "+97150 1234567", "+971501234567\n", "+٩٧١٥"]),
];

// spec/beneficial-owners.md#errors
describe("an ill-formed owner", () => {
  test("is refused by the name of its field", async () => {
    const customerId = await createBusiness(world());
    await everyRow(
      REFUSED,
      ({ change, field }) =>
        expectNothing(() => nameOwner(world(), customerId, change), invalid(field)),
      ({ says }) => says,
    );
  });
});

/** The outermost values that are still accepted. */
const TAKEN = [
  ...member("ownershipPercentage", [0, 1, 99, 100]),
  ...member("roles", [["UBO"], ["COMPANY_OFFICER", "CONTROL_PERSON"]]),
  ...member("roles", [["TRUSTEE", "GENERAL_PARTNER", "DIRECTOR"]]),
  ...person("firstName", ["N", "x".repeat(255), "Zoë"]),
  ...person("birthDate", ["1984-02-29", "2000-02-29", "1900-01-01"]),
  ...person("idType", ["SSN", "ITIN", "EIN", "NON_US_TAX_ID"]),
  ...person("phoneNumber", ["+12", `+1${"2".repeat(14)}`, "+971501234567"]),
];

describe("an owner at the bounds", () => {
  test.each(TAKEN)("is accepted: $says", async ({ change }) => {
    const owner = await createOwner(world(), await createBusiness(world()), change);
    expect(owner).toMatchObject(change);
  });
});

describe("an owner without a business", () => {
  const NOT_FOUND = { status: 404, code: "USER_NOT_FOUND", field: "customerId" };

  test.each([NOBODY, "none", "", "__proto__", "BeneficialOwner:x"])(
    "is refused: of the unknown customer %s",
    (id) => expectNothing(() => nameOwner(world(), id), NOT_FOUND),
  );

  test("is refused: of a deleted customer", async () => {
    const customerId = await createBusiness(world());
    await world().call("DELETE", `/customers/${customerId}`);
    await expectNothing(() => nameOwner(world(), customerId), NOT_FOUND);
  });

  test.each([undefined, null, 5, {}])("is refused: of a customer that is %s", async (id) => {
    const act = () => world().call("POST", "/beneficial-owners", { ...OWNER, customerId: id });
    await expectNothing(act, invalid("customerId"));
  });

  test("is refused: of a person", async () => {
    const customerId = await createCustomer(world());
    await expectNothing(() => nameOwner(world(), customerId), invalid("customerId"));
  });

  test("is refused for its form before its customer is looked up", async () => {
    const act = () => nameOwner(world(), NOBODY, { ownershipPercentage: 101 });
    await expectNothing(act, invalid("ownershipPercentage"));
  });
});

describe("a business", () => {
  test("shows its owners in the order they were named, in every reply", async () => {
    const customerId = await createBusiness(world());
    const owners = [await createOwner(world(), customerId), await createOwner(world(), customerId)];
    await createOwner(world(), await createBusiness(world()));
    const shown = await customerOf(world(), customerId);
    expect(shown.beneficialOwners).toEqual(owners);
    const { body: list } = await world().call("GET", "/customers?customerType=BUSINESS");
    expect(list.data[1]).toEqual(shown);
    const path = `/customers/${customerId}`;
    const patched = await world().call("PATCH", path, { customerType: "BUSINESS" });
    expect(patched.body.beneficialOwners).toEqual(owners);
    expect((await world().call("DELETE", path)).body.beneficialOwners).toEqual(owners);
    expect((await customerOf(world(), customerId)).beneficialOwners).toEqual(owners);
  });

  test("without owners has an empty list, and a person has none", async () => {
    const business = await customerOf(world(), await createBusiness(world()));
    expect(business.beneficialOwners).toEqual([]);
    const individual = await customerOf(world(), await createCustomer(world()));
    expect(Object.hasOwn(individual, "beneficialOwners")).toBe(false);
  });

  test("cannot be created or changed with owners in its body", async () => {
    const members = { customerType: "BUSINESS", beneficialOwners: [OWNER] };
    const customerId = await createCustomer(world(), members);
    await world().call("PATCH", `/customers/${customerId}`, members);
    expect((await customerOf(world(), customerId)).beneficialOwners).toEqual([]);
  });
});

describe("the list of owners", () => {
  const list = (query: string) => world().call("GET", `/beneficial-owners?${query}`);

  test("has the owners of one customer, newest first, in pages", async () => {
    const customerId = await createBusiness(world());
    const owners = [];
    for (let n = 0; n < 5; n += 1) owners.unshift(await createOwner(world(), customerId));
    await createOwner(world(), await createBusiness(world()));
    const { body: whole } = await list(`customerId=${customerId}`);
    expect(whole).toEqual({ data: owners, hasMore: false, totalCount: 5 });
    const first = await list(`customerId=${customerId}&limit=3`);
    expect(first.body).toMatchObject({ data: owners.slice(0, 3), hasMore: true, totalCount: 5 });
    const rest = await list(`customerId=${customerId}&limit=3&cursor=${first.body.nextCursor}`);
    expect(rest.body).toEqual({ data: owners.slice(3), hasMore: false, totalCount: 5 });
  });

  test("keeps the owners of a deleted customer, which stay readable", async () => {
    const customerId = await createBusiness(world());
    const owner = await createOwner(world(), customerId);
    await world().call("DELETE", `/customers/${customerId}`);
    expect((await list(`customerId=${customerId}`)).body.data).toEqual([owner]);
    expect((await world().call("GET", `/beneficial-owners/${owner.id}`)).body).toEqual(owner);
  });

  test.each([NOBODY, "none", "__proto__"])("is empty for %s", async (id) => {
    await createOwner(world(), await createBusiness(world()));
    expect((await list(`customerId=${id}`)).body).toEqual({
      data: [],
      hasMore: false,
      totalCount: 0,
    });
  });

  test.each([
    { query: "", field: "customerId" },
    { query: "customerId=", field: "customerId" },
    { query: `customerId=${NOBODY}&customerId=${NOBODY}`, field: "customerId" },
    { query: `customerId=${NOBODY}&limit=0`, field: "limit" },
    { query: `customerId=${NOBODY}&limit=101`, field: "limit" },
    { query: `customerId=${NOBODY}&cursor=forged`, field: "cursor" },
  ])("is refused for «$query»", ({ query, field }) =>
    expectNothing(() => list(query), invalid(field)),
  );
});

test("an unknown owner is not found", async () => {
  const path = "/beneficial-owners/BeneficialOwner:none";
  const refused = { status: 404, code: "REFERENCE_NOT_FOUND" };
  await expectNothing(() => world().call("GET", path), refused);
});
