import type { AgentPermission } from "./agents/agents.ts";
import type { Permission } from "./platform/tokens.ts";

/** Methods of operations. */
export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/**
 * Caller and credentials. B: an API token, by HTTP Basic. T: an agent, by its access token. none:
 * anyone who knows the path. BS: like B, but changes to a wallet are answered 202 and done once its
 * owner has signed (spec/signed-retry.md#signed-operations).
 */
export const OPERATION_AUTHS = ["B", "BS", "T", "none"] as const;
export type OperationAuth = (typeof OPERATION_AUTHS)[number];

/** Permission that the API token or the agent's policy must grant; "any": all tokens have it. */
export type OperationPermission = Permission | AgentPermission | "any" | "none";

/** One operation: where it is, its name, and who may call it. */
export type Row = readonly [
  method: Method,
  path: `/${string}`,
  operationId: string,
  auth: OperationAuth,
  permission: OperationPermission,
];
