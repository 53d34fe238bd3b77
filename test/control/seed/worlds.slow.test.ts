import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { REVISIONS } from "../../../src/contract/core/revision-names.ts";
import { bundledNames } from "../../../src/scripts/bundled-names.ts";
import { openFixture } from "../../../src/scripts/script-files.ts";
import { type Parsed, startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

const WORLDS = readdirSync("fixtures/worlds").map((name) => name.replace(/\.json$/, ""));

test("the package's worlds are found by name", () => {
  expect(bundledNames()).toEqual(WORLDS.toSorted());
  expect(WORLDS).toEqual(expect.arrayContaining(["default", "payouts-demo"]));
});

// spec/scenarios.md#revisions
describe.each(REVISIONS.flatMap((revision) => WORLDS.map((name) => [name, revision] as const)))(
  "%s in revision %s",
  (name, revision) => {
    let world: TestSimulator;

    beforeAll(async () => {
      world = await startTestSimulator({ fixture: name, revision });
    });

    afterAll(async () => {
      expect(world.alarms).toEqual([]);
      await world.sim.close();
    });

    test("is named like its file", async () => {
      expect((await openFixture(name)).fixture.name).toBe(name);
    });

    test("can be put in, and the books balance", async () => {
      const { ledger, storage } = world.sim.status();
      expect(Object.values(ledger.totals).filter((total) => total !== 0)).toEqual([]);
      expect(storage.writable).toBe(true);
    });

    test("can be put in again, into a world that is not empty", async () => {
      expect(await world.control("POST", "/seed", { name })).toMatchObject({ status: 200 });
    });
  },
);

test("default is the platform that every simulator starts with", async () => {
  const worlds = [await startTestSimulator(), await startTestSimulator({ fixture: "default" })];
  const [plain, seeded] = await Promise.all(
    worlds.map(async ({ call, control, sim }) => ({
      config: (await call("GET", "/config")).body,
      accounts: (await call("GET", "/platform/internal-accounts")).body,
      ledger: (await control("GET", "/ledger")).body,
      records: sim.status().storage.records,
    })),
  );
  expect(seeded).toEqual(plain);
  for (const { sim } of worlds) await sim.close();
});

test("empty has one currency and no accounts but the platform's own, and customers get one", async () => {
  const world = await startTestSimulator({ fixture: "empty" });
  const { body: config } = await world.call("GET", "/config");
  expect(config.supportedCurrencies.map(({ currencyCode }: Parsed) => currencyCode)).toEqual([
    "USD",
  ]);
  for (const path of [
    "customers",
    "customers/internal-accounts",
    "transactions",
    "cards",
    "agents",
  ])
    expect((await world.call("GET", `/${path}`)).body.data, path).toEqual([]);
  expect((await world.control("GET", "/ledger")).body).toMatchObject({ totals: {}, balances: [] });
  expect((await world.control("GET", "/webhooks")).body.data).toEqual([]);
  expect((await world.control("GET", "/timers")).body.data).toEqual([]);
  await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  const { body } = await world.call("GET", "/customers/internal-accounts");
  expect(body.data).toMatchObject([{ type: "INTERNAL_FIAT", balance: { amount: 0 } }]);
  await world.sim.close();
});

describe("payouts-demo has something of everything", () => {
  let world: TestSimulator;
  let names: Record<string, string>;

  beforeAll(async () => {
    world = await startTestSimulator();
    names = (await world.control("POST", "/seed", { name: "payouts-demo" })).body.names;
  });

  afterAll(() => world.sim.close());

  const get = async (path: string): Promise<Parsed> => (await world.call("GET", path)).body;

  test("a USD platform with rates of its own", async () => {
    const { supportedCurrencies } = await get("/config");
    expect(supportedCurrencies).toMatchObject([{ currencyCode: "USD" }]);
    expect((await world.control("GET", "/rates")).body.perUsd).toMatchObject({ EUR: "0.93" });
  });

  test("two customers who can pay", async () => {
    const { data } = await get("/customers");
    expect(data.map(({ customerType }: Parsed) => customerType).sort()).toEqual([
      "BUSINESS",
      "INDIVIDUAL",
    ]);
    const { data: accounts } = await get("/customers/internal-accounts");
    expect(accounts.map(({ balance }: Parsed) => balance.amount > 0)).toEqual([true, true]);
  });

  test("payees in six currencies, one for each ending that means something", async () => {
    const { data } = await get("/customers/external-accounts");
    const endings = data.map(({ accountInfo }: Parsed) => {
      const { clabeNumber, iban, accountNumber, pixKey } = accountInfo;
      return /[0-9]{3}(?=@|$)/.exec(clabeNumber ?? iban ?? accountNumber ?? pixKey)?.[0];
    });
    expect(endings.sort()).toEqual(["002", "003", "004", "005", "006", "007", "100"]);
    expect(new Set(data.map(({ currency }: Parsed) => currency)).size).toBe(6);
  });

  test.each([
    { quote: "slow", status: "COMPLETED" },
    { quote: "expired", status: "EXPIRED" },
    { quote: "paid", status: "COMPLETED" },
    { quote: "failed", status: "FAILED", refund: "COMPLETED" },
    { quote: "undelivered", status: "FAILED", refund: "COMPLETED" },
    { quote: "cancelled", status: "COMPLETED", refund: "COMPLETED" },
    { quote: "stuck", status: "FAILED", refund: "FAILED" },
    { quote: "onItsWay", status: "PROCESSING" },
    { quote: "aboutToBeReturned", status: "COMPLETED" },
    { quote: "open", status: "PENDING" },
  ])("$quote is $status", async ({ quote, status, refund }) => {
    const { transactionId } = await get(`/quotes/${names[quote]}`);
    const transaction = await get(`/transactions/${transactionId}`);
    expect(transaction.status).toBe(status);
    expect(transaction.refund?.status).toBe(refund);
  });

  test("what is to come: a return, an arrival, an expiry", async () => {
    const { body } = await world.control("GET", "/timers");
    expect(body.data.map(({ timer }: Parsed) => timer)).toEqual([
      "payment.return",
      "payment.settle",
      "quote.expire",
    ]);
  });

  test("events of most kinds that payments send", async () => {
    const { body } = await world.control("GET", "/webhooks?limit=100");
    const types = new Set(body.data.map(({ type }: Parsed) => type));
    expect([...types]).toEqual(
      expect.arrayContaining([
        "CUSTOMER.KYB_APPROVED",
        "INTERNAL_ACCOUNT.BALANCE_UPDATED",
        "OUTGOING_PAYMENT.PENDING",
        "OUTGOING_PAYMENT.PROCESSING",
        "OUTGOING_PAYMENT.COMPLETED",
        "OUTGOING_PAYMENT.FAILED",
        "OUTGOING_PAYMENT.EXPIRED",
      ]),
    );
  });
});

describe("agent-demo shows an agent at work", () => {
  let world: TestSimulator;
  let names: Record<string, string>;

  beforeAll(async () => {
    world = await startTestSimulator();
    names = (await world.control("POST", "/seed", { name: "agent-demo" })).body.names;
  });

  afterAll(() => world.sim.close());

  test("one action waits for a person, above the threshold", async () => {
    const { body } = await world.call("GET", "/agents/approvals");
    expect(body.data).toMatchObject([
      {
        id: names.waiting,
        type: "TRANSFER_OUT",
        transferDetails: { amount: 32_500, currency: "USD" },
        why: { decision: "ask", decidedBy: "approvalThreshold" },
      },
    ]);
  });

  test("two payments were made by the agent, and what they took is used up", async () => {
    const { body } = await world.call("GET", "/agents");
    expect(body.data).toMatchObject([
      {
        name: "Invoice bot",
        isConnected: true,
        usage: { dailyTransactionCount: 2, dailySpend: 27_500, monthlySpend: 27_500 },
      },
    ]);
    const { body: transactions } = await world.call("GET", "/transactions");
    expect(
      transactions.data.map(({ status, agentId }: Parsed) => [status, agentId === body.data[0].id]),
    ).toEqual([
      ["COMPLETED", true],
      ["COMPLETED", true],
    ]);
  });
});

describe("wallet-demo has wallets on their way", () => {
  let world: TestSimulator;
  let names: Record<string, string>;

  beforeAll(async () => {
    world = await startTestSimulator();
    names = (await world.control("POST", "/seed", { name: "wallet-demo" })).body.names;
  });

  afterAll(() => world.sim.close());

  const walletOf = async (customer: string): Promise<Parsed> => {
    const query = `customerId=${names[customer]}&type=EMBEDDED_WALLET`;
    const { body } = await world.call("GET", `/customers/internal-accounts?${query}`);
    expect(body.data).toHaveLength(1);
    return body.data[0];
  };

  test.each([
    { customer: "ada", amount: 250_000_000, credentials: ["EMAIL_OTP ada@shop.example"] },
    { customer: "ben", amount: 40_000_000, credentials: ["EMAIL_OTP okafor@home.example"] },
    { customer: "carla", amount: 0, credentials: [] },
  ])("$customer holds $amount and signs in with $credentials", async (row) => {
    const wallet = await walletOf(row.customer);
    expect(wallet.balance).toMatchObject({ amount: row.amount, currency: { code: "USDB" } });
    const { body } = await world.call("GET", `/auth/credentials?accountId=${wallet.id}`);
    expect(body.data.map(({ type, nickname }: Parsed) => `${type} ${nickname}`)).toEqual(
      row.credentials,
    );
  });

  test("a quote of 50.00 waits for Ada's signature", async () => {
    const { body } = await world.call("GET", `/quotes/${names.toSign}`);
    expect(body).toMatchObject({ status: "PENDING", totalSendingAmount: 50_000_000 });
    const { status, body: challenge } = await world.call("POST", `/quotes/${names.toSign}/execute`);
    expect(status).toBe(202);
    expect(challenge.payloadToSign).toContain("ACTIVITY_TYPE_SIGN_TRANSACTION_V2");
  });

  test("the mails with their codes are in the inbox", async () => {
    const { body } = await world.control("GET", "/inbox");
    expect(body.data).toMatchObject([{ to: "okafor@home.example" }, { to: "ada@shop.example" }]);
  });

  test("it can be put in while magic values do not count", async () => {
    const strict = await startTestSimulator({ crypto: "strict", fixture: "wallet-demo" });
    expect((await strict.call("GET", "/customers")).body.totalCount).toBe(3);
    await strict.sim.close();
  });
});

describe("cards-demo has cards in every state that a start can show", () => {
  let world: TestSimulator;
  let names: Record<string, string>;

  beforeAll(async () => {
    world = await startTestSimulator();
    names = (await world.control("POST", "/seed", { name: "cards-demo" })).body.names;
  });

  afterAll(() => world.sim.close());

  test.each([
    { card: "daily", state: "ACTIVE", reason: null },
    { card: "short", state: "ACTIVE", reason: null },
    { card: "closed", state: "CLOSED", reason: "CLOSED_BY_GRID" },
    { card: "waiting", state: "PENDING_ISSUE", reason: null },
    { card: "refused", state: "CLOSED", reason: "ISSUER_REJECTED" },
  ])("$card is $state", async ({ card, state, reason }) => {
    const { body } = await world.call("GET", `/cards/${names[card]}`);
    expect({ state: body.state, reason: body.stateReason }).toEqual({ state, reason });
  });

  test.each([
    { account: "adaUsd", amount: 107_400 },
    { account: "benUsd", amount: 550 },
  ])("what $account holds after its purchases: $amount", async ({ account, amount }) => {
    const { balances } = (await world.control("GET", "/ledger")).body;
    const found = balances.find((one: Parsed) => one.account === names[account]);
    expect(found.amount).toBe(amount);
  });

  test.each([
    { purchase: "books", status: "SETTLED" },
    { purchase: "dinner", status: "SETTLED" },
    { purchase: "shoes", status: "REFUNDED" },
    { purchase: "hotel", status: "AUTHORIZED" },
    { purchase: "paused", status: "DECLINED" },
    { purchase: "tooMuch", status: "DECLINED" },
    { purchase: "coffee", status: "AUTHORIZED" },
  ])("$purchase is $status", async ({ purchase, status }) => {
    const { body } = await world.control("GET", `/why/${names[purchase]}`);
    expect(body.status).toBe(status);
  });
});
