import type {
  PolicyCheck,
  PolicyDecision,
  PolicyExplanation,
} from "../../contract/agents/agent-actions.ts";
import type { AgentPermission, ExecutionMode } from "../../contract/agents/agents.ts";
import { defined } from "../../contract/core/defined.ts";
import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { RefusalWord } from "../../contract/refusals.ts";
import { ceil, countable } from "../core/rational.ts";
import { refuse } from "../core/refusal.ts";
import { converted, type UnitsPerUsd } from "../money/rates.ts";
import type { AgentRecord, AgentUsageRecord } from "../records/agent-records.ts";

/**
 * Internal accounts of the customer that an action touches (spec/agent-policy.md#touched-accounts).
 */
export interface TouchedAccounts {
  ids: readonly string[];
  /** The one whose rule applies: the debited one, else the credited one. */
  ruling?: string | undefined;
}

/** The known facts of an action (spec/agent-policy.md#known-facts). */
export interface JudgedAction {
  /** The permissions that the action needs. */
  needs: readonly AgentPermission[];
  /** It starts an action, which a paused agent may not. */
  initiates: boolean;
  accounts?: TouchedAccounts;
  /** A bigint where a number could not hold it. */
  amount?: { minor: number | bigint; currency: CurrencyCode };
}

/** An agent as it is judged: its counters of today, and the rates of this instant. */
export interface JudgedAgent {
  agent: Pick<AgentRecord, "id" | "isPaused" | "policy">;
  usage: AgentUsageRecord;
  rates: UnitsPerUsd;
}

type CheckResult = Omit<PolicyCheck, "name">;

export interface PolicyRow {
  name: string;
  /** The condition that passes. */
  says: string;
  /** The decision when the row does not pass and no earlier row has decided. */
  otherwise: Exclude<PolicyDecision, "allow">;
  /** The refusal of a denial. */
  refusal?: RefusalWord;
  /** Undefined when too little is known of the action. */
  judge(who: JudgedAgent, action: JudgedAction): CheckResult | undefined;
}

const currencyOf = ({ agent }: JudgedAgent) => agent.policy.spendingLimits.currency as CurrencyCode;

/** An amount in another currency, rounded up (spec/agent-policy.md#amounts). */
export const convertedUp = (
  { minor, currency: from }: { minor: number | bigint; currency: CurrencyCode },
  to: CurrencyCode,
  rates: UnitsPerUsd,
): bigint => {
  return ceil(converted(countable(minor), { from, to }, rates));
};

/** An amount to the last digit: as digits where a JSON number would round it. */
const exact = (amount: bigint) =>
  amount > BigInt(Number.MAX_SAFE_INTEGER) ? String(amount) : Number(amount);

const ruleOf = ({ agent }: JudgedAgent, { accounts }: JudgedAction) =>
  agent.policy.accountRestrictions?.accountRules?.find(
    ({ accountId }) => accountId === accounts?.ruling,
  );

/** An amount against a bound that may be reached; no bound: it passes. */
const atMost = (
  found: bigint,
  limit: number | null | undefined,
  currency: string,
): CheckResult => ({
  passed: limit == null || found <= BigInt(limit),
  ...(limit != null && { limit }),
  value: exact(found),
  currency,
});

/** The amount in the currency of the limits, on top of what was moved already. */
const spent = (who: JudgedAgent, { amount }: JudgedAction, beforeMinor = 0) =>
  amount && BigInt(beforeMinor) + convertedUp(amount, currencyOf(who), who.rates);

const modeFor = (who: JudgedAgent, action: JudgedAction): ExecutionMode =>
  ruleOf(who, action)?.executionMode ?? who.agent.policy.defaultExecutionMode;

/**
 * The rows of the policy in the order of their checks; the first that does not pass decides
 * (spec/agent-policy.md#rows). A limit may be reached, a threshold must be exceeded.
 */
