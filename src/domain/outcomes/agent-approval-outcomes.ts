import type { APPROVAL_MODES } from "../../contract/core/world-settings.ts";

/** The decision about an action of an agent that must ask (spec/agent-actions.md#approval). */
export interface AgentApprovalOutcome {
  says: string;
  ends: string;
  /** The simulator decides at once, in a person's place. */
  isDecided: boolean;
}

/** Decisions about waiting actions; the setting of the world chooses the row. */
export const AGENT_APPROVAL_OUTCOMES = {
  ask: { says: "a person decides", ends: "PENDING_APPROVAL", isDecided: false },
  approve: { says: "the simulator approves it at once", ends: "APPROVED", isDecided: true },
  reject: { says: "the simulator rejects it at once", ends: "REJECTED", isDecided: true },
} as const satisfies Record<(typeof APPROVAL_MODES)[number], AgentApprovalOutcome>;
