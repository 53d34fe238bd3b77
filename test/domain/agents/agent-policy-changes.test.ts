import { describe, expect, test } from "vitest";
import type {
  AgentPolicy,
  AgentPolicyInput,
  AgentPolicyPatch,
} from "../../../src/contract/agents/agents.ts";
import { newPolicy, patchedPolicy } from "../../../src/domain/agents/agent-policy-changes.ts";
import type { View } from "../../../src/domain/core/draft.ts";
import { Refusal } from "../../../src/domain/core/refusal.ts";
import type { AgentUsageRecord } from "../../../src/domain/records/agent-records.ts";

const OWN = "InternalAccount:own";
const SECOND = "InternalAccount:second";
const FOREIGN = "InternalAccount:foreign";
const PLATFORM = "InternalAccount:platform";
const OUTSIDE = "ExternalAccount:own";
const CUSTOMER = "Customer:1";

const RECORDS: Record<string, Record<string, object>> = {
  InternalAccount: {
    [OWN]: { customerId: CUSTOMER },
    [SECOND]: { customerId: CUSTOMER },
    [FOREIGN]: { customerId: "Customer:2" },
    [PLATFORM]: {},
  },
  ExternalAccount: { [OUTSIDE]: { customerId: CUSTOMER } },
};

/** A world with a few accounts and the rates of the table. */
const WORLD: View = {
  get: (kind, id) => RECORDS[kind]?.[id] as never,
  ids: () => [],
  balanceMinor: () => 0n,
};

const POLICY: AgentPolicy = {
  permissions: ["VIEW_TRANSACTIONS", "CREATE_TRANSFERS"],
  defaultExecutionMode: "AUTO",
  spendingLimits: {
    currency: "USD",
    perTransactionLimit: 40_000,
    dailyLimit: 90_000,
    dailyTransactionLimit: 4,
    monthlyLimit: null,
  },
  accountRestrictions: {
    allowedAccountIds: [OWN],
    accountRules: [
      { accountId: OWN, executionMode: "APPROVAL_REQUIRED", perTransactionLimit: 15_000 },
      { accountId: SECOND, perTransactionLimit: null },
    ],
  },
  approvalThresholds: { currency: "USD", amount: 20_000 },
};

const USAGE: AgentUsageRecord = {
  day: "2026-01-05",
  dailyTransactionCount: 2,
  dailySpendMinor: 25_000,
  monthlySpendMinor: 70_001,
};

const created = (policy: object) => newPolicy(WORLD, CUSTOMER, policy as AgentPolicyInput);
const patched = (patch: object, policy = POLICY) =>
  patchedPolicy(WORLD, { customerId: CUSTOMER, policy, usage: USAGE }, patch as AgentPolicyPatch);

const refusalOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return { word: error.word, ...error.details };
    throw error;
  }
  return undefined;
};

const LEAST = {
  permissions: [],
  defaultExecutionMode: "AUTO",
  spendingLimits: { currency: "USD", perTransactionLimit: 1 },
};

describe("a new policy", () => {
  test("is stored as sent, without additions even to a minimal one", () => {
    expect(created(POLICY)).toEqual(POLICY);
    expect(created(LEAST)).toStrictEqual(LEAST);
  });

  test("has no members that were left out", () => {
    const policy = {
      ...LEAST,
      spendingLimits: { currency: "USD", perTransactionLimit: 1, dailyLimit: undefined },
      accountRestrictions: { allowedAccountIds: undefined, accountRules: undefined },
      approvalThresholds: { currency: undefined, amount: null },
    };
    expect(created(policy)).toStrictEqual({
      ...LEAST,
      accountRestrictions: {},
      approvalThresholds: { amount: null },
    });
  });

  test("keeps repeated permissions and accounts once", () => {
    const permissions = ["CREATE_QUOTES", "VIEW_TRANSACTIONS", "CREATE_QUOTES"];
    const accountRestrictions = { allowedAccountIds: [SECOND, OWN, SECOND] };
    expect(created({ ...LEAST, permissions, accountRestrictions })).toMatchObject({
      permissions: ["CREATE_QUOTES", "VIEW_TRANSACTIONS"],
      accountRestrictions: { allowedAccountIds: [SECOND, OWN] },
    });
  });
});

