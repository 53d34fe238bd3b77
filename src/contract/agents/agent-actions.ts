import * as z from "zod";
import { AnyId, idOf } from "../core/identifiers.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { Amount, Instant, InstantInput } from "../core/scalars.ts";
import { Quote } from "../payments/quotes.ts";
import { Transaction } from "../payments/transactions.ts";

export const AGENT_ACTION_STATUSES = [
  "PENDING_APPROVAL",
  "APPROVED",
  "REJECTED",
  "FAILED",
] as const;
export type AgentActionStatus = (typeof AGENT_ACTION_STATUSES)[number];

export const AGENT_ACTION_TYPES = ["EXECUTE_QUOTE", "TRANSFER_OUT", "TRANSFER_IN"] as const;
export type AgentActionType = (typeof AGENT_ACTION_TYPES)[number];

/**
 * Decisions of a policy about an action: do it, ask a person, or deny it
 * (spec/agent-policy.md#rows).
 */
export const POLICY_DECISIONS = ["allow", "ask", "deny"] as const;
export type PolicyDecision = (typeof POLICY_DECISIONS)[number];

const CheckValue = named("PolicyCheckValue", () =>
  z.union([z.boolean(), z.number(), z.string(), z.array(z.string())]),
);

/**
 * One judged row of a policy: `value` was found, `limit` is what passes
 * (spec/agent-policy.md#explanations). An amount that a JSON number would round is a string of
 * digits.
 */
export const PolicyCheck = z.lazy(() =>
  z
    .object({
      name: z.string(),
      passed: z.boolean(),
      limit: CheckValue.optional(),
      value: CheckValue.optional(),
      /** Currency of `limit` and `value`, if they are amounts in minor units. */
      currency: z.string().optional(),
    })
    .meta({ id: "PolicyCheck" }),
);

export type PolicyCheck = z.infer<typeof PolicyCheck>;

/**
 * The reasons for a decision: the rows in order, and the first that decided
 * (spec/agent-policy.md#explanations).
 */
export const PolicyExplanation = z.lazy(() =>
  z
    .object({
      decision: enumOf("PolicyDecision", POLICY_DECISIONS),
      decidedBy: z.string(),
      checks: z.array(PolicyCheck),
    })
    .meta({ id: "PolicyExplanation" }),
);

export type PolicyExplanation = z.infer<typeof PolicyExplanation>;

/**
 * AgentAction of a reply; `why`, while it waits, is an addition of the simulator
 * (spec/agent-actions.md#agent-action).
 */
export const AgentAction = z.lazy(() =>
  z
    .object({
      id: idOf("AgentAction"),
      agentId: idOf("Agent"),
      customerId: idOf("Customer"),
      platformCustomerId: z.string(),
      status: enumOf("AgentActionStatus", AGENT_ACTION_STATUSES),
      type: enumOf("AgentActionType", AGENT_ACTION_TYPES),
      quote: Quote.optional(),
      transferDetails: z
        .object({
          amount: Amount,
          currency: z.string(),
          sourceAccountId: z.string(),
          destinationAccountId: z.string(),
        })
        .optional(),
      transaction: Transaction.optional(),
      rejectionReason: z.string().optional(),
      why: PolicyExplanation.optional(),
      createdAt: Instant,
      updatedAt: Instant,
    })
    .meta({ id: "AgentAction" }),
);

export type AgentAction = z.infer<typeof AgentAction>;

/**
 * Optional body of POST /agents/{agentId}/actions/{actionId}/reject
 * (spec/agent-actions.md#rejection).
 */
export const RejectActionInput = named("ActionRejectionInput", () =>
  z.object({ reason: z.string().optional() }),
).optional();

export type RejectActionInput = z.infer<typeof RejectActionInput>;

/** Filters of GET /agents/approvals (spec/agent-actions.md#action-lists). */
export const ApprovalsQuery = {
  agentId: AnyId.optional(),
  customerId: AnyId.optional(),
  startDate: InstantInput.optional(),
  endDate: InstantInput.optional(),
};

/** Filters of GET /agents/me/actions. */
export const AgentActionsQuery = {
  status: enumOf("AgentActionStatus", AGENT_ACTION_STATUSES).optional(),
};
