import type { Call, Found, Parsed } from "./call.ts";
import {
  AMOUNTS,
  type Client,
  doing,
  FOLLOWING,
  type MakeCall,
  mxn,
  platform,
  present,
} from "./platform-calls.ts";
import { type AgentModel, oneOf, oneThat, type WorldModel } from "./world-model.ts";

const ALL = [
  "VIEW_TRANSACTIONS",
  "CREATE_TRANSFERS",
  "CREATE_QUOTES",
  "EXECUTE_QUOTES",
  "MANAGE_EXTERNAL_ACCOUNTS",
];

const FEW = ["VIEW_TRANSACTIONS"];

const A_TRANSACTION_MINOR = 40_000;

/** An agent's permission for each of its operations. */
const NEEDS: Readonly<Record<string, string>> = {
  agentListTransactions: "VIEW_TRANSACTIONS",
  agentGetTransaction: "VIEW_TRANSACTIONS",
  agentListInternalAccounts: "VIEW_TRANSACTIONS",
  agentTransferOut: "CREATE_TRANSFERS",
  agentTransferIn: "CREATE_TRANSFERS",
  agentCreateQuote: "CREATE_QUOTES",
  agentExecuteQuote: "EXECUTE_QUOTES",
  agentListExternalAccounts: "MANAGE_EXTERNAL_ACCOUNTS",
  agentGetExternalAccount: "MANAGE_EXTERNAL_ACCOUNTS",
  agentCreateExternalAccount: "MANAGE_EXTERNAL_ACCOUNTS",
  agentDeleteExternalAccount: "MANAGE_EXTERNAL_ACCOUNTS",
};

