import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CoverageReport } from "../../src/contract/control/coverage.ts";
import { OPERATIONS } from "../../src/contract/operations.ts";
import { TIMER_NAMES } from "../../src/domain/records/timer-names.ts";
import { seed } from "../control/seed/setup/seeding.ts";
import { connectAgent, GENEROUS } from "../setup/agents.ts";
import { createBank, transferInput } from "../setup/banks.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { type Behaviour, Receiver } from "../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(() => world.sim.close());

const reportOf = async ({ control }: TestSimulator, query = ""): Promise<CoverageReport> =>
  (await control("GET", `/coverage${query}`)).body;

/** Items of a group that were met so far. */
const missingOf = async (group: string, of = world): Promise<string[]> => {
  const { groups } = await reportOf(of);
  return groups.find(({ name }) => name === group)?.missing.map(({ name }) => name) ?? [];
};

const metIn = async (of = world) => {
  const { groups } = await reportOf(of);
  return Object.fromEntries(groups.flatMap(({ name, met }) => (met > 0 ? [[name, met]] : [])));
};

// spec/coverage.md#groups
test("a new world has met nothing of any group, and says so in the order of the groups", async () => {
  const { score, groups } = await reportOf(world);
  const { body } = await world.control("GET", "/outcomes");
  const rows = (body.data as { rows: unknown[] }[]).flatMap((group) => group.rows);
  expect({ score, groups: groups.map(({ name, met, total }) => [name, met, total]) }).toEqual({
    score: 0,
    groups: [
      ["operations", 0, OPERATIONS.length],
      ["statuses", 0, 19],
      ["errors", 0, 81],
      ["outcomes", 0, rows.length],
      ["webhooks", 0, 31],
      ["retries", 0, 2],
      ["duplicates", 0, 2],
      ["timers", 0, TIMER_NAMES.length],
      ["replays", 0, 9],
      ["signedRetries", 0, 9],
      ["approvals", 0, 7],
    ],
  });
});

// spec/coverage.md#counting
describe("calls", () => {
  test("of the platform count by operation, status, code and row", async () => {
    await world.call("GET", "/config");
    await world.call("GET", "/quotes/Quote:none");
    await world.call("GET", "/receiver/uma/$success.usd@sandbox.uma.test");
    expect(await missingOf("operations")).not.toContain("getConfig");
    expect(await missingOf("operations")).toContain("getQuote");
    expect(await missingOf("errors")).not.toContain("QUOTE_NOT_FOUND");
    expect(await missingOf("outcomes")).not.toContain("umaLookup.person");
    expect(await metIn()).toEqual({ operations: 2, statuses: 2, errors: 1, outcomes: 1 });
  });

  test("of the control surface count nothing, neither done nor refused", async () => {
    await world.control("GET", "/status");
    await world.control("GET", "/webhooks/none");
    await world.control("PUT", "/approvals", { mode: "ask" });
    expect(await metIn()).toEqual({});
  });

  test("that only get a challenge meet no operation", async () => {
    const { body } = await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    const query = `customerId=${body.id}&type=EMBEDDED_WALLET`;
    const { body: wallets } = await world.call("GET", `/customers/internal-accounts?${query}`);
    const path = `/internal-accounts/${wallets.data[0].id}`;
    await world.call("POST", "/auth/credentials", {
      type: "EMAIL_OTP",
      accountId: wallets.data[0].id,
      email: "ada@example.com",
    });
    const { status } = await world.call("PATCH", path, { privateEnabled: true });
    expect(status).toBe(202);
    expect(await missingOf("statuses")).not.toContain("202");
    expect(await missingOf("operations")).toContain("updateInternalAccount");
    expect(await missingOf("signedRetries")).toContain("updateInternalAccount");
  });

  test("with a repeated key are a replay, unless the body differs", async () => {
    const { customerId, accountId } = await createPayer(world);
    const payeeId = await createPayee(world, customerId, "999");
    const quote = (amount: number) =>
      world.raw("POST", "/quotes", {
        headers: { "content-type": "application/json", "idempotency-key": "k" },
        body: JSON.stringify(quoteInput(accountId, payeeId, amount)),
      });
    await quote(25_000);
    await quote(26_000);
    expect(await missingOf("replays")).toContain("createQuote");
    await quote(25_000);
    expect(await missingOf("replays")).not.toContain("createQuote");
  });
});

describe("decisions about waiting actions", () => {
  const ASKING = { ...GENEROUS, approvalThresholds: { currency: "USD", amount: 20_000 } };

  const waiting = async () => {
    const { customerId, accountId } = await createPayer(world);
    const bankId = await createBank(world, customerId);
    const agent = await connectAgent(world, customerId, ASKING);
    const input = transferInput(accountId, bankId, 25_000);
    return (await agent.call("POST", "/agents/me/transfer-out", input)).body.id as string;
  };

  test("count when they are made on the control surface", async () => {
    await world.control("POST", `/approvals/${await waiting()}/approve`);
    expect(await missingOf("approvals")).not.toContain("agent action approved");
    expect(await missingOf("operations")).toContain("approveAgentAction");
  });

  test("do not count while the action waits", async () => {
    await waiting();
    expect(await missingOf("approvals")).toHaveLength(7);
  });
});

