import * as z from "zod";
import { AnyId, idOf } from "../core/identifiers.ts";
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

/** What a policy says to an action: do it, ask a person, or do not. */
export const POLICY_DECISIONS = ["allow", "ask", "deny"] as const;
export type PolicyDecision = (typeof POLICY_DECISIONS)[number];

const CheckValue = z.union([z.boolean(), z.number(), z.string(), z.array(z.string())]);

/**
 * One row of the policy as it was judged: `value` was found, `limit` is what passes. An amount that a
 * JSON number would round is a text of digits.
 */
export const PolicyCheck = z.lazy(() =>
  z
    .object({
      name: z.string(),
      passed: z.boolean(),
      limit: CheckValue.optional(),
      value: CheckValue.optional(),
      /** Of `limit` and `value`, where they are amounts in minor units. */
      currency: z.string().optional(),
    })
    .meta({ id: "PolicyCheck" }),
);

export type PolicyCheck = z.infer<typeof PolicyCheck>;

/** Why a policy decides as it does: its rows in order, and the first that decided. */
export const PolicyExplanation = z.lazy(() =>
  z
    .object({
      decision: z.enum(POLICY_DECISIONS),
      decidedBy: z.string(),
      checks: z.array(PolicyCheck),
    })
    .meta({ id: "PolicyExplanation" }),
);

export type PolicyExplanation = z.infer<typeof PolicyExplanation>;

/** AgentAction of a reply (platform digest 2.4); `why` while it waits, beyond the contract. */
export const AgentAction = z.lazy(() =>
  z
    .object({
      id: idOf("AgentAction"),
      agentId: idOf("Agent"),
      customerId: idOf("Customer"),
      platformCustomerId: z.string(),
      status: z.enum(AGENT_ACTION_STATUSES),
      type: z.enum(AGENT_ACTION_TYPES),
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

/** Body of POST /agents/{agentId}/actions/{actionId}/reject, if there is one. */
export const RejectActionInput = z.lazy(() =>
  z.object({ reason: z.string().optional() }).optional(),
);

export type RejectActionInput = z.infer<typeof RejectActionInput>;

/** Filters of GET /agents/approvals (platform digest 3.8). */
export const ApprovalsQuery = {
  agentId: AnyId.optional(),
  customerId: AnyId.optional(),
  startDate: InstantInput.optional(),
  endDate: InstantInput.optional(),
};

/** Filters of GET /agents/me/actions. */
export const AgentActionsQuery = { status: z.enum(AGENT_ACTION_STATUSES).optional() };
