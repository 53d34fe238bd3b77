import type { Call, Parsed } from "./call.ts";
import type { Client } from "./platform-calls.ts";
import type { AgentModel, WorldModel } from "./world-model.ts";

export const A_TRANSACTION_MINOR = 40_000;

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

/** Statuses for an agent that calls an operation: refused without the permission or the agent. */
export const statusesFor = (
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
export const isUsedUp = ({ actions, aDay }: AgentModel, nowMs: number) =>
  Object.values(actions).filter(({ day }) => day === dayOf(nowMs)).length >= aDay;

const COUNTS = /^agent(Transfer|Execute)|^approveAgentAction/;

/** Notes that what agents have used up this day is known to nobody; the next day begins again. */
export const loseCount = (model: WorldModel, nowMs: number) => {
  model.uncountedOn = dayOf(nowMs);
};

/** Notes that a call is made again, which may count for its agent. */
export const noteRepeated = (model: WorldModel, operation: string, nowMs: number) => {
  if (COUNTS.test(operation)) loseCount(model, nowMs);
};

/** Whether clients know what agents have used up this day. */
export const isCounted = ({ decidesAlone, uncountedOn }: WorldModel, nowMs: number) =>
  !decidesAlone && uncountedOn !== dayOf(nowMs);

/**
 * A call that is made again: it may come to an agent that is paused, or whose day is used up by
 * now.
 */
export const repeated = (call: Call): Call =>
  /^agent[A-Z]/.test(call.operation) || COUNTS.test(call.operation)
    ? { ...call, expects: [...call.expects, 403] }
    : call;

/** Statuses of an action within the limits or beyond them. */
export const underLimits = (
  { model, nowMs }: Client,
  agent: AgentModel,
  amount: number | undefined,
): readonly number[] => {
  if (!isCounted(model, nowMs())) return [200, 201, 400, 403, 404, 409];
  if (isUsedUp(agent, nowMs())) return [400, 403, 404, 409];
  const isSmall = amount === undefined || amount <= A_TRANSACTION_MINOR;
  return isSmall ? [200, 201, 400, 404, 409] : [400, 403, 404, 409];
};
