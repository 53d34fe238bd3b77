import { type RefusalRow, row } from "../core/refusal-row.ts";

/**
 * Errors of webhook endpoints, API tokens and invitations (spec/tokens.md#errors,
 * spec/invitations.md#errors).
 */
export const PLATFORM_REFUSALS = {
  WEBHOOK_ENDPOINT_NOT_SET: row(
    "WEBHOOK_ENDPOINT_NOT_SET",
    "No webhook endpoint is configured",
    "PATCH /config with a webhookEndpoint first",
  ),
  WEBHOOK_DELIVERY_ERROR: row(
    "WEBHOOK_DELIVERY_ERROR",
    "The webhook endpoint {url} gave no answer: {why}",
    "Start the receiver, or PATCH /config with an endpoint that answers",
  ),
  INVITATIONS_NOT_CONFIGURED: row(
    "INVITATIONS_NOT_CONFIGURED",
    "The platform has no UMA domain",
    "PATCH /config with a umaDomain first",
  ),
  INVITATION_ALREADY_CLAIMED: row(
    "INVITATION_ALREADY_CLAIMED",
    "The invitation {code} was already claimed",
    "GET /invitations/{code} shows who claimed it",
  ),
  INVITATION_CANCELLED: row(
    "INVITATION_CANCELLED",
    "The invitation {code} was canceled",
    "POST /invitations creates a new one",
  ),
  INVITATION_EXPIRED: row(
    "INVALID_INPUT",
    "The invitation {code} expired at {expiresAt}",
    "POST /invitations creates a new one",
  ),
  OWN_TOKEN: row(
    "INVALID_INPUT",
    "The token {id} is the one that makes this call",
    "Delete it with another token that has MANAGE",
  ),
  LAST_MANAGE_TOKEN: row(
    "INVALID_INPUT",
    "The token {id} is the last one with MANAGE",
    "Create another one with POST /tokens first",
  ),
  INVITATION_NOT_FOUND: row(
    "INVITATION_NOT_FOUND",
    "No invitation {id}",
    "POST /invitations creates one; its reply has the code",
  ),
  TOKEN_NOT_FOUND: row("TOKEN_NOT_FOUND", "No token {id}", "GET /tokens lists them"),
} as const satisfies Record<string, RefusalRow>;
