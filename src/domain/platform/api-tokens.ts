import {
  type ApiToken,
  type ApiTokenInput,
  type CreatedApiToken,
  PERMISSIONS,
  type Permission,
} from "../../contract/platform/tokens.ts";
import { digestHex } from "../../crypto/digest.ts";
import { all, HEX, instant, type Reading, type Rule, type View } from "../core/draft.ts";
import { type ListInput, page, toMs } from "../core/lists.ts";
import { refuse } from "../core/refusal.ts";
import type { ApiTokenRecord } from "../records/platform-records.ts";

const CLIENT_ID_LENGTH = 32;
const SECRET_LENGTH = 36;

/**
 * Finds the token of a Basic user name, which is its client id or its id
 * (spec/tokens.md#basic-credentials).
 */
export const tokenOf = (view: View, userName: string): ApiTokenRecord | undefined => {
  const [id] = view.ids("ApiToken", "byClientId", userName);
  return view.get("ApiToken", id ?? userName);
};

/**
 * Refuses a token without the needed permission; any permission implies VIEW
 * (spec/tokens.md#permissions).
 */
export const requirePermission = (token: ApiTokenRecord, needed: Permission) => {
  if (needed === "VIEW" || token.permissions.includes(needed)) return;
  refuse(
    "FORBIDDEN",
    { requiredPermission: needed, permissions: token.permissions },
    `This API token has ${token.permissions.join(", ")}, not ${needed}`,
  );
};

const showToken = ({ id, name, permissions, clientId, ...stamps }: ApiTokenRecord): ApiToken => ({
  id,
  name,
  permissions,
  clientId,
  createdAt: instant(stamps.createdAtMs),
  updatedAt: instant(stamps.updatedAtMs),
});

/** Finds the calling token; refuses one that was deleted while the body was on its way. */
const callingToken = (view: View, tokenId: string): ApiTokenRecord =>
  view.get("ApiToken", tokenId) ?? refuse("UNAUTHORIZED");

/**
 * POST /tokens: answers the secret once and stores its hash (spec/tokens.md#creation). Refuses a
 * permission that the calling token lacks (spec/tokens.md#granting).
 * @param input.tokenId id of the calling token
 */
export const createToken: Rule<{ body: ApiTokenInput; tokenId: string }, CreatedApiToken> = (
  draft,
  { body, tokenId },
  moment,
) => {
  const permissions = PERMISSIONS.filter((one) => body.permissions.includes(one));
  const caller = callingToken(draft, tokenId);
  for (const permission of permissions) requirePermission(caller, permission);
  const clientId = moment.draw("client-id", CLIENT_ID_LENGTH, HEX);
  const clientSecret = moment.draw("client-secret", SECRET_LENGTH, HEX);
  const token: ApiTokenRecord = {
    id: moment.newId("Token"),
    name: body.name,
    clientId,
    secretHash: digestHex(clientSecret),
    permissions,
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.put("ApiToken", token);
  return { ...showToken(token), clientSecret };
};

interface ByPath {
  params: { tokenId: string };
}

/** Finds the token that a path names, by its id alone, else 404. */
const tokenByPath = (view: View, { params: { tokenId: id } }: ByPath): ApiTokenRecord =>
  view.get("ApiToken", id) ?? refuse("TOKEN_NOT_FOUND", { id, resource: "Token" });

/** GET /tokens/{tokenId}: the token without its secret (spec/tokens.md#reads). */
export const getToken: Reading<ByPath, ApiToken> = (view, input) =>
  showToken(tokenByPath(view, input));

interface TokenFilters {
  name?: string | undefined;
  createdAfter?: string | undefined;
  createdBefore?: string | undefined;
  updatedAfter?: string | undefined;
  updatedBefore?: string | undefined;
}

/** GET /tokens; `name` matches the whole name, which several tokens may share. */
export const listTokens: Reading<ListInput<TokenFilters>, unknown> = (view, input) => {
  const { name, ...dates } = input.query;
  const after = toMs(dates.updatedAfter) ?? 0;
  const before = toMs(dates.updatedBefore) ?? Number.POSITIVE_INFINITY;
  return page(view, {
    kind: "ApiToken",
    input,
    indexed: [["byName", name]],
    createdMs: { from: toMs(dates.createdAfter), to: toMs(dates.createdBefore) },
    where: ({ updatedAtMs }) => updatedAtMs >= after && updatedAtMs <= before,
    show: (_view, token) => showToken(token),
  });
};

/**
 * DELETE /tokens/{tokenId}: calls with the token are 401 from then on (spec/tokens.md#deletion).
 * Refuses the last token with MANAGE, and the calling token.
 * @param input.callerId id of the calling token
 */
export const deleteToken: Rule<ByPath & { callerId: string }, void> = (draft, input) => {
  callingToken(draft, input.callerId);
  const { id, permissions } = tokenByPath(draft, input);
  const managing = all(draft, "ApiToken").filter((one) => one.permissions.includes("MANAGE"));
  if (permissions.includes("MANAGE") && managing.length === 1) refuse("LAST_MANAGE_TOKEN", { id });
  if (id === input.callerId) refuse("OWN_TOKEN", { id });
  draft.del("ApiToken", id);
};