describe("a patch", () => {
  test("without members changes nothing", () => {
    expect(patched({})).toEqual({ policy: POLICY, usage: USAGE });
  });

  /**
   * Changes to a policy, with every member that differs afterwards
   * (spec/agent-policy.md#policy-changes).
   */
  const limits = POLICY.spendingLimits;
  const rules = POLICY.accountRestrictions?.accountRules;
  test.each([
    {
      what: "replaces the whole list of permissions",
      patch: { permissions: ["EXECUTE_QUOTES", "EXECUTE_QUOTES"] },
      after: { permissions: ["EXECUTE_QUOTES"] },
    },
    { what: "takes every permission", patch: { permissions: [] }, after: { permissions: [] } },
    {
      what: "replaces the mode",
      patch: { defaultExecutionMode: "APPROVAL_REQUIRED" },
      after: { defaultExecutionMode: "APPROVAL_REQUIRED" },
    },
    { what: "of no limits keeps them", patch: { spendingLimits: {} }, after: {} },
    {
      what: "replaces one limit and keeps the others",
      patch: { spendingLimits: { perTransactionLimit: 1 } },
      after: { spendingLimits: { ...limits, perTransactionLimit: 1 } },
    },
    {
      what: "replaces all limits, down to 0",
      patch: { spendingLimits: { dailyLimit: 0, dailyTransactionLimit: 0, monthlyLimit: 0 } },
      after: {
        spendingLimits: { ...limits, dailyLimit: 0, dailyTransactionLimit: 0, monthlyLimit: 0 },
      },
    },
    {
      what: "removes a limit with null",
      patch: { spendingLimits: { dailyLimit: null } },
      after: { spendingLimits: { ...limits, dailyLimit: null } },
    },
    {
      what: "that names the same currency re-expresses nothing",
      patch: { spendingLimits: { currency: "USD", dailyLimit: 80_000 } },
      after: { spendingLimits: { ...limits, dailyLimit: 80_000 } },
    },
    {
      what: "of no restrictions keeps them",
      patch: { accountRestrictions: {} },
      after: {},
    },
    {
      what: "replaces the list of accounts and keeps the rules",
      patch: { accountRestrictions: { allowedAccountIds: [SECOND, OWN] } },
      after: { accountRestrictions: { allowedAccountIds: [SECOND, OWN], accountRules: rules } },
    },
    {
      what: "closes every account with an empty list",
      patch: { accountRestrictions: { allowedAccountIds: [] } },
      after: { accountRestrictions: { allowedAccountIds: [], accountRules: rules } },
    },
    {
      what: "lifts the list with null",
      patch: { accountRestrictions: { allowedAccountIds: null } },
      after: { accountRestrictions: { allowedAccountIds: null, accountRules: rules } },
    },
    {
      what: "replaces all rules and keeps the list",
      patch: { accountRestrictions: { accountRules: [{ accountId: SECOND }] } },
      after: {
        accountRestrictions: {
          allowedAccountIds: [OWN],
          accountRules: [{ accountId: SECOND }],
        },
      },
    },
    {
      what: "drops all rules with an empty list of them",
      patch: { accountRestrictions: { accountRules: [] } },
      after: { accountRestrictions: { allowedAccountIds: [OWN], accountRules: [] } },
    },
    { what: "of no threshold keeps it", patch: { approvalThresholds: {} }, after: {} },
    {
      what: "replaces the threshold's amount and keeps its currency",
      patch: { approvalThresholds: { amount: 0 } },
      after: { approvalThresholds: { currency: "USD", amount: 0 } },
    },
    {
      what: "replaces the threshold's currency and keeps its amount",
      patch: { approvalThresholds: { currency: "EUR" } },
      after: { approvalThresholds: { currency: "EUR", amount: 20_000 } },
    },
    {
      what: "lifts the threshold with null",
      patch: { approvalThresholds: { amount: null } },
      after: { approvalThresholds: { currency: "USD", amount: null } },
    },
  ])("$what", ({ patch, after }) => {
    expect(patched(patch)).toStrictEqual({ policy: { ...POLICY, ...after }, usage: USAGE });
  });

  test("adds parts that the policy lacks", () => {
    const policy = created(LEAST);
    const patch = {
      spendingLimits: { dailyLimit: 5 },
      accountRestrictions: { accountRules: [{ accountId: OWN, executionMode: undefined }] },
      approvalThresholds: { currency: "EUR", amount: 7 },
    };
    expect(patched(patch, policy).policy).toStrictEqual({
      ...LEAST,
      spendingLimits: { currency: "USD", perTransactionLimit: 1, dailyLimit: 5 },
      accountRestrictions: { accountRules: [{ accountId: OWN }] },
      approvalThresholds: { currency: "EUR", amount: 7 },
    });
  });

  test("does not change the old policy object", () => {
    const policy = structuredClone(POLICY);
    patched({ spendingLimits: { currency: "VND", dailyLimit: 1 } }, policy);
    expect(policy).toEqual(POLICY);
  });
});

