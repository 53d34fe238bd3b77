import { describe, expect, test } from "vitest";
import type { AgentPolicy } from "../../../src/contract/agents/agents.ts";
import {
  DENYING_ROWS,
  type JudgedAction,
  judgeAction,
  POLICY_ROWS,
  requireNotDenied,
} from "../../../src/domain/agents/agent-policy.ts";
import { errorBody, Refusal } from "../../../src/domain/core/refusal.ts";
import { POLICY_CASES } from "../setup/agent-policy-cases.ts";
import {
  A,
  agentWith,
  B,
  CONSEQUENCES,
  type Differing,
  ORDER,
  PAYMENT,
} from "../setup/judged-agent.ts";

describe("the policy", () => {
  test("has nine rows, in this order", () => {
    expect(POLICY_ROWS.map(({ name }) => name)).toEqual(ORDER);
  });

  test.each(POLICY_ROWS.map((row) => ({ ...row })))("says what $name lets pass", (row) => {
    expect(row.says).toMatch(/^\S.*[^.\s]$/);
    const { otherwise } = row;
    expect({ otherwise, ...("refusal" in row && { refusal: row.refusal }) }).toEqual(
      CONSEQUENCES[row.name],
    );
  });

  test("checks everything but consent again after an approval", () => {
    expect(DENYING_ROWS.map(({ name }) => name)).toEqual(ORDER.slice(0, 7));
  });
});

describe.each(ORDER)("%s", (name) => {
  test.each(POLICY_CASES[name])("$what: passed is $check.passed", ({ action, check, ...who }) => {
    const { checks, ...decided } = judgeAction(agentWith(who), { ...PAYMENT, ...action });
    expect(checks.map((one) => one.name)).toEqual(ORDER);
    expect(checks[ORDER.indexOf(name)]).toEqual({ name, ...check });
    expect(decided).toEqual(
      check.passed
        ? { decision: "allow", decidedBy: "executionMode" }
        : { decision: CONSEQUENCES[name].otherwise, decidedBy: name },
    );
  });

  test("has cases on both sides", () => {
    const sides = POLICY_CASES[name].map(({ check }) => check.passed);
    expect([sides.includes(true), sides.includes(false)]).toEqual([true, true]);
  });
});

/** Every obstacle at once; each later row takes one of them away. */
const OBSTACLES: Differing = {
  isPaused: true,
  policy: {
    permissions: [],
    defaultExecutionMode: "APPROVAL_REQUIRED",
    accountRestrictions: { allowedAccountIds: [] },
    approvalThresholds: { currency: "USD", amount: 0 },
  },
  limits: { perTransactionLimit: 1, dailyTransactionLimit: 0, dailyLimit: 0, monthlyLimit: 0 },
};

const policy = (given: Partial<AgentPolicy>) => (who: Differing) => ({
  ...who,
  policy: { ...who.policy, ...given },
});
const limits = (given: Differing["limits"]) => (who: Differing) => ({
  ...who,
  limits: { ...who.limits, ...given },
});

const REMEDIES: Record<(typeof ORDER)[number], (who: Differing) => Differing> = {
  paused: (who) => ({ ...who, isPaused: false }),
  permission: policy({ permissions: ["CREATE_TRANSFERS"] }),
  accountRestriction: policy({ accountRestrictions: { allowedAccountIds: [A] } }),
  perTransactionLimit: limits({ perTransactionLimit: 10_000 }),
  dailyTransactionLimit: limits({ dailyTransactionLimit: 1 }),
  dailyLimit: limits({ dailyLimit: 10_000 }),
  monthlyLimit: limits({ monthlyLimit: 10_000 }),
  approvalThreshold: policy({ approvalThresholds: { currency: "USD", amount: 10_000 } }),
  executionMode: policy({ defaultExecutionMode: "AUTO" }),
};

const remedied = (count: number) =>
  ORDER.slice(0, count).reduce((who, name) => REMEDIES[name](who), OBSTACLES);

