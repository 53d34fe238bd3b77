import { describe, expect, test } from "vitest";
import { createBusiness, createCustomer, customerOf, NOBODY, verify } from "./setup/people.ts";
import { toldPerTest } from "./setup/told-per-test.ts";

const { world, told } = toldPerTest();

const setStatus = (customerId: string, statuses: object) =>
  world().control("PATCH", `/customers/${customerId}`, statuses);

// spec/customers.md#operator-status, spec/customers.md#status-changes
describe("the operator sets the status of a customer", () => {
  test.each([
    { kycStatus: "PENDING", types: ["CUSTOMER.KYC_PENDING"] },
    { kycStatus: "REJECTED", types: ["CUSTOMER.KYC_REJECTED"] },
    { kycStatus: "UNVERIFIED", types: [] },
    { kycStatus: "APPROVED", types: [] },
  ])("an approved individual becomes $kycStatus and sends $types", async ({ kycStatus, types }) => {
    const id = await createCustomer(world());
    expect(await setStatus(id, { kycStatus })).toMatchObject({ status: 200, body: { kycStatus } });
    expect((await customerOf(world(), id)).kycStatus).toBe(kycStatus);
    expect((await told()).map(({ type }) => type)).toEqual(types);
  });

  test("a business keeps its verification as it was", async () => {
    const id = await createBusiness(world(), "001");
    const { body: verification } = await verify(world(), id);
    expect((await setStatus(id, { kybStatus: "APPROVED" })).body.kybStatus).toBe("APPROVED");
    const { body } = await world().call("GET", `/verifications/${verification.id}`);
    expect(body).toEqual(verification);
  });

  test.each([{}, { kybStatus: "PENDING" }, { kycStatus: "PENDING", kybStatus: "PENDING" }])(
    "%j is refused for an individual",
    async (statuses) => {
      const id = await createCustomer(world());
      const { status, body } = await setStatus(id, statuses);
      expect(status).toBe(400);
      expect(body.error.code).toBe("INVALID_INPUT");
    },
  );

  test("an unknown or deleted customer is not found", async () => {
    const id = await createCustomer(world());
    await world().call("DELETE", `/customers/${id}`);
    for (const customerId of [NOBODY, id]) {
      const { status, body } = await setStatus(customerId, { kycStatus: "PENDING" });
      expect([status, body.error.code]).toEqual([404, "USER_NOT_FOUND"]);
    }
  });
});
