import { type RefusalRow, row } from "../core/refusal-row.ts";

/** Errors of API tokens and invitations (spec/tokens.md#errors, spec/invitations.md#errors). */
export const PLATFORM_REFUSALS = {
  INVITATIONS_NOT_CONFIGURED: row(
    [400, "INVITATIONS_NOT_CONFIGURED"],
    "The platform has no UMA domain",
    "PATCH /config with a umaDomain first",
  ),
  INVITATION_ALREADY_CLAIMED: row(
    [400, "INVITATION_ALREADY_CLAIMED"],
    "The invitation {code} was already claimed",
    "GET /invitations/{code} shows who claimed it",
  ),
  INVITATION_CANCELLED: row(
    [400, "INVITATION_CANCELLED"],
    "The invitation {code} was canceled",
    "POST /invitations makes a new one",
  ),
  INVITATION_EXPIRED: row(
    [400, "INVALID_INPUT"],
    "The invitation {code} expired at {expiresAt}",
    "POST /invitations makes a new one",
  ),
  OWN_TOKEN: row(
    [400, "INVALID_INPUT"],
    "The token {id} is the one that makes this call",
    "Delete it with another token that has MANAGE",
  ),
  LAST_MANAGE_TOKEN: row(
    [400, "INVALID_INPUT"],
    "The token {id} is the last one with MANAGE",
    "Make another one with POST /tokens first",
  ),
  INVITATION_NOT_FOUND: row(
    [404, "INVITATION_NOT_FOUND"],
    "No invitation has the code {id}",
    "POST /invitations makes one, and its reply has the code",
  ),
  TOKEN_NOT_FOUND: row(
    [404, "TOKEN_NOT_FOUND"],
    "No token has the id {id}",
    "GET /tokens lists them",
  ),
} as const satisfies Record<string, RefusalRow>;
