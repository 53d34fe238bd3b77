import { beforeEach, describe, expect, test } from "vitest";
import { UMA_LOCAL_PARTS } from "../../../src/domain/outcomes/outcomes.ts";
import { createPayee } from "../../setup/platform.ts";
import { expectRefused } from "../setup/refused.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();

const lookUp = (umaAddress: string, query = "") =>
  world().call("GET", `/receiver/uma/${encodeURIComponent(umaAddress)}${query}`);

const createCustomer = async (members: object = {}) => {
  const body = { customerType: "INDIVIDUAL", ...members };
  const answer = await world().call("POST", "/customers", body);
  expect(answer.status).toBe(201);
  return answer.body as { id: string; umaAddress: string };
};

const MALFORMED = [
  "none",
  "$",
  "$@sandbox.uma.test",
  "success.usd@sandbox.uma.test",
  "$success.usd",
  "$success.usd@",
  "$success.usd@sandbox",
  "$success usd@sandbox.uma.test",
  "$success.usd@sandbox.uma.test ",
  " $success.usd@sandbox.uma.test",
  "$success.usd@sandbox.uma.test\n",
  "$success.usd@@sandbox.uma.test",
  "$success.usd@sandbox..test",
  "$success.usd@-a.test",
  "$sücces@sandbox.uma.test",
  `$${"a".repeat(64)}@sandbox.uma.test`,
  "__proto__",
];

// spec/lookups.md#receiver-address, spec/uma-payments.md#address-form
describe("an address", () => {
  test.each(MALFORMED)("that is malformed is refused: %j", async (text) => {
    expectRefused(await lookUp(text), {
      status: 400,
      code: "INVALID_UMA_ADDRESS",
      field: "receiverUmaAddress",
    });
  });

  test.each([
    { says: "at the sandbox's domain", address: "$nobody@sandbox.uma.test" },
    { says: "there, with a domain in capitals", address: "$success.gbp@SANDBOX.uma.test" },
    { says: "at the platform's own domain", address: "$nobody@pay.sandbox.test" },
    { says: "at the platform's domain in capitals", address: "$NOBODY@PAY.SANDBOX.TEST" },
    {
      says: "of a sandbox person, at the platform's",
      address: "$success.usd@pay.sandbox.test",
    },
  ])("without an owner is not found $says", async ({ address }) => {
    const answer = await lookUp(address);
    expectRefused(answer, { status: 404, code: "UMA_NOT_FOUND" });
    expect(answer.body.details).toMatchObject({ id: address });
    for (const name of UMA_LOCAL_PARTS) expect(answer.body.message).toContain(name);
    expect(answer.body.message).toContain("sandbox.uma.test");
  });

  test.each(["$success.usd@uma.example", "$nobody@bank.example", "$a@x.sandbox.uma.test"])(
    "at another domain cannot be looked up: %s",
    async (address) => {
      const answer = await lookUp(address);
      expectRefused(answer, { status: 424, code: "LNURLP_REQUEST_FAILED" });
      expect(answer.body.details).toMatchObject({ value: address });
      for (const name of UMA_LOCAL_PARTS) expect(answer.body.message).toContain(name);
    },
  );

  test("follows the platform's umaDomain", async () => {
    await world().call("PATCH", "/config", { umaDomain: "Bank.example" });
    expect((await lookUp("$nobody@bank.example")).status).toBe(404);
    expect((await lookUp("$nobody@pay.sandbox.test")).status).toBe(424);
    await world().call("PATCH", "/config", { umaDomain: null });
    expect((await lookUp("$nobody@bank.example")).status).toBe(424);
  });
});

// spec/lookups.md#sender
describe("the sender of a lookup", () => {
  let receivers: Record<string, string>;
  let customer: { id: string; umaAddress: string };

  beforeEach(async () => {
    customer = await createCustomer();
    receivers = {
      uma: "/receiver/uma/$success.usd@sandbox.uma.test",
      account: `/receiver/external-account/${await createPayee(world(), customer.id, "999")}`,
    };
  });

  const ask = (receiver: string, query: Record<string, string>) =>
    world().call("GET", `${receivers[receiver]}?${new URLSearchParams(query)}`);

  describe.each(["uma", "account"])("of a receiver by %s", (receiver) => {
    test.each(["", "zoe", "$zoe", "zoe@bank.example"])(
      "must be a UMA address if it is given: %j",
      async (senderUmaAddress) => {
        expectRefused(await ask(receiver, { senderUmaAddress }), {
          status: 400,
          code: "INVALID_UMA_ADDRESS",
          field: "senderUmaAddress",
        });
      },
    );

    test("must be an existing customer", async () => {
      const other = await createCustomer();
      await world().call("DELETE", `/customers/${other.id}`);
      for (const customerId of ["", "nobody", "Customer:none", other.id])
        expectRefused(await ask(receiver, { customerId }), {
          status: 404,
          code: "USER_NOT_FOUND",
          field: "customerId",
        });
    });

    test("must be the same in both parameters", async () => {
      const other = await createCustomer();
      const both = { customerId: customer.id, senderUmaAddress: other.umaAddress };
      expectRefused(await ask(receiver, both), {
        status: 400,
        code: "INVALID_INPUT",
        field: "senderUmaAddress",
      });
      const same = customer.umaAddress.toUpperCase();
      const { status } = await ask(receiver, { ...both, senderUmaAddress: same });
      expect(status).toBe(200);
    });
  });

  test.each([
    { by: "id", query: ({ id }: typeof customer) => ({ customerId: id }), field: "customerId" },
    {
      by: "address",
      query: ({ umaAddress }: typeof customer) => ({ senderUmaAddress: umaAddress.toUpperCase() }),
      field: "senderUmaAddress",
    },
  ])("cannot be the receiver as well, by its $by", async ({ query, field }) => {
    const answer = await lookUp(customer.umaAddress, `?${new URLSearchParams(query(customer))}`);
    expectRefused(answer, { status: 400, code: "SELF_PAYMENT", field });
  });
});

// spec/lookups.md#check-order
describe("of two mistakes in a lookup", () => {
  const SELF = "senderUmaAddress=$a@bank.example";
  test.each([
    { path: "$nobody@sandbox.uma.test?customerId=x", status: 404, code: "UMA_NOT_FOUND" },
    {
      path: "nobody?senderUmaAddress=a&senderUmaAddress=b",
      status: 400,
      code: "INVALID_UMA_ADDRESS",
    },
    { path: "$a@bank.example?customerId=x", status: 404, code: "USER_NOT_FOUND" },
    { path: `$a@bank.example?${SELF}`, status: 400, code: "SELF_PAYMENT" },
  ])("$code answers: $path", async ({ path, status, code }) => {
    const answer = await world().call("GET", `/receiver/uma/${path}`);
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
  });
});
