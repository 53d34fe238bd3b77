/** Refusals about a payment's parties, for platforms and agents. */
export const PARTY_REFUSALS = [
  "ACCOUNT_NOT_ACTIVE",
  "CUSTOMER_DELETED_IN_PAYMENT",
  "USER_NOT_READY",
] as const;

/** Further refusals of a payer in later revisions (spec/later-customers.md#required-consent). */
export const PAYER_REFUSALS_SINCE = {
  change: "endUserConsents",
  refuses: ["END_USER_TERMS_NOT_ACCEPTED"],
} as const;

/** Refusals of quote creation, for platforms and agents. */
export const QUOTE_REFUSALS = [
  ...PARTY_REFUSALS,
  "ACCOUNT_NOT_FOUND",
  "USER_NOT_FOUND_IN_BODY",
  "SELF_PAYMENT",
  "SOURCE_NOT_PULLABLE",
  "INVALID_UMA_ADDRESS",
  "LOOKUP_REQUEST_NOT_FOUND_IN_BODY",
  "INVALID_RECEIVER",
  "MISSING_MANDATORY_USER_INFO",
  "INVALID_CURRENCY",
  "INVALID_AMOUNT",
  "AMOUNT_OUT_OF_RANGE",
  "NOT_IMPLEMENTED",
] as const;

/** Refusals of quote execution, for platforms and agents. */
export const EXECUTION_REFUSALS = [
  ...PARTY_REFUSALS,
  "INVALID_INPUT",
  "QUOTE_NOT_FOUND",
  "INVALID_BANK_ACCOUNT",
  "AMOUNT_OUT_OF_RANGE",
  "QUOTE_EXPIRED",
  "QUOTE_ALREADY_EXECUTED",
] as const;

/** Refusals of transfers in both directions, for platforms and agents. */
export const TRANSFER_REFUSALS = [
  ...PARTY_REFUSALS,
  "ACCOUNT_NOT_FOUND",
  "ACCOUNT_KIND_NOT_ALLOWED",
  "INVALID_CURRENCY",
  "INVALID_AMOUNT",
  "AMOUNT_OUT_OF_RANGE",
] as const;

/** Refusals of new external accounts. */
export const EXTERNAL_ACCOUNT_REFUSALS = [
  "INVALID_CURRENCY",
  "INVALID_BANK_ACCOUNT",
  "USER_NOT_FOUND_IN_BODY",
  "EXTERNAL_ACCOUNT_EXISTS",
] as const;

/** Refusals of requests that begin a card transaction. */
export const CARD_AUTHORIZATION_REFUSALS = [
  "REFERENCE_NOT_FOUND",
  "INVALID_CURRENCY",
  "INVALID_AMOUNT",
  "AMOUNT_OUT_OF_RANGE",
] as const;

/** Refusals by limits that a tester set. */
const LIMIT_REFUSALS = ["TRANSACTION_SIZE_LIMIT_EXCEEDED", "DAILY_VOLUME_LIMIT_EXCEEDED"] as const;

/** Further refusals of a new quote and of a transfer out, for platforms and agents. */
export const LIMITED_SINCE = {
  change: "transactionLimits",
  refuses: [...LIMIT_REFUSALS, ...PAYER_REFUSALS_SINCE.refuses],
} as const;

/** Further refusals of a quote's execution, for platforms and agents. */
export const EXECUTION_REFUSALS_SINCE = {
  change: "transactionLimits",
  refuses: ["DAILY_VOLUME_LIMIT_EXCEEDED", ...PAYER_REFUSALS_SINCE.refuses],
} as const;
