import { describe, expect, test } from "vitest";
import { connectAgent, createAgent, GENEROUS } from "../../setup/agents.ts";
import { createBank, transferInput } from "../../setup/banks.ts";
import { createPayer } from "../../setup/platform.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();

const patchPolicy = (agentId: string, patch: unknown) =>
  world().call("PATCH", `/agents/${agentId}/policy`, patch);
const readAgent = async (agentId: string) => (await world().call("GET", `/agents/${agentId}`)).body;

const openAgent = async (policy: object = GENEROUS) => {
  const { customerId, accountId } = await createPayer(world());
  const { agent } = await createAgent(world(), customerId, policy);
  return { id: agent.id as string, agent, customerId, accountId };
};

test("an empty body changes nothing, updatedAt included", async () => {
  const { id, agent } = await openAgent();
  await world().control("POST", "/clock/advance", { by: "1h" });
  for (const body of [{}, { somethingElse: true }])
    expect(await patchPolicy(id, body)).toMatchObject({ status: 200, body: agent });
  expect(await readAgent(id)).toEqual(agent);
});

test("a change is shown at once, with a new updatedAt", async () => {
  const { id, agent } = await openAgent();
  await world().control("POST", "/clock/advance", { by: "1h" });
  const { status, body } = await patchPolicy(id, { permissions: [] });
  expect(status).toBe(200);
  expect(body).toEqual({
    ...agent,
    policy: { ...agent.policy, permissions: [] },
    updatedAt: "2026-01-05T10:00:00.000Z",
  });
  expect(await readAgent(id)).toEqual(body);
});

test("an unknown agent is 404", async () => {
  expect(await patchPolicy("Agent:nobody", {})).toMatchObject({
    status: 404,
    body: { code: "REFERENCE_NOT_FOUND", details: { resource: "Agent" } },
  });
});

test("parts are merged one after another, and null lifts limits", async () => {
  const { id, accountId } = await openAgent();
  const limits = GENEROUS.spendingLimits;
  await patchPolicy(id, { spendingLimits: { dailyLimit: 90_000, monthlyLimit: 500_000 } });
  await patchPolicy(id, { spendingLimits: { dailyLimit: null, dailyTransactionLimit: 4 } });
  await patchPolicy(id, { accountRestrictions: { allowedAccountIds: [accountId, accountId] } });
  const rule = { accountId, perTransactionLimit: null };
  await patchPolicy(id, { accountRestrictions: { accountRules: [rule] } });
  await patchPolicy(id, { approvalThresholds: { currency: "EUR", amount: 5 } });
  await patchPolicy(id, { approvalThresholds: { amount: null } });
  expect((await readAgent(id)).policy).toEqual({
    ...GENEROUS,
    spendingLimits: {
      ...limits,
      dailyLimit: null,
      dailyTransactionLimit: 4,
      monthlyLimit: 500_000,
    },
    accountRestrictions: { allowedAccountIds: [accountId], accountRules: [rule] },
    approvalThresholds: { currency: "EUR", amount: null },
  });
  await patchPolicy(id, { accountRestrictions: { allowedAccountIds: null, accountRules: [] } });
  expect((await readAgent(id)).policy.accountRestrictions).toEqual({
    allowedAccountIds: null,
    accountRules: [],
  });
});

/** Refused values: `null` is ill-typed in most members (spec/agent-policy.md#policy-changes). */
const REFUSED = [
  { patch: [], code: "INVALID_INPUT" },
  { patch: { permissions: null }, field: "permissions" },
  { patch: { permissions: ["FLY"] }, field: "permissions.0" },
  { patch: { defaultExecutionMode: "NEVER" }, field: "defaultExecutionMode" },
  { patch: { spendingLimits: null }, field: "spendingLimits" },
  { patch: { spendingLimits: { currency: "XYZ" } }, field: "spendingLimits.currency" },
  { patch: { spendingLimits: { currency: null } }, field: "spendingLimits.currency" },
  {
    patch: { spendingLimits: { perTransactionLimit: 0 } },
    field: "spendingLimits.perTransactionLimit",
  },
  {
    patch: { spendingLimits: { perTransactionLimit: null } },
    field: "spendingLimits.perTransactionLimit",
  },
  {
    patch: { spendingLimits: { dailyTransactionLimit: null } },
    field: "spendingLimits.dailyTransactionLimit",
  },
  { patch: { spendingLimits: { dailyLimit: -1 } }, field: "spendingLimits.dailyLimit" },
  { patch: { spendingLimits: { monthlyLimit: 1.5 } }, field: "spendingLimits.monthlyLimit" },
  { patch: { spendingLimits: { dailyLimit: "5" } }, field: "spendingLimits.dailyLimit" },
  {
    patch: { spendingLimits: { dailyLimit: 9_000_000_000_000_001 } },
    code: "AMOUNT_OUT_OF_RANGE",
    field: "spendingLimits.dailyLimit",
  },
  { patch: { accountRestrictions: null }, field: "accountRestrictions" },
  {
    patch: { accountRestrictions: { accountRules: null } },
    field: "accountRestrictions.accountRules",
  },
  {
    patch: { accountRestrictions: { allowedAccountIds: ["InternalAccount:nobody's"] } },
    reason: "ACCOUNT_NOT_FOUND",
    field: "accountRestrictions.allowedAccountIds.0",
  },
  { patch: { approvalThresholds: { amount: 5 } }, field: "approvalThresholds.currency" },
  {
    patch: { approvalThresholds: { currency: "USD", amount: -1 } },
    field: "approvalThresholds.amount",
  },
];

