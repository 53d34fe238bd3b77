import { beforeEach, describe, expect, test } from "vitest";
import { GENEROUS } from "../../setup/agents.ts";
import { createBank, transferInput } from "../../setup/banks.ts";
import { expectNothing, expectRefused, invalid } from "../setup/refused.ts";
import { balanceOf, goTo } from "../setup/told.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";
import {
  type AgentParties,
  ASKING,
  createAgentParties,
  payOut,
  pullIn,
  usageOf,
} from "./setup/agent-parties.ts";

const START = "2026-01-05T09:00:00.000Z";

const world = worldPerTest();
let parties: AgentParties;

const agentParties = preparedOnce((one) => createAgentParties(one));

beforeEach(async () => {
  parties = await agentParties(world());
});

const setPolicy = (part: object) =>
  world().call("PATCH", `/agents/${parties.agent.id}/policy`, part);

const balance = () => balanceOf(world(), parties.payer.accountId);

const shownAction = async (id: string) =>
  (await parties.agent.call("GET", `/agents/me/actions/${id}`)).body;

const WAYS = [
  { way: "out", type: "TRANSFER_OUT", direction: "OUTGOING", after: 975_000 },
  { way: "in", type: "TRANSFER_IN", direction: "INCOMING", after: 1_025_000 },
] as const;

/** Moves money to or from an external account, the customer's bank if none is given. */
const move = (way: "in" | "out", amount: unknown = 25_000, outside = parties.bank) => {
  const { agent, payer } = parties;
  const [from, to] = way === "in" ? [outside, payer.accountId] : [payer.accountId, outside];
  return agent.call("POST", `/agents/me/transfer-${way}`, transferInput(from, to, amount));
};

describe.each(WAYS)("a transfer $way that the policy allows", (row) => {
  const { way, type, direction, after } = row;

  test("is an APPROVED action with its transaction, which has agentId", async () => {
    const { agent, payer, bank } = parties;
    const { status, body } = await move(way);
    const [sourceAccountId, destinationAccountId] =
      way === "in" ? [bank, payer.accountId] : [payer.accountId, bank];
    const { body: customer } = await world().call("GET", `/customers/${payer.customerId}`);
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^AgentAction:[0-9a-f-]{36}$/),
        agentId: agent.id,
        customerId: payer.customerId,
        platformCustomerId: customer.platformCustomerId,
        status: "APPROVED",
        type,
        transferDetails: {
          amount: 25_000,
          currency: "USD",
          sourceAccountId,
          destinationAccountId,
        },
        transaction: expect.objectContaining({
          type: direction,
          agentId: agent.id,
          customerId: payer.customerId,
          source: { sourceType: "ACCOUNT", accountId: sourceAccountId, currency: "USD" },
          destination: {
            destinationType: "ACCOUNT",
            accountId: destinationAccountId,
            currency: "USD",
          },
        }),
        createdAt: START,
        updatedAt: START,
      },
    ]);
    const path = `/transactions/${body.transaction.id}`;
    expect((await world().call("GET", path)).body.agentId).toBe(agent.id);
    await goTo(world(), "09:10:00.000");
    const shown = await shownAction(body.id);
    expect(shown).toMatchObject({ status: "APPROVED", updatedAt: START });
    expect(shown.transaction).toEqual((await world().call("GET", path)).body);
    expect(shown.transaction).toMatchObject({ status: "COMPLETED", agentId: agent.id });
    expect(await balance()).toBe(after);
  });

  // spec/agent-policy.md#counting
  test("is counted when it starts, without a new updatedAt of the agent", async () => {
    await goTo(world(), "09:01:00.000");
    expect(await usageOf(parties)).toEqual([0, 0, 0]);
    await move(way);
    expect(await usageOf(parties)).toEqual([1, 25_000, 25_000]);
    await move(way, 1);
    expect(await usageOf(parties)).toEqual([2, 25_001, 25_001]);
    expect((await parties.agent.call("GET", "/agents/me")).body.updatedAt).toBe(START);
  });
});

