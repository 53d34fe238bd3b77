import * as z from "zod";
import {
  AGENT_ACTION_STATUSES,
  PolicyExplanation,
} from "../../../contract/agents/agent-actions.ts";
import { AgentPolicy } from "../../../contract/agents/agents.ts";
import { CARD_STATE_REASONS, CARD_STATES } from "../../../contract/cards/card-states.ts";
import {
  CARD_TRANSACTION_STATUSES,
  DECLINE_REASONS,
} from "../../../contract/cards/card-transactions.ts";
import { APPROVAL_MODES } from "../../../contract/core/world-settings.ts";
import type { AgentActionRecord, AgentRecord, DeviceCodeRecord } from "../agent-records.ts";
import type { CardRecord, CardRevealRecord, CardTransactionRecord } from "../card-records.ts";
import {
  Count,
  Currency,
  Digest,
  Flag,
  Id,
  oneOf,
  StoredInstant,
  stamps,
  stored,
  Text,
} from "./stored-values.ts";

const transfer = <const Name extends string>(type: Name) =>
  z.strictObject({
    type: z.literal(type),
    sourceAccountId: Id,
    destinationAccountId: Id,
    amountMinor: Count,
    currency: Currency,
    paymentRail: Text.optional(),
  });

const Totals = z.strictObject({ count: Count, minor: Count });

export const AGENT_SHAPES = {
  Agent: () =>
    stored<AgentRecord>({
      ...stamps,
      name: Text,
      customerId: Id,
      isPaused: Flag,
      policy: AgentPolicy,
      usage: z.strictObject({
        day: Text.regex(/^\d{4}-\d{2}-\d{2}$/, "Expected a day like 2026-01-05"),
        dailyTransactionCount: Count,
        dailySpendMinor: Count,
        monthlySpendMinor: Count,
      }),
      tokenHash: Digest.optional(),
    }),
  DeviceCode: () =>
    stored<DeviceCodeRecord>({
      ...stamps,
      code: Text,
      agentId: Id,
      expiresAtMs: StoredInstant,
      redeemed: Flag,
    }),
  AgentAction: () =>
    stored<AgentActionRecord>({
      ...stamps,
      agentId: Id,
      customerId: Id,
      status: oneOf(AGENT_ACTION_STATUSES),
      request: z.discriminatedUnion("type", [
        z.strictObject({ type: z.literal("EXECUTE_QUOTE"), quoteId: Id }),
        transfer("TRANSFER_OUT"),
        transfer("TRANSFER_IN"),
      ]),
      judged: PolicyExplanation,
      decision: oneOf(APPROVAL_MODES).optional(),
      transactionId: Id.optional(),
      rejectionReason: Text.optional(),
      failedBecause: z.strictObject({ reason: Text, says: Text }).optional(),
    }),
  Card: () =>
    stored<CardRecord>({
      ...stamps,
      cardholderId: Id,
      platformCardId: Text,
      state: oneOf(CARD_STATES),
      stateReason: oneOf(CARD_STATE_REASONS).optional(),
      fundingSources: z.array(Id),
      currency: Currency,
      maxSpendMinor: z.int().min(1).optional(),
      provisioned: z
        .strictObject({
          brand: z.literal("VISA"),
          last4: Text,
          expMonth: z.int().min(1).max(12),
          expYear: Count.max(9999),
          panEmbedUrl: Text,
          issuerRef: Text,
        })
        .optional(),
      lastSource: Id.optional(),
    }),
  CardReveal: () =>
    stored<CardRevealRecord>({ ...stamps, cardId: Id, code: Text, expiresAtMs: StoredInstant }),
  CardTransaction: () =>
    stored<CardTransactionRecord>({
      ...stamps,
      cardId: Id,
      issuerToken: Text,
      setRow: Text.optional(),
      status: oneOf(CARD_TRANSACTION_STATUSES),
      declineCode: oneOf(DECLINE_REASONS).optional(),
      isCredit: z.literal(true).optional(),
      merchant: z.strictObject({
        descriptor: Text,
        mcc: Text.optional(),
        country: Text.optional(),
      }),
      currency: Currency,
      authorizedMinor: Count,
      settledMinor: Count,
      refundedMinor: Count,
      accountId: Id,
      sourceCurrency: Currency,
      pulls: Totals,
      pendingUntilMs: z.array(StoredInstant),
      refunds: Totals,
      settlements: Totals,
      heldMinor: Count,
      endedByClose: z.literal(true).optional(),
      lastEventAtMs: StoredInstant.optional(),
      receiptConfirmedAtMs: StoredInstant.optional(),
    }),
};
