import { describe, expect, test } from "vitest";
import { START } from "../../setup/test-simulator.ts";
import { invalid } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import {
  createBusiness,
  createCustomer,
  createOwner,
  customerOf,
  NOBODY,
  register,
  setStatus,
  verify,
} from "./setup/people.ts";
import { toldPerTest } from "./setup/told-per-test.ts";

const { world, told, expectNothing } = toldPerTest();

const REFUSED_BUSINESS = {
  type: "APPLICANT_REJECTED",
  reason: "A registrationNumber ending in 002 simulates a rejected business",
};

/**
 * First verifications of a business, with their events in order
 * (spec/verifications.md#event-order).
 */
const OF_A_NEW_BUSINESS = [
  {
    ending: "001",
    verificationStatus: "IN_PROGRESS",
    kybStatus: "PENDING",
    errors: [],
    events: ["VERIFICATION.IN_PROGRESS", "CUSTOMER.KYB_PENDING"],
  },
  {
    ending: "002",
    verificationStatus: "REJECTED",
    kybStatus: "REJECTED",
    errors: [REFUSED_BUSINESS],
    events: ["CUSTOMER.KYB_PENDING", "VERIFICATION.REJECTED", "CUSTOMER.KYB_REJECTED"],
  },
  {
    ending: "003",
    verificationStatus: "APPROVED",
    kybStatus: "APPROVED",
    errors: [],
    events: ["CUSTOMER.KYB_PENDING", "VERIFICATION.APPROVED", "CUSTOMER.KYB_APPROVED"],
  },
];

describe("the verification of a business", () => {
  test.each(OF_A_NEW_BUSINESS)("ending $ending is $verificationStatus", async (row) => {
    const { ending, verificationStatus, kybStatus, errors, events } = row;
    const customerId = await createBusiness(world(), `MX-88-${ending}`);
    expect((await customerOf(world(), customerId)).kybStatus).toBe("UNVERIFIED");
    const { status, body } = await verify(world(), customerId);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^Verification:[0-9a-f-]{36}$/),
      customerId,
      verificationStatus,
      errors: errors.map((error) => ({ resourceId: customerId, ...error })),
      createdAt: START,
      updatedAt: START,
    });
    expect((await world().call("GET", `/verifications/${body.id}`)).body).toEqual(body);
    expect((await customerOf(world(), customerId)).kybStatus).toBe(kybStatus);
    expect((await told()).map(({ type }) => type)).toEqual(events);
  });

  test.each([
    { registrationNumber: "001", kybStatus: "PENDING" },
    { registrationNumber: "MX-00-1", kybStatus: "PENDING" },
    { registrationNumber: "MX 0 0 2", kybStatus: "REJECTED" },
    { registrationNumber: "MX002 - ", kybStatus: "REJECTED" },
    { registrationNumber: "1002", kybStatus: "REJECTED" },
    { registrationNumber: "MX-000", kybStatus: "APPROVED" },
    { registrationNumber: "MX-999", kybStatus: "APPROVED" },
    { registrationNumber: "00.2", kybStatus: "APPROVED" },
    { registrationNumber: "0O2", kybStatus: "APPROVED" },
    { registrationNumber: "02", kybStatus: "APPROVED" },
    { registrationNumber: "002A", kybStatus: "APPROVED" },
    { registrationNumber: "٠٠٢", kybStatus: "APPROVED" },
    { registrationNumber: "__proto__", kybStatus: "APPROVED" },
    { registrationNumber: undefined, kybStatus: "APPROVED" },
  ])("reads $registrationNumber as $kybStatus", async ({ registrationNumber, kybStatus }) => {
    const customerId = await createBusiness(world(), registrationNumber);
    await verify(world(), customerId);
    expect((await customerOf(world(), customerId)).kybStatus).toBe(kybStatus);
  });

  test("sends the customer as it is at each step, with its owners", async () => {
    const customerId = await createBusiness(world(), "88-002");
    const owner = await createOwner(world(), customerId);
    const { body } = await verify(world(), customerId);
    const [pending, verification, rejected] = (await told()).map(({ data }) => data);
    const shown = await customerOf(world(), customerId);
    expect(shown.beneficialOwners).toEqual([owner]);
    expect(pending).toEqual({ ...shown, kybStatus: "PENDING" });
    expect(verification).toEqual(body);
    expect(rejected).toEqual(shown);
  });

  test.each([{ customerType: "BUSINESS" }, { customerType: "BUSINESS", businessInfo: {} }])(
    "cannot be decided while nothing is known of it: %o",
    async (info) => {
      const customerId = await createCustomer(world(), { customerType: "BUSINESS" });
      await world().call("PATCH", `/customers/${customerId}`, info);
      const { status, body } = await verify(world(), customerId);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        verificationStatus: "RESOLVE_ERRORS",
        errors: [
          {
            resourceId: customerId,
            type: "MISSING_FIELD",
            field: "customer.businessInfo.legalName",
            reason: "The customer has no businessInfo",
          },
        ],
      });
      expect((await customerOf(world(), customerId)).kybStatus).toBe("UNVERIFIED");
      expect((await told()).map(({ type, data }) => [type, data])).toEqual([
        ["VERIFICATION.RESOLVE_ERRORS", body],
      ]);
    },
  );

  test("is decided once the missing data is there", async () => {
    const customerId = await createCustomer(world(), { customerType: "BUSINESS" });
    const { body: first } = await verify(world(), customerId);
    await register(world(), customerId, "88-001");
    const { body: second } = await verify(world(), customerId);
    expect(second.id).not.toBe(first.id);
    expect(second.verificationStatus).toBe("IN_PROGRESS");
    expect((await told()).map(({ type }) => type)).toEqual([
      "VERIFICATION.RESOLVE_ERRORS",
      "VERIFICATION.IN_PROGRESS",
      "CUSTOMER.KYB_PENDING",
    ]);
  });
});

