import { describe, expect, test } from "vitest";
import { ACCOUNT_TYPE_NAMES } from "../../../src/contract/accounts/external-account-types.ts";
import { PUBLISHED_ACCOUNT_TYPES } from "../../contract/setup/published-account-types.ts";
import { everyRow } from "../../setup/every-row.ts";
import type { TestSimulator } from "../../setup/test-simulator.ts";
import {
  ACCOUNT_CASES,
  type AccountCase,
  accountCase,
  COMPANY,
  creationBody,
  withEnding,
} from "../setup/account-bodies.ts";
import { expectRefused } from "../setup/refused.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const CUSTOMERS = "/customers/external-accounts";
const PLATFORM = "/platform/external-accounts";

const world = worldPerTest();

const everyType = (accounts: AccountCase[], check: (one: AccountCase) => unknown) =>
  everyRow(accounts, check, ({ type }) => type);

const newCustomer = async ({ call }: TestSimulator): Promise<string> => {
  const { body } = await call("POST", "/customers", { customerType: "INDIVIDUAL" });
  return body.id;
};

describe("an account of every type", () => {
  test("is created, reads back the same, and is refused a second time", () =>
    everyType(ACCOUNT_CASES, async (one) => {
      const { call } = world();
      const customerId = await newCustomer(world());
      const body = { customerId, platformAccountId: "payee-88", ...creationBody(one) };
      const created = await call("POST", CUSTOMERS, body);
      expect(created.status).toBe(201);
      expect(created.body).toMatchObject({
        id: expect.stringMatching(/^ExternalAccount:[0-9a-f-]{36}$/),
        customerId,
        status: "ACTIVE",
        platformAccountId: "payee-88",
        currency: one.currency,
        defaultUmaDepositAccount: false,
      });
      expect(created.body.accountInfo).toEqual({
        ...one.info,
        ...(!one.isWallet && { paymentRails: one.rails }),
      });
      const read = await call("GET", `${CUSTOMERS}/${created.body.id}`);
      expect(read).toMatchObject({ status: 200, body: created.body });
      const ofCurrency = `currency=${one.currency}&customerId=${customerId}`;
      const second = await call("POST", CUSTOMERS, { ...body, platformAccountId: "another" });
      expectRefused(second, { status: 409, code: "CONFLICT", reason: "EXTERNAL_ACCOUNT_EXISTS" });
      expect(second.body.details.existingAccountId).toBe(created.body.id);
      const list = await call("GET", `${CUSTOMERS}?${ofCurrency}`);
      expect(list.body).toEqual({ data: [created.body], hasMore: false, totalCount: 1 });
    }));

  test("has a case here", () => {
    expect(ACCOUNT_CASES.map(({ type }) => type).sort()).toEqual([...ACCOUNT_TYPE_NAMES].sort());
  });

  test("of a bank takes a business holder, which needs no address", () =>
    everyType(
      ACCOUNT_CASES.filter(({ isWallet }) => !isWallet),
      async (one) => {
        const body = creationBody(one, { beneficiary: COMPANY });
        const created = await world().call("POST", PLATFORM, body);
        expect(created).toMatchObject({
          status: 201,
          body: { accountInfo: { beneficiary: COMPANY } },
        });
      },
    ));

  test("is refused with a member of another form, by the name of its field", async () => {
    const rows = [
      { type: "USD_ACCOUNT", member: "accountNumber", value: "9".repeat(35) },
      { type: "MXN_ACCOUNT", member: "clabeNumber", value: "9".repeat(17) },
      { type: "KES_ACCOUNT", member: "phoneNumber", value: "+25471234599" },
      { type: "GTQ_ACCOUNT", member: "bankAccountType", value: "checking" },
      { type: "EUR_ACCOUNT", member: "iban", value: "fr7630006000011234567890189" },
      { type: "HKD_ACCOUNT", member: "swiftCode", value: "AGRIFRP" },
      { type: "INR_ACCOUNT", member: "vpa", value: "lucie" },
      { type: "BASE_WALLET", member: "address", value: "0x1" },
      { type: "LIGHTNING", member: "lightningAddress", value: undefined },
      { type: "MXN_ACCOUNT", member: "beneficiary", value: undefined },
      { type: "MXN_ACCOUNT", member: "accountType", value: "CLABE" },
    ];
    await everyRow(rows, async ({ type, member, value }) => {
      const body = creationBody(accountCase(type), { [member]: value });
      expectRefused(await world().call("POST", PLATFORM, body), {
        status: 400,
        code: "INVALID_INPUT",
        field: `accountInfo.${member}`,
      });
    });
    expect((await world().call("GET", PLATFORM)).body.totalCount).toBe(0);
  });
});