/** Every limit at its boundary: the `passes` succeed in turn, then `fails` does not. */
const LIMITS = [
  {
    reason: "PER_TRANSACTION_LIMIT_EXCEEDED",
    limits: { perTransactionLimit: 30_000 },
    passes: [30_000],
    fails: 30_001,
    details: { limit: 30_000, attempted: 30_001, currency: "USD" },
  },
  {
    reason: "DAILY_TRANSACTION_LIMIT_EXCEEDED",
    limits: { dailyTransactionLimit: 2 },
    passes: [1, 1],
    fails: 1,
    details: { limit: 2, attempted: 3 },
  },
  {
    reason: "DAILY_LIMIT_EXCEEDED",
    limits: { dailyLimit: 50_000 },
    passes: [25_000, 24_999, 1],
    fails: 1,
    details: { limit: 50_000, attempted: 50_001, currency: "USD" },
  },
  {
    reason: "MONTHLY_LIMIT_EXCEEDED",
    limits: { monthlyLimit: 50_000 },
    passes: [25_000, 25_000],
    fails: 1,
    details: { limit: 50_000, attempted: 50_001, currency: "USD" },
  },
  {
    reason: "DAILY_LIMIT_EXCEEDED",
    limits: { dailyLimit: 0 },
    passes: [],
    fails: 1,
    details: { limit: 0, attempted: 1, currency: "USD" },
  },
];

describe.each(WAYS)("a transfer $way at a limit", ({ way }) => {
  test.each(LIMITS)("passes, and above it is $reason: $limits", async (row) => {
    const { reason, limits, passes, fails, details } = row;
    await setPolicy({ spendingLimits: limits });
    for (const amount of passes) expect((await move(way, amount)).status).toBe(201);
    await expectNothing(world(), () => move(way, fails), {
      status: 403,
      code: "FORBIDDEN",
      reason,
    });
    const { details: told } = (await move(way, fails)).body;
    expect(told).toMatchObject({ ...details, reason, decision: "deny" });
    if (!("currency" in details)) expect(told).not.toHaveProperty("currency");
    expect((await parties.agent.call("GET", "/agents/me/actions")).body.totalCount).toBe(
      passes.length,
    );
  });
});

test("money in and money out count for the same limit", async () => {
  await setPolicy({ spendingLimits: { dailyLimit: 50_000 } });
  await payOut(parties, 25_000);
  await pullIn(parties, 24_999);
  const { body } = await payOut(parties, 2);
  expect(body).toMatchObject({ reason: "DAILY_LIMIT_EXCEEDED", details: { attempted: 50_001 } });
  expect(await usageOf(parties)).toEqual([2, 49_999, 49_999]);
});

test("a limit in another currency uses the current rate, rounded up", async () => {
  await world().control("PUT", "/rates", { perUsd: { EUR: "0.5" } });
  await setPolicy({ spendingLimits: { currency: "EUR", perTransactionLimit: 10_000 } });
  const { body } = await payOut(parties, 20_001);
  expect(body.details).toMatchObject({ limit: 10_000, attempted: 10_001, currency: "EUR" });
  expect((await payOut(parties, 20_000)).status).toBe(201);
  expect((await payOut(parties, 1)).status).toBe(201);
  expect(await usageOf(parties)).toEqual([2, 10_001, 10_001]);
});

test("concurrent transfers never pass a limit together", async () => {
  await setPolicy({ spendingLimits: { dailyLimit: 60_000 } });
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => payOut(parties, 25_000)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 403, 403, 403]);
  expect(await usageOf(parties)).toEqual([2, 50_000, 50_000]);
});

test("an amount within the limits may still be above the largest amount", async () => {
  await world().control("PUT", "/rates", { perUsd: { EUR: "0.5" } });
  const perTransactionLimit = 9_000_000_000_000_000;
  await setPolicy({ spendingLimits: { currency: "EUR", perTransactionLimit } });
  for (const way of ["in", "out"] as const)
    await expectNothing(world(), () => move(way, 9_000_000_000_000_001), {
      status: 400,
      code: "AMOUNT_OUT_OF_RANGE",
      field: "amount",
    });
});

test("a limit denies even if a person would be asked", async () => {
  await setPolicy({ defaultExecutionMode: "APPROVAL_REQUIRED" });
  const { body } = await payOut(parties, 40_001);
  expect(body).toMatchObject({ status: 403, reason: "PER_TRANSACTION_LIMIT_EXCEEDED" });
});

