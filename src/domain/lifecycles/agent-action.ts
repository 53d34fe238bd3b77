import type { AgentActionStatus } from "../../contract/agents/agent-actions.ts";
import { lifecycle } from "./lifecycle.ts";

export type AgentActionTrigger = "approve" | "reject" | "fail";

/**
 * An agent's action (platform digest 5.7): one that its policy lets through is approved in the
 * change that makes it, and only one that waits is told of. Nothing is decided twice.
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
