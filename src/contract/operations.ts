import type { AgentPermission } from "./agents/agents.ts";
import type { Permission } from "./platform/tokens.ts";

type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/**
 * Caller and credentials. B: an API token, by HTTP Basic. T: an agent, by its access token. none:
 * anyone who knows the path. BS: like B, but changes to a wallet are answered 202 and done once its
 * owner has signed (spec/signed-retry.md#signed-operations).
 */
export const OPERATION_AUTHS = ["B", "BS", "T", "none"] as const;
export type OperationAuth = (typeof OPERATION_AUTHS)[number];

/** Permission that the API token or the agent's policy must grant; "any": all tokens have it. */
export type OperationPermission = Permission | AgentPermission | "any" | "none";

/**
 * Every operation of the service, one row each. Reads need VIEW, operations that move money
 * TRANSACT, all other writes MANAGE (spec/tokens.md#permissions,
 * spec/tokens.md#platform-operations).
 */
const ROWS: readonly (readonly [Method, `/${string}`, OperationAuth, OperationPermission])[] = [
  ["GET", "/config", "B", "VIEW"],
  ["PATCH", "/config", "B", "MANAGE"],
  ["POST", "/tokens", "B", "MANAGE"],
  ["GET", "/tokens", "B", "VIEW"],
  ["GET", "/tokens/{tokenId}", "B", "VIEW"],
  ["DELETE", "/tokens/{tokenId}", "B", "MANAGE"],
  ["POST", "/customers", "B", "MANAGE"],
  ["GET", "/customers", "B", "VIEW"],
  ["POST", "/customers/bulk/csv", "B", "MANAGE"],
  ["GET", "/customers/bulk/jobs/{jobId}", "B", "VIEW"],
  ["POST", "/customers/external-accounts", "B", "MANAGE"],
  ["GET", "/customers/external-accounts", "B", "VIEW"],
  ["GET", "/customers/external-accounts/{externalAccountId}", "B", "VIEW"],
  ["DELETE", "/customers/external-accounts/{externalAccountId}", "B", "MANAGE"],
  ["GET", "/customers/internal-accounts", "B", "VIEW"],
  ["GET", "/customers/{customerId}", "B", "VIEW"],
  ["PATCH", "/customers/{customerId}", "BS", "MANAGE"],
  ["DELETE", "/customers/{customerId}", "B", "MANAGE"],
  ["POST", "/customers/{customerId}/kyc-link", "B", "MANAGE"],
  ["POST", "/platform/external-accounts", "B", "MANAGE"],
  ["GET", "/platform/external-accounts", "B", "VIEW"],
  ["GET", "/platform/external-accounts/{externalAccountId}", "B", "VIEW"],
  ["DELETE", "/platform/external-accounts/{externalAccountId}", "B", "MANAGE"],
  ["GET", "/platform/internal-accounts", "B", "VIEW"],
  ["POST", "/beneficial-owners", "B", "MANAGE"],
  ["GET", "/beneficial-owners", "B", "VIEW"],
  ["GET", "/beneficial-owners/{beneficialOwnerId}", "B", "VIEW"],
  ["PATCH", "/beneficial-owners/{beneficialOwnerId}", "B", "MANAGE"],
  ["POST", "/documents", "B", "MANAGE"],
  ["GET", "/documents", "B", "VIEW"],
  ["GET", "/documents/{documentId}", "B", "VIEW"],
  ["PUT", "/documents/{documentId}", "B", "MANAGE"],
  ["DELETE", "/documents/{documentId}", "B", "MANAGE"],
  ["POST", "/verifications", "B", "MANAGE"],
  ["GET", "/verifications", "B", "VIEW"],
  ["GET", "/verifications/{verificationId}", "B", "VIEW"],
  ["GET", "/receiver/external-account/{accountId}", "B", "VIEW"],
  ["GET", "/receiver/uma/{receiverUmaAddress}", "B", "VIEW"],
  ["POST", "/quotes", "B", "TRANSACT"],
  ["GET", "/quotes/{quoteId}", "B", "VIEW"],
  ["POST", "/quotes/{quoteId}/execute", "BS", "TRANSACT"],
  ["POST", "/transfer-in", "B", "TRANSACT"],
  ["POST", "/transfer-out", "B", "TRANSACT"],
  ["GET", "/transactions", "B", "VIEW"],
  ["GET", "/transactions/{transactionId}", "B", "VIEW"],
  ["POST", "/transactions/{transactionId}/approve", "B", "TRANSACT"],
  ["POST", "/transactions/{transactionId}/reject", "B", "TRANSACT"],
  ["GET", "/exchange-rates", "B", "VIEW"],
  ["GET", "/discoveries", "B", "VIEW"],
  ["GET", "/uma-providers", "B", "VIEW"],
  ["POST", "/crypto/estimate-withdrawal-fee", "B", "VIEW"],
  ["POST", "/invitations", "B", "MANAGE"],
  ["GET", "/invitations/{invitationCode}", "B", "VIEW"],
  ["POST", "/invitations/{invitationCode}/cancel", "B", "MANAGE"],
  ["POST", "/invitations/{invitationCode}/claim", "B", "MANAGE"],
  ["POST", "/auth/credentials", "BS", "MANAGE"],
  ["GET", "/auth/credentials", "B", "VIEW"],
  ["DELETE", "/auth/credentials/{id}", "BS", "MANAGE"],
  ["POST", "/auth/credentials/{id}/challenge", "B", "MANAGE"],
  ["POST", "/auth/credentials/{id}/verify", "B", "MANAGE"],
  ["GET", "/auth/sessions", "B", "VIEW"],
  ["DELETE", "/auth/sessions/{id}", "BS", "MANAGE"],
  ["POST", "/auth/sessions/{id}/refresh", "BS", "MANAGE"],
  ["PATCH", "/internal-accounts/{accountId}", "BS", "MANAGE"],
  ["POST", "/internal-accounts/{accountId}/export", "BS", "MANAGE"],
  ["POST", "/cards", "B", "MANAGE"],
  ["GET", "/cards", "B", "VIEW"],
  ["GET", "/cards/{cardId}", "B", "VIEW"],
  ["PATCH", "/cards/{cardId}", "BS", "MANAGE"],
  ["POST", "/agents", "B", "MANAGE"],
  ["GET", "/agents", "B", "VIEW"],
  ["GET", "/agents/approvals", "B", "VIEW"],
  ["POST", "/agents/device-codes/{code}/redeem", "none", "none"],
  ["GET", "/agents/device-codes/{code}/status", "B", "VIEW"],
  ["GET", "/agents/{agentId}", "B", "VIEW"],
  ["PATCH", "/agents/{agentId}", "B", "MANAGE"],
  ["DELETE", "/agents/{agentId}", "B", "MANAGE"],
  ["POST", "/agents/{agentId}/actions/{actionId}/approve", "B", "TRANSACT"],
  ["POST", "/agents/{agentId}/actions/{actionId}/reject", "B", "TRANSACT"],
  ["POST", "/agents/{agentId}/device-codes", "B", "MANAGE"],
  ["PATCH", "/agents/{agentId}/policy", "B", "MANAGE"],
  ["GET", "/agents/me", "T", "any"],
  ["GET", "/agents/me/actions", "T", "any"],
  ["GET", "/agents/me/actions/{actionId}", "T", "any"],
  ["POST", "/agents/me/external-accounts", "T", "MANAGE_EXTERNAL_ACCOUNTS"],
  ["GET", "/agents/me/external-accounts", "T", "MANAGE_EXTERNAL_ACCOUNTS"],
  ["GET", "/agents/me/external-accounts/{externalAccountId}", "T", "MANAGE_EXTERNAL_ACCOUNTS"],
  ["DELETE", "/agents/me/external-accounts/{externalAccountId}", "T", "MANAGE_EXTERNAL_ACCOUNTS"],
  ["GET", "/agents/me/internal-accounts", "T", "VIEW_TRANSACTIONS"],
  ["POST", "/agents/me/quotes", "T", "CREATE_QUOTES"],
  ["GET", "/agents/me/quotes/{quoteId}", "T", "any"],
  ["POST", "/agents/me/quotes/{quoteId}/execute", "T", "EXECUTE_QUOTES"],
  ["GET", "/agents/me/transactions", "T", "VIEW_TRANSACTIONS"],
  ["GET", "/agents/me/transactions/{transactionId}", "T", "VIEW_TRANSACTIONS"],
  ["POST", "/agents/me/transfer-in", "T", "CREATE_TRANSFERS"],
  ["POST", "/agents/me/transfer-out", "T", "CREATE_TRANSFERS"],
  ["POST", "/sandbox/cards/{cardId}/simulate/authorization", "B", "TRANSACT"],
  ["POST", "/sandbox/cards/{cardId}/simulate/clearing", "B", "TRANSACT"],
  ["POST", "/sandbox/cards/{cardId}/simulate/return", "B", "TRANSACT"],
  ["POST", "/sandbox/internal-accounts/{accountId}/fund", "B", "TRANSACT"],
  ["POST", "/sandbox/send", "B", "TRANSACT"],
  ["POST", "/sandbox/uma/receive", "B", "TRANSACT"],
  ["POST", "/sandbox/webhooks/test", "B", "MANAGE"],
];

/** One operation of the service and its access rules. */
export interface OperationRow {
  method: Method;
  path: string;
  auth: OperationAuth;
  permission: OperationPermission;
}

export const OPERATIONS: readonly OperationRow[] = ROWS.map(([method, path, auth, permission]) => ({
  method,
  path,
  auth,
  permission,
}));
