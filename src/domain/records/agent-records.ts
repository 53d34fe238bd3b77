import type { AgentActionStatus, PolicyExplanation } from "../../contract/agents/agent-actions.ts";
import type { AgentPolicy } from "../../contract/agents/agents.ts";
import type { PaymentRail } from "../../contract/core/account-fields.ts";
import type { APPROVAL_MODES } from "../../contract/core/world-settings.ts";
import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { Timestamps } from "./timestamps.ts";

/** Modes of deciding about waiting actions: a person, or the simulator at once. */
export type ApprovalMode = (typeof APPROVAL_MODES)[number];

/**
 * Usage counters of an agent; those of a past day or month count as zero
 * (spec/agent-policy.md#usage).
 */
export interface AgentUsageRecord {
  /** `2026-01-05`, UTC. */
  day: string;
  dailyTransactionCount: number;
  /** Minor units of the policy's `spendingLimits.currency`. */
  dailySpendMinor: number;
  monthlySpendMinor: number;
}

/** A program that acts for one customer, under a policy (spec/agents.md#agent). */
export interface AgentRecord extends Timestamps {
  name: string;
  customerId: string;
  isPaused: boolean;
  policy: AgentPolicy;
  usage: AgentUsageRecord;
  /** SHA-256 of the access token, hex; present once the device code has been redeemed. */
  tokenHash?: string;
}

/**
 * A code that connects an agent's software; a newer one replaces an unredeemed one
 * (spec/agents.md#device-code).
 */
export interface DeviceCodeRecord extends Timestamps {
  code: string;
  agentId: string;
  expiresAtMs: number;
  redeemed: boolean;
}

/** The operation that an agent asked for, ready to be executed. */
export type AgentRequest =
  | { type: "EXECUTE_QUOTE"; quoteId: string }
  | {
      type: "TRANSFER_OUT" | "TRANSFER_IN";
      sourceAccountId: string;
      destinationAccountId: string;
      amountMinor: number;
      currency: CurrencyCode;
      /** The rail that it named. */
      paymentRail?: PaymentRail;
    };

/** An operation that an agent started (spec/agent-actions.md#agent-action). */
export interface AgentActionRecord extends Timestamps {
  agentId: string;
  customerId: string;
  status: AgentActionStatus;
  request: AgentRequest;
  /** The policy check at submission. */
  judged: PolicyExplanation;
  /** The decision that a tester set for it beforehand, in place of the world's setting. */
  decision?: ApprovalMode;
  /** Present once execution has begun. */
  transactionId?: string;
  rejectionReason?: string;
  /** Reason of a failure before execution began; shown to the operator only. */
  failedBecause?: { reason: string; says: string };
}
