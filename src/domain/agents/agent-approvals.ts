import type { AgentAction, RejectActionInput } from "../../contract/agents/agent-actions.ts";
import { defined } from "../../contract/core/defined.ts";
import {
  type Draft,
  find,
  type Moment,
  type Reading,
  type Rule,
  type View,
} from "../core/draft.ts";
import { assertInvariant } from "../core/invariant.ts";
import { Refusal, refuse } from "../core/refusal.ts";
import { clearTimer, type TimerEffect } from "../core/schedule.ts";
import type { AgentActionRecord, AgentRecord } from "../records/agent-records.ts";
import { actionOf, isWaiting, showAction } from "./agent-actions.ts";
import { resolveAction } from "./agent-operations.ts";
import { DENYING_ROWS } from "./agent-policy.ts";
import { checkAction, failAction, moveAction, performAction } from "./agent-submissions.ts";
import { approvalMode } from "./approval-mode.ts";

const agentOf = (view: View, { agentId }: AgentActionRecord): AgentRecord => {
  const agent = view.get("Agent", agentId);
  assertInvariant(agent !== undefined, "the agent of a waiting action", { agentId });
  return agent;
};

/** Checks an action again, with the counters and rates of now, and then does it. */
const execute = (draft: Draft, action: AgentActionRecord, moment: Moment): AgentActionRecord => {
  const agent = agentOf(draft, action);
  const resolved = resolveAction(draft, action.request, agent);
  const checked = checkAction(draft, { agent, resolved, rows: DENYING_ROWS }, moment);
  return performAction(draft, { action, checked }, moment);
};

/**
 * Approves a waiting action: does it now, or fails it when a check refuses it by now. A failed
 * action moves no money and is not counted (spec/agent-actions.md#approval).
 */
const approve = (draft: Draft, action: AgentActionRecord, moment: Moment): AgentActionRecord => {
  clearTimer(draft, "approval.decide", action.id);
  try {
    return draft.attempt(() => execute(draft, action, moment));
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return failAction(draft, { action, refusal }, moment);
  }
};

const reject = (
  draft: Draft,
  { action, reason }: { action: AgentActionRecord; reason: string | undefined },
  moment: Moment,
): AgentActionRecord => {
  clearTimer(draft, "approval.decide", action.id);
  const set = defined({ rejectionReason: reason });
  return moveAction(draft, action, { on: "reject", moment, set });
};

interface ByPath {
  params: { agentId: string; actionId: string };
}

/** The action a path names; 404 for an unknown agent, and for another one's action. */
export const actionByPath: Reading<ByPath, AgentActionRecord> = (view, { params }, moment) => {
  const { agentId, actionId } = params;
  if (!view.get("Agent", agentId))
    refuse("REFERENCE_NOT_FOUND", { id: agentId, resource: "Agent" });
  return actionOf(view, { agentId, params: { actionId } }, moment);
};

const waiting = (view: View, input: ByPath, moment: Moment): AgentActionRecord => {
  const action = actionByPath(view, input, moment);
  const { id, status } = action;
  if (!isWaiting(action)) refuse("ACTION_ALREADY_DECIDED", { id, status });
  return action;
};

/** POST /agents/{agentId}/actions/{actionId}/approve (spec/agent-actions.md#approval). */
export const approveAction: Rule<ByPath, AgentAction> = (draft, input, moment) =>
  showAction(draft, approve(draft, waiting(draft, input, moment), moment));

/** POST /agents/{agentId}/actions/{actionId}/reject (spec/agent-actions.md#rejection). */
export const rejectAction: Rule<ByPath & { body: RejectActionInput }, AgentAction> = (
  draft,
  { params, body },
  moment,
) => {
  const action = waiting(draft, { params }, moment);
  return showAction(draft, reject(draft, { action, reason: body?.reason }, moment));
};

const AGENT_DELETED = "Agent deleted";
const AUTO_REJECTED = "Rejected by the simulator: approvals are set to reject";
const SET_REJECTED = "Rejected by the simulator: the outcome agentApproval.reject was set";

/** Rejects the waiting actions of a deleted agent (spec/agents.md#deletion). */
export const dropActions = (draft: Draft, agentId: string, moment: Moment) => {
  for (const action of find(draft, "AgentAction", ["byAgent", agentId]))
    if (isWaiting(action)) reject(draft, { action, reason: AGENT_DELETED }, moment);
};

/** Timer `approval.decide`: the simulator decides in a person's place, as it was told to. */
export const decideUnasked = (draft: Draft, subject: string, moment: Moment): TimerEffect => {
  const action = draft.get("AgentAction", subject);
  const mode = action?.decision ?? approvalMode(draft);
  if (!action || !isWaiting(action) || mode === "ask") return {};
  const { status } =
    mode === "approve"
      ? approve(draft, action, moment)
      : reject(draft, { action, reason: action.decision ? SET_REJECTED : AUTO_REJECTED }, moment);
  return { from: action.status, to: status };
};
