import * as z from "zod";
import { AnyId, idOf } from "../core/identifiers.ts";
import { BooleanQuery } from "../core/lists.ts";
import { enumOf, named } from "../core/named-shape.ts";
import {
  CalendarDate,
  Instant,
  InstantInput,
  MAX_AMOUNT_MINOR,
  PersonalText,
  refusedAs,
} from "../core/scalars.ts";

/** Permissions of an agent (spec/agent-policy.md#permissions). */
export const AGENT_PERMISSIONS = [
  "VIEW_TRANSACTIONS",
  "CREATE_TRANSFERS",
  "CREATE_QUOTES",
  "EXECUTE_QUOTES",
  "MANAGE_EXTERNAL_ACCOUNTS",
] as const;
export type AgentPermission = (typeof AGENT_PERMISSIONS)[number];

/**
 * Modes of an agent: it acts by itself, or asks each time (spec/agent-policy.md#execution-mode).
 */
export const EXECUTION_MODES = ["AUTO", "APPROVAL_REQUIRED"] as const;
export type ExecutionMode = (typeof EXECUTION_MODES)[number];

/**
 * A bound of a policy, in minor units or as a count (spec/agent-policy.md#policy). A bad bound is
 * `INVALID_INPUT`, and one above the largest amount `AMOUNT_OUT_OF_RANGE`.
 */
const bound = (minimum: 0 | 1) =>
  z
    .custom<number>((value) => typeof value === "number", "Expected a number")
    .refine(
      (amount) => amount > MAX_AMOUNT_MINOR || (Number.isInteger(amount) && amount >= minimum),
      `Expected a whole number of at least ${minimum}`,
    )
    .refine(
      (amount) => amount <= MAX_AMOUNT_MINOR,
      refusedAs("AMOUNT_OUT_OF_RANGE", `Expected at most ${MAX_AMOUNT_MINOR}`),
    )
    .meta({ type: "integer", format: "int64", minimum, maximum: MAX_AMOUNT_MINOR });

const PositiveBound = z.lazy(() => bound(1));
const Bound = z.lazy(() => bound(0));

const spendingLimits = () => ({
  currency: z.string(),
  perTransactionLimit: PositiveBound,
  dailyLimit: Bound.nullable().optional(),
  dailyTransactionLimit: Bound.optional(),
  monthlyLimit: Bound.nullable().optional(),
});

/** Spending limits in minor units of `currency` (spec/agent-policy.md#spending-limits). */
const SpendingLimitsInput = named("SpendingLimitsInput", () => z.object(spendingLimits()));

const AccountRuleInput = named("AccountRuleInput", () =>
  z.object({
    accountId: AnyId,
    executionMode: enumOf("ExecutionMode", EXECUTION_MODES).optional(),
    perTransactionLimit: PositiveBound.nullable().optional(),
  }),
);

const AccountRestrictionsInput = named("AccountRestrictionsInput", () =>
  z.object({
    allowedAccountIds: z.array(AnyId).nullable().optional(),
    accountRules: z.array(AccountRuleInput).optional(),
  }),
);

const ApprovalThresholdsInput = named("ApprovalThresholdsInput", () =>
  z.object({ currency: z.string().optional(), amount: Bound.nullable().optional() }),
);

/** Policy of an agent in POST /agents (spec/agent-policy.md#policy). */
export const AgentPolicyInput = named("AgentPolicyInput", () =>
  z.object({
    permissions: z.array(enumOf("AgentPermission", AGENT_PERMISSIONS)),
    defaultExecutionMode: enumOf("ExecutionMode", EXECUTION_MODES),
    spendingLimits: SpendingLimitsInput,
    accountRestrictions: AccountRestrictionsInput.optional(),
    approvalThresholds: ApprovalThresholdsInput.optional(),
  }),
);

export type AgentPolicyInput = z.infer<typeof AgentPolicyInput>;

/**
 * Body of PATCH /agents/{agentId}/policy; omitted fields are unchanged
 * (spec/agent-policy.md#policy-changes).
 */
export const AgentPolicyPatch = named("AgentPolicyPatch", () =>
  z.object({
    permissions: z.array(enumOf("AgentPermission", AGENT_PERMISSIONS)).optional(),
    defaultExecutionMode: enumOf("ExecutionMode", EXECUTION_MODES).optional(),
    spendingLimits: z.object(spendingLimits()).partial().optional(),
    accountRestrictions: AccountRestrictionsInput.optional(),
    approvalThresholds: ApprovalThresholdsInput.optional(),
  }),
);

export type AgentPolicyPatch = z.infer<typeof AgentPolicyPatch>;

const Limit = z.lazy(() => z.number().int().min(0).meta({ format: "int64" }));

