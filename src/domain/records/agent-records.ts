import type { AgentActionStatus, PolicyExplanation } from "../../contract/agents/agent-actions.ts";
import type { AgentPolicy } from "../../contract/agents/agents.ts";
import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { Stamped } from "./stamped.ts";

/** What an agent has moved; a day or month that is over counts as nothing (platform O-44). */
export interface AgentUsageRecord {
  /** `2026-01-05`, UTC. */
  day: string;
  dailyTransactionCount: number;
  /** Minor units of the policy's `spendingLimits.currency`. */
  dailySpendMinor: number;
  monthlySpendMinor: number;
}

/** A program that acts for one customer, under a policy (platform digest 2.1). */
export interface AgentRecord extends Stamped {
  name: string;
  customerId: string;
  isPaused: boolean;
  policy: AgentPolicy;
  usage: AgentUsageRecord;
  /** SHA-256 of its access token, hex; there is one once its device code was redeemed. */
  tokenHash?: string;
}

/** A code that connects an agent's software; newer ones take the place of unredeemed ones. */
export interface DeviceCodeRecord extends Stamped {
  code: string;
  agentId: string;
  expiresAtMs: number;
  redeemed: boolean;
}

/** What an agent asked for, as it is done when it may be. */
export type AgentRequest =
  | { type: "EXECUTE_QUOTE"; quoteId: string }
  | {
      type: "TRANSFER_OUT" | "TRANSFER_IN";
      sourceAccountId: string;
      destinationAccountId: string;
      amountMinor: number;
      currency: CurrencyCode;
    };

/** An operation that an agent started (platform digest 2.4). */
export interface AgentActionRecord extends Stamped {
  agentId: string;
  customerId: string;
  status: AgentActionStatus;
  request: AgentRequest;
  /** How its policy judged it when it was submitted. */
  judged: PolicyExplanation;
  /** Set once execution has begun. */
  transactionId?: string;
  rejectionReason?: string;
  /** Why it failed before execution began; never published by the platform. */
  failedBecause?: { reason: string; says: string };
}
