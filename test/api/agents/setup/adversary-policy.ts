import { countedIn, type Money, type Rates, reexpressedIn } from "./adversary-money.ts";
import type { AccountRule, Policy, PolicyPatch } from "./adversary-moves.ts";

/** The amounts that an agent has moved, and the day of its last move. */
export interface Usage {
  atMs: number;
  count: number;
  daily: bigint;
  monthly: bigint;
}

export const unused = (atMs: number): Usage => ({ atMs, count: 0, daily: 0n, monthly: 0n });

const monthNumber = (atMs: number) =>
  12 * new Date(atMs).getUTCFullYear() + new Date(atMs).getUTCMonth();
const dayNumber = (atMs: number) => Math.floor(atMs / 86_400_000);

/**
 * The counters at an instant: a new day or month starts at 00:00 UTC
 * (spec/agent-policy.md#usage-windows).
 */
export const usageAt = (usage: Usage, atMs: number): Usage => {
  const isSameDay = dayNumber(usage.atMs) === dayNumber(atMs);
  const isSameMonth = monthNumber(usage.atMs) === monthNumber(atMs);
  return {
    atMs,
    count: isSameDay ? usage.count : 0,
    daily: isSameDay ? usage.daily : 0n,
    monthly: isSameMonth ? usage.monthly : 0n,
  };
};

export const usedBy = ({ atMs, count, daily, monthly }: Usage, by: bigint): Usage => ({
  atMs,
  count: count + 1,
  daily: daily + by,
  monthly: monthly + by,
});

/** Usage as replies show it, with the next reset day and month. */
export const publishedUsage = (usage: Usage, nowMs: number) => {
  const { count, daily, monthly } = usageAt(usage, nowMs);
  const now = new Date(nowMs);
  const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  return {
    dailyTransactionCount: count,
    dailySpend: Number(daily),
    dailyResetDate: new Date(nowMs + 86_400_000).toISOString().slice(0, 10),
    monthlySpend: Number(monthly),
    monthlyResetMonth: nextMonth.toISOString().slice(0, 7),
  };
};

/** The facts of an action that a policy judges. */
export interface Asked {
  permission: string;
  money: Money;
  /** Internal accounts of the agent's customer that it touches. */
  touched: readonly string[];
  /** The touched account whose rule applies. */
  ruling: string | undefined;
}

export interface Now {
  nowMs: number;
  rates: Rates;
}

/** A denial with its details. */
export interface Denial {
  word: string;
  details?: Record<string, unknown>;
}

const ruleFor = ({ accountRestrictions }: Policy, accountId: string | undefined) =>
  accountRestrictions?.accountRules?.find((rule) => rule.accountId === accountId);

/** Internal accounts that a policy allows; undefined for all of the customer's. */
export const allowedBy = ({ accountRestrictions }: Policy): readonly string[] | undefined =>
  accountRestrictions?.allowedAccountIds ?? undefined;

export const perTransactionLimit = (policy: Policy, ruling: string | undefined): number =>
  ruleFor(policy, ruling)?.perTransactionLimit ?? policy.spendingLimits.perTransactionLimit;

/** The first account that a policy does not allow. */
export const accountDenial = (policy: Policy, touched: readonly string[]): Denial | undefined => {
  const allowed = allowedBy(policy);
  const accountId = allowed && touched.find((id) => !allowed.includes(id));
  return accountId === undefined
    ? undefined
    : { word: "ACCOUNT_NOT_ALLOWED", details: { accountId } };
};

/** An amount in a reply: a string of digits where a number would round it. */
const written = (amount: bigint) =>
  amount > BigInt(Number.MAX_SAFE_INTEGER) ? String(amount) : Number(amount);

/**
 * The first limit that an action exceeds (spec/agent-policy.md#rows); it may reach a limit exactly.
 */
export const limitDenial = (
  { policy, usage }: { policy: Policy; usage: Usage },
  { money, ruling }: Asked,
  { nowMs, rates }: Now,
): Denial | undefined => {
  const { currency, dailyLimit, dailyTransactionLimit, monthlyLimit } = policy.spendingLimits;
  const now = usageAt(usage, nowMs);
  const amount = countedIn(currency, money, rates);
  const bounds: [string, bigint, number | null | undefined][] = [
    ["PER_TRANSACTION_LIMIT_EXCEEDED", amount, perTransactionLimit(policy, ruling)],
    ["DAILY_TRANSACTION_LIMIT_EXCEEDED", BigInt(now.count + 1), dailyTransactionLimit],
    ["DAILY_LIMIT_EXCEEDED", now.daily + amount, dailyLimit],
    ["MONTHLY_LIMIT_EXCEEDED", now.monthly + amount, monthlyLimit],
  ];
  for (const [word, attempted, limit] of bounds)
    if (limit !== null && limit !== undefined && attempted > BigInt(limit))
      return { word, details: { limit, attempted: written(attempted) } };
  return undefined;
};

/** Tells if a person must approve: by the mode of the account or agent, or by the amount. */
export const needsApproval = (policy: Policy, { money, ruling }: Asked, rates: Rates) => {
  const { currency, amount } = policy.approvalThresholds ?? {};
  const mode = ruleFor(policy, ruling)?.executionMode ?? policy.defaultExecutionMode;
  if (mode === "APPROVAL_REQUIRED") return true;
  if (amount === null || amount === undefined || currency === undefined) return false;
  return countedIn(currency, money, rates) > BigInt(amount);
};

const LIMITS = ["perTransactionLimit", "dailyLimit", "monthlyLimit"] as const;

/** A policy and its counters after a patch (spec/agent-policy.md#policy-changes). */
export const patched = (
  { policy, usage }: { policy: Policy; usage: Usage },
  patch: PolicyPatch,
  { nowMs, rates }: Now,
): { policy: Policy; usage: Usage } => {
  const from = policy.spendingLimits.currency;
  const to = patch.spendingLimits?.currency ?? from;
  const anew = (amount: number) =>
    to === from
      ? amount
      : Number(reexpressedIn(to, { minor: BigInt(amount), currency: from }, rates));
  const now = usageAt(usage, nowMs);
  const limits = { ...policy.spendingLimits };
  for (const name of LIMITS) {
    const limit = limits[name];
    if (typeof limit === "number") limits[name] = anew(limit);
  }
  const rules = policy.accountRestrictions?.accountRules?.map((rule): AccountRule => {
    const { perTransactionLimit: limit } = rule;
    return typeof limit === "number" ? { ...rule, perTransactionLimit: anew(limit) } : rule;
  });
  const { spendingLimits, accountRestrictions, approvalThresholds, ...replaced } = patch;
  const restrictions = {
    ...policy.accountRestrictions,
    ...(rules && { accountRules: rules }),
    ...accountRestrictions,
  };
  const thresholds = { ...policy.approvalThresholds, ...approvalThresholds };
  return {
    policy: {
      ...policy,
      ...replaced,
      spendingLimits: { ...limits, ...spendingLimits },
      ...((policy.accountRestrictions || accountRestrictions) && {
        accountRestrictions: restrictions,
      }),
      ...((policy.approvalThresholds || approvalThresholds) && { approvalThresholds: thresholds }),
    },
    usage: {
      ...now,
      daily: BigInt(anew(Number(now.daily))),
      monthly: BigInt(anew(Number(now.monthly))),
    },
  };
};
