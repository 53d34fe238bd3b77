import { describe, expect, test } from "vitest";
import { createPayer } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { expectNothing, expectRefused, invalid } from "../setup/refused.ts";
import { balanceEvents, goTo, ledgerOwn } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const START = "2026-01-05T09:00:00.000Z";
const USDB = { code: "USDB", name: "USDB", symbol: "USDB", decimals: 6 };

const world = worldPerTest();

const newCustomer = async () =>
  (await world().call("POST", "/customers", { customerType: "INDIVIDUAL" })).body.id as string;

const list = async (query = "") =>
  (await world().call("GET", `/customers/internal-accounts${query}`)).body;

interface Shown {
  type: string;
  customerId?: string;
  balance: { currency: { code: string } };
}

const kinds = (accounts: Shown[]) =>
  accounts.map(({ type, balance }) => `${balance.currency.code} ${type}`).sort();

// spec/internal-accounts.md#opening-of-accounts
describe("the accounts of a customer", () => {
  test("are opened with it: one per currency, a wallet for USDB", async () => {
    const customerId = await newCustomer();
    const { data, totalCount, hasMore } = await list(`?customerId=${customerId}`);
    expect(kinds(data)).toEqual([
      "USD INTERNAL_FIAT",
      "USDB EMBEDDED_WALLET",
      "USDC INTERNAL_CRYPTO",
    ]);
    expect({ totalCount, hasMore }).toEqual({ totalCount: 3, hasMore: false });
    expect(data.find(({ type }: Shown) => type === "EMBEDDED_WALLET")).toMatchObject({
      id: expect.stringMatching(/^InternalAccount:[0-9a-f-]{36}$/),
      customerId,
      status: "ACTIVE",
      balance: { amount: 0, currency: USDB },
      privateEnabled: false,
      createdAt: START,
      updatedAt: START,
    });
  });

  test("have no privacy field unless they are wallets", async () => {
    await newCustomer();
    for (const account of (await list()).data)
      expect(Object.hasOwn(account, "privateEnabled")).toBe(account.type === "EMBEDDED_WALLET");
  });
});

describe("the platform's own accounts", () => {
  test("are one per currency, none of them a wallet or a customer's", async () => {
    const { body } = await world().call("GET", "/platform/internal-accounts");
    expect(Object.keys(body)).toEqual(["data"]);
    expect(kinds(body.data)).toEqual([
      "USD INTERNAL_FIAT",
      "USDB INTERNAL_CRYPTO",
      "USDC INTERNAL_CRYPTO",
    ]);
    for (const account of body.data) expect(account).not.toHaveProperty("customerId");
  });

  test.each([
    { query: "?currency=USD", found: ["USD INTERNAL_FIAT"] },
    { query: "?type=INTERNAL_CRYPTO", found: ["USDB INTERNAL_CRYPTO", "USDC INTERNAL_CRYPTO"] },
    { query: "?type=INTERNAL_CRYPTO&currency=USD", found: [] },
    { query: "?type=EMBEDDED_WALLET", found: [] },
    { query: "?currency=XYZ", found: [] },
  ])("are filtered by $query", async ({ query, found }) => {
    await newCustomer();
    const { body } = await world().call("GET", `/platform/internal-accounts${query}`);
    expect(kinds(body.data)).toEqual(found);
  });
});

// spec/internal-accounts.md#account-lists, spec/lists.md#unknown-values
describe("the list", () => {
  test.each([
    { query: "", count: 6 },
    { query: "?currency=USD", count: 2 },
    { query: "?type=EMBEDDED_WALLET", count: 2 },
    { query: "?type=INTERNAL_CRYPTO&currency=USDB", count: 0 },
    { query: "?currency=XYZ", count: 0 },
    { query: "?customerId=nobody", count: 0 },
    { query: "?customerId=platform", count: 0 },
    { query: "?customerId=", count: 0 },
    { query: "?initialWorld-of=1", count: 6 },
  ])("of two customers shows $count for '$query'", async ({ query, count }) => {
    await newCustomer();
    await newCustomer();
    const { data, totalCount } = await list(query);
    expect({ shown: data.length, totalCount }).toEqual({ shown: count, totalCount: count });
    for (const account of data as Shown[]) expect(account.customerId).toBeDefined();
  });

  test("refuses an unknown type", async () => {
    const answer = await world().call("GET", "/customers/internal-accounts?type=SAVINGS");
    expectRefused(answer, { status: 400, code: "INVALID_INPUT", field: "type" });
  });
});

