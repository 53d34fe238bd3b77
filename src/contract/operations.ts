import type { Revision } from "./core/revision-names.ts";
import { hasChange, type RevisionFeature } from "./core/revisions.ts";
import { ROWS_SINCE } from "./later-operations.ts";
import type { Method, OperationAuth, OperationPermission, Row } from "./operation-row.ts";

/**
 * Every operation of the service, one row each. Reads need VIEW, operations that move money
 * TRANSACT, all other writes MANAGE (spec/tokens.md#permissions,
 * spec/tokens.md#platform-operations).
 */
const ROWS = [
  ["GET", "/config", "getConfig", "B", "VIEW"],
  ["PATCH", "/config", "patchConfig", "B", "MANAGE"],
  ["POST", "/tokens", "createToken", "B", "MANAGE"],
  ["GET", "/tokens", "listTokens", "B", "VIEW"],
  ["GET", "/tokens/{tokenId}", "getToken", "B", "VIEW"],
  ["DELETE", "/tokens/{tokenId}", "deleteToken", "B", "MANAGE"],
  ["POST", "/customers", "createCustomer", "B", "MANAGE"],
  ["GET", "/customers", "listCustomers", "B", "VIEW"],
  ["POST", "/customers/bulk/csv", "uploadCustomersCsv", "B", "MANAGE"],
  ["GET", "/customers/bulk/jobs/{jobId}", "getBulkJob", "B", "VIEW"],
  ["POST", "/customers/external-accounts", "createCustomerExternalAccount", "B", "MANAGE"],
  ["GET", "/customers/external-accounts", "listCustomerExternalAccounts", "B", "VIEW"],
  [
    "GET",
    "/customers/external-accounts/{externalAccountId}",
    "getCustomerExternalAccount",
    "B",
    "VIEW",
  ],
  [
    "DELETE",
    "/customers/external-accounts/{externalAccountId}",
    "deleteCustomerExternalAccount",
    "B",
    "MANAGE",
  ],
  ["GET", "/customers/internal-accounts", "listCustomerInternalAccounts", "B", "VIEW"],
  ["GET", "/customers/{customerId}", "getCustomer", "B", "VIEW"],
  ["PATCH", "/customers/{customerId}", "patchCustomer", "BS", "MANAGE"],
  ["DELETE", "/customers/{customerId}", "deleteCustomer", "B", "MANAGE"],
  ["POST", "/customers/{customerId}/kyc-link", "createKycLink", "B", "MANAGE"],
  ["POST", "/platform/external-accounts", "createPlatformExternalAccount", "B", "MANAGE"],
  ["GET", "/platform/external-accounts", "listPlatformExternalAccounts", "B", "VIEW"],
  [
    "GET",
    "/platform/external-accounts/{externalAccountId}",
    "getPlatformExternalAccount",
    "B",
    "VIEW",
  ],
  [
    "DELETE",
    "/platform/external-accounts/{externalAccountId}",
    "deletePlatformExternalAccount",
    "B",
    "MANAGE",
  ],
  ["GET", "/platform/internal-accounts", "listPlatformInternalAccounts", "B", "VIEW"],
  ["POST", "/beneficial-owners", "createBeneficialOwner", "B", "MANAGE"],
  ["GET", "/beneficial-owners", "listBeneficialOwners", "B", "VIEW"],
  ["GET", "/beneficial-owners/{beneficialOwnerId}", "getBeneficialOwner", "B", "VIEW"],
  ["PATCH", "/beneficial-owners/{beneficialOwnerId}", "patchBeneficialOwner", "B", "MANAGE"],
  ["POST", "/documents", "createDocument", "B", "MANAGE"],
  ["GET", "/documents", "listDocuments", "B", "VIEW"],
  ["GET", "/documents/{documentId}", "getDocument", "B", "VIEW"],
  ["PUT", "/documents/{documentId}", "replaceDocument", "B", "MANAGE"],
  ["DELETE", "/documents/{documentId}", "deleteDocument", "B", "MANAGE"],
  ["POST", "/verifications", "createVerification", "B", "MANAGE"],
  ["GET", "/verifications", "listVerifications", "B", "VIEW"],
  ["GET", "/verifications/{verificationId}", "getVerification", "B", "VIEW"],
  ["GET", "/receiver/external-account/{accountId}", "lookUpExternalAccount", "B", "VIEW"],
  ["GET", "/receiver/uma/{receiverUmaAddress}", "lookUpUma", "B", "VIEW"],
  ["POST", "/quotes", "createQuote", "B", "TRANSACT"],
  ["GET", "/quotes/{quoteId}", "getQuote", "B", "VIEW"],
  ["POST", "/quotes/{quoteId}/execute", "executeQuote", "BS", "TRANSACT"],
  ["POST", "/transfer-in", "transferIn", "B", "TRANSACT"],
  ["POST", "/transfer-out", "transferOut", "B", "TRANSACT"],
  ["GET", "/transactions", "listTransactions", "B", "VIEW"],
  ["GET", "/transactions/{transactionId}", "getTransaction", "B", "VIEW"],
  ["POST", "/transactions/{transactionId}/approve", "approveTransaction", "B", "TRANSACT"],
  ["POST", "/transactions/{transactionId}/reject", "rejectTransaction", "B", "TRANSACT"],
  ["GET", "/exchange-rates", "listExchangeRates", "B", "VIEW"],
  ["GET", "/discoveries", "listDiscoveries", "B", "VIEW"],
  ["GET", "/uma-providers", "listUmaProviders", "B", "VIEW"],
  ["POST", "/crypto/estimate-withdrawal-fee", "estimateWithdrawalFee", "B", "VIEW"],
  ["POST", "/invitations", "createInvitation", "B", "MANAGE"],
  ["GET", "/invitations/{invitationCode}", "getInvitation", "B", "VIEW"],
  ["POST", "/invitations/{invitationCode}/cancel", "cancelInvitation", "B", "MANAGE"],
  ["POST", "/invitations/{invitationCode}/claim", "claimInvitation", "B", "MANAGE"],
  ["POST", "/auth/credentials", "createCredential", "BS", "MANAGE"],
  ["GET", "/auth/credentials", "listCredentials", "B", "VIEW"],
  ["DELETE", "/auth/credentials/{id}", "deleteCredential", "BS", "MANAGE"],
  ["POST", "/auth/credentials/{id}/challenge", "challengeCredential", "B", "MANAGE"],
  ["POST", "/auth/credentials/{id}/verify", "verifyCredential", "B", "MANAGE"],
  ["GET", "/auth/sessions", "listSessions", "B", "VIEW"],
  ["DELETE", "/auth/sessions/{id}", "deleteSession", "BS", "MANAGE"],
  ["POST", "/auth/sessions/{id}/refresh", "refreshSession", "BS", "MANAGE"],
  ["PATCH", "/internal-accounts/{accountId}", "updateInternalAccount", "BS", "MANAGE"],
  ["POST", "/internal-accounts/{accountId}/export", "exportWallet", "BS", "MANAGE"],
  ["POST", "/cards", "createCard", "B", "MANAGE"],
  ["GET", "/cards", "listCards", "B", "VIEW"],
  ["GET", "/cards/{cardId}", "getCard", "B", "VIEW"],
  ["PATCH", "/cards/{cardId}", "patchCard", "BS", "MANAGE"],
  ["POST", "/agents", "createAgent", "B", "MANAGE"],
  ["GET", "/agents", "listAgents", "B", "VIEW"],
  ["GET", "/agents/approvals", "listAgentApprovals", "B", "VIEW"],
  ["POST", "/agents/device-codes/{code}/redeem", "redeemDeviceCode", "none", "none"],
  ["GET", "/agents/device-codes/{code}/status", "getDeviceCodeStatus", "B", "VIEW"],
  ["GET", "/agents/{agentId}", "getAgent", "B", "VIEW"],
  ["PATCH", "/agents/{agentId}", "patchAgent", "B", "MANAGE"],
  ["DELETE", "/agents/{agentId}", "deleteAgent", "B", "MANAGE"],
  ["POST", "/agents/{agentId}/actions/{actionId}/approve", "approveAgentAction", "B", "TRANSACT"],
  ["POST", "/agents/{agentId}/actions/{actionId}/reject", "rejectAgentAction", "B", "TRANSACT"],
  ["POST", "/agents/{agentId}/device-codes", "createAgentDeviceCode", "B", "MANAGE"],
  ["PATCH", "/agents/{agentId}/policy", "patchAgentPolicy", "B", "MANAGE"],
  ["GET", "/agents/me", "agentGetMe", "T", "any"],
  ["GET", "/agents/me/actions", "agentListActions", "T", "any"],
  ["GET", "/agents/me/actions/{actionId}", "agentGetAction", "T", "any"],
  [
    "POST",
    "/agents/me/external-accounts",
    "agentCreateExternalAccount",
    "T",
    "MANAGE_EXTERNAL_ACCOUNTS",
  ],
  [
    "GET",
    "/agents/me/external-accounts",
    "agentListExternalAccounts",
    "T",
    "MANAGE_EXTERNAL_ACCOUNTS",
  ],
  [
    "GET",
    "/agents/me/external-accounts/{externalAccountId}",
    "agentGetExternalAccount",
    "T",
    "MANAGE_EXTERNAL_ACCOUNTS",
  ],
  [
    "DELETE",
    "/agents/me/external-accounts/{externalAccountId}",
    "agentDeleteExternalAccount",
    "T",
    "MANAGE_EXTERNAL_ACCOUNTS",
  ],
  ["GET", "/agents/me/internal-accounts", "agentListInternalAccounts", "T", "VIEW_TRANSACTIONS"],
  ["POST", "/agents/me/quotes", "agentCreateQuote", "T", "CREATE_QUOTES"],
  ["GET", "/agents/me/quotes/{quoteId}", "agentGetQuote", "T", "any"],
  ["POST", "/agents/me/quotes/{quoteId}/execute", "agentExecuteQuote", "T", "EXECUTE_QUOTES"],
  ["GET", "/agents/me/transactions", "agentListTransactions", "T", "VIEW_TRANSACTIONS"],
  [
    "GET",
    "/agents/me/transactions/{transactionId}",
    "agentGetTransaction",
    "T",
    "VIEW_TRANSACTIONS",
  ],
  ["POST", "/agents/me/transfer-in", "agentTransferIn", "T", "CREATE_TRANSFERS"],
  ["POST", "/agents/me/transfer-out", "agentTransferOut", "T", "CREATE_TRANSFERS"],
  [
    "POST",
    "/sandbox/cards/{cardId}/simulate/authorization",
    "simulateCardAuthorization",
    "B",
    "TRANSACT",
  ],
  ["POST", "/sandbox/cards/{cardId}/simulate/clearing", "simulateCardClearing", "B", "TRANSACT"],
  ["POST", "/sandbox/cards/{cardId}/simulate/return", "simulateCardReturn", "B", "TRANSACT"],
  ["POST", "/sandbox/internal-accounts/{accountId}/fund", "fundInternalAccount", "B", "TRANSACT"],
  ["POST", "/sandbox/send", "sandboxSend", "B", "TRANSACT"],
  ["POST", "/sandbox/uma/receive", "sandboxReceiveUma", "B", "TRANSACT"],
  ["POST", "/sandbox/webhooks/test", "sendTestWebhook", "B", "MANAGE"],
] as const satisfies readonly Row[];

