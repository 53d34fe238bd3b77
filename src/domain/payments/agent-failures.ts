import type { Draft, Moment } from "../core/draft.ts";
import { agentActionLifecycle } from "../lifecycles/agent-action.ts";
import { findMove } from "../lifecycles/lifecycle.ts";
import type { TransactionRecord } from "../records/records.ts";

/**
 * A payment has failed before it was complete: so has the action that started it, if an agent did
 * (platform digest 5.7, O-47). What was counted stays counted (O-43).
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
