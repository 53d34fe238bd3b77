import { Quote, QuoteInput } from "../contract/quotes.ts";
import * as quotes from "../domain/quotes.ts";
import { signedRetry } from "../domain/signed-retry.ts";
import { endpoint } from "../http/endpoint.ts";

const PARTY_REFUSALS = [
  "ACCOUNT_NOT_ACTIVE",
  "CUSTOMER_DELETED_IN_PAYMENT",
  "USER_NOT_READY",
  "INSUFFICIENT_BALANCE",
] as const;

export const createQuote = endpoint({
  operationId: "createQuote",
  summary: "Lock the amounts of a payment for five minutes",
  method: "POST",
  path: "/quotes",
  permission: "TRANSACT",
  idempotent: true,
  body: QuoteInput,
  replies: [201, Quote],
  refuses: [
    ...PARTY_REFUSALS,
    "ACCOUNT_NOT_FOUND",
    "USER_NOT_FOUND_IN_BODY",
    "OWNER_MISMATCH",
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
  ],
  handle: ({ body }, { commit }) => commit(quotes.createQuote, { body }),
});

export const getQuote = endpoint({
  operationId: "getQuote",
  summary: "Get one quote",
  method: "GET",
  path: "/quotes/{quoteId}",
  permission: "VIEW",
  replies: [200, Quote],
  refuses: ["QUOTE_NOT_FOUND"],
  handle: (input, { read }) => read(quotes.getQuote, input),
});

export const executeQuote = endpoint({
  operationId: "executeQuote",
  summary: "Take the money and start the payment",
  method: "POST",
  path: "/quotes/{quoteId}/execute",
  permission: "TRANSACT",
  signing: "retry",
  idempotent: true,
  replies: [200, Quote],
  refuses: [
    ...PARTY_REFUSALS,
    "INVALID_INPUT",
    "QUOTE_NOT_FOUND",
    "INVALID_BANK_ACCOUNT",
    "AMOUNT_OUT_OF_RANGE",
    "QUOTE_EXPIRED",
    "QUOTE_ALREADY_EXECUTED",
  ],
  isUnsigned: quotes.isUnsignedQuote,
  handle: ({ params }, { commit, signed }) =>
    commit(signedRetry(quotes.executeQuote), { params, call: signed }),
});