/**
 * Currencies that a type does not hold; SWIFT_ACCOUNT takes every known one
 * (spec/external-accounts.md#account-types).
 */
const WRONG_CURRENCIES = PUBLISHED_ACCOUNT_TYPES.flatMap(({ type, currencies }) =>
  [currencies[0] === "USD" ? "EUR" : "USD", "XYZ", "", (currencies[0] ?? "").toLowerCase()]
    .filter((code) => !currencies.includes(code))
    .filter((code) => currencies[0] !== "any" || code !== "USD")
    .map((wrong) => ({ type, wrong })),
);

// spec/currencies.md#unknown-codes
describe("the currency", () => {
  test("is one that the type holds", async () => {
    await everyRow(WRONG_CURRENCIES, async ({ type, wrong }) => {
      const body = { ...creationBody(accountCase(type)), currency: wrong };
      const answer = await world().call("POST", PLATFORM, body);
      expectRefused(answer, { status: 400, code: "INVALID_CURRENCY", field: "currency" });
    });
    expect((await world().call("GET", PLATFORM)).body.totalCount).toBe(0);
  });

  test("that is not a text is ill-typed, not unknown", async () => {
    const body = { ...creationBody(accountCase("MXN_ACCOUNT")), currency: 5 };
    const answer = await world().call("POST", PLATFORM, body);
    expectRefused(answer, { status: 400, code: "INVALID_INPUT", field: "currency" });
  });
});

const BANK_ONLY = { phoneNumber: undefined };
const PHONE_ONLY = { accountNumber: undefined, bankAccountType: undefined, iban: undefined };

// spec/external-accounts.md#rails-by-field
describe("rails", () => {
  const rows = [
    { type: "COP_ACCOUNT", says: "without phone", changes: BANK_ONLY, rail: "BANK_TRANSFER" },
    { type: "COP_ACCOUNT", says: "with a phone alone", changes: PHONE_ONLY, rail: "MOBILE_MONEY" },
    { type: "BDT_ACCOUNT", says: "without phone", changes: BANK_ONLY, rail: "BANK_TRANSFER" },
    { type: "BDT_ACCOUNT", says: "with a phone alone", changes: PHONE_ONLY, rail: "MOBILE_MONEY" },
    { type: "GHS_ACCOUNT", says: "without phone", changes: BANK_ONLY, rail: "BANK_TRANSFER" },
    { type: "GHS_ACCOUNT", says: "with a phone alone", changes: PHONE_ONLY, rail: "MOBILE_MONEY" },
    { type: "PKR_ACCOUNT", says: "without phone", changes: BANK_ONLY, rail: "BANK_TRANSFER" },
    { type: "PKR_ACCOUNT", says: "with phone and bank", changes: PHONE_ONLY, rail: "MOBILE_MONEY" },
    { type: "SLV_ACCOUNT", says: "without phone", changes: BANK_ONLY, rail: "BANK_TRANSFER" },
    { type: "SLV_ACCOUNT", says: "with a phone alone", changes: PHONE_ONLY, rail: "MOBILE_MONEY" },
  ];

  test("are those whose members are there", () =>
    everyRow(rows, async ({ type, changes, rail }) => {
      const body = creationBody(accountCase(type), changes);
      const created = await world().call("POST", PLATFORM, body);
      expect(created).toMatchObject({
        status: 201,
        body: { accountInfo: { paymentRails: [rail] } },
      });
    }));

  test.each(["MXN_ACCOUNT", "BASE_WALLET"])(
    "sent with a new %s are ignored, whatever they are",
    async (type) => {
      const one = accountCase(type);
      for (const [at, paymentRails] of [["ACH"], "nonsense", 7, null].entries()) {
        const changes = { paymentRails, [one.identifier]: withEnding(one, `99${at}`) };
        const created = await world().call("POST", PLATFORM, creationBody(one, changes));
        expect(created.status).toBe(201);
        expect(created.body.accountInfo.paymentRails).toEqual(one.isWallet ? undefined : one.rails);
      }
    },
  );
});