/** Policy of an agent in a reply (spec/agent-policy.md#policy). */
export const AgentPolicy = z.lazy(() =>
  z
    .object({
      permissions: z.array(enumOf("AgentPermission", AGENT_PERMISSIONS)),
      defaultExecutionMode: enumOf("ExecutionMode", EXECUTION_MODES),
      spendingLimits: z.object({
        currency: z.string(),
        perTransactionLimit: Limit,
        dailyLimit: Limit.nullable().optional(),
        dailyTransactionLimit: Limit.optional(),
        monthlyLimit: Limit.nullable().optional(),
      }),
      accountRestrictions: z
        .object({
          allowedAccountIds: z.array(z.string()).nullable().optional(),
          accountRules: z
            .array(
              z.object({
                accountId: z.string(),
                executionMode: enumOf("ExecutionMode", EXECUTION_MODES).optional(),
                perTransactionLimit: Limit.nullable().optional(),
              }),
            )
            .optional(),
        })
        .optional(),
      approvalThresholds: z
        .object({ currency: z.string().optional(), amount: Limit.nullable().optional() })
        .optional(),
    })
    .meta({ id: "AgentPolicy" }),
);

export type AgentPolicy = z.infer<typeof AgentPolicy>;

/**
 * Amounts that an agent has moved, in minor units of its limits' currency
 * (spec/agent-policy.md#usage).
 */
export const AgentUsage = z.lazy(() =>
  z
    .object({
      dailyTransactionCount: z.number().int().min(0),
      dailySpend: Limit,
      dailyResetDate: CalendarDate,
      monthlySpend: Limit,
      monthlyResetMonth: z.string().regex(/^\d{4}-\d{2}$/),
    })
    .meta({ id: "AgentUsage" }),
);

export type AgentUsage = z.infer<typeof AgentUsage>;

/** Agent of a reply (spec/agents.md#agent). */
export const Agent = z.lazy(() =>
  z
    .object({
      id: idOf("Agent"),
      name: z.string(),
      customerId: idOf("Customer"),
      isPaused: z.boolean(),
      isConnected: z.boolean(),
      policy: AgentPolicy,
      usage: AgentUsage,
      createdAt: Instant,
      updatedAt: Instant,
    })
    .meta({ id: "Agent" }),
);

export type Agent = z.infer<typeof Agent>;

/** Body of POST /agents (spec/agents.md#creation). */
export const AgentInput = named("AgentInput", () =>
  z.object({ name: PersonalText, customerId: AnyId, policy: AgentPolicyInput }),
);

export type AgentInput = z.infer<typeof AgentInput>;

/** Body of PATCH /agents/{agentId}: at least one of the two members (spec/agents.md#update). */
export const AgentPatch = named("AgentPatch", () =>
  z
    .object({ name: PersonalText.optional(), isPaused: z.boolean().optional() })
    .refine(
      ({ name, isPaused }) => name !== undefined || isPaused !== undefined,
      "Expected name or isPaused",
    ),
);

export type AgentPatch = z.infer<typeof AgentPatch>;

/** A code that connects the software of an agent, once (spec/agents.md#device-code). */
export const AgentDeviceCode = z.lazy(() =>
  z
    .object({
      code: z.string(),
      agentId: idOf("Agent"),
      expiresAt: Instant,
      redeemed: z.boolean(),
    })
    .meta({ id: "AgentDeviceCode" }),
);

export type AgentDeviceCode = z.infer<typeof AgentDeviceCode>;

/** Reply of POST /agents. */
export const CreatedAgent = named("CreatedAgent", () =>
  z.object({ agent: Agent, deviceCode: AgentDeviceCode }),
);

export type CreatedAgent = z.infer<typeof CreatedAgent>;

/** Reply of GET /agents/device-codes/{code}/status. */
export const DeviceCodeStatus = named("DeviceCodeStatus", () =>
  z.object({ code: z.string(), redeemed: z.boolean() }),
);

export type DeviceCodeStatus = z.infer<typeof DeviceCodeStatus>;

/**
 * Reply of POST /agents/device-codes/{code}/redeem; the token is never shown again
 * (spec/agents.md#access-token).
 */
export const RedeemedDeviceCode = named("RedeemedDeviceCode", () =>
  z.object({
    agentId: idOf("Agent"),
    agentName: z.string(),
    accessToken: z.string(),
    policy: AgentPolicy,
  }),
);

export type RedeemedDeviceCode = z.infer<typeof RedeemedDeviceCode>;

/** Filters of GET /agents (spec/agents.md#list). */
export const AgentsQuery = {
  customerId: AnyId.optional(),
  isPaused: BooleanQuery.optional(),
  isConnected: BooleanQuery.optional(),
  createdAfter: InstantInput.optional(),
  createdBefore: InstantInput.optional(),
  updatedAfter: InstantInput.optional(),
  updatedBefore: InstantInput.optional(),
};