type LaterRow = (typeof ROWS_SINCE)[RevisionFeature][number];

/** Name of an operation of the first revision, such as `createQuote`. */
export type OperationId = (typeof ROWS)[number][2];

/** Name of an operation of any revision. */
export type AnyOperationId = OperationId | LaterRow[2];

/** Path of an operation: `/quotes/{quoteId}` of `getQuote`. */
export type OperationPath<Id extends AnyOperationId> = Extract<
  (typeof ROWS)[number] | LaterRow,
  readonly [Method, string, Id, OperationAuth, OperationPermission]
>[1];

/** Names of all operations. */
export const OPERATION_IDS: readonly OperationId[] = ROWS.map(([, , operationId]) => operationId);

/** One operation of the service and its access rules. */
export interface OperationRow {
  method: Method;
  path: string;
  operationId: string;
  auth: OperationAuth;
  permission: OperationPermission;
  /** The feature that brought it; earlier revisions have no such operation. */
  since?: RevisionFeature;
}

const asRow = ([method, path, operationId, auth, permission]: Row): OperationRow => ({
  method,
  path,
  operationId,
  auth,
  permission,
});

/** The operations that later revisions brought. */
export const LATER_OPERATIONS: readonly OperationRow[] = Object.entries(ROWS_SINCE).flatMap(
  ([since, rows]) => rows.map((row) => ({ ...asRow(row), since: since as RevisionFeature })),
);

/** Every operation of the first revision. */
export const OPERATIONS: readonly OperationRow[] = ROWS.map(asRow);

/** The operations that a revision has. */
export const operationsOf = (revision: Revision): readonly OperationRow[] => [
  ...OPERATIONS,
  ...LATER_OPERATIONS.filter(({ since }) => since && hasChange(revision, since)),
];

/** Every operation of any revision, those of the first one first. */
export const OPERATIONS_OF_ANY_REVISION: readonly OperationRow[] = [
  ...OPERATIONS,
  ...LATER_OPERATIONS,
];

const BY_ID = new Map(OPERATIONS_OF_ANY_REVISION.map((row) => [row.operationId, row]));

/** The row of an operation of any revision. */
export const operationRow = (id: AnyOperationId): OperationRow => BY_ID.get(id) as OperationRow;
