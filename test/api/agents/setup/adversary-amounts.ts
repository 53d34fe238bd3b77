import type { Chance } from "./adversary-chance.ts";
import type { Account } from "./adversary-fates.ts";
import { type Money, mostWithin } from "./adversary-money.ts";
import { perTransactionLimit, usageAt } from "./adversary-policy.ts";
import type { ModelAgent } from "./adversary-state.ts";
import type { AdversaryWorld } from "./adversary-world.ts";

/** Amounts around every bound. */
const HUGE = [9_000_000_000_000_000, 9_000_000_000_000_001, 10_000_001, 99_999_999] as const;

interface Edges {
  /** Limits, and the unused part of each. */
  limits: Money[];
  /** A threshold and a balance. */
  others: Money[];
}

/** Amounts at which a decision changes. */
const edges = (world: AdversaryWorld, agent: ModelAgent, account: Account): Edges => {
  const { policy } = agent;
  const { currency, dailyLimit, monthlyLimit } = policy.spendingLimits;
  const used = usageAt(agent.usage, world.state.nowMs);
  const edge = (amount: number | null | undefined, less = 0n, of = currency): Money[] =>
    typeof amount === "number" ? [{ minor: BigInt(amount) - less, currency: of }] : [];
  const { amount, currency: counted = currency } = policy.approvalThresholds ?? {};
  const balance = world.state.balances[account.id];
  return {
    limits: [
      ...edge(perTransactionLimit(policy, account.id)),
      ...edge(dailyLimit, used.daily),
      ...edge(monthlyLimit, used.monthly),
    ],
    others: [
      ...edge(policy.spendingLimits.perTransactionLimit),
      ...edge(amount, 0n, counted),
      ...(balance === undefined ? [] : [{ minor: balance, currency: account.currency }]),
    ],
  };
};

/** The largest amount that passes now, one more or less, a part of it, or another one. */
export const amountFor = (
  world: AdversaryWorld,
  chance: Chance,
  by: { agent: number; account: Account },
): number => {
  if (chance.odds(2)) return chance.one(HUGE);
  if (chance.odds(2)) return chance.one([0, -5]);
  const { currency } = by.account;
  const { limits, others } = edges(world, world.state.agents[by.agent] as ModelAgent, by.account);
  const most = (edge: Money) => Number(mostWithin(edge, currency, world.state.rates));
  const passes = Math.min(...limits.map(most));
  const beside = chance.one([-1, 0, 0, 0, 1]);
  if (chance.odds(40)) return Math.max(1, passes + beside);
  if (chance.odds(60)) return Math.max(1, Math.floor(passes / chance.one([2, 3, 5])));
  return Math.max(1, most(chance.one([...limits, ...others])) + beside);
};
