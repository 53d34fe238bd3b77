import type {
  AgentPolicy,
  AgentPolicyInput,
  AgentPolicyPatch,
} from "../../contract/agents/agents.ts";
import { MAX_AMOUNT_MINOR } from "../../contract/core/scalars.ts";
import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { View } from "../core/draft.ts";
import { roundHalfUp } from "../core/rational.ts";
import { refuse } from "../core/refusal.ts";
import { isCurrencyIn } from "../core/revision.ts";
import { converted, unitsPerUsd } from "../money/rates.ts";
import type { AgentRecord, AgentUsageRecord } from "../records/agent-records.ts";

type Restrictions = NonNullable<AgentPolicy["accountRestrictions"]>;
type Thresholds = NonNullable<AgentPolicy["approvalThresholds"]>;

const without = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;

/** The path of the policy in the request: a part of the body, or all of it. */
type At = "policy." | "";

const requireCurrency = (view: View, currency: string, field: string) => {
  if (!isCurrencyIn(view, currency))
    refuse(
      "INVALID_INPUT",
      { field, value: currency },
      `Expected a currency of the service but found ${JSON.stringify(currency.slice(0, 80))}`,
    );
};

const requireOwnAccount = (
  view: View,
  customerId: string,
  { field, value }: { field: string; value: string },
) => {
  if (view.get("ExternalAccount", value))
    refuse("ACCOUNT_KIND_NOT_ALLOWED", {
      field,
      value,
      found: "an external account",
      expected: "an internal one",
    });
  const account =
    view.get("InternalAccount", value) ?? refuse("ACCOUNT_NOT_FOUND", { field, value });
  if (account.customerId !== customerId)
    refuse(
      "OWNER_MISMATCH",
      { field, value },
      {
        says: `${field} belongs to another owner`,
        next: "Use an internal account of the agent's customer",
      },
    );
};

const requireRestrictions = (
  view: View,
  { allowedAccountIds, accountRules = [] }: Restrictions,
  { customerId, at }: { customerId: string; at: At },
) => {
  const base = `${at}accountRestrictions`;
  for (const [position, value] of (allowedAccountIds ?? []).entries())
    requireOwnAccount(view, customerId, { field: `${base}.allowedAccountIds.${position}`, value });
  for (const [position, { accountId: value }] of accountRules.entries()) {
    const field = `${base}.accountRules.${position}.accountId`;
    requireOwnAccount(view, customerId, { field, value });
    if (accountRules.findIndex(({ accountId }) => accountId === value) < position)
      refuse("INVALID_INPUT", { field, value }, `accountRules has two rules for ${value}`);
  }
};

const requireThresholds = (view: View, { currency, amount }: Thresholds, at: At) => {
  const field = `${at}approvalThresholds.currency`;
  if (currency !== undefined) requireCurrency(view, currency, field);
  else if (amount != null)
    refuse("INVALID_INPUT", { field }, "A threshold's amount needs its currency");
};

const cleanRestrictions = ({ allowedAccountIds, accountRules }: Restrictions): Restrictions =>
  without({
    allowedAccountIds: allowedAccountIds && [...new Set(allowedAccountIds)],
    accountRules: accountRules?.map(without),
  }) as Restrictions;

/** A policy as it is stored, from the body of POST /agents (spec/agent-policy.md#policy). */
export const newPolicy = (view: View, customerId: string, input: AgentPolicyInput): AgentPolicy => {
  const { permissions, defaultExecutionMode, spendingLimits } = input;
  const { accountRestrictions, approvalThresholds } = input;
  if (accountRestrictions)
    requireRestrictions(view, accountRestrictions as Restrictions, { customerId, at: "policy." });
  requireCurrency(view, spendingLimits.currency, "policy.spendingLimits.currency");
  if (approvalThresholds) requireThresholds(view, approvalThresholds as Thresholds, "policy.");
  return {
    permissions: [...new Set(permissions)],
    defaultExecutionMode,
    spendingLimits: without(spendingLimits) as AgentPolicy["spendingLimits"],
    ...(accountRestrictions && {
      accountRestrictions: cleanRestrictions(accountRestrictions as Restrictions),
    }),
    ...(approvalThresholds && { approvalThresholds: without(approvalThresholds) as Thresholds }),
  };
};

/** The policy of an agent and its counters, which are told in the limits' currency. */
interface Governed {
  policy: AgentPolicy;
  usage: AgentUsageRecord;
}

