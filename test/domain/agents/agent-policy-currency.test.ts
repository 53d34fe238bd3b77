import { describe, expect, test } from "vitest";
import type { AgentPolicy, AgentPolicyPatch } from "../../../src/contract/agents/agents.ts";
import { patchedPolicy } from "../../../src/domain/agents/agent-policy-changes.ts";
import type { View } from "../../../src/domain/core/draft.ts";
import { Refusal } from "../../../src/domain/core/refusal.ts";
import type { AgentUsageRecord } from "../../../src/domain/records/agent-records.ts";

const OWN = "InternalAccount:own";
const SECOND = "InternalAccount:second";

/** A world with the customer's accounts and the rates of the table, some replaced. */
const worldWith = (perUsd?: Record<string, string>): View => ({
  get: (kind, id) => {
    const account = kind === "InternalAccount" ? { customerId: "Customer:1" } : undefined;
    return (kind === "Rates" ? { id, perUsd } : account) as never;
  },
  ids: (kind) => (kind === "Rates" && perUsd ? ["Rates"] : []),
  balanceMinor: () => 0n,
});

const RULE = { accountId: OWN, executionMode: "AUTO" as const, perTransactionLimit: 15_000 };
const RESTRICTIONS = {
  allowedAccountIds: [OWN],
  accountRules: [RULE, { accountId: SECOND, perTransactionLimit: null }],
};

const POLICY: AgentPolicy = {
  permissions: ["CREATE_TRANSFERS"],
  defaultExecutionMode: "AUTO",
  spendingLimits: {
    currency: "USD",
    perTransactionLimit: 40_000,
    dailyLimit: 90_000,
    dailyTransactionLimit: 4,
    monthlyLimit: 270_001,
  },
  accountRestrictions: RESTRICTIONS,
  approvalThresholds: { currency: "USD", amount: 20_000 },
};

const USAGE: AgentUsageRecord = {
  day: "2026-01-05",
  dailyTransactionCount: 2,
  dailySpendMinor: 25_000,
  monthlySpendMinor: 70_001,
};

const patched = (
  patch: AgentPolicyPatch,
  { policy = POLICY, usage = USAGE, view = worldWith() } = {},
) => patchedPolicy(view, { customerId: "Customer:1", policy, usage }, patch);

/** The whole policy in EUR: 0.92 for a dollar, rounded half up. */
const IN_EUR = {
  currency: "EUR",
  perTransactionLimit: 36_800,
  dailyLimit: 82_800,
  dailyTransactionLimit: 4,
  monthlyLimit: 248_401,
};
const RULES_IN_EUR = [
  { accountId: OWN, executionMode: "AUTO", perTransactionLimit: 13_800 },
  { accountId: SECOND, perTransactionLimit: null },
];
const USAGE_IN_EUR = {
  day: "2026-01-05",
  dailyTransactionCount: 2,
  dailySpendMinor: 23_000,
  monthlySpendMinor: 64_401,
};

/** Another currency of the limits (spec/agent-policy.md#re-expression). */
describe("another currency of the limits", () => {
  test("re-expresses limits, rules and usage, but not counts and the threshold", () => {
    expect(patched({ spendingLimits: { currency: "EUR" } })).toStrictEqual({
      policy: {
        ...POLICY,
        spendingLimits: IN_EUR,
        accountRestrictions: { allowedAccountIds: [OWN], accountRules: RULES_IN_EUR },
      },
      usage: USAGE_IN_EUR,
    });
  });

  test.each([
    { sent: { perTransactionLimit: 40_000 }, after: { perTransactionLimit: 40_000 } },
    { sent: { dailyLimit: 90_000 }, after: { dailyLimit: 90_000 } },
    { sent: { dailyLimit: null }, after: { dailyLimit: null } },
    { sent: { monthlyLimit: 0 }, after: { monthlyLimit: 0 } },
    { sent: { monthlyLimit: null }, after: { monthlyLimit: null } },
    { sent: { dailyTransactionLimit: 9 }, after: { dailyTransactionLimit: 9 } },
  ])("keeps $sent of the same call as sent", ({ sent, after }) => {
    const { policy, usage } = patched({ spendingLimits: { currency: "EUR", ...sent } });
    expect(policy.spendingLimits).toStrictEqual({ ...IN_EUR, ...after });
    expect(usage).toEqual(USAGE_IN_EUR);
  });

  test("keeps rules of the same call as sent", () => {
    const { policy } = patched({
      spendingLimits: { currency: "EUR" },
      accountRestrictions: { accountRules: [RULE] },
    });
    expect(policy.accountRestrictions).toStrictEqual({
      allowedAccountIds: [OWN],
      accountRules: [RULE],
    });
  });

  test("re-expresses rules when only the list of accounts is sent", () => {
    const { policy } = patched({
      spendingLimits: { currency: "EUR" },
      accountRestrictions: { allowedAccountIds: null },
    });
    expect(policy.accountRestrictions).toStrictEqual({
      allowedAccountIds: null,
      accountRules: RULES_IN_EUR,
    });
  });

  test("adds no limit that was not set", () => {
    const { dailyLimit, dailyTransactionLimit, ...limits } = POLICY.spendingLimits;
    const { accountRestrictions, approvalThresholds, ...rest } = POLICY;
    const policy = { ...rest, spendingLimits: { ...limits, monthlyLimit: null } };
    const patch = { spendingLimits: { currency: "EUR" } };
    expect(patched(patch, { policy }).policy).toStrictEqual({
      ...rest,
      spendingLimits: { currency: "EUR", perTransactionLimit: 36_800, monthlyLimit: null },
    });
  });

  test("uses the rate of this moment", () => {
    const view = worldWith({ EUR: "0.5" });
    const { policy, usage } = patched({ spendingLimits: { currency: "EUR" } }, { view });
    expect(policy.spendingLimits).toMatchObject({
      perTransactionLimit: 20_000,
      dailyLimit: 45_000,
    });
    expect(usage).toMatchObject({ dailySpendMinor: 12_500, monthlySpendMinor: 35_001 });
  });

  test.each([
    { from: "USDC", minor: 5_000, to: "USD", is: 1 },
    { from: "USDC", minor: 4_999, to: "USD", is: 0 },
    { from: "USDC", minor: 14_999, to: "USD", is: 1 },
    { from: "USDC", minor: 15_000, to: "USD", is: 2 },
    { from: "USD", minor: 1, to: "USDC", is: 10_000 },
    { from: "VND", minor: 122, to: "USD", is: 0 },
    { from: "VND", minor: 123, to: "USD", is: 1 },
    { from: "USD", minor: 1, to: "VND", is: 245 },
    { from: "BTC", minor: 4, to: "USD", is: 0 },
    { from: "BTC", minor: 5, to: "USD", is: 1 },
    { from: "USD", minor: 1, to: "BTC", is: 8 },
    { from: "USD", minor: 2, to: "BTC", is: 17 },
    { from: "EUR", minor: 0, to: "USD", is: 0 },
  ])("$minor $from are $is $to, rounded half up", ({ from, minor, to, is }) => {
    const policy: AgentPolicy = {
      ...POLICY,
      spendingLimits: { currency: from, perTransactionLimit: 1, dailyLimit: minor },
      accountRestrictions: {},
    };
    const usage = { ...USAGE, dailySpendMinor: minor, monthlySpendMinor: minor };
    const patch = { spendingLimits: { currency: to, perTransactionLimit: 1 } };
    const after = patched(patch, { policy, usage });
    expect(after.policy.spendingLimits).toMatchObject({ currency: to, dailyLimit: is });
    expect(after.usage).toMatchObject({ dailySpendMinor: is, monthlySpendMinor: is });
  });
});

const refusalOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return { word: error.word, ...error.details };
    throw error;
  }
  return undefined;
};

/** Most USD cents that are a valid amount of USDC, where a cent is 10,000 units. */
const MOST = 900_000_000_000;
const TOO_MUCH = 900_000_000_001;

/** An agent that may move 1 cent at once and has moved nothing, apart from one given amount. */
const agentWith = (given: { limits?: object; ruled?: number; used?: object }) => ({
  policy: {
    ...POLICY,
    spendingLimits: { currency: "USD", perTransactionLimit: 1, ...given.limits },
    accountRestrictions: {
      accountRules: [{ accountId: OWN, perTransactionLimit: given.ruled ?? 1 }],
    },
  },
  usage: { ...USAGE, dailySpendMinor: 0, monthlySpendMinor: 0, ...given.used },
});

const PLACES = [
  {
    name: "perTransactionLimit",
    give: (minor: number) => agentWith({ limits: { perTransactionLimit: minor } }),
  },
  { name: "dailyLimit", give: (minor: number) => agentWith({ limits: { dailyLimit: minor } }) },
  { name: "monthlyLimit", give: (minor: number) => agentWith({ limits: { monthlyLimit: minor } }) },
  { name: "a rule's limit", give: (minor: number) => agentWith({ ruled: minor }) },
  { name: "dailySpend", give: (minor: number) => agentWith({ used: { dailySpendMinor: minor } }) },
  {
    name: "monthlySpend",
    give: (minor: number) => agentWith({ used: { monthlySpendMinor: minor } }),
  },
];

describe("an amount above the largest one", () => {
  const patch = { spendingLimits: { currency: "USDC" } };

  test.each(PLACES)("is refused as $name", ({ give }) => {
    expect(refusalOf(() => patched(patch, give(MOST)))).toBeUndefined();
    expect(refusalOf(() => patched(patch, give(TOO_MUCH)))).toEqual({
      word: "AMOUNT_OUT_OF_RANGE",
      field: "spendingLimits.currency",
      value: "USDC",
      max: 9_000_000_000_000_000,
    });
  });

  test.each([
    { limits: { perTransactionLimit: TOO_MUCH }, sent: { perTransactionLimit: 1 } },
    { limits: { dailyLimit: TOO_MUCH }, sent: { dailyLimit: null } },
    { limits: { monthlyLimit: TOO_MUCH }, sent: { monthlyLimit: 5 } },
  ])("is avoided by sending $sent too", ({ limits, sent }) => {
    const patch = { spendingLimits: { currency: "USDC", ...sent } };
    expect(patched(patch, agentWith({ limits })).policy.spendingLimits).toMatchObject(sent);
  });

  test("is avoided by sending other rules too", () => {
    const accountRestrictions = { accountRules: [RULE] };
    const { policy } = patched({ ...patch, accountRestrictions }, agentWith({ ruled: TOO_MUCH }));
    expect(policy.accountRestrictions).toEqual(accountRestrictions);
  });
});
