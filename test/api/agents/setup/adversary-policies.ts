import type { Chance } from "./adversary-chance.ts";
import type { Policy, PolicyPatch } from "./adversary-moves.ts";
import {
  type AccountName,
  type AdversaryWorld,
  CUSTOMER_OF_AGENT,
  INSIDE_NAMES,
} from "./adversary-world.ts";

/** Roughly the number of dong in a cent. */
const VND_PER_CENT = 245;
/** Permissions for everything that runs ask of agents. */
export const PERMISSIONS = ["CREATE_TRANSFERS", "CREATE_QUOTES", "EXECUTE_QUOTES"];
const MODES = ["AUTO", "AUTO", "AUTO", "APPROVAL_REQUIRED"] as const;

const permissions = (chance: Chance, percent = 97) =>
  PERMISSIONS.filter(() => chance.odds(percent)).concat(
    chance.odds(50) ? ["VIEW_TRANSACTIONS"] : [],
  );

const limits = (chance: Chance) => {
  const currency = chance.one(["USD", "USD", "EUR", "VND"]);
  const one = chance.one([1000, 2500, 10_001, 20_000]) * (currency === "VND" ? VND_PER_CENT : 1);
  return {
    currency,
    perTransactionLimit: one,
    dailyLimit: chance.one([null, one, 2 * one + 1, 3 * one]),
    ...(chance.odds(50) && { dailyTransactionLimit: chance.one([1, 2, 3, 5]) }),
    monthlyLimit: chance.one([null, 2 * one, 4 * one - 1, 6 * one]),
  };
};

const thresholds = (chance: Chance) => ({
  currency: chance.one(["USD", "EUR", "USDC", "VND"]),
  amount: chance.one([null, 500, 2000, 9999, 5_000_000, 100_000_000]),
});

const inside = (world: AdversaryWorld, customer: number, name: AccountName) =>
  world.account(customer, name).then(({ id }) => id);

const restrictions = async (world: AdversaryWorld, chance: Chance, customer: number) => {
  const names = INSIDE_NAMES.filter(() => chance.odds(60));
  const allowedAccountIds = chance.odds(35)
    ? await Promise.all(names.map((name) => inside(world, customer, name)))
    : null;
  const ruled = [...new Set([chance.one(INSIDE_NAMES), "usd" as const])];
  const accountRules = [];
  for (const name of ruled)
    accountRules.push({
      accountId: await inside(world, customer, name),
      ...(chance.odds(50) && { executionMode: chance.one(MODES) }),
      ...(chance.odds(70) && { perTransactionLimit: chance.one([null, 700, 3001, 30_000]) }),
    });
  return {
    ...(chance.odds(75) && { allowedAccountIds }),
    ...(chance.odds(60) && { accountRules }),
  };
};

export const randomPolicy = async (
  world: AdversaryWorld,
  chance: Chance,
  customer: number,
): Promise<Policy> => ({
  permissions: permissions(chance),
  defaultExecutionMode: chance.one(MODES),
  spendingLimits: limits(chance),
  ...(chance.odds(40) && { accountRestrictions: await restrictions(world, chance, customer) }),
  ...(chance.odds(40) && { approvalThresholds: thresholds(chance) }),
});

/** Policy changes, each of another kind. */
export const PATCHES: ((
  world: AdversaryWorld,
  chance: Chance,
  agent: number,
) => Promise<PolicyPatch>)[] = [
  async (_world, chance) => ({ permissions: permissions(chance, 60) }),
  async (_world, chance) => ({ defaultExecutionMode: chance.one(MODES) }),
  async (_world, chance) => ({ approvalThresholds: thresholds(chance) }),
  async (_world, chance) => ({ spendingLimits: { currency: chance.one(["USD", "EUR", "VND"]) } }),
  async (_world, chance) => ({
    spendingLimits: { currency: chance.one(["USD", "EUR"]), dailyLimit: 5000 },
  }),
  async (_world, chance) => {
    const { dailyLimit, monthlyLimit, ...more } = limits(chance);
    return { spendingLimits: chance.one<object>([{ dailyLimit }, { monthlyLimit }, more]) };
  },
  async (world, chance, agent) => ({
    accountRestrictions: await restrictions(world, chance, CUSTOMER_OF_AGENT[agent] as number),
  }),
  async (world, chance, agent) => {
    const foreign = await inside(world, 1 - (CUSTOMER_OF_AGENT[agent] as number), "usd");
    return {
      accountRestrictions: {
        allowedAccountIds: [chance.odds(50) ? foreign : ""].filter(Boolean),
      },
    };
  },
];
