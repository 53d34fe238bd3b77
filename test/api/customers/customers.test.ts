import { describe, expect, test } from "vitest";
import { Receiver } from "../../setup/receiver.ts";
import { expectRefused } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
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

describe("a new customer", () => {
  test("is shown as it was sent, approved, and reads back the same", async () => {
    const { status, body } = await create(LENA);
    expect(status).toBe(201);
    expect(body).toEqual({
      ...LENA,
      id: expect.stringMatching(/^Customer:[0-9a-f-]{36}$/),
      kycStatus: "APPROVED",
      isDeleted: false,
      createdAt: START,
      updatedAt: START,
    });
    expect((await world().call("GET", `/customers/${body.id}`)).body).toEqual(body);
  });

  test("needs only its type", async () => {
    const { status, body } = await create(PERSON);
    expect(status).toBe(201);
    expect(body).toEqual({
      ...PERSON,
      id: expect.stringMatching(/^Customer:[0-9a-f-]{36}$/),
      platformCustomerId: expect.stringMatching(/^[0-9a-f]{16}$/),
      umaAddress: expect.stringMatching(/^\$[0-9a-f]{12}@pay\.sandbox\.test$/),
      currencies: ["USD", "USDC", "USDB"],
      kycStatus: "APPROVED",
      isDeleted: false,
      createdAt: START,
      updatedAt: START,
    });
  });

  test("cannot choose its own status, id or timestamps", async () => {
    const { body } = await create({
      ...PERSON,
      id: "Customer:mine",
      kycStatus: "REJECTED",
      isDeleted: true,
      createdAt: "1999-01-01T00:00:00.000Z",
      unheardOf: 1,
    });
    expect(body).toMatchObject({ kycStatus: "APPROVED", isDeleted: false, createdAt: START });
    expect(body.id).not.toBe("Customer:mine");
    expect(body).not.toHaveProperty("unheardOf");
  });

  test("sends no event", async () => {
    const receiver = await new Receiver().start();
    await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
    await create(LENA);
    await goTo(world(), "09:00:00.000");
    expect(receiver.types()).toEqual(["TEST"]);
    await receiver.stop();
  });

  test.each([
    { region: "US", currencies: ["USD"] },
    { region: "SV", currencies: ["USD"] },
    { region: "MX", currencies: ["USD", "USDC", "USDB"] },
    { region: "AQ", currencies: ["USD", "USDC", "USDB"] },
  ])("of region $region gets $currencies if it asks for none", async (row) => {
    const { body } = await create({ ...PERSON, region: row.region });
    expect(body.currencies).toEqual(row.currencies);
  });

  test("has accounts in every supported currency, whatever it asked for", async () => {
    const { body } = await create({ ...PERSON, currencies: ["USDC", "USDC"] });
    expect(body.currencies).toEqual(["USDC"]);
    const path = `/customers/internal-accounts?customerId=${body.id}`;
    expect((await world().call("GET", path)).body.totalCount).toBe(3);
  });
});

// spec/customers.md#text-bounds
describe("a member of a new customer", () => {
  test.each([
    { member: "customerType", bad: [undefined, "", "individual", "PERSON", 5, null] },
    { member: "platformCustomerId", bad: ["", 5, null] },
    { member: "region", bad: ["", "mx", "MEX", "M", 5, null] },
    { member: "email", bad: ["", "lena", "lena@", "@shop.example", "a b@shop.example", null] },
    { member: "fullName", bad: ["", "Lena\u0000Ortiz", "Lena\nOrtiz", "x".repeat(256), 5, null] },
    { member: "birthDate", bad: ["", "1991-02-30", "1991-13-01", "02.11.1991", 5, null] },
    { member: "nationality", bad: ["", "Mexican", null] },
    { member: "address", bad: ["", [], 5, null] },
    { member: "currencies", bad: ["USD", {}, 5, null] },
    { member: "umaAddress", bad: [5, [], null] },
  ])("$member is refused if it is ill-formed", async ({ member, bad }) => {
    for (const value of bad)
      expectRefused(await create({ ...LENA, [member]: value }), {
        status: 400,
        code: "INVALID_INPUT",
        field: member,
      });
    expect(await count()).toBe(0);
  });

  test.each(["line1", "postalCode", "country"])("address requires its %s", async (part) => {
    expectRefused(await create({ ...LENA, address: { ...ADDRESS, [part]: undefined } }), {
      status: 400,
      code: "INVALID_INPUT",
      field: `address.${part}`,
    });
  });

  test.each([
    { currencies: ["EUR"], field: "currencies.0" },
    { currencies: ["USD", "XYZ"], field: "currencies.1" },
    { currencies: ["USD", 5], field: "currencies.1" },
    { currencies: ["usd"], field: "currencies.0" },
  ])("currencies may not be $currencies", async ({ currencies, field }) => {
    const answer = await create({ ...PERSON, currencies });
    expectRefused(answer, { status: 400, code: "INVALID_INPUT", field });
  });
});

