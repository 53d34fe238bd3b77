import { A_TRANSACTION_MINOR } from "./agent-limits.ts";
import { type MakeCall, platform, present } from "./platform-calls.ts";
import { type AgentModel, oneThat, type WorldModel } from "./world-model.ts";

const ALL = [
  "VIEW_TRANSACTIONS",
  "CREATE_TRANSFERS",
  "CREATE_QUOTES",
  "EXECUTE_QUOTES",
  "MANAGE_EXTERNAL_ACCOUNTS",
];

const FEW = ["VIEW_TRANSACTIONS"];

export const createAgent: MakeCall = ({ world, model, chance }) => {
  const customerId = oneThat(model.customers, chance, present);
  if (customerId === undefined) return undefined;
  const permissions = chance.oneIn(6) ? FEW : ALL;
  const aDay = chance.pick([1, 2, 3]);
  return platform(world, {
    operation: "createAgent",
    method: "POST",
    path: "/agents",
    body: {
      name: "Invoice bot",
      customerId,
      policy: {
        permissions,
        defaultExecutionMode: chance.oneIn(4) ? "APPROVAL_REQUIRED" : "AUTO",
        spendingLimits: {
          currency: "USD",
          perTransactionLimit: A_TRANSACTION_MINOR,
          dailyTransactionLimit: aDay,
        },
        ...(!chance.oneIn(4) && { approvalThresholds: { currency: "USD", amount: 2_000 } }),
      },
    },
    expects: [201, 400, 404],
    done: (known, { agent, deviceCode }) => {
      const { id } = agent;
      known.agents[id] = {
        id,
        customerId,
        code: deviceCode.code,
        isDeleted: false,
        isPaused: false,
        permissions,
        aDay,
        actions: {},
        quotes: [],
      };
    },
  });
};

export const redeem: MakeCall = ({ world, model, chance }) => {
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

export const codeStatus: MakeCall = ({ world, model, chance }) => {
  const id = oneThat(model.agents, chance, ({ code }) => code !== undefined);
  if (id === undefined) return undefined;
  return platform(world, {
    operation: "getDeviceCodeStatus",
    method: "GET",
    path: `/agents/device-codes/${model.agents[id]?.code}/status`,
    // Another code may have taken its place.
    expects: [200, 404],
  });
};

/** Replaces a code that nobody has redeemed. */
export const newCode: MakeCall = ({ world, model, chance }) => {
  const id = oneThat(model.agents, chance, present);
  if (id === undefined) return undefined;
  return platform(world, {
    operation: "createAgentDeviceCode",
    method: "POST",
    path: `/agents/${id}/device-codes`,
    expects: [201, 409],
    done: (known, { code }) => {
      const agent = known.agents[id];
      if (agent) agent.code = code;
    },
  });
};

const endActions = (agent: AgentModel) => {
  for (const action of Object.values(agent.actions))
    if (action.status === "PENDING_APPROVAL") action.status = "REJECTED";
};

export const deleteAgent: MakeCall = ({ world, model, chance }) => {
  const id = chance.oneIn(4) ? oneThat(model.agents, chance, present) : undefined;
  if (id === undefined) return undefined;
  const remove = (known: WorldModel) => {
    const agent = known.agents[id];
    if (!agent) return;
    agent.isDeleted = true;
    endActions(agent);
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

export const patchPolicy: MakeCall = ({ world, model, chance }) => {
  const id = oneThat(model.agents, chance, present);
  if (id === undefined) return undefined;
  const permissions = chance.oneIn(5) ? FEW : ALL;
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

/** Pauses an agent, or lets it continue. */
export const pause: MakeCall = ({ world, model, chance }) => {
  const id = oneThat(model.agents, chance, present);
  if (id === undefined) return undefined;
  const isPaused = !model.agents[id]?.isPaused;
  const take = (known: WorldModel, paused: boolean) => {
    const agent = known.agents[id];
    if (agent) agent.isPaused = paused;
  };
  return platform(world, {
    operation: "patchAgent",
    method: "PATCH",
    path: `/agents/${id}`,
    body: { isPaused },
    // Agents of a deleted customer stay paused.
    expects: [200, 400, 409],
    done: (known) => take(known, isPaused),
    learn: (known, found) => take(known, found.get("Agent", id)?.isPaused ?? isPaused),
  });
};