describe("the first row that does not pass decides", () => {
  test.each(ORDER.map((name, position) => ({ name, position })))("$name", ({ name, position }) => {
    const found = judgeAction(agentWith(remedied(position)), PAYMENT);
    expect(found).toMatchObject({ decision: CONSEQUENCES[name].otherwise, decidedBy: name });
    expect(found.checks.map((check) => [check.name, check.passed])).toEqual(
      ORDER.map((one, at) => [one, at < position]),
    );
  });

  test("and if all pass, the last judged row", () => {
    const who = agentWith(remedied(9));
    expect(judgeAction(who, PAYMENT)).toMatchObject({
      decision: "allow",
      decidedBy: "executionMode",
    });
    expect(judgeAction(who, PAYMENT, DENYING_ROWS)).toMatchObject({
      decision: "allow",
      decidedBy: "monthlyLimit",
    });
  });

  test("a limit denies even where a person would be asked", () => {
    const who = agentWith({
      policy: { defaultExecutionMode: "APPROVAL_REQUIRED" },
      limits: { perTransactionLimit: 9_999 },
    });
    expect(judgeAction(who, PAYMENT)).toMatchObject({
      decision: "deny",
      decidedBy: "perTransactionLimit",
    });
  });

  test("a person's consent replaces threshold and mode, but no limit", () => {
    const asked = agentWith(remedied(7));
    expect(judgeAction(asked, PAYMENT).decision).toBe("ask");
    expect(judgeAction(asked, PAYMENT, DENYING_ROWS).decision).toBe("allow");
    const denied = agentWith(remedied(6));
    expect(judgeAction(denied, PAYMENT, DENYING_ROWS)).toMatchObject({
      decision: "deny",
      decidedBy: "monthlyLimit",
    });
  });
});

/**
 * Actions before their body is read, and quotes that are not executed
 * (spec/agent-policy.md#known-facts).
 */
describe("a row is judged only when its facts are known", () => {
  const ALL_KNOWN: JudgedAction = PAYMENT;
  const { needs, accounts, amount } = ALL_KNOWN;
  test.each([
    { what: "a read", action: { needs, initiates: false }, judged: ["permission"] },
    {
      what: "a beginning",
      action: { needs, initiates: true },
      judged: ["paused", "permission"],
    },
    {
      what: "a beginning between known accounts",
      action: { needs, initiates: true, accounts },
      judged: ["paused", "permission", "accountRestriction"],
    },
    {
      what: "a beginning with an amount",
      action: { needs, initiates: true, amount },
      judged: ORDER.filter((name) => name !== "accountRestriction"),
    },
    {
      what: "what does not begin, with all the rest",
      action: { needs, initiates: false, accounts, amount },
      judged: ORDER.slice(1),
    },
  ] as { what: string; action: JudgedAction; judged: string[] }[])("$what", (row) => {
    const { decision, decidedBy, checks } = judgeAction(agentWith(remedied(9)), row.action);
    expect(checks.map(({ name }) => name)).toEqual(row.judged);
    expect({ decision, decidedBy }).toEqual({ decision: "allow", decidedBy: row.judged.at(-1) });
  });

  test("a paused agent may read what it has the permission for", () => {
    const reading: JudgedAction = { needs: ["VIEW_TRANSACTIONS"], initiates: false };
    const reader = { isPaused: true, policy: { permissions: ["VIEW_TRANSACTIONS" as const] } };
    expect(judgeAction(agentWith(reader), reading).decision).toBe("allow");
    expect(judgeAction(agentWith({ isPaused: true }), reading)).toMatchObject({
      decision: "deny",
      decidedBy: "permission",
    });
  });

  test("used-up limits deny nothing without an amount", () => {
    const usedUp = remedied(3);
    const action: JudgedAction = { needs: ["CREATE_TRANSFERS"], initiates: true };
    expect(judgeAction(agentWith(usedUp), action).decision).toBe("allow");
  });
});