const createAgent: MakeCall = ({ world, model, chance }) => {
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

const codeStatus: MakeCall = ({ world, model, chance }) => {
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
const newCode: MakeCall = ({ world, model, chance }) => {
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

const deleteAgent: MakeCall = ({ world, model, chance }) => {
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

const patchPolicy: MakeCall = ({ world, model, chance }) => {
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

/** Pauses an agent, or lets it go on. */
const pause: MakeCall = ({ world, model, chance }) => {
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

/** Statuses for an agent that calls an operation: refused without the permission or the agent. */
const statusesFor = (
  { isDeleted, isPaused, permissions }: AgentModel,
  { operation, method }: { operation: string; method: string },
  good: readonly number[],
): readonly number[] => {
  // A world of another origin does not know the token at all.
  if (isDeleted) return [400, 401];
  const needed = NEEDS[operation];
  const isDenied =
    (isPaused && method !== "GET") || (needed !== undefined && !permissions.includes(needed));
  if (!isDenied) return good;
  // The id of a path is looked up before the policy is asked.
  return [403, 404];
};

const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, "2026-01-05".length);

/** Takes over what became of an action; one is counted on the day on which it was allowed. */
export const takeAction = (agent: AgentModel, { id, status }: Parsed, nowMs: number) => {
  const before = agent.actions[id];
  if (before && before.status !== "PENDING_APPROVAL") return;
  agent.actions[id] = { status, ...(status === "APPROVED" && { day: dayOf(nowMs) }) };
};

/** True when the day's limit of an agent is reached, as far as clients know. */
const isUsedUp = ({ actions, aDay }: AgentModel, nowMs: number) =>
  Object.values(actions).filter(({ day }) => day === dayOf(nowMs)).length >= aDay;

type AgentCall = Omit<Call, "surface" | "world" | "as" | "expects">;

/** A call of an agent, which its policy admits or refuses. */
const byAgent =
  (
    make: (
      client: Client,
      agent: AgentModel,
    ) => (AgentCall & { good: readonly number[] }) | undefined,
  ): MakeCall =>
  (client) => {
    const { world, model, chance } = client;
    const id = oneThat(model.agents, chance, ({ as }) => as !== undefined);
    const agent = id === undefined ? undefined : model.agents[id];
    const made = agent && make(client, agent);
    if (!made) return undefined;
    const { good, ...call } = made;
    return platform(world, {
      ...call,
      as: agent.as ?? "",
      expects: statusesFor(agent, call, good),
    });
  };

const AGENT_READS = {
  agentGetMe: "/agents/me",
  agentListActions: "/agents/me/actions",
  agentListTransactions: "/agents/me/transactions",
  agentListInternalAccounts: "/agents/me/internal-accounts",
  agentListExternalAccounts: "/agents/me/external-accounts",
} as const;

const readList = byAgent(({ chance }) => {
  const operation = chance.pick(Object.keys(AGENT_READS)) as keyof typeof AGENT_READS;
  return { operation, method: "GET", path: AGENT_READS[operation], good: [200] };
});

/** Reads one action, quote or payment: its own, or one that it must not see. */
const readOne = byAgent(({ model, chance }, agent) => {
  const quoteId = oneOf(model.quotes, chance);
  const statusId = oneOf(model.statuses, chance);
  const actionId = oneOf(agent.actions, chance);
  const isOwn = quoteId !== undefined && agent.quotes.includes(quoteId);
  const all = [
    ["agentGetAction", actionId, "/agents/me/actions/", [200]],
    ["agentGetQuote", quoteId, "/agents/me/quotes/", isOwn ? [200] : [404]],
    ["agentGetTransaction", statusId, "/agents/me/transactions/", [200, 404]],
  ] as const;
  const [operation, id, path, good] = chance.pick(all);
  return id === undefined ? undefined : { operation, method: "GET", path: path + id, good };
});

const addPayee = byAgent(({ chance }, { customerId }) => {
  const take = (known: WorldModel, id: string) => {
    known.payees[id] ??= { customerId, isDeleted: false };
  };
  return {
    operation: "agentCreateExternalAccount",
    method: "POST",
    path: "/agents/me/external-accounts",
    body: { customerId, ...mxn(chance.pick(["101", "102", "103", "104", "105"])) },
    good: [201, 400, 409],
    done: (known, { id }) => take(known, id),
    learn: (known, found) => {
      const isNew = (id: string) => {
        const record = found.get("ExternalAccount", id);
        return record.customerId === customerId && record.currency === "MXN";
      };
      for (const id of found.ids("ExternalAccount")) if (isNew(id)) take(known, id);
    },
  };
});

const ofPayee = byAgent(({ model, chance }, { customerId }) => {
  const id = oneThat(model.payees, chance, present);
  if (id === undefined) return undefined;
  const isOwn = model.payees[id]?.customerId === customerId;
  const isRead = !chance.oneIn(4);
  const remove = (known: WorldModel) => {
    const payee = known.payees[id];
    if (payee) payee.isDeleted = true;
  };
  return {
    operation: isRead ? "agentGetExternalAccount" : "agentDeleteExternalAccount",
    method: isRead ? "GET" : "DELETE",
    path: `/agents/me/external-accounts/${id}`,
    good: isOwn ? (isRead ? [200] : [204, 409]) : [404],
    ...(!isRead && {
      done: remove,
      learn: (known: WorldModel, found: Found) => {
        if (found.get("ExternalAccount", id) === undefined) remove(known);
      },
    }),
  };
});

/** Statuses of an action within the limits or beyond them. */
const underLimits = (
  { model, nowMs }: Client,
  agent: AgentModel,
  amount: number | undefined,
): readonly number[] => {
  // What was allowed meanwhile is known to nobody.
  if (model.decidesAlone) return [200, 201, 400, 403, 404, 409];
  if (isUsedUp(agent, nowMs())) return [400, 403, 404, 409];
  const isSmall = amount === undefined || amount <= A_TRANSACTION_MINOR;
  return isSmall ? [200, 201, 400, 404, 409] : [400, 403, 404, 409];
};

const transfer = byAgent((client, agent) => {
  const { model, chance, nowMs, nextKey } = client;
  const { id: agentId, customerId } = agent;
  const isOwn = (one: { customerId: string }) => one.customerId === customerId;
  const accountId = oneThat(model.accounts, chance, isOwn);
  const bankId = oneThat(model.banks, chance, isOwn);
  if (accountId === undefined || bankId === undefined) return undefined;
  const isOut = chance.oneIn(2);
  const [from, to] = isOut ? [accountId, bankId] : [bankId, accountId];
  const amount = chance.pick([...AMOUNTS, 2_500, 25_000]);
  const atMs = nowMs();
  return {
    operation: isOut ? "agentTransferOut" : "agentTransferIn",
    method: "POST",
    path: `/agents/me/transfer-${isOut ? "out" : "in"}`,
    body: { source: { accountId: from }, destination: { accountId: to }, amount },
    key: nextKey(),
    good: underLimits(client, agent, amount),
    done: (known, body) => {
      const own = known.agents[agentId];
      if (own) takeAction(own, body, atMs);
    },
  };
});

const execute = byAgent((client, agent) => {
  const { model, chance, nowMs, nextKey } = client;
  const own = agent.quotes.length > 0 && !chance.oneIn(5) ? chance.pick(agent.quotes) : undefined;
  const quoteId = own ?? oneOf(model.quotes, chance);
  if (quoteId === undefined) return undefined;
  const atMs = nowMs();
  const { id: agentId } = agent;
  return {
    operation: "agentExecuteQuote",
    method: "POST",
    path: `/agents/me/quotes/${quoteId}/execute`,
    key: nextKey(),
    good: agent.quotes.includes(quoteId) ? [...underLimits(client, agent, undefined), 403] : [404],
    done: (known, body) => {
      const one = known.agents[agentId];
      if (one) takeAction(one, body, atMs);
    },
  };
});

const createQuote = byAgent(({ model, chance, nextKey }, { id: agentId, customerId }) => {
  const isOwn = (one: { customerId: string }) => one.customerId === customerId;
  const accountId = oneThat(model.accounts, chance, isOwn);
  const payeeId = oneThat(model.payees, chance, isOwn);
  if (accountId === undefined || payeeId === undefined) return undefined;
  const { done: takeQuote } = doing("agentCreateQuote", "");
  return {
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
    good: [201, 400, 404],
    done: (known, body) => {
      takeQuote?.(known, body);
      const quotes = known.agents[agentId]?.quotes;
      if (quotes && !quotes.includes(body.id)) quotes.push(body.id);
    },
  };
});

/** An action of an agent that is there, mostly one that waits. */
const actionIn = ({ model, chance }: Client) => {
  const all = Object.values(model.agents)
    .filter(present)
    .flatMap((agent) =>
      Object.entries(agent.actions).map(([id, action]) => ({ id, action, agent })),
    );
  const waiting = all.filter(({ action }) => action.status === "PENDING_APPROVAL");
  // A decided one is decided again at times, and must stay as it is.
  const from = waiting.length > 0 ? waiting : chance.oneIn(4) ? all : [];
  return from.length === 0 ? undefined : chance.pick(from);
};

/** A decision of a person: each action is decided once. */
export const decision = (client: Client) => {
  const picked = actionIn(client);
  if (!picked) return undefined;
  const { chance, nowMs } = client;
  const { decidesAlone = false } = client.model;
  const { id, action, agent } = picked;
  const verdict = chance.oneIn(3) ? "reject" : "approve";
  const isWaiting = action.status === "PENDING_APPROVAL";
  const atMs = nowMs();
  const mustFail = agent.isPaused || (!decidesAlone && isUsedUp(agent, atMs));
  const take = (known: WorldModel, body: Parsed) => {
    const own = known.agents[agent.id];
    if (own) takeAction(own, body, atMs);
  };
  return {
    verdict,
    id,
    agentId: agent.id,
    expects: decidesAlone ? [200, 409] : isWaiting ? [200] : [409],
    body: verdict === "reject" ? { reason: "Not now" } : undefined,
    done: take,
    requires: ({ status }: Parsed) => {
      const isRight =
        verdict === "reject" ? status === "REJECTED" : !mustFail || status === "FAILED";
      return isRight ? undefined : `${verdict} of ${id} made it ${status}`;
    },
    learn: (known: WorldModel, found: Found) => {
      const record = found.get("AgentAction", id);
      if (record) take(known, record);
    },
  };
};

const decide: MakeCall = (client) => {
  const made = decision(client);
  if (!made) return undefined;
  const { verdict, id, agentId, body, ...rest } = made;
  return platform(client.world, {
    operation: verdict === "approve" ? "approveAgentAction" : "rejectAgentAction",
    method: "POST",
    path: `/agents/${agentId}/actions/${id}/${verdict}`,
    ...(body && { body }),
    ...rest,
  });
};

FOLLOWING.set("agentTransferOut", decide);
FOLLOWING.set("agentTransferIn", decide);
FOLLOWING.set("agentCreateQuote", execute);
FOLLOWING.set("agentExecuteQuote", decide);
FOLLOWING.set("advance", transfer);

/** Calls that make an agent whose software is connected, and that has asked for something. */
export const FIRST_AGENT_CALLS: readonly MakeCall[] = [createAgent, redeem, transfer, transfer];

/** Calls of agents, their owners and those who approve. */
export const AGENT_CALLS: readonly (readonly [weight: number, make: MakeCall])[] = [
  [3, createAgent],
  [6, redeem],
  [1, codeStatus],
  [1, newCode],
  [1, deleteAgent],
  [1, patchPolicy],
  [1, pause],
  [3, readList],
  [6, readOne],
  [3, addPayee],
  [3, ofPayee],
  [20, transfer],
  [6, createQuote],
  [8, execute],
  [14, decide],
];
