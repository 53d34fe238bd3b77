import type {
  Agent,
  AgentDeviceCode,
  AgentInput,
  AgentPatch,
  AgentPolicyPatch,
  CreatedAgent,
} from "../../contract/agents/agents.ts";
import { defined } from "../../contract/core/defined.ts";
import { instant, type Moment, type Reading, type Rule } from "../core/draft.ts";
import { type ListInput, page, toMs } from "../core/lists.ts";
import { refuse } from "../core/refusal.ts";
import { refuseCustomerInBody } from "../core/unknown-customers.ts";
import type { AgentRecord } from "../records/agent-records.ts";
import { dropActions } from "./agent-approvals.ts";
import { dropDeviceCodes, issueDeviceCode } from "./agent-device-codes.ts";
import { newPolicy, patchedPolicy } from "./agent-policy-changes.ts";
import { newUsage, showUsage, usageAt } from "./agent-usage.ts";

/** An agent as it is published, with its usage at that instant (spec/agents.md#agent). */
export const showAgent = (agent: AgentRecord, { atMs }: Pick<Moment, "atMs">): Agent => ({
  id: agent.id,
  name: agent.name,
  customerId: agent.customerId,
  isPaused: agent.isPaused,
  isConnected: agent.tokenHash !== undefined,
  policy: agent.policy,
  usage: showUsage(usageAt(agent, atMs)),
  createdAt: instant(agent.createdAtMs),
  updatedAt: instant(agent.updatedAtMs),
});

/**
 * POST /agents: an agent for one customer, not connected yet, and the device code that connects it.
 * It sends no event (spec/agents.md#creation).
 */
export const createAgent: Rule<{ body: AgentInput }, CreatedAgent> = (draft, { body }, moment) => {
  const { name, customerId } = body;
  const customer = draft.get("Customer", customerId);
  if (!customer || customer.isDeleted)
    return refuseCustomerInBody(draft, { field: "customerId", value: customerId });
  const agent: AgentRecord = {
    id: moment.newId("Agent"),
    name,
    customerId,
    isPaused: false,
    policy: newPolicy(draft, customerId, body.policy),
    usage: newUsage(moment.atMs),
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.put("Agent", agent);
  return {
    agent: showAgent(agent, moment),
    deviceCode: issueDeviceCode(draft, agent.id, moment),
  };
};

interface ByPath {
  params: { agentId: string };
}

/** The agent a path names; 404 when there is none. */
export const agentByPath: Reading<ByPath, AgentRecord> = (view, { params: { agentId: id } }) =>
  view.get("Agent", id) ?? refuse("REFERENCE_NOT_FOUND", { id, resource: "Agent" });

/** GET /agents/{agentId}. */
export const getAgent: Reading<ByPath, Agent> = (view, input, moment) =>
  showAgent(agentByPath(view, input, moment), moment);

/** PATCH /agents/{agentId}: a pause counts from the next call on (spec/agents.md#pause). */
export const patchAgent: Rule<ByPath & { body: AgentPatch }, Agent> = (
  draft,
  { params, body: { name, isPaused } },
  moment,
) => {
  const agent: AgentRecord = {
    ...agentByPath(draft, { params }, moment),
    ...defined({ name, isPaused }),
    updatedAtMs: moment.atMs,
  };
  draft.put("Agent", agent);
  return showAgent(agent, moment);
};

/** PATCH /agents/{agentId}/policy; an empty body changes nothing. */
export const patchAgentPolicy: Rule<ByPath & { body: AgentPolicyPatch }, Agent> = (
  draft,
  { params, body },
  moment,
) => {
  const agent = agentByPath(draft, { params }, moment);
  if (Object.keys(body).length === 0) return showAgent(agent, moment);
  const governed = { ...agent, usage: usageAt(agent, moment.atMs) };
  const changed: AgentRecord = {
    ...agent,
    ...patchedPolicy(draft, governed, body),
    updatedAtMs: moment.atMs,
  };
  draft.put("Agent", changed);
  return showAgent(changed, moment);
};

/**
 * DELETE /agents/{agentId}: its token and its codes stop working, its waiting actions are REJECTED.
 * Its transactions keep its id (spec/agents.md#deletion).
 */
export const deleteAgent: Rule<ByPath, void> = (draft, input, moment) => {
  const { id } = agentByPath(draft, input, moment);
  dropDeviceCodes(draft, id);
  dropActions(draft, id, moment);
  draft.del("Agent", id);
};

/** POST /agents/{agentId}/device-codes (spec/agents.md#new-device-code). */
export const createDeviceCode: Rule<ByPath, AgentDeviceCode> = (draft, input, moment) => {
  const { id, tokenHash } = agentByPath(draft, input, moment);
  if (tokenHash !== undefined) refuse("AGENT_ALREADY_CONNECTED", { id });
  return issueDeviceCode(draft, id, moment);
};

interface AgentFilters {
  customerId?: string | undefined;
  isPaused?: boolean | undefined;
  isConnected?: boolean | undefined;
  createdAfter?: string | undefined;
  createdBefore?: string | undefined;
  updatedAfter?: string | undefined;
  updatedBefore?: string | undefined;
}

/** GET /agents (spec/agents.md#list). */
export const listAgents: Reading<ListInput<AgentFilters>, unknown> = (view, input, moment) => {
  const { customerId, isPaused, isConnected, ...dates } = input.query;
  const after = toMs(dates.updatedAfter) ?? 0;
  const before = toMs(dates.updatedBefore) ?? Number.POSITIVE_INFINITY;
  return page(view, {
    kind: "Agent",
    input,
    indexed: [["byCustomer", customerId]],
    createdMs: { from: toMs(dates.createdAfter), to: toMs(dates.createdBefore) },
    where: (agent) =>
      agent.isPaused === (isPaused ?? agent.isPaused) &&
      (isConnected === undefined || isConnected === (agent.tokenHash !== undefined)) &&
      agent.updatedAtMs >= after &&
      agent.updatedAtMs <= before,
    show: (_view, agent) => showAgent(agent, moment),
  });
};
