import { MAGIC_VALUES } from "../core/magic-values.ts";
import { nextByMode, type RefusalRow, row } from "../core/refusal-row.ts";

/**
 * Errors of agents, their device codes and their actions (spec/agents.md#redeem,
 * spec/agent-policy.md#denials).
 */
export const AGENT_REFUSALS = {
  DEVICE_CODE_ALREADY_REDEEMED: row(
    "INVALID_INPUT",
    "The device code {code} was already redeemed",
    "Use the accessToken from that call, or delete the agent and create it again",
  ),
  DEVICE_CODE_EXPIRED: row(
    "INVALID_INPUT",
    "The device code {code} expired at {expiresAt}",
    "POST /agents/{agentId}/device-codes creates a new one",
  ),
  AGENT_TOKEN_NOT_ACCEPTED: row(
    "UNAUTHORIZED",
    "The access token is missing or unknown",
    "Send Authorization: Bearer with the accessToken of a redeemed device code",
  ),
  QUOTE_SIGNATURE_MISSING: row(
    "WALLET_SIGNATURE_MISSING",
    "The header Service-Wallet-Signature is missing",
    nextByMode(
      "Sign the payloadToSign in the quote's paymentInstructions; agents get no challenge",
      `send ${MAGIC_VALUES.walletSignature}`,
    ),
  ),
  AGENT_PAUSED: row(
    "FORBIDDEN",
    "The agent {agentId} is paused",
    "PATCH /agents/{agentId} with isPaused false lets it act again",
  ),
  PERMISSION_DENIED: row(
    "FORBIDDEN",
    "The agent's policy does not grant {requiredPermission}",
    "PATCH /agents/{agentId}/policy with permissions that include it",
  ),
  ACCOUNT_NOT_ALLOWED: row(
    "FORBIDDEN",
    "The agent's policy does not allow the account {accountId}",
    "PATCH /agents/{agentId}/policy and add it to accountRestrictions.allowedAccountIds",
  ),
  PER_TRANSACTION_LIMIT_EXCEEDED: row(
    "FORBIDDEN",
    "{attempted} is above the limit per transaction of {limit}, in minor units of {currency}",
    "Move less at once; service-sim policy explain {agentId} shows what the policy allows",
  ),
  DAILY_TRANSACTION_LIMIT_EXCEEDED: row(
    "FORBIDDEN",
    "This would be transaction {attempted} of the day, and the policy allows {limit}",
    "Try again after 00:00 UTC; service-sim advance 24h moves the clock there",
  ),
  DAILY_LIMIT_EXCEEDED: row(
    "FORBIDDEN",
    "{attempted} in one day is above the limit of {limit}, in minor units of {currency}",
    "Try again after 00:00 UTC; service-sim advance 24h moves the clock there",
  ),
  MONTHLY_LIMIT_EXCEEDED: row(
    "FORBIDDEN",
    "{attempted} in one month is above the limit of {limit}, in minor units of {currency}",
    "Try again next month, or PATCH /agents/{agentId}/policy with a higher monthlyLimit",
  ),
  ACTION_PENDING_APPROVAL: row(
    "CONFLICT",
    "The action {actionId} for this quote already waits for approval",
    "GET /agents/me/actions/{actionId} shows its decision",
  ),
  ACTION_ALREADY_DECIDED: row(
    "CONFLICT",
    "The action {id} is already {status}",
    "service-sim approvals list and GET /agents/approvals show the waiting actions",
  ),
  AGENT_ALREADY_CONNECTED: row(
    "CONFLICT",
    "The agent {id} is already connected",
    "DELETE /agents/{id}, then create it again to connect other software",
  ),
} as const satisfies Record<string, RefusalRow>;
