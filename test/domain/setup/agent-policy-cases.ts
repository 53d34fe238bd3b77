import type { PolicyCheck } from "../../../src/contract/agents/agent-actions.ts";
import type { AgentPermission, AgentPolicy } from "../../../src/contract/agents/agents.ts";
import type { JudgedAction } from "../../../src/domain/agents/agent-policy.ts";
import { A, B, type Differing, type RowName } from "./judged-agent.ts";

/** An agent, a payment, and the complete check of one row. */
export interface PolicyCase extends Differing {
  what: string;
  action?: Partial<JudgedAction>;
  check: Omit<PolicyCheck, "name">;
}

type Rule = Omit<
  NonNullable<NonNullable<AgentPolicy["accountRestrictions"]>["accountRules"]>[0],
  "accountId"
>;

const usd = (minor: number) => ({ amount: { minor, currency: "USD" as const } });
const touching = (...ids: string[]) => ({ accounts: { ids, ruling: ids[0] } });
const needing = (...needs: AgentPermission[]) => ({ needs });
const granting = (...permissions: AgentPermission[]) => ({ permissions });
const ruling = (accountId: string, rule: Rule) => ({
  accountRestrictions: { accountRules: [{ accountId, ...rule }] },
});
const allowing = (allowedAccountIds: string[] | null) => ({
  accountRestrictions: { allowedAccountIds },
});
const asking = (amount: number | null) => ({ approvalThresholds: { currency: "USD", amount } });

const within = (limit: number, value: number) => ({ passed: true, limit, value, currency: "USD" });
const above = (limit: number, value: number) => ({ ...within(limit, value), passed: false });
const unbounded = (value: number) => ({ passed: true, value, currency: "USD" });

const pauses: PolicyCase[] = [
  { what: "a running agent", check: { passed: true, limit: false, value: false } },
  { what: "a paused agent", isPaused: true, check: { passed: false, limit: false, value: true } },
];

const permissions: PolicyCase[] = [
  {
    what: "one that it has",
    check: { passed: true, limit: ["CREATE_TRANSFERS"], value: ["CREATE_TRANSFERS"] },
  },
  {
    what: "one that it has not",
    action: needing("EXECUTE_QUOTES"),
    check: { passed: false, limit: ["EXECUTE_QUOTES"], value: ["CREATE_TRANSFERS"] },
  },
  {
    what: "one of those that there are, without any",
    policy: granting(),
    check: { passed: false, limit: ["CREATE_TRANSFERS"], value: [] },
  },
  {
    what: "nothing, without any",
    policy: granting(),
    action: needing(),
    check: { passed: true, limit: [], value: [] },
  },
  {
    what: "two that it has",
    policy: granting("EXECUTE_QUOTES", "CREATE_QUOTES"),
    action: needing("CREATE_QUOTES", "EXECUTE_QUOTES"),
    check: {
      passed: true,
      limit: ["CREATE_QUOTES", "EXECUTE_QUOTES"],
      value: ["EXECUTE_QUOTES", "CREATE_QUOTES"],
    },
  },
  {
    what: "two, of which it has the first",
    policy: granting("CREATE_QUOTES"),
    action: needing("CREATE_QUOTES", "EXECUTE_QUOTES"),
    check: {
      passed: false,
      limit: ["CREATE_QUOTES", "EXECUTE_QUOTES"],
      value: ["CREATE_QUOTES"],
    },
  },
  {
    what: "two, of which it has the second",
    policy: granting("EXECUTE_QUOTES"),
    action: needing("CREATE_QUOTES", "EXECUTE_QUOTES"),
    check: {
      passed: false,
      limit: ["CREATE_QUOTES", "EXECUTE_QUOTES"],
      value: ["EXECUTE_QUOTES"],
    },
  },
];

const bothAccounts = touching(A, B);

