import { expect, test } from "vitest";
import type { AgentActionStatus } from "../../../src/contract/agents/agent-actions.ts";
import {
  type AgentActionTrigger,
  agentActionLifecycle,
} from "../../../src/domain/lifecycles/agent-action.ts";
import { type Matrix, testMatrix } from "../setup/matrix.ts";

/** A decision sends no event, and an action is decided once (spec/agent-actions.md#lifecycle). */
const AGENT_ACTION_MOVES: Matrix<AgentActionStatus, AgentActionTrigger> = {
  PENDING_APPROVAL: { approve: ["APPROVED"], reject: ["REJECTED"], fail: ["FAILED"] },
  APPROVED: { approve: "refused", reject: "refused", fail: ["FAILED"] },
  REJECTED: { approve: "refused", reject: "refused", fail: "refused" },
  FAILED: { approve: "refused", reject: "refused", fail: "refused" },
};

testMatrix(agentActionLifecycle, AGENT_ACTION_MOVES);

test("an action starts PENDING_APPROVAL with an event; REJECTED and FAILED are final", () => {
  expect(agentActionLifecycle).toMatchObject({
    starts: "PENDING_APPROVAL",
    startEmits: "AGENT_ACTION.PENDING_APPROVAL",
  });
  expect([...agentActionLifecycle.ends].sort()).toEqual(["FAILED", "REJECTED"]);
});