const refusalOf = (who: Differing, action: JudgedAction) => {
  const judged = agentWith(who);
  try {
    requireNotDenied(judged, action, judgeAction(judged, action));
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  return undefined;
};

/** Denials of each row with their details (spec/agent-policy.md#denials). */
const DENIALS = [
  {
    name: "paused",
    reason: "AGENT_PAUSED",
    details: {},
    says: "The agent Agent:1 is paused",
  },
  {
    name: "permission",
    reason: "PERMISSION_DENIED",
    details: { requiredPermission: "CREATE_TRANSFERS" },
    says: "The agent's policy does not grant CREATE_TRANSFERS",
  },
  {
    name: "accountRestriction",
    reason: "ACCOUNT_NOT_ALLOWED",
    details: { accountId: A },
    says: `The agent's policy does not allow the account ${A}`,
  },
  {
    name: "perTransactionLimit",
    reason: "PER_TRANSACTION_LIMIT_EXCEEDED",
    details: { limit: 1, attempted: 10_000, currency: "USD" },
    says: "10000 is above the limit per transaction of 1, in minor units of USD",
  },
  {
    name: "dailyTransactionLimit",
    reason: "DAILY_TRANSACTION_LIMIT_EXCEEDED",
    details: { limit: 0, attempted: 1 },
    says: "This would be transaction 1 of the day, and the policy allows 0",
  },
  {
    name: "dailyLimit",
    reason: "DAILY_LIMIT_EXCEEDED",
    details: { limit: 0, attempted: 10_000, currency: "USD" },
    says: "10000 in one day is above the limit of 0, in minor units of USD",
  },
  {
    name: "monthlyLimit",
    reason: "MONTHLY_LIMIT_EXCEEDED",
    details: { limit: 0, attempted: 10_000, currency: "USD" },
    says: "10000 in one month is above the limit of 0, in minor units of USD",
  },
] as const;

describe("a denial", () => {
  test("exists for every row that denies", () => {
    expect(DENIALS.map(({ name }) => name)).toEqual(ORDER.slice(0, 7));
  });

  test.each(DENIALS)("by $name is 403 FORBIDDEN, $reason", ({ name, reason, details, says }) => {
    const who = remedied(ORDER.indexOf(name));
    const refusal = refusalOf(who, PAYMENT);
    if (!refusal) throw new Error(`Expected a refusal by ${name} but found none`);
    const { message, ...body } = errorBody(refusal);
    expect(message).toContain(`${says}. `);
    const { decision, decidedBy, checks } = judgeAction(agentWith(who), PAYMENT);
    expect(body).toEqual({
      status: 403,
      code: "FORBIDDEN",
      reason,
      details: { agentId: "Agent:1", ...details, decision, decidedBy, checks, reason },
    });
    expect(body.details).toMatchObject({ decision: "deny", decidedBy: name });
  });

  test("names the first missing permission and the first forbidden account", () => {
    const needs: JudgedAction["needs"] = ["CREATE_QUOTES", "EXECUTE_QUOTES"];
    const granted = { policy: { permissions: ["CREATE_QUOTES" as const] } };
    expect(refusalOf(granted, { needs, initiates: true })?.details).toMatchObject({
      requiredPermission: "EXECUTE_QUOTES",
    });
    const allowed = { policy: { accountRestrictions: { allowedAccountIds: [A] } } };
    const accounts = { ids: [A, B], ruling: A };
    expect(refusalOf(allowed, { ...PAYMENT, accounts })?.details).toMatchObject({ accountId: B });
  });

  test.each([
    ["is allowed", {}],
    ["waits for a person", { policy: { defaultExecutionMode: "APPROVAL_REQUIRED" as const } }],
  ])("is missing where an action %s", (_, who) => {
    expect(refusalOf(who, PAYMENT)).toBeUndefined();
  });
});
