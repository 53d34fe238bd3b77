import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPayee, createPayer, type Payer, quoteInput } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { goTo, timeOf } from "../setup/told.ts";
import { expectUntouched } from "../setup/untouched.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";

const NOBODY = "Customer:00000000-0000-7000-8000-000000000000";

const world = worldPerTest();
let receiver: Receiver;
let payer: Payer;

const madePayer = preparedOnce((one) => createPayer(one));

beforeEach(async () => {
  payer = await madePayer(world());
  receiver = await new Receiver().start();
  await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
  await goTo(world(), "09:00:00.000");
});

afterEach(() => receiver.stop());

const untouched = (act: () => Promise<unknown>) =>
  expectUntouched({ world: world(), receiver }, act);

/** Events after the TEST event: instant, type and status. */
const told = () =>
  receiver.received
    .slice(1)
    .map((event) => [
      timeOf(event),
      event.type,
      event.data.kycStatus ?? event.data.kybStatus ?? event.data.status,
    ]);

interface Refused {
  method: string;
  path: () => string;
  body: unknown;
  status: number;
  code: string;
  field?: string;
}

const expectRefusal = async ({ method, path, body, status, code, field }: Refused) => {
  const answer = await world().control(method, path(), body);
  const { error } = answer.body;
  expect({ status: answer.status, code: error?.code, field: error?.details?.field }).toEqual({
    status,
    code,
    field,
  });
};

// spec/internal-accounts.md#account-status
describe("the status of an account", () => {
  test("sends an event when it changes, and only then", async () => {
    const path = `/internal-accounts/${payer.accountId}`;
    for (const status of ["FROZEN", "FROZEN", "PENDING", "CLOSED", "ACTIVE", "ACTIVE"]) {
      await goTo(world(), "09:00:05.000");
      const answer = await world().control("PATCH", path, { status });
      expect(answer).toMatchObject({ status: 200, body: { id: payer.accountId, status } });
    }
    await goTo(world(), "09:00:05.000");
    expect(told()).toEqual(
      ["FROZEN", "PENDING", "CLOSED", "ACTIVE"].map((status) => [
        "09:00:05.000",
        "INTERNAL_ACCOUNT.STATUS_UPDATED",
        status,
      ]),
    );
    const query = `customerId=${payer.customerId}&currency=USD`;
    const { body } = await world().call("GET", `/customers/internal-accounts?${query}`);
    expect(body.data).toEqual([receiver.received.at(-1)?.data]);
    expect(body.data[0].updatedAt).toBe("2026-01-05T09:00:05.000Z");
  });

  test.each<Refused>([
    ...["frozen", "OPEN", "", 5, null, undefined].map((status) => ({
      method: "PATCH",
      path: () => `/internal-accounts/${payer.accountId}`,
      body: { status },
      status: 400,
      code: "INVALID_INPUT",
      field: "status",
    })),
    ...["InternalAccount:none", NOBODY, "none"].map((id) => ({
      method: "PATCH",
      path: () => `/internal-accounts/${id}`,
      body: { status: "FROZEN" },
      status: 404,
      code: "REFERENCE_NOT_FOUND",
    })),
  ])("cannot be $body.status", (row) => untouched(() => expectRefusal(row)));
});

describe("the status of a customer", () => {
  test.each([
    { customerType: "INDIVIDUAL", member: "kycStatus", event: "CUSTOMER.KYC", born: "APPROVED" },
    { customerType: "BUSINESS", member: "kybStatus", event: "CUSTOMER.KYB", born: "UNVERIFIED" },
  ])("of a $customerType sends an event when it changes", async (row) => {
    const { customerType, member, event, born } = row;
    const { body: customer } = await world().call("POST", "/customers", { customerType });
    expect(customer[member]).toBe(born);
    for (const status of ["PENDING", "PENDING", "REJECTED", "UNVERIFIED", "APPROVED"]) {
      const path = `/customers/${customer.id}`;
      const answer = await world().control("PATCH", path, { [member]: status });
      expect(answer).toMatchObject({ status: 200, body: { ...customer, [member]: status } });
      expect((await world().call("GET", path)).body).toEqual(answer.body);
    }
    await goTo(world(), "09:00:00.000");
    // A return to UNVERIFIED has no event of its own.
    expect(told()).toEqual(
      ["PENDING", "REJECTED", "APPROVED"].map((status) => [
        "09:00:00.000",
        `${event}_${status}`,
        status,
      ]),
    );
  });

  const change = (body: unknown, field: string): Refused => ({
    method: "PATCH",
    path: () => `/customers/${payer.customerId}`,
    body,
    status: 400,
    code: "INVALID_INPUT",
    field,
  });

  test.each<Refused>([
    change({ kycStatus: "DONE" }, "kycStatus"),
    change({ kycStatus: "pending" }, "kycStatus"),
    change({ kycStatus: null }, "kycStatus"),
    change({ kybStatus: "REJECTED" }, "kycStatus"),
    change({}, "body"),
    change({ kycStatus: "PENDING", kybStatus: "PENDING" }, "body"),
  ])("cannot be $body of an INDIVIDUAL", (row) => untouched(() => expectRefusal(row)));

  test("cannot be set for an unknown or deleted customer", async () => {
    await world().call("DELETE", `/customers/${payer.customerId}`);
    await untouched(async () => {
      for (const id of [NOBODY, "none", payer.customerId])
        await expectRefusal({
          method: "PATCH",
          path: () => `/customers/${id}`,
          body: { kycStatus: "PENDING" },
          status: 404,
          code: "USER_NOT_FOUND",
        });
    });
  });
});

