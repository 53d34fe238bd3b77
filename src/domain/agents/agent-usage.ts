import type { AgentUsage } from "../../contract/agents/agents.ts";
import { instant } from "../core/draft.ts";
import { days } from "../core/durations.ts";
import type { AgentRecord, AgentUsageRecord } from "../records/agent-records.ts";

const dayOf = (atMs: number) => instant(atMs).slice(0, "2026-01-05".length);
const monthOf = (day: string) => day.slice(0, "2026-01".length);

/** Counters of an agent that has done nothing yet. */
export const newUsage = (atMs: number): AgentUsageRecord => ({
  day: dayOf(atMs),
  dailyTransactionCount: 0,
  dailySpendMinor: 0,
  monthlySpendMinor: 0,
});

/**
 * The counters at an instant: days end at 00:00 UTC, months with their last day
 * (spec/agent-policy.md#usage-windows). Stored counters are compared with the clock when read.
 */
export const usageAt = ({ usage }: Pick<AgentRecord, "usage">, atMs: number): AgentUsageRecord => {
  const fresh = newUsage(atMs);
  if (usage.day === fresh.day) return usage;
  const isSameMonth = monthOf(usage.day) === monthOf(fresh.day);
  return { ...fresh, monthlySpendMinor: isSameMonth ? usage.monthlySpendMinor : 0 };
};

/** Counters after one more action of that amount, in minor units of the limits' currency. */
export const usageWith = (usage: AgentUsageRecord, amountMinor: number): AgentUsageRecord => ({
  ...usage,
  dailyTransactionCount: usage.dailyTransactionCount + 1,
  dailySpendMinor: usage.dailySpendMinor + amountMinor,
  monthlySpendMinor: usage.monthlySpendMinor + amountMinor,
});

const dayAfter = (day: string) => dayOf(Date.parse(day) + days(1));

const monthAfter = (day: string) => {
  const [year = 0, month = 0] = monthOf(day).split("-").map(Number);
  const next = month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 };
  return `${String(next.year).padStart(4, "0")}-${String(next.month).padStart(2, "0")}`;
};

/** Usage as it is published: with the day and the month in which it starts again. */
export const showUsage = (usage: AgentUsageRecord): AgentUsage => ({
  dailyTransactionCount: usage.dailyTransactionCount,
  dailySpend: usage.dailySpendMinor,
  dailyResetDate: dayAfter(usage.day),
  monthlySpend: usage.monthlySpendMinor,
  monthlyResetMonth: monthAfter(usage.day),
});
