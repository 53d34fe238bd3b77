import type { View } from "./draft.ts";
import type { ApiTokenRecord, Permission } from "./records.ts";
import { refuse } from "./refusal.ts";

export const ALL_PERMISSIONS: readonly Permission[] = ["VIEW", "TRANSACT", "MANAGE"];

/** The token a Basic user name means: its client id, or the id of the token itself (C-01). */
export const tokenOf = (view: View, userName: string): ApiTokenRecord | undefined => {
  const [id] = view.ids("ApiToken", "byClientId", userName);
  return view.get("ApiToken", id ?? userName);
};

/** Any permission implies VIEW (decisions, Permissions); refuses a token that lacks the needed. */
export const requirePermission = (token: ApiTokenRecord, needed: Permission) => {
  if (needed === "VIEW" || token.permissions.includes(needed)) return;
  refuse(
    "FORBIDDEN",
    { requiredPermission: needed, permissions: token.permissions },
    `This API token has ${token.permissions.join(", ")}, not ${needed}`,
  );
};