describe("a UMA address", () => {
  test.each([
    "$a@pay.example",
    "$A-Z_0.9+b@PAY.example",
    `$${"a".repeat(63)}@pay.example`,
    "$lena@a.b.c.example",
    "$lena@elsewhere.test",
  ])("may be %s", async (umaAddress) => {
    expect(await create({ ...PERSON, umaAddress })).toMatchObject({
      status: 201,
      body: { umaAddress },
    });
  });

  test.each([
    "",
    "lena@pay.example",
    "$@pay.example",
    "$lena",
    "$lena@",
    "$lena@pay",
    "$lena@pay..example",
    "$lena@-pay.example",
    "$le na@pay.example",
    "$léna@pay.example",
    "$lena@pay.example ",
    "$lena@pay.example\n",
    "$$lena@pay.example",
    `$${"a".repeat(64)}@pay.example`,
  ])("may not be %j", async (umaAddress) => {
    expectRefused(await create({ ...PERSON, umaAddress }), {
      status: 400,
      code: "INVALID_UMA_ADDRESS",
      field: "umaAddress",
    });
  });

  test("cannot be generated without a domain of the platform", async () => {
    await world().call("PATCH", "/config", { umaDomain: null });
    expectRefused(await create(PERSON), {
      status: 400,
      code: "INVALID_UMA_ADDRESS",
      field: "umaAddress",
    });
    expect((await create({ ...PERSON, umaAddress: "$lena@pay.example" })).status).toBe(201);
  });

  // spec/customers.md#platform-customer-id
  test("is free again when its customer is deleted, and so is platformCustomerId", async () => {
    const { body } = await create(LENA);
    expect((await create(LENA)).status).toBe(409);
    await world().call("DELETE", `/customers/${body.id}`);
    expect((await create(LENA)).status).toBe(201);
  });
});

// spec/customers.md#deleted-customers
describe("a deleted customer", () => {
  test("stays readable, and is listed only when asked for", async () => {
    const { call } = world();
    const { body: kept } = await create(PERSON);
    const { body } = await create(LENA);
    await goTo(world(), "09:00:05.000");
    const deleted = await call("DELETE", `/customers/${body.id}`);
    const shown = { ...body, isDeleted: true, updatedAt: "2026-01-05T09:00:05.000Z" };
    expect(deleted).toMatchObject({ status: 200, body: shown });
    expect((await call("GET", `/customers/${body.id}`)).body).toEqual(shown);
    expect((await call("GET", "/customers")).body.data).toEqual([kept]);
    const all = await call("GET", "/customers?isIncludingDeleted=true");
    expect(all.body).toMatchObject({ totalCount: 2, data: [shown, kept] });
  });

  test("has its empty accounts closed, the others not", async () => {
    const { call } = world();
    const { body } = await create(PERSON);
    const path = `/customers/internal-accounts?customerId=${body.id}`;
    const dollars = (await call("GET", `${path}&currency=USD`)).body.data[0];
    await call("POST", `/sandbox/internal-accounts/${dollars.id}/fund`, { amount: 1 });
    await call("DELETE", `/customers/${body.id}`);
    const { data } = (await call("GET", path)).body;
    const states = (data as { balance: { currency: { code: string } }; status: string }[]).map(
      ({ balance, status }) => `${balance.currency.code} ${status}`,
    );
    expect(states.sort()).toEqual(["USD ACTIVE", "USDB CLOSED", "USDC CLOSED"]);
  });
});

