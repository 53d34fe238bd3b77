import {
  AuthorizationInput,
  CardTransaction,
  ClearingInput,
  ReturnInput,
} from "../../contract/cards/card-transactions.ts";
import * as transactions from "../../domain/cards/card-transactions.ts";
import { cardByPath } from "../../domain/cards/cards.ts";
import { endpoint } from "../../http/endpoint.ts";

export const simulateCardAuthorization = endpoint({
  operationId: "simulateCardAuthorization",
  summary: "Sandbox: a merchant asks for money; a decline is told, not an error",
  method: "POST",
  path: "/sandbox/cards/{cardId}/simulate/authorization",
  permission: "TRANSACT",
  body: AuthorizationInput,
  replies: [200, CardTransaction],
  refuses: ["REFERENCE_NOT_FOUND", "INVALID_CURRENCY", "INVALID_AMOUNT", "AMOUNT_OUT_OF_RANGE"],
  subject: cardByPath,
  handle: (input, { commit }) => commit(transactions.authorize, input),
});

export const simulateCardClearing = endpoint({
  operationId: "simulateCardClearing",
  summary: "Sandbox: an authorization is cleared, in part, in whole, or with more",
  method: "POST",
  path: "/sandbox/cards/{cardId}/simulate/clearing",
  permission: "TRANSACT",
  body: ClearingInput,
  replies: [200, CardTransaction],
  refuses: [
    "REFERENCE_NOT_FOUND",
    "TRANSACTION_NOT_FOUND",
    "CARD_TRANSACTION_STATE",
    "INVALID_AMOUNT",
    "AMOUNT_OUT_OF_RANGE",
  ],
  subject: cardByPath,
  handle: (input, { commit }) => commit(transactions.clear, input),
});

export const simulateCardReturn = endpoint({
  operationId: "simulateCardReturn",
  summary: "Sandbox: the merchant pays back what has settled",
  method: "POST",
  path: "/sandbox/cards/{cardId}/simulate/return",
  permission: "TRANSACT",
  body: ReturnInput,
  replies: [200, CardTransaction],
  refuses: [
    "REFERENCE_NOT_FOUND",
    "TRANSACTION_NOT_FOUND",
    "CARD_TRANSACTION_STATE",
    "INVALID_AMOUNT",
    "AMOUNT_OUT_OF_RANGE",
  ],
  subject: cardByPath,
  handle: (input, { commit }) => commit(transactions.returnPayment, input),
});
