import {
  AgentAction,
  ApprovalsQuery,
  RejectActionInput,
} from "../../contract/agents/agent-actions.ts";
import { PageQuery, pageOf, SortOrder } from "../../contract/core/lists.ts";
import { listApprovals } from "../../domain/agents/agent-actions.ts";
import * as approvals from "../../domain/agents/agent-approvals.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const listAgentApprovals = endpoint("listAgentApprovals", {
  summary: "List the actions of agents that wait for approval",
  query: { ...ApprovalsQuery, ...PageQuery, sortOrder: SortOrder },
  replies: [200, pageOf(AgentAction)],
  refuses: [],
  handle: (input, { read }) => read(listApprovals, input),
});

export const approveAgentAction = endpoint("approveAgentAction", {
  summary: "Approve an agent's action; its limits are checked again first",
  replies: [200, AgentAction],
  refuses: ["REFERENCE_NOT_FOUND", "ACTION_ALREADY_DECIDED"],
  handle: (input, { commit }) => commit(approvals.approveAction, input),
});

export const rejectAgentAction = endpoint("rejectAgentAction", {
  summary: "Reject an agent's action, so that it never runs",
  body: RejectActionInput,
  replies: [200, AgentAction],
  refuses: ["REFERENCE_NOT_FOUND", "ACTION_ALREADY_DECIDED"],
  subject: approvals.actionByPath,
  handle: (input, { commit }) => commit(approvals.rejectAction, input),
});