export const POLICY_ROWS = [
  {
    name: "paused",
    says: "the agent is not paused",
    otherwise: "deny",
    refusal: "AGENT_PAUSED",
    judge: ({ agent: { isPaused } }, { initiates }) =>
      initiates ? { passed: !isPaused, limit: false, value: isPaused } : undefined,
  },
  {
    name: "permission",
    says: "permissions include the action's permission",
    otherwise: "deny",
    refusal: "PERMISSION_DENIED",
    judge: ({ agent: { policy } }, { needs }) => ({
      passed: needs.every((needed) => policy.permissions.includes(needed)),
      limit: [...needs],
      value: [...policy.permissions],
    }),
  },
  {
    name: "accountRestriction",
    says: "allowedAccountIds includes every internal account of the action",
    otherwise: "deny",
    refusal: "ACCOUNT_NOT_ALLOWED",
    judge: ({ agent: { policy } }, { accounts }) => {
      const allowed = policy.accountRestrictions?.allowedAccountIds;
      return (
        accounts && {
          passed: allowed == null || accounts.ids.every((id) => allowed.includes(id)),
          ...(allowed != null && { limit: [...allowed] }),
          value: [...accounts.ids],
        }
      );
    },
  },
  {
    name: "perTransactionLimit",
    says: "the amount is at most the account rule's perTransactionLimit, else the agent's",
    otherwise: "deny",
    refusal: "PER_TRANSACTION_LIMIT_EXCEEDED",
    judge: (who, action) => {
      const found = spent(who, action);
      const { perTransactionLimit } = who.agent.policy.spendingLimits;
      const limit = ruleOf(who, action)?.perTransactionLimit ?? perTransactionLimit;
      return found === undefined ? undefined : atMost(found, limit, currencyOf(who));
    },
  },
  {
    name: "dailyTransactionLimit",
    says: "the day's count with this action is at most dailyTransactionLimit",
    otherwise: "deny",
    refusal: "DAILY_TRANSACTION_LIMIT_EXCEEDED",
    judge: ({ agent, usage }, { amount }) => {
      const limit = agent.policy.spendingLimits.dailyTransactionLimit;
      const value = usage.dailyTransactionCount + 1;
      const passed = limit === undefined || value <= limit;
      return amount && { passed, ...defined({ limit }), value };
    },
  },
  {
    name: "dailyLimit",
    says: "the day's spend with this action is at most dailyLimit",
    otherwise: "deny",
    refusal: "DAILY_LIMIT_EXCEEDED",
    judge: (who, action) => {
      const found = spent(who, action, who.usage.dailySpendMinor);
      const { dailyLimit } = who.agent.policy.spendingLimits;
      return found === undefined ? undefined : atMost(found, dailyLimit, currencyOf(who));
    },
  },
  {
    name: "monthlyLimit",
    says: "the month's spend with this action is at most monthlyLimit",
    otherwise: "deny",
    refusal: "MONTHLY_LIMIT_EXCEEDED",
    judge: (who, action) => {
      const found = spent(who, action, who.usage.monthlySpendMinor);
      const { monthlyLimit } = who.agent.policy.spendingLimits;
      return found === undefined ? undefined : atMost(found, monthlyLimit, currencyOf(who));
    },
  },
  {
    name: "approvalThreshold",
    says: "the amount is not above approvalThresholds.amount",
    otherwise: "ask",
    judge: ({ agent, rates }, { amount }) => {
      const { amount: limit, currency } = agent.policy.approvalThresholds ?? {};
      if (!amount) return undefined;
      if (limit == null || currency === undefined) return { passed: true };
      return atMost(convertedUp(amount, currency as CurrencyCode, rates), limit, currency);
    },
  },
  {
    name: "executionMode",
    says: "the account rule's executionMode, else defaultExecutionMode, is AUTO",
    otherwise: "ask",
    judge: (who, action) => {
      const value = modeFor(who, action);
      return action.amount && { passed: value === "AUTO", limit: "AUTO", value };
    },
  },
] as const satisfies readonly PolicyRow[];

const ROWS: readonly PolicyRow[] = POLICY_ROWS;

/**
 * Rows that are checked again at approval: consent replaces the others
 * (spec/agent-actions.md#approval).
 */
export const DENYING_ROWS = ROWS.filter(({ otherwise }) => otherwise === "deny");

/** Judges an action by rows of the policy, all of them unless told otherwise. */
export const judgeAction = (
  who: JudgedAgent,
  action: JudgedAction,
  rows = ROWS,
): PolicyExplanation => {
  const judged = rows.flatMap((row) => {
    const found = row.judge(who, action);
    return found ? [{ row, check: { name: row.name, ...found } }] : [];
  });
  const decisive = judged.find(({ check }) => !check.passed);
  return {
    decision: decisive?.row.otherwise ?? "allow",
    decidedBy: (decisive ?? judged.at(-1))?.check.name ?? "",
    checks: judged.map(({ check }) => check),
  };
};

/** Details of a denial, beside the explanation (spec/agent-policy.md#denials). */
const denialDetails = (
  { agent }: JudgedAgent,
  { needs, accounts }: JudgedAction,
  { name, limit, value, currency }: PolicyCheck,
) => {
  const { permissions, accountRestrictions } = agent.policy;
  const allowed = accountRestrictions?.allowedAccountIds ?? [];
  if (name === "permission")
    return { requiredPermission: needs.find((needed) => !permissions.includes(needed)) };
  if (name === "accountRestriction")
    return { accountId: accounts?.ids.find((id) => !allowed.includes(id)) };
  if (name === "paused") return {};
  return { limit, attempted: value, ...defined({ currency }) };
};

/**
 * Refuses a denied action; the details carry the explanation (spec/agent-policy.md#explanations).
 */
export const requireNotDenied = (
  who: JudgedAgent,
  action: JudgedAction,
  explanation: PolicyExplanation,
) => {
  const { decision, decidedBy, checks } = explanation;
  const word = ROWS.find(({ name }) => name === decidedBy)?.refusal;
  const check = checks.find(({ name }) => name === decidedBy);
  if (decision !== "deny" || !word || !check) return;
  const { id: agentId } = who.agent;
  refuse(word, { agentId, ...denialDetails(who, action, check), ...explanation });
};