const UNCHANGED = { "001": "VERIFICATION.IN_PROGRESS", "002": "VERIFICATION.REJECTED" };
const DECIDED = {
  "002": ["VERIFICATION.REJECTED", "CUSTOMER.KYB_REJECTED"],
  "003": ["VERIFICATION.APPROVED", "CUSTOMER.KYB_APPROVED"],
};
const IN_PROGRESS = ["VERIFICATION.IN_PROGRESS", "CUSTOMER.KYB_PENDING"];
const afterPending = (events: string[]) => ["CUSTOMER.KYB_PENDING", ...events];

/** Every status of a business with every row (spec/verifications.md#status-effects). */
const AGAIN = [
  { from: "UNVERIFIED", ending: "001", to: "PENDING", events: IN_PROGRESS },
  { from: "UNVERIFIED", ending: "002", to: "REJECTED", events: afterPending(DECIDED["002"]) },
  { from: "UNVERIFIED", ending: "003", to: "APPROVED", events: afterPending(DECIDED["003"]) },
  { from: "PENDING", ending: "001", to: "PENDING", events: [UNCHANGED["001"]] },
  { from: "PENDING", ending: "002", to: "REJECTED", events: DECIDED["002"] },
  { from: "PENDING", ending: "003", to: "APPROVED", events: DECIDED["003"] },
  { from: "REJECTED", ending: "001", to: "PENDING", events: IN_PROGRESS },
  { from: "REJECTED", ending: "002", to: "REJECTED", events: [UNCHANGED["002"]] },
  { from: "REJECTED", ending: "003", to: "APPROVED", events: afterPending(DECIDED["003"]) },
  { from: "APPROVED", ending: "001", to: "PENDING", events: IN_PROGRESS },
  { from: "APPROVED", ending: "002", to: "REJECTED", events: afterPending(DECIDED["002"]) },
  { from: "APPROVED", ending: "003", to: "APPROVED", events: ["VERIFICATION.APPROVED"] },
  ...["UNVERIFIED", "PENDING", "REJECTED", "APPROVED"].map((from) => ({
    from,
    ending: "nothing known",
    to: from,
    events: ["VERIFICATION.RESOLVE_ERRORS"],
  })),
];

