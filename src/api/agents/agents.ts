import * as z from "zod";
import {
  Agent,
  AgentDeviceCode,
  AgentInput,
  AgentPatch,
  AgentPolicyPatch,
  AgentsQuery,
  CreatedAgent,
  DeviceCodeStatus,
  RedeemedDeviceCode,
} from "../../contract/agents/agents.ts";
import { PageQuery, pageOf } from "../../contract/core/lists.ts";
import * as deviceCodes from "../../domain/agents/agent-device-codes.ts";
import * as agents from "../../domain/agents/agents.ts";
import { endpoint } from "../../http/door/endpoint.ts";

const POLICY_REFUSALS = [
  "ACCOUNT_NOT_FOUND",
  "ACCOUNT_KIND_NOT_ALLOWED",
  "OWNER_MISMATCH",
  "AMOUNT_OUT_OF_RANGE",
] as const;

export const createAgent = endpoint("createAgent", {
  summary: "Create an agent of a customer, and the device code that connects it",
  body: AgentInput,
  replies: [201, CreatedAgent],
  refuses: ["USER_NOT_FOUND_IN_BODY", ...POLICY_REFUSALS],
  handle: ({ body }, { commit }) => commit(agents.createAgent, { body }),
});

export const listAgents = endpoint("listAgents", {
  summary: "List agents, newest first",
  query: { ...AgentsQuery, ...PageQuery },
  replies: [200, pageOf(Agent)],
  refuses: [],
  handle: (input, { read }) => read(agents.listAgents, input),
});

export const getAgent = endpoint("getAgent", {
  summary: "Get one agent with its live usage",
  replies: [200, Agent],
  refuses: ["REFERENCE_NOT_FOUND"],
  handle: (input, { read }) => read(agents.getAgent, input),
});

export const patchAgent = endpoint("patchAgent", {
  summary: "Rename, pause or resume an agent",
  body: AgentPatch,
  replies: [200, Agent],
  refuses: ["REFERENCE_NOT_FOUND"],
  subject: agents.agentByPath,
  handle: (input, { commit }) => commit(agents.patchAgent, input),
});

export const deleteAgent = endpoint("deleteAgent", {
  summary: "Delete an agent: its token stops working at once",
  replies: [204, z.undefined()],
  refuses: ["REFERENCE_NOT_FOUND"],
  handle: (input, { commit }) => commit(agents.deleteAgent, input),
});

export const patchAgentPolicy = endpoint("patchAgentPolicy", {
  summary: "Change parts of an agent's policy, in force from the next call",
  body: AgentPolicyPatch,
  replies: [200, Agent],
  refuses: ["REFERENCE_NOT_FOUND", ...POLICY_REFUSALS],
  subject: agents.agentByPath,
  handle: (input, { commit }) => commit(agents.patchAgentPolicy, input),
});

export const createAgentDeviceCode = endpoint("createAgentDeviceCode", {
  summary: "Create a new device code, which replaces the previous one",
  replies: [201, AgentDeviceCode],
  refuses: ["REFERENCE_NOT_FOUND", "AGENT_ALREADY_CONNECTED"],
  handle: (input, { commit }) => commit(agents.createDeviceCode, input),
});

export const getDeviceCodeStatus = endpoint("getDeviceCodeStatus", {
  summary: "Get the status of a device code",
  replies: [200, DeviceCodeStatus],
  refuses: ["REFERENCE_NOT_FOUND"],
  handle: (input, { read }) => read(deviceCodes.deviceCodeStatus, input),
});

export const redeemDeviceCode = endpoint("redeemDeviceCode", {
  summary: "Connect an agent; only this reply shows its access token",
  replies: [200, RedeemedDeviceCode],
  refuses: ["REFERENCE_NOT_FOUND", "DEVICE_CODE_ALREADY_REDEEMED", "DEVICE_CODE_EXPIRED"],
  handle: (input, { commit }) => commit(deviceCodes.redeemDeviceCode, input),
});
