import type { Draft, Moment } from "../core/draft.ts";
import { agentActionLifecycle } from "../lifecycles/agent-action.ts";
import { findMove } from "../lifecycles/lifecycle.ts";
import type { TransactionRecord } from "../records/records.ts";

/**
 * Fails the action of an agent whose payment has failed before it was complete. The agent's
 * counters stay (spec/agent-actions.md#failures).
 */
export const failActionOf = (
  draft: Draft,
  { id, agentId }: TransactionRecord,
  { atMs }: Moment,
) => {
  if (agentId === undefined) return;
  const [actionId = ""] = draft.ids("AgentAction", "byTransaction", id);
  const action = draft.get("AgentAction", actionId);
  const move = action && findMove(agentActionLifecycle, action.status, "fail");
  if (move) draft.put("AgentAction", { ...action, status: move.to, updatedAtMs: atMs });
};