describe("webhooks", () => {
  const fund = async () => {
    await createPayer(world, 1_000);
    await world.control("POST", "/clock/advance", { by: "1ms" });
  };

  const sentTo = async (behaviour: Behaviour, act: () => Promise<unknown>) => {
    const receiver = await new Receiver().start();
    receiver.behaviour = behaviour;
    try {
      await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
      await act();
    } finally {
      await receiver.stop();
    }
  };

  const answering =
    (status: number): Behaviour =>
    (_event, response) => {
      response.writeHead(status).end();
    };

  const BALANCE = "INTERNAL_ACCOUNT.BALANCE_UPDATED";

  test("that a receiver refuses are not met", async () => {
    await sentTo(answering(500), fund);
    expect(await missingOf("webhooks")).toContain(BALANCE);
  });

  test("that it calls a duplicate are met: 409 accepts", async () => {
    await sentTo(answering(409), fund);
    expect(await missingOf("webhooks")).not.toContain(BALANCE);
  });

  test("that are wrong on purpose are not met by being taken", async () => {
    await sentTo(answering(200), async () => {
      await world.control("POST", "/webhooks/vectors", { vector: "wrong-key", type: BALANCE });
    });
    expect(await missingOf("webhooks")).toContain(BALANCE);
  });

  test("that are collected for lack of an endpoint are met", async () => {
    await fund();
    expect(await missingOf("webhooks")).not.toContain(BALANCE);
  });
});

test("timers that find nothing to do are not met", async () => {
  const { customerId, accountId } = await createPayer(world);
  const payeeId = await createPayee(world, customerId, "003");
  const { body } = await world.call("POST", "/quotes", quoteInput(accountId, payeeId));
  await world.call("POST", `/quotes/${body.id}/execute`);
  await world.sim.advance("10m");
  expect(await missingOf("timers")).toContain("quote.expire");
  expect(await missingOf("timers")).not.toContain("payment.settle");
});

// spec/coverage.md#fixtures
describe("a fixture counts nothing", () => {
  const FIXTURE = {
    name: "payer",
    steps: [
      { request: { method: "POST", path: "/customers", body: { customerType: "INDIVIDUAL" } } },
      { request: { method: "GET", path: "/customers/none", expect: 404 } },
      { advance: "1m" },
    ],
  } as const;

  test("at the start", async () => {
    const started = await startTestSimulator({ fixture: "payouts-demo" });
    try {
      expect(await metIn(started)).toEqual({});
      expect(await metIn(started)).toEqual({});
      await started.control("POST", "/reset");
      expect(await metIn(started)).toEqual({});
    } finally {
      await started.sim.close();
    }
  });

  test("when it is put in later, but the calls after it count", async () => {
    await seed(world, FIXTURE);
    expect(await metIn()).toEqual({});
    await world.call("GET", "/config");
    expect(await metIn()).toEqual({ operations: 1, statuses: 1 });
  });
});

// spec/coverage.md#report
describe("the report", () => {
  test("keeps what was met over a reset, and begins again when it is cleared", async () => {
    await world.call("GET", "/config");
    await world.control("POST", "/reset");
    expect(await metIn()).toEqual({ operations: 1, statuses: 1 });
    expect((await reportOf(world, "?of=all")).score).toBe(0.5);
    expect((await world.control("DELETE", "/coverage")).status).toBe(204);
    expect(await metIn()).toEqual({});
  });

  test("has a call or a command for each missing item", async () => {
    const { groups } = await reportOf(world);
    const lineOf = (group: string, item: string) =>
      groups.find(({ name }) => name === group)?.missing.find(({ name }) => name === item)
        ?.exercise;
    expect(lineOf("operations", "getConfig")).toBe("GET /config");
    expect(lineOf("operations", "createCustomer")).toBe(
      'POST /customers {"customerType":"INDIVIDUAL","fullName":"Ada Byron"}',
    );
    expect(lineOf("retries", "after an error")).toBe(
      "service-sim coverage --exercise retries.after-an-error",
    );
    expect(lineOf("outcomes", "umaPayment.$success.usd")).toBe(
      "service-sim coverage --exercise 'outcomes.umaPayment.$success.usd'",
    );
  });

  test("refuses another scope", async () => {
    const { status, body } = await world.control("GET", "/coverage?of=each");
    expect([status, body.error.code]).toEqual([400, "INVALID_INPUT"]);
  });
});

// spec/coverage.md#report
describe("worlds", () => {
  const readIn = async (name: string, path: string) => {
    const { sim } = world;
    const authorization = `Basic ${btoa(`${sim.clientId}+${name}:${sim.clientSecret}`)}`;
    return world.raw("GET", path, { headers: { authorization } });
  };

  const metOf = async (query: string) => {
    const { groups } = await reportOf(world, query);
    return groups.find(({ name }) => name === "operations")?.met;
  };

  test("begin at zero, and the sum keeps those that were removed", async () => {
    await world.call("GET", "/config");
    await world.control("POST", "/worlds", { name: "checkout-7" });
    expect(await metOf("?world=checkout-7")).toBe(0);
    await readIn("checkout-7", "/customers");
    expect(await metOf("?world=checkout-7")).toBe(1);
    expect(await metOf("")).toBe(1);
    expect(await metOf("?of=all")).toBe(2);
    await world.control("DELETE", "/worlds/checkout-7");
    expect(await metOf("?of=all")).toBe(2);
    await world.control("DELETE", "/coverage?of=all");
    expect(await metOf("?of=all")).toBe(0);
  });
});