// spec/agent-policy.md#account-restrictions
describe("an account rule", () => {
  const rule = (members: object) =>
    setPolicy({
      accountRestrictions: { accountRules: [{ accountId: parties.payer.accountId, ...members }] },
    });

  test("has its own limit, above or below the agent's", async () => {
    await rule({ perTransactionLimit: 50_000 });
    expect((await payOut(parties, 50_000)).body.status).toBe("APPROVED");
    expect((await payOut(parties, 50_001)).body.details).toMatchObject({ limit: 50_000 });
    await rule({ perTransactionLimit: 10 });
    expect((await pullIn(parties, 11)).body.details).toMatchObject({ limit: 10, attempted: 11 });
    await rule({ perTransactionLimit: null });
    expect((await payOut(parties, 40_001)).body.details).toMatchObject({ limit: 40_000 });
  });

  test("has its own mode, looser or stricter than the agent's", async () => {
    await rule({ executionMode: "APPROVAL_REQUIRED" });
    expect((await payOut(parties)).body).toMatchObject({
      status: "PENDING_APPROVAL",
      why: { decision: "ask", decidedBy: "executionMode" },
    });
    await setPolicy({ defaultExecutionMode: "APPROVAL_REQUIRED" });
    await rule({ executionMode: "AUTO" });
    expect((await pullIn(parties)).body.status).toBe("APPROVED");
    await rule({});
    expect((await pullIn(parties)).body.status).toBe("PENDING_APPROVAL");
  });
});

test("the list of allowed accounts is checked before every limit", async () => {
  const { payer, wallet } = parties;
  const spendingLimits = { perTransactionLimit: 1 };
  await setPolicy({ accountRestrictions: { allowedAccountIds: [wallet] }, spendingLimits });
  for (const way of ["in", "out"] as const) {
    const { body } = await move(way);
    expect(body.details).toMatchObject({
      reason: "ACCOUNT_NOT_ALLOWED",
      accountId: payer.accountId,
      decidedBy: "accountRestriction",
    });
  }
  await setPolicy({ accountRestrictions: { allowedAccountIds: [] } });
  expect((await payOut(parties, 1)).body.reason).toBe("ACCOUNT_NOT_ALLOWED");
  await setPolicy({ accountRestrictions: { allowedAccountIds: null } });
  expect((await payOut(parties, 1)).status).toBe(201);
});

// spec/agent-policy.md#approval-thresholds
describe("a threshold", () => {
  test.each([
    { amount: 20_000, status: "APPROVED" },
    { amount: 20_001, status: "PENDING_APPROVAL" },
  ])("of 20000 makes $amount $status", async ({ amount, status }) => {
    await setPolicy({ approvalThresholds: { currency: "USD", amount: 20_000 } });
    const { body } = await payOut(parties, amount);
    expect(body.status).toBe(status);
    if (status === "APPROVED") expect(body).not.toHaveProperty("why");
    else
      expect(body.why).toMatchObject({
        decision: "ask",
        decidedBy: "approvalThreshold",
        checks: expect.arrayContaining([
          {
            name: "approvalThreshold",
            passed: false,
            limit: 20_000,
            value: 20_001,
            currency: "USD",
          },
        ]),
      });
  });

  test("in another currency uses the current rate, and can be lifted", async () => {
    await world().control("PUT", "/rates", { perUsd: { EUR: "0.5" } });
    await setPolicy({ approvalThresholds: { currency: "EUR", amount: 10_000 } });
    expect((await payOut(parties, 20_000)).body.status).toBe("APPROVED");
    expect((await payOut(parties, 20_001)).body.status).toBe("PENDING_APPROVAL");
    await setPolicy({ approvalThresholds: { amount: null } });
    expect((await payOut(parties, 20_001)).body.status).toBe("APPROVED");
  });
});

// spec/agent-actions.md#submission
describe("a transfer that waits", () => {
  test.each(WAYS)("has moved and counted nothing: $way", async ({ way }) => {
    await setPolicy({ defaultExecutionMode: ASKING.defaultExecutionMode });
    const { status, body } = await move(way);
    expect([status, body.status]).toEqual([201, "PENDING_APPROVAL"]);
    expect(body).not.toHaveProperty("transaction");
    expect(body).not.toHaveProperty("quote");
    expect(await shownAction(body.id)).toEqual(body);
    expect(await balance()).toBe(1_000_000);
    expect(await usageOf(parties)).toEqual([0, 0, 0]);
    expect((await world().call("GET", "/transactions")).body.totalCount).toBe(0);
  });
});