// spec/customers.md#errors
describe("a change", () => {
  test("leaves omitted fields unchanged", async () => {
    const { body } = await create(LENA);
    await goTo(world(), "09:00:05.000");
    const changed = await world().call("PATCH", `/customers/${body.id}`, {
      ...PERSON,
      fullName: "Lena Ortiz Vega",
      currencies: ["USDB"],
      region: "US",
      platformCustomerId: "another",
      kycStatus: "REJECTED",
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({
      ...body,
      fullName: "Lena Ortiz Vega",
      currencies: ["USDB"],
      updatedAt: "2026-01-05T09:00:05.000Z",
    });
  });

  test("cannot take the UMA address of another customer", async () => {
    await create(LENA);
    const { body } = await create(PERSON);
    const taken = { ...PERSON, umaAddress: "$LENA@pay.example" };
    const answer = await world().call("PATCH", `/customers/${body.id}`, taken);
    expectRefused(answer, { status: 409, code: "UMA_ADDRESS_EXISTS", field: "umaAddress" });
  });

  test("may repeat the customer's own UMA address", async () => {
    const { body } = await create(LENA);
    const again = { ...PERSON, umaAddress: "$LENA@pay.example" };
    const { status } = await world().call("PATCH", `/customers/${body.id}`, again);
    expect(status).toBe(200);
  });

  test.each([
    { change: {}, field: "customerType" },
    { change: { customerType: "BUSINESS" }, field: "customerType" },
    { change: { ...PERSON, fullName: "" }, field: "fullName" },
    { change: { ...PERSON, currencies: ["EUR"] }, field: "currencies.0" },
  ])("to $change is refused for $field", async ({ change, field }) => {
    const { body } = await create(LENA);
    const answer = await world().call("PATCH", `/customers/${body.id}`, change);
    expectRefused(answer, { status: 400, code: "INVALID_INPUT", field });
    expect((await world().call("GET", `/customers/${body.id}`)).body).toEqual(body);
  });
});

describe("the list of customers", () => {
  test.each([
    { query: "", found: ["ben", "ana"] },
    { query: "?platformCustomerId=ana", found: ["ana"] },
    { query: "?platformCustomerId=eva", found: [] },
    { query: "?customerType=INDIVIDUAL", found: ["ben", "ana"] },
    { query: "?customerType=BUSINESS", found: [] },
    { query: "?region=US", found: ["ana"] },
    { query: "?currency=USDC", found: ["ben"] },
    { query: "?currency=XYZ", found: [] },
    { query: "?umaAddress=%24ANA@pay.example", found: ["ana"] },
    { query: "?umaAddress=$ana@pay.example&region=MX", found: [] },
    { query: "?createdAfter=2026-01-05T09:00:10.000Z", found: ["ben"] },
    { query: "?createdBefore=2026-01-05T09:00:09.999Z", found: ["ana"] },
    { query: "?createdBefore=2026-01-05T09:00:10Z", found: ["ben", "ana"] },
    { query: "?createdAfter=2026-01-05T10:00:10%2B01:00", found: ["ben"] },
    { query: "?updatedAfter=2026-01-05T09:00:20.000Z", found: ["ana"] },
    { query: "?updatedBefore=2026-01-05T09:00:19.999Z", found: ["ben"] },
    { query: "?isIncludingDeleted=false", found: ["ben", "ana"] },
  ])("filtered by '$query' is $found", async ({ query, found }) => {
    const { call } = world();
    const ana = { ...PERSON, umaAddress: "$ana@pay.example", region: "US" };
    const { body } = await create({ ...ana, platformCustomerId: "ana", currencies: ["USD"] });
    await goTo(world(), "09:00:10.000");
    const ben = { ...PERSON, region: "MX", platformCustomerId: "ben", currencies: ["USDC"] };
    await create(ben);
    await goTo(world(), "09:00:20.000");
    await call("PATCH", `/customers/${body.id}`, { ...PERSON, fullName: "Ana Flores" });
    const list = (await call("GET", `/customers${query}`)).body;
    const names = list.data.map((one: { platformCustomerId: string }) => one.platformCustomerId);
    expect({ names, totalCount: list.totalCount }).toEqual({
      names: found,
      totalCount: found.length,
    });
  });
});
