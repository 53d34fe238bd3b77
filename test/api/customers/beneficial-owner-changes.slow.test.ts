import { describe, expect, test } from "vitest";
import { invalid } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import { createBusiness, createCustomer, createOwner, customerOf, NOOR } from "./setup/people.ts";
import { toldPerTest } from "./setup/told-per-test.ts";

const { world, told, receiver, expectNothing } = toldPerTest();

const LATER = "2026-01-05T09:00:05.000Z";

/** An owner that is 5 s old, and a way to change it. */
const ownerToChange = async (personalInfo: object = NOOR) => {
  const customerId = await createBusiness(world());
  const owner = await createOwner(world(), customerId, { personalInfo });
  await goTo(world(), "09:00:05.000");
  const path = `/beneficial-owners/${owner.id}`;
  return { owner, path, change: (body: unknown) => world().call("PATCH", path, body) };
};

/** Changes to an owner, with the result of each (spec/beneficial-owners.md#update). */
const MERGES = [
  {
    says: "roles are replaced as a whole",
    change: { roles: ["TRUSTEE"] },
    gives: { roles: ["TRUSTEE"] },
  },
  {
    says: "the percentage is replaced, also by 0",
    change: { ownershipPercentage: 0 },
    gives: { ownershipPercentage: 0 },
  },
  {
    says: "one inner member changes and the others stay",
    change: { personalInfo: { firstName: "Nora" } },
    gives: { personalInfo: { ...NOOR, firstName: "Nora" } },
  },
  {
    says: "an address is replaced as a whole",
    change: { personalInfo: { address: { line1: "Av. 12", postalCode: "72000", country: "MX" } } },
    gives: {
      personalInfo: { ...NOOR, address: { line1: "Av. 12", postalCode: "72000", country: "MX" } },
    },
  },
  {
    says: "an empty personalInfo changes none of it",
    change: { personalInfo: {} },
    gives: {},
  },
  {
    says: "several at once",
    change: {
      roles: ["CONTROL_PERSON"],
      ownershipPercentage: 100,
      personalInfo: { email: "noor@new.example", phoneNumber: "+12" },
    },
    gives: {
      roles: ["CONTROL_PERSON"],
      ownershipPercentage: 100,
      personalInfo: { ...NOOR, email: "noor@new.example", phoneNumber: "+12" },
    },
  },
];

describe("a change of an owner", () => {
  test.each(MERGES)("$says", async ({ change, gives }) => {
    const { owner, path, change: patch } = await ownerToChange();
    const { status, body } = await patch(change);
    expect(status).toBe(200);
    expect(body).toEqual({ ...owner, ...gives, updatedAt: LATER });
    expect((await world().call("GET", path)).body).toEqual(body);
    expect((await customerOf(world(), owner.customerId)).beneficialOwners).toEqual([body]);
  });

  test("without members changes nothing, updatedAt included", async () => {
    const { owner, change } = await ownerToChange();
    expect((await change({})).body).toEqual(owner);
    expect((await change({ unheardOf: 1 })).body).toEqual(owner);
  });

  test("cannot move it to another business, nor set the service's own fields", async () => {
    const { owner, change } = await ownerToChange();
    const customerId = await createBusiness(world());
    const { body } = await change({ customerId, id: "x", kycStatus: "REJECTED", roles: ["UBO"] });
    expect(body).toEqual({ ...owner, roles: ["UBO"], updatedAt: LATER });
  });

  test("adds members that were missing", async () => {
    const { middleName, phoneNumber, ...rest } = NOOR;
    const { change } = await ownerToChange(rest);
    const { body } = await change({ personalInfo: { middleName, phoneNumber } });
    expect(body.personalInfo).toEqual(NOOR);
  });
});

/** Every row of the name, reached from every row (spec/beneficial-owners.md#kyc-outcome). */
const ENDINGS = [
  { ending: "001", status: "PENDING" },
  { ending: "002", status: "REJECTED" },
  { ending: "", status: "APPROVED" },
];
const RENAMINGS = ENDINGS.flatMap((from) => ENDINGS.map((to) => ({ from, to })));

describe("another last name is checked again", () => {
  test.each(RENAMINGS)("from $from.status to $to.status", async ({ from, to }) => {
    const { owner, change } = await ownerToChange({ ...NOOR, lastName: `Haddad${from.ending}` });
    expect(owner.kycStatus).toBe(from.status);
    const kept = await change({ ownershipPercentage: 5, personalInfo: { firstName: "Nora" } });
    expect(kept.body.kycStatus).toBe(from.status);
    const renamed = await change({ personalInfo: { lastName: `Vega${to.ending}` } });
    expect(renamed.body).toMatchObject({
      kycStatus: to.status,
      personalInfo: { lastName: `Vega${to.ending}`, firstName: "Nora" },
    });
    await goTo(world(), "09:00:05.000");
    expect(receiver().types()).toEqual(["TEST"]);
  });
});

const ill = (change: object, field: string) => ({ change, field });

describe("an ill-formed change", () => {
  test.each([
    ...[-1, 101, 50.5, "50", null].map((n) =>
      ill({ ownershipPercentage: n }, "ownershipPercentage"),
    ),
    ill({ roles: [] }, "roles"),
    ill({ roles: null }, "roles"),
    ill({ roles: ["UBO", "CEO"] }, "roles.1"),
    ill({ personalInfo: null }, "personalInfo"),
    ill({ personalInfo: { lastName: "" } }, "personalInfo.lastName"),
    ill({ personalInfo: { middleName: null } }, "personalInfo.middleName"),
    ill({ personalInfo: { birthDate: "2001-02-29" } }, "personalInfo.birthDate"),
    ill({ personalInfo: { phoneNumber: "+0" } }, "personalInfo.phoneNumber"),
    ill({ personalInfo: { idType: "PASSPORT" } }, "personalInfo.idType"),
    ill({ personalInfo: { address: { city: "Dubai" } } }, "personalInfo.address.line1"),
    ill(
      { personalInfo: { address: { line1: "Av. 12", country: "MX" } } },
      "personalInfo.address.postalCode",
    ),
    ill({ roles: ["UBO"], personalInfo: { email: "noor" } }, "personalInfo.email"),
  ])("is refused for $field, and changes nothing: $change", async ({ change: body, field }) => {
    const { owner, path, change } = await ownerToChange();
    await expectNothing(() => change(body), invalid(field));
    expect((await world().call("GET", path)).body).toEqual(owner);
  });
});

test("an unknown owner is not found before the body is checked", async () => {
  const customerId = await createCustomer(world());
  const refused = { status: 404, code: "REFERENCE_NOT_FOUND" };
  for (const id of ["none", "BeneficialOwner:none", customerId])
    for (const body of [{ roles: [] }, { roles: ["UBO"] }]) {
      const act = () => world().call("PATCH", `/beneficial-owners/${id}`, body);
      await expectNothing(act, refused);
    }
  expect(await told()).toEqual([]);
});

test("an owner of a deleted customer can still be changed", async () => {
  const { owner, change } = await ownerToChange();
  await world().call("DELETE", `/customers/${owner.customerId}`);
  const { status, body } = await change({ ownershipPercentage: 5 });
  expect(status).toBe(200);
  expect(body).toEqual({ ...owner, ownershipPercentage: 5, updatedAt: LATER });
});
