/** What payments refuse of their parties, whoever asks for them. */
export const PARTY_REFUSALS = [
  "ACCOUNT_NOT_ACTIVE",
  "CUSTOMER_DELETED_IN_PAYMENT",
  "USER_NOT_READY",
] as const;

/** What a quote refuses of its request, whoever asks for it. */
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

/** What the execution of a quote refuses, whoever asks for it. */
export const EXECUTION_REFUSALS = [
  ...PARTY_REFUSALS,
  "INVALID_INPUT",
  "QUOTE_NOT_FOUND",
  "INVALID_BANK_ACCOUNT",
  "AMOUNT_OUT_OF_RANGE",
  "QUOTE_EXPIRED",
  "QUOTE_ALREADY_EXECUTED",
] as const;

/** What transfers in both directions refuse, whoever asks for them. */
export const TRANSFER_REFUSALS = [
  ...PARTY_REFUSALS,
  "ACCOUNT_NOT_FOUND",
  "ACCOUNT_KIND_NOT_ALLOWED",
  "INVALID_CURRENCY",
  "INVALID_AMOUNT",
  "AMOUNT_OUT_OF_RANGE",
] as const;

/** What a new external account is refused for. */
export const EXTERNAL_ACCOUNT_REFUSALS = [
  "INVALID_CURRENCY",
  "INVALID_BANK_ACCOUNT",
  "USER_NOT_FOUND_IN_BODY",
  "EXTERNAL_ACCOUNT_EXISTS",
] as const;
