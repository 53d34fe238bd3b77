import * as z from "zod";
import {
  AGENT_ACTION_STATUSES,
  AGENT_ACTION_TYPES,
  AgentAction,
  PolicyCheck,
} from "../agents/agent-actions.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { APPROVAL_MODES } from "../core/world-settings.ts";
import { Payee } from "./values.ts";
import { Webhook } from "./webhooks.ts";

/** Reply of PUT /_sim/approvals. */
export const DecidingMode = named("ApprovalSetting", () =>
  z.object({ mode: enumOf("ApprovalMode", APPROVAL_MODES) }),
);

export type DecidingMode = z.infer<typeof DecidingMode>;

/** An action that waits, as a list of them shows it. */
export const WaitingAction = named("WaitingAction", () =>
  z.object({
    id: z.string(),
    agentId: z.string(),
    agentName: z.string(),
    type: enumOf("AgentActionType", AGENT_ACTION_TYPES),
    status: enumOf("AgentActionStatus", AGENT_ACTION_STATUSES),
    /** Minor units. */
    amount: z.int(),
    currency: z.string(),
    to: Payee,
    /** Simulated milliseconds since it was asked for. */
    waitsMs: z.number(),
    /** The row of the policy that has it wait. */
    because: z.object({
      rule: z.string(),
      ...PolicyCheck.unwrap().pick({ limit: true, value: true, currency: true }).shape,
    }),
    action: AgentAction,
  }),
);

export type WaitingAction = z.infer<typeof WaitingAction>;

/** The members of an action that the list of approvals and the feed share. */
export type ActionFacts = Pick<
  WaitingAction,
  "agentName" | "type" | "status" | "amount" | "currency" | "to" | "because"
>;

/** Reply of GET /_sim/approvals. */
export const WaitingActions = named("WaitingActionPage", () =>
  z.object({
    data: z.array(WaitingAction),
    hasMore: z.boolean(),
    nextCursor: z.string().optional(),
    totalCount: z.int(),
    mode: enumOf("ApprovalMode", APPROVAL_MODES),
  }),
);

export type WaitingActions = z.infer<typeof WaitingActions>;

/** Reply of POST /_sim/approvals/{actionId}/approve and /reject. */
export const Decided = named("DecidedAction", () =>
  z.object({
    action: AgentAction,
    /** Reason of a failure, in which nothing moved. */
    because: z.object({ reason: z.string(), says: z.string() }).optional(),
    transaction: z
      .object({ id: z.string(), status: z.string(), path: z.array(z.string()) })
      .optional(),
    /** Balances before and after, in minor units. */
    balances: z.array(
      z.object({
        accountId: z.string(),
        currency: z.string(),
        before: z.int(),
        after: z.int(),
      }),
    ),
    webhooks: z.array(Webhook),
  }),
);

export type Decided = z.infer<typeof Decided>;