const restrictions: PolicyCase[] = [
  { what: "no restrictions", check: { passed: true, value: [A] } },
  {
    what: "restrictions without a list",
    policy: ruling(B, {}),
    check: { passed: true, value: [A] },
  },
  { what: "a lifted list", policy: allowing(null), check: { passed: true, value: [A] } },
  { what: "an empty list", policy: allowing([]), check: { passed: false, limit: [], value: [A] } },
  {
    what: "an empty list, where only accounts outside are touched",
    policy: allowing([]),
    action: touching(),
    check: { passed: true, limit: [], value: [] },
  },
  {
    what: "a list that holds it",
    policy: allowing([B, A]),
    check: { passed: true, limit: [B, A], value: [A] },
  },
  {
    what: "a list of another",
    policy: allowing([B]),
    check: { passed: false, limit: [B], value: [A] },
  },
  {
    what: "a list that holds both",
    policy: allowing([B, A]),
    action: bothAccounts,
    check: { passed: true, limit: [B, A], value: [A, B] },
  },
  {
    what: "a list of the paying one of two",
    policy: allowing([A]),
    action: bothAccounts,
    check: { passed: false, limit: [A], value: [A, B] },
  },
  {
    what: "a list of the paid one of two",
    policy: allowing([B]),
    action: bothAccounts,
    check: { passed: false, limit: [B], value: [A, B] },
  },
];

const lower = ruling(A, { perTransactionLimit: 9_999 });
const higher = ruling(A, { perTransactionLimit: 50_000 });
const other = ruling(B, { perTransactionLimit: 1 });

const perTransaction: PolicyCase[] = [
  { what: "reached", action: usd(40_000), check: within(40_000, 40_000) },
  { what: "exceeded", action: usd(40_001), check: above(40_000, 40_001) },
  {
    what: "reached, and more was moved before",
    used: { dailySpendMinor: 99_999, monthlySpendMinor: 99_999 },
    action: usd(40_000),
    check: within(40_000, 40_000),
  },
  {
    what: "a rule's lower, reached",
    policy: lower,
    action: usd(9_999),
    check: within(9_999, 9_999),
  },
  { what: "a rule's lower, exceeded", policy: lower, check: above(9_999, 10_000) },
  {
    what: "a rule's higher, reached",
    policy: higher,
    action: usd(50_000),
    check: within(50_000, 50_000),
  },
  {
    what: "a rule's higher, exceeded",
    policy: higher,
    action: usd(50_001),
    check: above(50_000, 50_001),
  },
  {
    what: "inherited by a rule with null",
    policy: ruling(A, { perTransactionLimit: null }),
    action: usd(40_001),
    check: above(40_000, 40_001),
  },
  {
    what: "inherited by a rule about the mode",
    policy: ruling(A, { executionMode: "AUTO" }),
    action: usd(40_001),
    check: above(40_000, 40_001),
  },
  { what: "another account's rule", policy: other, check: within(40_000, 10_000) },
  {
    what: "the paid account's rule",
    policy: other,
    action: bothAccounts,
    check: within(40_000, 10_000),
  },
  {
    what: "a rule, where no account rules",
    policy: lower,
    action: touching(),
    check: within(40_000, 10_000),
  },
  {
    what: "a rule's, in the limits' currency",
    limits: { currency: "EUR" },
    policy: ruling(A, { perTransactionLimit: 9_199 }),
    check: { ...above(9_199, 9_200), currency: "EUR" },
  },
];

const counted = (dailyTransactionCount: number) => ({ dailyTransactionCount });

const dailyCount: PolicyCase[] = [
  { what: "none", used: counted(1_000), check: { passed: true, value: 1_001 } },
  {
    what: "of 0",
    limits: { dailyTransactionLimit: 0 },
    check: { passed: false, limit: 0, value: 1 },
  },
  {
    what: "of 1, reached",
    limits: { dailyTransactionLimit: 1 },
    check: { passed: true, limit: 1, value: 1 },
  },
  {
    what: "of 4, reached",
    limits: { dailyTransactionLimit: 4 },
    used: counted(3),
    check: { passed: true, limit: 4, value: 4 },
  },
  {
    what: "of 4, exceeded",
    limits: { dailyTransactionLimit: 4 },
    used: counted(4),
    check: { passed: false, limit: 4, value: 5 },
  },
];

