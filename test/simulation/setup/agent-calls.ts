import { isCounted, isUsedUp, statusesFor, takeAction, underLimits } from "./agent-limits.ts";
import {
  codeStatus,
  createAgent,
  deleteAgent,
  newCode,
  patchPolicy,
  pause,
  redeem,
} from "./agent-owner-calls.ts";
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
  const { id, action, agent } = picked;
  const verdict = chance.oneIn(3) ? "reject" : "approve";
  const isWaiting = action.status === "PENDING_APPROVAL";
  const atMs = nowMs();
  const isSure = isCounted(client.model, atMs);
  const mustFail = agent.isPaused || (isSure && isUsedUp(agent, atMs));
  const take = (known: WorldModel, body: Parsed) => {
    const own = known.agents[agent.id];
    if (own) takeAction(own, body, atMs);
  };
  return {
    verdict,
    id,
    agentId: agent.id,
    expects: !isSure ? [200, 409] : isWaiting ? [200] : [409],
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
// What waits while its agent is paused must fail.
FOLLOWING.set("patchAgent", decide);

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