// spec/internal-accounts.md#sandbox-funding
describe("sandbox money", () => {
  test.each(["USD", "USDC", "USDB"])("reaches the platform's %s account", async (currency) => {
    const { call } = world();
    const path = `/platform/internal-accounts?currency=${currency}`;
    const [account] = (await call("GET", path)).body.data;
    const funded = await call("POST", `/sandbox/internal-accounts/${account.id}/fund`, {
      amount: 500,
    });
    expect(funded).toMatchObject({ status: 200, body: { ...account, balance: { amount: 500 } } });
    expect((await call("GET", path)).body.data).toEqual([funded.body]);
  });

  // spec/events.md#balance-updates, spec/ledger.md#sandbox-funding
  test("adds up, sends an event, and makes no transaction", async () => {
    const receiver = await new Receiver().start();
    const { call } = world();
    await call("PATCH", "/config", { webhookEndpoint: receiver.url });
    const { accountId } = await createPayer(world(), 0);
    const fund = (amount: number) =>
      call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount });
    await fund(1);
    await goTo(world(), "09:00:07.000");
    const { body } = await fund(100_000_000_000);
    expect(body).toMatchObject({
      balance: { amount: 100_000_000_001 },
      createdAt: START,
      updatedAt: "2026-01-05T09:00:07.000Z",
    });
    await goTo(world(), "09:00:08.000");
    expect(balanceEvents(receiver, accountId)).toEqual([
      ["09:00:00.000", 1],
      ["09:00:07.000", 100_000_000_001],
    ]);
    expect(receiver.received.at(-1)?.data).toEqual(body);
    expect(receiver.types()).toEqual([
      "TEST",
      "INTERNAL_ACCOUNT.BALANCE_UPDATED",
      "INTERNAL_ACCOUNT.BALANCE_UPDATED",
    ]);
    expect((await call("GET", "/transactions")).body.totalCount).toBe(0);
    expect(await ledgerOwn(world())).toEqual({ "Ledger:funding USD": -100_000_000_001 });
    await receiver.stop();
  });

  test.each([
    { amount: 0, code: "INVALID_AMOUNT" },
    { amount: -1, code: "INVALID_AMOUNT" },
    { amount: 1.5, code: "INVALID_AMOUNT" },
    { amount: 100_000_000_001, code: "AMOUNT_OUT_OF_RANGE" },
    { amount: "1", code: "INVALID_INPUT" },
    { amount: null, code: "INVALID_INPUT" },
    { amount: undefined, code: "INVALID_INPUT" },
  ])("of $amount is refused with $code", async ({ amount, code }) => {
    const { accountId } = await createPayer(world(), 0);
    const answer = await world().call("POST", `/sandbox/internal-accounts/${accountId}/fund`, {
      amount,
    });
    expectRefused(answer, { status: 400, code, field: "amount" });
  });

  test.each([
    { says: "is empty, and so CLOSED", fundMinor: 0, status: "CLOSED" },
    { says: "holds money, and so is still ACTIVE", fundMinor: 500, status: "ACTIVE" },
  ])("to a deleted customer's account that $says is refused", async ({ fundMinor, status }) => {
    const { accountId, customerId } = await createPayer(world(), fundMinor);
    await world().call("DELETE", `/customers/${customerId}`);
    const path = `/customers/internal-accounts?customerId=${customerId}&currency=USD`;
    expect((await world().call("GET", path)).body.data[0].status).toBe(status);
    const fund = () =>
      world().call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 1 });
    await expectNothing(world(), fund, invalid("accountId", "CUSTOMER_DELETED"));
  });
});