describe("a repeated verification", () => {
  test("is tested from every status to every row", () => {
    const met = new Set(AGAIN.map(({ from, ending }) => `${from} ${ending}`));
    expect(met.size).toBe(4 * 4);
  });

  test.each(AGAIN)("of a business that is $from, $ending, leaves it $to", async (row) => {
    const { from, ending, to, events } = row;
    const customerId =
      ending === "nothing known"
        ? await createCustomer(world(), { customerType: "BUSINESS" })
        : await createBusiness(world(), ending);
    if (from !== "UNVERIFIED") await setStatus(world(), customerId, { kybStatus: from });
    const before = (await told()).length;
    await goTo(world(), "09:00:00.000");
    const { updatedAt } = await customerOf(world(), customerId);
    expect((await verify(world(), customerId)).status).toBe(200);
    expect((await told()).slice(before).map(({ type }) => type)).toEqual(events);
    expect(await customerOf(world(), customerId)).toMatchObject({ kybStatus: to, updatedAt });
  });

  // spec/verifications.md#individual-outcome
  test.each(["UNVERIFIED", "PENDING", "REJECTED", "APPROVED"])(
    "of a person that is %s approves",
    async (from) => {
      const customerId = await createCustomer(world());
      await setStatus(world(), customerId, { kycStatus: from });
      const before = (await told()).length;
      const { body } = await verify(world(), customerId);
      expect(body).toMatchObject({ verificationStatus: "APPROVED", errors: [] });
      const shown = await customerOf(world(), customerId);
      expect(shown.kycStatus).toBe("APPROVED");
      expect((await told()).slice(before).map(({ type, data }) => [type, data])).toEqual([
        ["VERIFICATION.APPROVED", body],
        ...(from === "APPROVED" ? [] : [["CUSTOMER.KYC_APPROVED", shown]]),
      ]);
    },
  );

  test("is a Verification of its own, and leaves earlier ones unchanged", async () => {
    const customerId = await createBusiness(world(), "001");
    const { body: first } = await verify(world(), customerId);
    await goTo(world(), "09:00:05.000");
    await register(world(), customerId, "002");
    const { body: second } = await verify(world(), customerId);
    expect(second).toMatchObject({
      verificationStatus: "REJECTED",
      createdAt: "2026-01-05T09:00:05.000Z",
    });
    expect((await world().call("GET", `/verifications/${first.id}`)).body).toEqual(first);
    expect((await customerOf(world(), customerId)).updatedAt).toBe("2026-01-05T09:00:05.000Z");
  });

  test("does not follow from another registrationNumber alone", async () => {
    const customerId = await createBusiness(world(), "003");
    await verify(world(), customerId);
    const before = (await told()).length;
    await register(world(), customerId, "002");
    expect((await customerOf(world(), customerId)).kybStatus).toBe("APPROVED");
    expect(await told()).toHaveLength(before);
  });
});

// spec/verifications.md#errors
describe("a verification without a customer", () => {
  const NOT_FOUND = { status: 404, code: "USER_NOT_FOUND", field: "customerId" };

  test.each([NOBODY, "none", "", "__proto__"])("is refused: %s", (id) =>
    expectNothing(() => verify(world(), id), NOT_FOUND),
  );

  test("is refused: of a deleted customer", async () => {
    const customerId = await createBusiness(world(), "003");
    await world().call("DELETE", `/customers/${customerId}`);
    await expectNothing(() => verify(world(), customerId), NOT_FOUND);
  });

  test.each([undefined, null, 5, {}, []])("is refused: of a customer that is %s", (customerId) =>
    expectNothing(
      () => world().call("POST", "/verifications", { customerId }),
      invalid("customerId"),
    ),
  );
});

test("why names the row that decided about a verified business", async () => {
  const customerId = await createBusiness(world(), "88-002");
  const { body } = await verify(world(), customerId);
  const { body: story } = await world().control("GET", `/why/${body.id}`);
  expect(story).toMatchObject({ kind: "Verification", status: "REJECTED" });
  expect(JSON.stringify(story)).toContain("test rule 002: the business is rejected");
  const { body: ofCustomer } = await world().control("GET", `/why/${customerId}`);
  expect(ofCustomer).toMatchObject({ kind: "Customer", status: "REJECTED", name: "Molino SA" });
});