const daily: PolicyCase[] = [
  { what: "none", used: { dailySpendMinor: 5 }, check: unbounded(10_005) },
  { what: "removed", limits: { dailyLimit: null }, check: unbounded(10_000) },
  { what: "of 0", limits: { dailyLimit: 0 }, action: usd(1), check: above(0, 1) },
  { what: "reached at once", limits: { dailyLimit: 10_000 }, check: within(10_000, 10_000) },
  { what: "exceeded at once", limits: { dailyLimit: 9_999 }, check: above(9_999, 10_000) },
  {
    what: "reached with what the day has seen",
    limits: { dailyLimit: 15_000 },
    used: { dailySpendMinor: 5_000 },
    check: within(15_000, 15_000),
  },
  {
    what: "exceeded with what the day has seen",
    limits: { dailyLimit: 15_000 },
    used: { dailySpendMinor: 5_001 },
    check: above(15_000, 15_001),
  },
  {
    what: "reached, and the month has seen more",
    limits: { dailyLimit: 10_000 },
    used: { monthlySpendMinor: 90_000 },
    check: within(10_000, 10_000),
  },
];

const monthly: PolicyCase[] = [
  { what: "none", used: { monthlySpendMinor: 5 }, check: unbounded(10_005) },
  { what: "removed", limits: { monthlyLimit: null }, check: unbounded(10_000) },
  { what: "of 0", limits: { monthlyLimit: 0 }, action: usd(1), check: above(0, 1) },
  {
    what: "reached with what the month has seen",
    limits: { monthlyLimit: 90_000 },
    used: { monthlySpendMinor: 80_000 },
    check: within(90_000, 90_000),
  },
  {
    what: "exceeded with what the month has seen",
    limits: { monthlyLimit: 90_000 },
    used: { monthlySpendMinor: 80_001 },
    check: above(90_000, 90_001),
  },
  {
    what: "reached, and today is part of the month",
    limits: { monthlyLimit: 90_000 },
    used: { dailySpendMinor: 80_000, monthlySpendMinor: 80_000 },
    check: within(90_000, 90_000),
  },
];

const thresholds: PolicyCase[] = [
  { what: "none", check: { passed: true } },
  { what: "an empty one", policy: { approvalThresholds: {} }, check: { passed: true } },
  {
    what: "a currency alone",
    policy: { approvalThresholds: { currency: "USD" } },
    check: { passed: true },
  },
  { what: "lifted", policy: asking(null), check: { passed: true } },
  { what: "not reached", policy: asking(10_001), check: within(10_001, 10_000) },
  { what: "reached", policy: asking(10_000), check: within(10_000, 10_000) },
  { what: "exceeded", policy: asking(9_999), check: above(9_999, 10_000) },
  { what: "of 0", policy: asking(0), action: usd(1), check: above(0, 1) },
  {
    what: "reached, and more was moved before",
    policy: asking(10_000),
    used: { dailySpendMinor: 90_000, monthlySpendMinor: 90_000 },
    check: within(10_000, 10_000),
  },
];

const ASKS = { defaultExecutionMode: "APPROVAL_REQUIRED" } as const;
const acts = { passed: true, limit: "AUTO", value: "AUTO" };
const waits = { passed: false, limit: "AUTO", value: "APPROVAL_REQUIRED" };

const modes: PolicyCase[] = [
  { what: "AUTO", check: acts },
  { what: "APPROVAL_REQUIRED", policy: ASKS, check: waits },
  {
    what: "AUTO, and the account asks",
    policy: ruling(A, { executionMode: "APPROVAL_REQUIRED" }),
    check: waits,
  },
  {
    what: "APPROVAL_REQUIRED, and the account acts",
    policy: { ...ASKS, ...ruling(A, { executionMode: "AUTO" }) },
    check: acts,
  },
  {
    what: "APPROVAL_REQUIRED, inherited by a rule about the limit",
    policy: { ...ASKS, ...ruling(A, { perTransactionLimit: 40_000 }) },
    check: waits,
  },
  {
    what: "AUTO, and another account asks",
    policy: ruling(B, { executionMode: "APPROVAL_REQUIRED" }),
    check: acts,
  },
  {
    what: "AUTO, and the paid account asks",
    policy: ruling(B, { executionMode: "APPROVAL_REQUIRED" }),
    action: bothAccounts,
    check: acts,
  },
];

/**
 * Both sides of every boundary: a limit may be reached, a threshold must be exceeded
 * (spec/agent-policy.md#rows). Only the named row stands against the payment.
 */
export const POLICY_CASES: Record<RowName, PolicyCase[]> = {
  paused: pauses,
  permission: permissions,
  accountRestriction: restrictions,
  perTransactionLimit: perTransaction,
  dailyTransactionLimit: dailyCount,
  dailyLimit: daily,
  monthlyLimit: monthly,
  approvalThreshold: thresholds,
  executionMode: modes,
};