test.each(REFUSED)("$patch is refused", async ({ patch, field, ...refused }) => {
  const { id, agent } = await openAgent();
  const { status, body } = await patchPolicy(id, patch);
  expect({ status, ...body }).toMatchObject({
    status: 400,
    code: "INVALID_INPUT",
    ...(field !== undefined && { details: { field } }),
    ...refused,
  });
  expect(await readAgent(id)).toEqual(agent);
});

// spec/agent-policy.md#policy-accounts
test("foreign and external accounts are refused, and nothing of the patch is applied", async () => {
  const { id, agent, customerId } = await openAgent();
  const stranger = await createPayer(world());
  const bank = await createBank(world(), customerId);
  for (const [value, reason] of [
    [stranger.accountId, "OWNER_MISMATCH"],
    [bank, "ACCOUNT_KIND_NOT_ALLOWED"],
  ]) {
    const accountRestrictions = { accountRules: [{ accountId: value }] };
    const { status, body } = await patchPolicy(id, { permissions: [], accountRestrictions });
    expect({ status, ...body }).toMatchObject({
      status: 400,
      code: "INVALID_INPUT",
      reason,
      details: { field: "accountRestrictions.accountRules.0.accountId", value },
    });
  }
  expect(await readAgent(id)).toEqual(agent);
});

describe("an agent that is at work", () => {
  const openWorker = async () => {
    const { customerId, accountId } = await createPayer(world());
    const bank = await createBank(world(), customerId);
    const agent = await connectAgent(world(), customerId);
    const pay = (amountMinor: number) =>
      agent.call("POST", "/agents/me/transfer-out", transferInput(accountId, bank, amountMinor));
    return { agent, pay };
  };

  test("follows the change from the next call on", async () => {
    const { agent, pay } = await openWorker();
    expect(await pay(40_000)).toMatchObject({ status: 201, body: { status: "APPROVED" } });
    await patchPolicy(agent.id, { spendingLimits: { perTransactionLimit: 39_999 } });
    expect(await pay(40_000)).toMatchObject({
      status: 403,
      body: { reason: "PER_TRANSACTION_LIMIT_EXCEEDED", details: { limit: 39_999 } },
    });
    await patchPolicy(agent.id, { defaultExecutionMode: "APPROVAL_REQUIRED" });
    expect(await pay(39_999)).toMatchObject({ status: 201, body: { status: "PENDING_APPROVAL" } });
    await patchPolicy(agent.id, { permissions: ["VIEW_TRANSACTIONS"] });
    expect(await pay(1)).toMatchObject({ status: 403, body: { reason: "PERMISSION_DENIED" } });
  });

  test("shows its usage in another currency, at the rate of that moment", async () => {
    const { agent, pay } = await openWorker();
    await pay(10_001);
    await world().control("PUT", "/rates", { perUsd: { EUR: "0.5" } });
    const { body } = await patchPolicy(agent.id, {
      spendingLimits: { currency: "EUR", dailyLimit: 15_001 },
    });
    expect(body.policy.spendingLimits).toEqual({
      currency: "EUR",
      perTransactionLimit: 20_000,
      dailyLimit: 15_001,
    });
    expect(body.usage).toMatchObject({
      dailyTransactionCount: 1,
      dailySpend: 5_001,
      monthlySpend: 5_001,
    });
    expect(await pay(20_001)).toMatchObject({
      status: 403,
      body: { details: { limit: 15_001, attempted: 15_002, currency: "EUR" } },
    });
    expect(await pay(20_000)).toMatchObject({ status: 201, body: { status: "APPROVED" } });
    expect((await readAgent(agent.id)).usage).toMatchObject({ dailySpend: 15_001 });
  });

  test("carries no spend of yesterday into another currency", async () => {
    const { agent, pay } = await openWorker();
    await pay(10_000);
    await world().control("POST", "/clock/advance", { by: "1d" });
    const { body } = await patchPolicy(agent.id, { spendingLimits: { currency: "EUR" } });
    expect(body.usage).toMatchObject({
      dailyTransactionCount: 0,
      dailySpend: 0,
      monthlySpend: 9_200,
    });
  });

  test("is not limited by the spend of a past month", async () => {
    const { agent, pay } = await openWorker();
    await pay(10_000);
    await world().control("PUT", "/rates", { perUsd: { EUR: "999999999999" } });
    const patch = { spendingLimits: { currency: "EUR", perTransactionLimit: 1 } };
    expect(await patchPolicy(agent.id, patch)).toMatchObject({
      status: 400,
      body: { code: "AMOUNT_OUT_OF_RANGE" },
    });
    await world().control("POST", "/clock/advance", { to: "2026-02-01T00:00:00.000Z" });
    const { status, body } = await patchPolicy(agent.id, patch);
    expect({ status, usage: body.usage }).toMatchObject({
      status: 200,
      usage: { dailyTransactionCount: 0, dailySpend: 0, monthlySpend: 0 },
    });
  });

  test("keeps its policy if its limits would exceed the largest amount", async () => {
    const { agent } = await openWorker();
    await patchPolicy(agent.id, { spendingLimits: { monthlyLimit: 900_000_000_001 } });
    const before = await readAgent(agent.id);
    const { status, body } = await patchPolicy(agent.id, { spendingLimits: { currency: "USDC" } });
    expect({ status, ...body }).toMatchObject({
      status: 400,
      code: "AMOUNT_OUT_OF_RANGE",
      details: { field: "spendingLimits.currency" },
    });
    expect(await readAgent(agent.id)).toEqual(before);
  });
});