type Reexpress = (amountMinor: number) => number;

const reexpressing = (view: View, from: CurrencyCode, to: CurrencyCode): Reexpress => {
  const rates = unitsPerUsd(view);
  return (amountMinor) => {
    const minor = roundHalfUp(converted(BigInt(amountMinor), { from, to }, rates));
    if (minor > BigInt(MAX_AMOUNT_MINOR))
      refuse(
        "AMOUNT_OUT_OF_RANGE",
        { field: "spendingLimits.currency", value: to, max: MAX_AMOUNT_MINOR },
        `${amountMinor} minor units of ${from} are more than ${MAX_AMOUNT_MINOR} of ${to}`,
      );
    return Number(minor);
  };
};

/**
 * Converts the limits, the limits of account rules and the counters to another currency, at the
 * rate of this moment, rounded half up (spec/agent-policy.md#re-expression).
 */
const inCurrency = (
  view: View,
  { policy, usage }: Governed,
  { to, keeps }: { to: CurrencyCode; keeps: AgentPolicyPatch },
): Governed => {
  const { spendingLimits: limits, accountRestrictions: restrictions } = policy;
  const reexpress = reexpressing(view, limits.currency as CurrencyCode, to);
  const { spendingLimits: keptLimits = {}, accountRestrictions: keptRestrictions } = keeps;
  const limit = <N extends keyof typeof limits & keyof typeof keptLimits>(name: N) => {
    const amountMinor = limits[name];
    return typeof amountMinor === "number" && keptLimits[name] === undefined
      ? { [name]: reexpress(amountMinor) }
      : {};
  };
  const rules = keptRestrictions?.accountRules ? undefined : restrictions?.accountRules;
  return {
    policy: {
      ...policy,
      spendingLimits: {
        ...limits,
        ...limit("perTransactionLimit"),
        ...limit("dailyLimit"),
        ...limit("monthlyLimit"),
        currency: to,
      },
      ...(rules && {
        accountRestrictions: {
          ...restrictions,
          accountRules: rules.map((rule) => ({
            ...rule,
            ...(rule.perTransactionLimit != null && {
              perTransactionLimit: reexpress(rule.perTransactionLimit),
            }),
          })),
        },
      }),
    },
    usage: {
      ...usage,
      dailySpendMinor: reexpress(usage.dailySpendMinor),
      monthlySpendMinor: reexpress(usage.monthlySpendMinor),
    },
  };
};

/**
 * A policy after PATCH /agents/{agentId}/policy (spec/agent-policy.md#policy-changes). It replaces
 * permissions and mode, merges limits by field, and replaces each member of restrictions and
 * thresholds. Another currency re-expresses the limits that are not sent with it.
 */
export const patchedPolicy = (
  view: View,
  { customerId, ...agent }: Pick<AgentRecord, "customerId" | "policy"> & Governed,
  patch: AgentPolicyPatch,
): Governed => {
  const { permissions, defaultExecutionMode, spendingLimits } = patch;
  const accountRestrictions = patch.accountRestrictions as Restrictions | undefined;
  const approvalThresholds = patch.approvalThresholds as Thresholds | undefined;
  if (accountRestrictions) requireRestrictions(view, accountRestrictions, { customerId, at: "" });
  const to = spendingLimits?.currency ?? agent.policy.spendingLimits.currency;
  requireCurrency(view, to, "spendingLimits.currency");
  const thresholds = { ...agent.policy.approvalThresholds, ...without(approvalThresholds ?? {}) };
  if (approvalThresholds) requireThresholds(view, thresholds, "");
  const isOther = to !== agent.policy.spendingLimits.currency;
  const { policy, usage } = isOther
    ? inCurrency(view, agent, { to: to as CurrencyCode, keeps: patch })
    : agent;
  return {
    usage,
    policy: {
      ...policy,
      ...(permissions && { permissions: [...new Set(permissions)] }),
      ...(defaultExecutionMode && { defaultExecutionMode }),
      spendingLimits: {
        ...policy.spendingLimits,
        ...(without(spendingLimits ?? {}) as Partial<AgentPolicy["spendingLimits"]>),
      },
      ...(accountRestrictions && {
        accountRestrictions: {
          ...policy.accountRestrictions,
          ...cleanRestrictions(accountRestrictions),
        },
      }),
      ...(approvalThresholds && { approvalThresholds: thresholds }),
    },
  };
};
