import type { Call } from "./call.ts";
import { AMOUNTS, doing, type MakeCall, platform, present } from "./platform-calls.ts";
import { oneOf, oneThat, type WorldModel } from "./world-model.ts";

const ALL = [
  "VIEW_TRANSACTIONS",
  "CREATE_TRANSFERS",
  "CREATE_QUOTES",
  "EXECUTE_QUOTES",
  "MANAGE_EXTERNAL_ACCOUNTS",
];

const FEW = ["VIEW_TRANSACTIONS"];

/** An agent's permission for each of its operations. */
const NEEDS: Readonly<Record<string, string>> = {
  agentListTransactions: "VIEW_TRANSACTIONS",
  agentListInternalAccounts: "VIEW_TRANSACTIONS",
  agentTransferOut: "CREATE_TRANSFERS",
  agentTransferIn: "CREATE_TRANSFERS",
  agentCreateQuote: "CREATE_QUOTES",
  agentExecuteQuote: "EXECUTE_QUOTES",
  agentListExternalAccounts: "MANAGE_EXTERNAL_ACCOUNTS",
};

const createAgent: MakeCall = ({ world, model, chance }) => {
  const customerId = oneThat(model.customers, chance, present);
  if (customerId === undefined) return undefined;
  const permissions = chance.oneIn(3) ? FEW : ALL;
  const asks = chance.oneIn(2);
  return platform(world, {
    operation: "createAgent",
    method: "POST",
    path: "/agents",
    body: {
      name: "Invoice bot",
      customerId,
      policy: {
        permissions,
        defaultExecutionMode: "AUTO",
        spendingLimits: { currency: "USD", perTransactionLimit: 40_000 },
        ...(asks && { approvalThresholds: { currency: "USD", amount: 2_000 } }),
      },
    },
    expects: [201, 400, 404],
    done: (known, { agent, deviceCode }) => {
      const { id } = agent;
      known.agents[id] = { id, customerId, code: deviceCode.code, isDeleted: false, permissions };
    },
  });
};

const redeem: MakeCall = ({ world, model, chance }) => {
  const id = oneThat(model.agents, chance, ({ code, as }) => code !== undefined && !as);
  if (id === undefined) return undefined;
  return platform(world, {
    operation: "redeemDeviceCode",
    method: "POST",
    path: `/agents/device-codes/${model.agents[id]?.code}/redeem`,
    as: "",
    expects: [200, 400, 404, 409, 410],
    done: (known, { accessToken }) => {
      const agent = known.agents[id];
      if (agent) agent.as = `Bearer ${accessToken}`;
    },
  });
};

const deleteAgent: MakeCall = ({ world, model, chance }) => {
  const id = chance.oneIn(3) ? oneThat(model.agents, chance, present) : undefined;
  if (id === undefined) return undefined;
  const remove = (known: WorldModel) => {
    const agent = known.agents[id];
    if (agent) agent.isDeleted = true;
  };
  return platform(world, {
    operation: "deleteAgent",
    method: "DELETE",
    path: `/agents/${id}`,
    expects: [200, 204, 404],
    done: remove,
    learn: (known, found) => {
      if (found.get("Agent", id) === undefined) remove(known);
    },
  });
};

const patchPolicy: MakeCall = ({ world, model, chance }) => {
  const id = oneThat(model.agents, chance, present);
  if (id === undefined) return undefined;
  const permissions = chance.oneIn(2) ? FEW : ALL;
  const take = (known: WorldModel, wanted: readonly string[]) => {
    const agent = known.agents[id];
    if (agent) agent.permissions = wanted;
  };
  return platform(world, {
    operation: "patchAgentPolicy",
    method: "PATCH",
    path: `/agents/${id}/policy`,
    body: { permissions },
    expects: [200, 404, 409],
    done: (known) => take(known, permissions),
    learn: (known, found) =>
      take(known, found.get("Agent", id)?.policy?.permissions ?? permissions),
  });
};

const AGENT_READS = {
  agentGetMe: "/agents/me",
  agentListActions: "/agents/me/actions",
  agentListTransactions: "/agents/me/transactions",
  agentListInternalAccounts: "/agents/me/internal-accounts",
  agentListExternalAccounts: "/agents/me/external-accounts",
} as const;