// spec/internal-accounts.md#operator-accounts
describe("a further account of a customer", () => {
  test("is empty, ACTIVE, in the requested currency, and sends no event", async () => {
    const { customerId } = payer;
    const input = { customerId, currency: "USD", suffix: "002" };
    const { status, body } = await world().control("POST", "/internal-accounts", input);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^InternalAccount:.*002$/),
      customerId,
      type: "INTERNAL_FIAT",
      status: "ACTIVE",
      balance: { amount: 0, currency: { code: "USD" } },
    });
    await goTo(world(), "09:00:00.000");
    expect(told()).toEqual([]);
    const path = `/customers/internal-accounts?customerId=${customerId}&currency=USD`;
    const { body: list } = await world().call("GET", path);
    expect(list).toMatchObject({ totalCount: 2, data: [body, { id: payer.accountId }] });
  });

  const opening = (input: object, failure: Omit<Refused, "method" | "path" | "body">): Refused => ({
    method: "POST",
    path: () => "/internal-accounts",
    body: input,
    ...failure,
  });
  const invalid = (field: string) => ({ status: 400, code: "INVALID_INPUT", field });
  const unknown = { status: 404, code: "USER_NOT_FOUND" };
  const wrongCurrency = { status: 400, code: "INVALID_CURRENCY", field: "currency" };

  test.each<Refused>([
    opening({ currency: "USD" }, invalid("customerId")),
    opening({ customerId: NOBODY, currency: "USD" }, unknown),
    opening({ customerId: "platform", currency: "USD" }, unknown),
    opening({ customerId: "", currency: "USD" }, unknown),
    opening({ customerId: "payer" }, invalid("currency")),
    opening({ customerId: "payer", currency: "XYZ" }, wrongCurrency),
    opening({ customerId: "payer", currency: "usd" }, wrongCurrency),
    opening({ customerId: "payer", currency: "USD", suffix: "02" }, invalid("suffix")),
    opening({ customerId: "payer", currency: "USD", suffix: "abc" }, invalid("suffix")),
    opening({ customerId: "payer", currency: "USD", suffix: 2 }, invalid("suffix")),
  ])("is refused for $body", (row) => {
    const input = row.body as { customerId?: string };
    const body = input.customerId === "payer" ? { ...input, customerId: payer.customerId } : input;
    return untouched(() => expectRefusal({ ...row, body }));
  });

  test("is refused for a deleted customer", async () => {
    await world().call("DELETE", `/customers/${payer.customerId}`);
    await untouched(() =>
      expectRefusal(opening({ customerId: payer.customerId, currency: "USD" }, unknown)),
    );
  });
});

// spec/exchange-rates.md#operator-rates
describe("rates", () => {
  const rates = async () => (await world().control("GET", "/rates")).body.perUsd;

  test("that are set apply to later quotes, until they are restored", async () => {
    const payee = await createPayee(world(), payer.customerId, "999");
    const quote = async () =>
      (await world().call("POST", "/quotes", quoteInput(payer.accountId, payee))).body;
    const published = await rates();
    expect(published.MXN).toBe("17.25");
    const before = await quote();
    const set = await world().control("PUT", "/rates", { perUsd: { MXN: "20" } });
    expect(set).toMatchObject({ status: 200, body: { perUsd: { ...published, MXN: "20" } } });
    // 25000 - 86 cents, at 20 pesos each
    expect(await quote()).toMatchObject({ totalReceivingAmount: 498_280, exchangeRate: 0.05 });
    const { body: kept } = await world().call("GET", `/quotes/${before.id}`);
    expect(kept).toEqual(before);
    await world().control("PUT", "/rates", { perUsd: { MXN: null } });
    expect(await rates()).toEqual(published);
    expect((await quote()).totalReceivingAmount).toBe(before.totalReceivingAmount);
  });

  const setting = (perUsd: unknown, field: string): Refused => ({
    method: "PUT",
    path: () => "/rates",
    body: { perUsd },
    status: 400,
    code: "INVALID_INPUT",
    field,
  });

  test.each<Refused>([
    ...["0", "0.0", "-1", "1e3", "Infinity", "NaN", "", " 1", "1,5", "1/0", "0/1", "٣"].map(
      (rate) => setting({ EUR: rate }, "perUsd.EUR"),
    ),
    setting({ EUR: 0.93 }, "perUsd.EUR"),
    setting({ EUR: "9".repeat(13) }, "perUsd.EUR"),
    setting({ XYZ: "1" }, "perUsd.XYZ"),
    setting({ constructor: "1" }, "perUsd.constructor"),
    setting({ EUR: "0.9", GBP: "-1" }, "perUsd.GBP"),
    setting(null, "perUsd"),
    setting([], "perUsd"),
    setting(undefined, "perUsd"),
  ])("are refused, all of them: $body.perUsd", async (row) => {
    const before = await rates();
    await untouched(() => expectRefusal(row));
    expect(await rates()).toEqual(before);
  });
});