describe("members beyond the row", () => {
  test("are kept in accountInfo, and a nested platformAccountId is lifted", async () => {
    const { call } = world();
    const extra = { bankName: "First Bank", platformAccountId: "nested-1", nested: { deep: [1] } };
    const body = creationBody(accountCase("USD_ACCOUNT"), extra);
    const { body: created } = await call("POST", PLATFORM, body);
    expect(created).toMatchObject({
      platformAccountId: "nested-1",
      accountInfo: { bankName: "First Bank", nested: { deep: [1] } },
    });
    expect(created.accountInfo).not.toHaveProperty("platformAccountId");
    expect((await call("GET", `${PLATFORM}/${created.id}`)).body).toEqual(created);
  });

  test("do not replace a platformAccountId at the top", async () => {
    const body = creationBody(accountCase("USD_ACCOUNT"), { platformAccountId: "nested-1" });
    const { body: created } = await world().call("POST", PLATFORM, {
      ...body,
      platformAccountId: "top-1",
    });
    expect(created.platformAccountId).toBe("top-1");
  });

  test("that only the customer form has are ignored in the platform form", async () => {
    const customerId = await newCustomer(world());
    const { status, body } = await world().call("POST", PLATFORM, {
      ...creationBody(accountCase("MXN_ACCOUNT")),
      customerId,
      defaultUmaDepositAccount: true,
    });
    expect({ status, flag: body.defaultUmaDepositAccount }).toEqual({ status: 201, flag: false });
    expect(body).not.toHaveProperty("customerId");
  });
});

// spec/external-accounts.md#equality
describe("the same account twice", () => {
  test.each([
    { type: "SPARK_WALLET", currencies: ["BTC", "USDB"] },
    { type: "SOLANA_WALLET", currencies: ["USDC", "USDT"] },
    { type: "SWIFT_ACCOUNT", currencies: ["USD", "VND"] },
  ])("differs in another currency: $type in $currencies", async ({ type, currencies }) => {
    const one = creationBody(accountCase(type));
    const create = (currency: string) => world().call("POST", PLATFORM, { ...one, currency });
    const made = [await create(currencies[0] as string), await create(currencies[1] as string)];
    expect(made.map(({ status }) => status)).toEqual([201, 201]);
    const again = await create(currencies[1] as string);
    expectRefused(again, { status: 409, code: "CONFLICT", reason: "EXTERNAL_ACCOUNT_EXISTS" });
    expect(again.body.details.existingAccountId).toBe(made[1]?.body.id);
  });

  test("is accepted for another owner, a customer or the platform", async () => {
    const { call } = world();
    const one = creationBody(accountCase("MXN_ACCOUNT"));
    const [ana, ben] = [await newCustomer(world()), await newCustomer(world())];
    const statuses = [
      (await call("POST", CUSTOMERS, { ...one, customerId: ana })).status,
      (await call("POST", CUSTOMERS, { ...one, customerId: ben })).status,
      (await call("POST", PLATFORM, one)).status,
      (await call("POST", CUSTOMERS, { ...one, customerId: ana })).status,
      (await call("POST", CUSTOMERS, one)).status,
    ];
    expect(statuses).toEqual([201, 201, 201, 409, 409]);
  });
});

// spec/external-accounts.md#lists
describe("scope", () => {
  test("keeps accounts of customers and of the platform apart", async () => {
    const { call } = world();
    const customerId = await newCustomer(world());
    const mxn = accountCase("MXN_ACCOUNT");
    const { body: theirs } = await call("POST", CUSTOMERS, { customerId, ...creationBody(mxn) });
    const { body: ours } = await call("POST", PLATFORM, creationBody(mxn));
    const notFound = { status: 404, code: "REFERENCE_NOT_FOUND" };
    expectRefused(await call("GET", `${PLATFORM}/${theirs.id}`), notFound);
    expectRefused(await call("GET", `${CUSTOMERS}/${ours.id}`), notFound);
    expect((await call("GET", CUSTOMERS)).body.data).toEqual([theirs]);
    expect((await call("GET", PLATFORM)).body.data).toEqual([ours]);
  });

  test.each([{}, { customerId: null }])(
    "of an account made without a customer is the platform's: %j",
    async (holder) => {
      const { call } = world();
      const body = { ...holder, ...creationBody(accountCase("MXN_ACCOUNT")) };
      const { status, body: made } = await call("POST", CUSTOMERS, body);
      expect(status).toBe(201);
      expect(made).not.toHaveProperty("customerId");
      expect((await call("GET", `${PLATFORM}/${made.id}`)).status).toBe(200);
      expect((await call("GET", `${CUSTOMERS}/${made.id}`)).status).toBe(404);
    },
  );

  test.each(["Customer:00000000-0000-7000-8000-000000000000", "", "platform", "nobody"])(
    "cannot be an unknown customer: %j",
    async (customerId) => {
      const answer = await world().call("POST", CUSTOMERS, {
        customerId,
        ...creationBody(accountCase("MXN_ACCOUNT")),
      });
      expectRefused(answer, {
        status: 400,
        code: "INVALID_INPUT",
        reason: "USER_NOT_FOUND",
        field: "customerId",
      });
    },
  );

  test("cannot be a deleted customer, which counts as unknown", async () => {
    const { call } = world();
    const customerId = await newCustomer(world());
    await call("DELETE", `/customers/${customerId}`);
    const body = { customerId, ...creationBody(accountCase("MXN_ACCOUNT")) };
    expectRefused(await call("POST", CUSTOMERS, body), {
      status: 400,
      code: "INVALID_INPUT",
      reason: "USER_NOT_FOUND",
      field: "customerId",
    });
  });

  test.each(["Customer:00000000-0000-7000-8000-000000000000", "", "platform", "nobody"])(
    "of customers shows nothing for an unknown customer: %j",
    async (customerId) => {
      const { call } = world();
      await call("POST", PLATFORM, creationBody(accountCase("MXN_ACCOUNT")));
      const { status, body } = await call("GET", `${CUSTOMERS}?customerId=${customerId}`);
      expect({ status, body }).toEqual({
        status: 200,
        body: { data: [], hasMore: false, totalCount: 0 },
      });
    },
  );
});