/** Statuses for an agent that calls an operation: refused without the permission or the agent. */
const statusesFor = (
  { isDeleted, permissions }: { isDeleted: boolean; permissions: readonly string[] },
  operation: string,
  good: readonly number[],
): readonly number[] => {
  if (isDeleted) return [401];
  const needed = NEEDS[operation];
  if (needed === undefined || permissions.includes(needed)) return good;
  // A quote is looked up before the policy is asked.
  return operation === "agentExecuteQuote" ? [403, 404] : [403];
};

const byAgent: MakeCall = (client) => {
  const { world, model, chance, nextKey } = client;
  const id = oneThat(model.agents, chance, ({ as }) => as !== undefined);
  const agent = id === undefined ? undefined : model.agents[id];
  if (!agent) return undefined;
  const { as = "", customerId } = agent;
  const call = (one: Omit<Call, "surface" | "world" | "as" | "expects">, good: readonly number[]) =>
    platform(world, { ...one, as, expects: statusesFor(agent, one.operation, good) });
  if (chance.oneIn(3)) {
    const operation = chance.pick(Object.keys(AGENT_READS)) as keyof typeof AGENT_READS;
    return call({ operation, method: "GET", path: AGENT_READS[operation] }, [200]);
  }
  const good = [200, 201, 202, 400, 403, 404, 409, 422];
  const own = { customerId };
  const accountId = oneThat(model.accounts, chance, (one) => one.customerId === own.customerId);
  const bankId = oneThat(model.banks, chance, (one) => one.customerId === own.customerId);
  const payeeId = oneThat(model.payees, chance, (one) => one.customerId === own.customerId);
  if (accountId !== undefined && bankId !== undefined && chance.oneIn(2)) {
    const isOut = chance.oneIn(2);
    const [from, to] = isOut ? [accountId, bankId] : [bankId, accountId];
    return call(
      {
        operation: isOut ? "agentTransferOut" : "agentTransferIn",
        method: "POST",
        path: `/agents/me/transfer-${isOut ? "out" : "in"}`,
        body: {
          source: { accountId: from },
          destination: { accountId: to },
          amount: chance.pick(AMOUNTS),
        },
        key: nextKey(),
      },
      good,
    );
  }
  const quoteId = chance.oneIn(2) ? oneOf(model.quotes, chance) : undefined;
  if (quoteId !== undefined) {
    const path = `/agents/me/quotes/${quoteId}/execute`;
    return call({ operation: "agentExecuteQuote", method: "POST", path, key: nextKey() }, good);
  }
  if (accountId === undefined || payeeId === undefined) return undefined;
  return call(
    {
      operation: "agentCreateQuote",
      method: "POST",
      path: "/agents/me/quotes",
      body: {
        source: { sourceType: "ACCOUNT", accountId },
        destination: { destinationType: "ACCOUNT", accountId: payeeId },
        lockedCurrencySide: "SENDING",
        lockedCurrencyAmount: chance.pick(AMOUNTS),
      },
      key: nextKey(),
      ...doing("agentCreateQuote", ""),
    },
    good,
  );
};

const decide: MakeCall = ({ world, chance, waitingActions }) => {
  const action = chance.pick([...waitingActions(), undefined]);
  if (!action) return undefined;
  const verdict = chance.pick(["approve", "reject"] as const);
  return platform(world, {
    operation: verdict === "approve" ? "approveAgentAction" : "rejectAgentAction",
    method: "POST",
    path: `/agents/${action.agentId}/actions/${action.id}/${verdict}`,
    ...(verdict === "reject" && { body: { reason: "Not now" } }),
    expects: [200, 400, 404, 409],
  });
};

/** Calls that make an agent whose software is connected. */
export const FIRST_AGENT_CALLS: readonly MakeCall[] = [createAgent, redeem];

/** Calls of agents, their owners and those who approve. */
export const AGENT_CALLS: readonly (readonly [weight: number, make: MakeCall])[] = [
  [5, createAgent],
  [8, redeem],
  [1, deleteAgent],
  [2, patchPolicy],
  [14, byAgent],
  [8, decide],
];