/** Bad values of a policy, each by its path in the request. */
const WRONG = [
  {
    what: "an unknown currency of the limits",
    parts: { spendingLimits: { currency: "XYZ", perTransactionLimit: 1 } },
    details: { word: "INVALID_INPUT", field: "spendingLimits.currency", value: "XYZ" },
  },
  {
    what: "a currency in small letters",
    parts: { spendingLimits: { currency: "usd", perTransactionLimit: 1 } },
    details: { word: "INVALID_INPUT", field: "spendingLimits.currency", value: "usd" },
  },
  {
    what: "an unknown currency of the threshold",
    parts: { approvalThresholds: { currency: "toString", amount: 1 } },
    details: { word: "INVALID_INPUT", field: "approvalThresholds.currency", value: "toString" },
  },
  {
    what: "an unknown currency of a lifted threshold",
    parts: { approvalThresholds: { currency: "XYZ", amount: null } },
    details: { word: "INVALID_INPUT", field: "approvalThresholds.currency", value: "XYZ" },
  },
  ...[
    { id: "InternalAccount:unknown", word: "ACCOUNT_NOT_FOUND" },
    { id: CUSTOMER, word: "ACCOUNT_NOT_FOUND" },
    { id: FOREIGN, word: "OWNER_MISMATCH" },
    { id: PLATFORM, word: "OWNER_MISMATCH" },
    { id: OUTSIDE, word: "ACCOUNT_KIND_NOT_ALLOWED" },
  ].flatMap(({ id, word }) => [
    {
      what: `${id} in the list`,
      parts: { accountRestrictions: { allowedAccountIds: [OWN, id] } },
      details: { word, field: "accountRestrictions.allowedAccountIds.1", value: id },
    },
    {
      what: `${id} in a rule`,
      parts: { accountRestrictions: { accountRules: [{ accountId: OWN }, { accountId: id }] } },
      details: { word, field: "accountRestrictions.accountRules.1.accountId", value: id },
    },
  ]),
  {
    what: "two rules for one account",
    parts: {
      accountRestrictions: {
        accountRules: [{ accountId: OWN }, { accountId: SECOND }, { accountId: OWN }],
      },
    },
    details: {
      word: "INVALID_INPUT",
      field: "accountRestrictions.accountRules.2.accountId",
      value: OWN,
    },
  },
];

describe.each(WRONG)("$what", ({ parts, details }) => {
  const { field } = details;

  test("is refused in a new policy", () => {
    const refused = refusalOf(() => created({ ...LEAST, ...parts }));
    expect(refused).toMatchObject({ ...details, field: `policy.${field}` });
  });

  test("is refused in a patch", () => {
    expect(refusalOf(() => patched(parts))).toMatchObject(details);
  });
});

describe("a threshold's amount without its currency", () => {
  const alone = { approvalThresholds: { amount: 0 } };

  test("is refused in a new policy", () => {
    expect(refusalOf(() => created({ ...LEAST, ...alone }))).toEqual({
      word: "INVALID_INPUT",
      field: "policy.approvalThresholds.currency",
    });
  });

  test("is refused in a patch of a policy that has none", () => {
    const policy = created(LEAST);
    expect(refusalOf(() => patched(alone, policy))).toEqual({
      word: "INVALID_INPUT",
      field: "approvalThresholds.currency",
    });
    const nothing = { approvalThresholds: { amount: null } };
    expect(patched(nothing, policy).policy.approvalThresholds).toEqual({ amount: null });
  });
});