// spec/external-accounts.md#deletion
describe("a deleted account", () => {
  test.each([CUSTOMERS, PLATFORM])("of %s is gone and may be added again", async (path) => {
    const { call } = world();
    const holder = path === CUSTOMERS ? { customerId: await newCustomer(world()) } : {};
    const body = { ...holder, ...creationBody(accountCase("MXN_ACCOUNT")) };
    const { body: first } = await call("POST", path, body);
    const deleted = await call("DELETE", `${path}/${first.id}`);
    expect({ status: deleted.status, body: deleted.body }).toEqual({ status: 204, body: "" });
    expect(deleted.headers.get("content-type")).toBeNull();
    for (const method of ["GET", "DELETE"])
      expectRefused(await call(method, `${path}/${first.id}`), {
        status: 404,
        code: "REFERENCE_NOT_FOUND",
      });
    expect((await call("GET", path)).body.totalCount).toBe(0);
    const { status, body: second } = await call("POST", path, body);
    expect(status).toBe(201);
    expect(second.id).not.toBe(first.id);
  });

  test.each([
    { from: CUSTOMERS, of: PLATFORM },
    { from: PLATFORM, of: CUSTOMERS },
  ])("cannot be deleted through $from if it belongs to $of", async ({ from, of }) => {
    const { call } = world();
    const holder = of === CUSTOMERS ? { customerId: await newCustomer(world()) } : {};
    const body = { ...holder, ...creationBody(accountCase("MXN_ACCOUNT")) };
    const { body: made } = await call("POST", of, body);
    expect((await call("DELETE", `${from}/${made.id}`)).status).toBe(404);
    expect((await call("GET", `${of}/${made.id}`)).status).toBe(200);
  });
});

// spec/external-accounts.md#default-deposit-account
describe("the default deposit account", () => {
  test("is one per customer: a new one replaces the last", async () => {
    const { call } = world();
    const [ana, ben] = [await newCustomer(world()), await newCustomer(world())];
    const add = async (customerId: string, suffix: string, isDefault: boolean) => {
      const mxn = accountCase("MXN_ACCOUNT");
      const { body } = await call("POST", CUSTOMERS, {
        customerId,
        defaultUmaDepositAccount: isDefault,
        ...creationBody(mxn, { clabeNumber: withEnding(mxn, suffix) }),
      });
      return body.id as string;
    };
    const flags = async () => {
      const { body } = await call("GET", CUSTOMERS);
      const entries = body.data as { id: string; defaultUmaDepositAccount: boolean }[];
      return Object.fromEntries(entries.map((one) => [one.id, one.defaultUmaDepositAccount]));
    };
    const first = await add(ana, "201", true);
    const second = await add(ana, "202", false);
    const bens = await add(ben, "203", true);
    expect(await flags()).toEqual({ [first]: true, [second]: false, [bens]: true });
    const third = await add(ana, "204", true);
    expect(await flags()).toEqual({
      [first]: false,
      [second]: false,
      [bens]: true,
      [third]: true,
    });
  });
});
