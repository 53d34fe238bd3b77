import type { AgentAction } from "../../contract/agents/agent-actions.ts";
import type { TransferOutInput } from "../../contract/payments/transfers.ts";
import type { Rule } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { callingAgent, requirePermitted } from "./agent-access.ts";
import { showAction } from "./agent-actions.ts";
import { agentTransferAction } from "./agent-operations.ts";
import { submitAction } from "./agent-submissions.ts";

/**
 * POST /agents/me/transfer-in and /agents/me/transfer-out (spec/agent-actions.md#agent-transfers).
 */
export const agentTransfer =
  (
    type: "TRANSFER_IN" | "TRANSFER_OUT",
  ): Rule<{ agentId: string; body: TransferOutInput }, AgentAction> =>
  (draft, { agentId, body }, moment) => {
    const agent = callingAgent(draft, agentId);
    const action = { needs: ["CREATE_TRANSFERS"], initiates: true } as const;
    requirePermitted(draft, { agent, action }, moment);
    const { source, destination, amount: amountMinor } = body;
    if (amountMinor === undefined)
      return refuse("INVALID_AMOUNT", { field: "amount" }, "amount is required from an agent");
    const call = { type, source, destination, amountMinor };
    const resolved = agentTransferAction(draft, call, agent);
    return showAction(draft, submitAction(draft, { agent, resolved }, moment));
  };