describe("too little balance", () => {
  test("is no error but a FAILED action without transaction, and is not counted", async () => {
    await setPolicy({ spendingLimits: { perTransactionLimit: 2_000_000 } });
    const { status, body } = await payOut(parties, 1_000_001);
    expect([status, body.status]).toEqual([201, "FAILED"]);
    expect(body).not.toHaveProperty("transaction");
    expect(body).not.toHaveProperty("why");
    expect(await shownAction(body.id)).toEqual(body);
    expect(await usageOf(parties)).toEqual([0, 0, 0]);
    expect(await balance()).toBe(1_000_000);
    expect((await payOut(parties, 1_000_000)).body.status).toBe("APPROVED");
    expect(await balance()).toBe(0);
  });

  test("does not matter to a transfer that waits, or to one that pulls", async () => {
    await setPolicy({
      spendingLimits: { perTransactionLimit: 2_000_000 },
      approvalThresholds: { currency: "USD", amount: 1_000_000 },
    });
    expect((await payOut(parties, 1_000_001)).body.status).toBe("PENDING_APPROVAL");
    expect((await pullIn(parties, 1_000_000)).body.status).toBe("APPROVED");
  });
});

/**
 * Outcomes of a transfer by the ending of the external account
 * (spec/transfers.md#transfer-out-outcomes).
 */
const FATES = [
  { way: "out", suffix: "002", first: "FAILED", at: "09:00:00.000", counted: 0 },
  { way: "out", suffix: "003", first: "FAILED", at: "09:00:00.000", counted: 0 },
  { way: "in", suffix: "002", first: "FAILED", at: "09:00:00.000", counted: 0 },
  { way: "in", suffix: "003", first: "FAILED", at: "09:00:00.000", counted: 0 },
  { way: "out", suffix: "004", first: "APPROVED", at: "09:00:00.000", counted: 1 },
  { way: "in", suffix: "004", first: "APPROVED", at: "09:00:00.000", counted: 1 },
  { way: "out", suffix: "005", first: "APPROVED", at: "09:00:30.000", counted: 1 },
  { way: "in", suffix: "005", first: "APPROVED", at: "09:00:30.000", counted: 1 },
] as const;

describe("a transfer that fails", () => {
  test.each(FATES)("$way, at $at with $suffix: first $first, counted $counted", async (row) => {
    const { way, suffix, first, at, counted } = row;
    const outside = await createBank(world(), parties.payer.customerId, suffix);
    const { status, body } = await move(way, 25_000, outside);
    expect([status, body.status]).toEqual([201, first]);
    expect(body.transaction.status).toBe(first === "FAILED" ? "FAILED" : "PENDING");
    await goTo(world(), at);
    const shown = await shownAction(body.id);
    expect(shown.status).toBe("FAILED");
    expect(shown.transaction).toMatchObject({ id: body.transaction.id, status: "FAILED" });
    expect(shown.updatedAt).toBe(`2026-01-05T${at}Z`);
    await goTo(world(), "09:10:00.000");
    expect(await usageOf(parties)).toEqual([counted, counted * 25_000, counted * 25_000]);
    expect(await balance()).toBe(1_000_000);
  });
});

describe("a transfer is refused", () => {
  test.each([undefined, 0, -1, 0.5])("with %s for an amount", async (amount) => {
    for (const way of ["in", "out"] as const) {
      const { agent, payer, bank } = parties;
      const [from, to] = way === "in" ? [bank, payer.accountId] : [payer.accountId, bank];
      const body = transferInput(from, to, amount);
      const act = () => agent.call("POST", `/agents/me/transfer-${way}`, body);
      await expectNothing(world(), act, { status: 400, code: "INVALID_AMOUNT", field: "amount" });
    }
  });

  test("like the platform's own, after its permission is checked", async () => {
    const { payer, bank, mexican } = parties;
    expectRefused(
      await parties.agent.call("POST", "/agents/me/transfer-out", transferInput(bank, bank, 1)),
      invalid("source.accountId", "ACCOUNT_KIND_NOT_ALLOWED"),
    );
    expectRefused(await move("out", 1, mexican), {
      status: 400,
      code: "INVALID_CURRENCY",
      field: "destination.accountId",
    });
    await setPolicy({ permissions: GENEROUS.permissions.slice(0, 1) });
    const denied = { status: 403, code: "FORBIDDEN", reason: "PERMISSION_DENIED" };
    expectRefused(await parties.agent.call("POST", "/agents/me/transfer-out", []), denied);
    expectRefused(await move("out", 0, payer.accountId), denied);
  });
});
