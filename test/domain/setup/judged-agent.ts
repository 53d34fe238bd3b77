import type { AgentPolicy } from "../../../src/contract/agents/agents.ts";
import type { JudgedAction, JudgedAgent } from "../../../src/domain/agents/agent-policy.ts";
import { UNITS_PER_USD } from "../../../src/domain/money/rates.ts";
import type { AgentUsageRecord } from "../../../src/domain/records/agent-records.ts";

/** Two internal accounts of the agent's customer. */
export const A = "InternalAccount:a";
export const B = "InternalAccount:b";

/** Differences from an agent that has done nothing and may move 400.00 USD at once. */
export interface Differing {
  isPaused?: boolean;
  policy?: Partial<Omit<AgentPolicy, "spendingLimits">>;
  limits?: Partial<AgentPolicy["spendingLimits"]>;
  used?: Partial<AgentUsageRecord>;
}

export const agentWith = ({ isPaused = false, ...differing }: Differing = {}): JudgedAgent => ({
  agent: {
    id: "Agent:1",
    isPaused,
    policy: {
      permissions: ["CREATE_TRANSFERS"],
      defaultExecutionMode: "AUTO",
      ...differing.policy,
      spendingLimits: { currency: "USD", perTransactionLimit: 40_000, ...differing.limits },
    },
  },
  usage: {
    day: "2026-01-05",
    dailyTransactionCount: 0,
    dailySpendMinor: 0,
    monthlySpendMinor: 0,
    ...differing.used,
  },
  rates: UNITS_PER_USD,
});

/** 100.00 USD out of account A, with all facts known. */
export const PAYMENT = {
  needs: ["CREATE_TRANSFERS"],
  initiates: true,
  accounts: { ids: [A], ruling: A },
  amount: { minor: 10_000, currency: "USD" },
} as const satisfies JudgedAction;

/** The policy's rows in order (spec/agent-policy.md#rows). */
export const ORDER = [
  "paused",
  "permission",
  "accountRestriction",
  "perTransactionLimit",
  "dailyTransactionLimit",
  "dailyLimit",
  "monthlyLimit",
  "approvalThreshold",
  "executionMode",
] as const;
export type RowName = (typeof ORDER)[number];

/** The consequence of each row that does not pass (spec/agent-policy.md#rows). */
export const CONSEQUENCES: Record<RowName, { otherwise: "deny" | "ask"; refusal?: string }> = {
  paused: { otherwise: "deny", refusal: "AGENT_PAUSED" },
  permission: { otherwise: "deny", refusal: "PERMISSION_DENIED" },
  accountRestriction: { otherwise: "deny", refusal: "ACCOUNT_NOT_ALLOWED" },
  perTransactionLimit: { otherwise: "deny", refusal: "PER_TRANSACTION_LIMIT_EXCEEDED" },
  dailyTransactionLimit: { otherwise: "deny", refusal: "DAILY_TRANSACTION_LIMIT_EXCEEDED" },
  dailyLimit: { otherwise: "deny", refusal: "DAILY_LIMIT_EXCEEDED" },
  monthlyLimit: { otherwise: "deny", refusal: "MONTHLY_LIMIT_EXCEEDED" },
  approvalThreshold: { otherwise: "ask" },
  executionMode: { otherwise: "ask" },
};
