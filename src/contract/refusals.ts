import { ACCOUNT_REFUSALS } from "./accounts/account-refusals.ts";
import { AGENT_REFUSALS } from "./agents/agent-refusals.ts";
import { CARD_REFUSALS } from "./cards/card-refusals.ts";
import { CONTROL_REFUSALS } from "./control/control-refusals.ts";
import { CORE_REFUSALS } from "./core/core-refusals.ts";
import type { RefusalRow } from "./core/refusal-row.ts";
import { CUSTOMER_REFUSALS } from "./customers/customer-refusals.ts";
import { PAYMENT_REFUSALS } from "./payments/payment-refusals.ts";
import { PLATFORM_REFUSALS } from "./platform/platform-refusals.ts";
import { WALLET_REFUSALS } from "./wallets/wallet-refusals.ts";

/**
 * Every documented error: the word that rules refuse with, its published code and HTTP status, a
 * sentence, and the next step (spec/errors.md#messages). A word that differs from its code is also
 * sent as `reason` (spec/errors.md#body). `{name}` in a sentence is filled from the details of the
 * refusal.
 */
export const REFUSALS = {
  ...CORE_REFUSALS,
  ...PAYMENT_REFUSALS,
  ...ACCOUNT_REFUSALS,
  ...CUSTOMER_REFUSALS,
  ...WALLET_REFUSALS,
  ...PLATFORM_REFUSALS,
  ...CARD_REFUSALS,
  ...AGENT_REFUSALS,
  ...CONTROL_REFUSALS,
} as const satisfies Record<string, RefusalRow>;

export type RefusalWord = keyof typeof REFUSALS;

/**
 * Published spellings of `reason` that differ from the word; `undefined` means no reason. Words for
 * ids in a body share a spelling with those for ids in a path (spec/errors.md#ids-in-a-body).
 */
export const REASON_SPELLINGS: Partial<Record<RefusalWord, string | undefined>> = {
  AGENT_TOKEN_NOT_ACCEPTED: undefined,
  QUOTE_SIGNATURE_MISSING: undefined,
  USER_NOT_FOUND_IN_BODY: "USER_NOT_FOUND",
  CUSTOMER_DELETED_IN_PAYMENT: "CUSTOMER_DELETED",
  SIGN_IN_OF_DELETED_CUSTOMER: "CUSTOMER_DELETED",
  LOOKUP_REQUEST_NOT_FOUND_IN_BODY: "LOOKUP_REQUEST_NOT_FOUND",
  PLATFORM_CARD_ID_EXISTS: undefined,
  CARD_TRANSACTION_STATE: undefined,
  THREE_D_SECURE_UNSUPPORTED: undefined,
  UNKNOWN_OPERATION: "UNKNOWN_OPERATION",
  NO_CLOSE_OPERATION: "UNKNOWN_OPERATION",
  INVALID_OTP_CODE: "Invalid OTP code",
  INVALID_PASSKEY_SIGNATURE: "Invalid passkey signature",
  INVALID_OIDC_TOKEN: "Invalid OIDC token",
  INVALID_WALLET_SIGNATURE: "Invalid Service-Wallet-Signature",
  UNKNOWN_REQUEST_ID: "Unknown Request-Id",
  REQUEST_ID_EXPIRED: "Request-Id expired",
  REQUEST_ID_USED: "Request-Id already used",
  REQUEST_BODY_CHANGED: "Request body does not match the pending request",
  SESSION_NOT_ACTIVE: "Session is not active",
};
