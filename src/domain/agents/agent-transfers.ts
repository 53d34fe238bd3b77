import type { AgentAction } from "../../contract/agents/agent-actions.ts";
import type { TransferInput } from "../../contract/payments/transfers.ts";
import type { Rule } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { callingAgent, requirePermitted } from "./agent-access.ts";
import { showAction } from "./agent-actions.ts";
import { transferEnds } from "./agent-operations.ts";
import { submitAction } from "./agent-submissions.ts";

/** POST /agents/me/transfer-in and /agents/me/transfer-out (platform digest 4.3). */
export const agentTransfer =
  (
    type: "TRANSFER_IN" | "TRANSFER_OUT",
  ): Rule<{ agentId: string; body: TransferInput }, AgentAction> =>
  (draft, { agentId, body }, moment) => {
    const agent = callingAgent(draft, agentId);
    const action = { needs: ["CREATE_TRANSFERS"], initiates: true } as const;
    requirePermitted(draft, { agent, action }, moment);
    if (body.amount === undefined)
      return refuse("INVALID_AMOUNT", { field: "amount" }, "An agent says how much it moves");
    const { internal } = transferEnds(draft, { type, body }, agent);
    const request = {
      type,
      sourceAccountId: body.source.accountId,
      destinationAccountId: body.destination.accountId,
      amountMinor: body.amount,
      currency: internal.currency,
    };
    return showAction(draft, submitAction(draft, { agent, request }, moment));
  };
