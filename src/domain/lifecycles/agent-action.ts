import type { AgentActionStatus } from "../../contract/agents/agent-actions.ts";
import { lifecycle } from "./lifecycle.ts";

export type AgentActionTrigger = "approve" | "reject" | "fail";

/**
 * An agent's action (spec/agent-actions.md#lifecycle). An action that its policy allows is born
 * APPROVED; only a waiting one sends an event. An action is decided once.
 */
export const agentActionLifecycle = lifecycle<AgentActionStatus, AgentActionTrigger>({
  starts: "PENDING_APPROVAL",
  startEmits: "AGENT_ACTION.PENDING_APPROVAL",
  ends: ["REJECTED", "FAILED"],
  moves: [
    { from: "PENDING_APPROVAL", on: "approve", to: "APPROVED" },
    { from: "PENDING_APPROVAL", on: "reject", to: "REJECTED" },
    { from: "PENDING_APPROVAL", on: "fail", to: "FAILED" },
    { from: "APPROVED", on: "fail", to: "FAILED" },
  ],
});
