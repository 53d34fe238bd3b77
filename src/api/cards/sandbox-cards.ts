import {
  AuthorizationInput,
  CardSimulation,
  CardTransaction,
  ClearingInput,
  ReturnInput,
} from "../../contract/cards/card-transactions.ts";
import { authorize } from "../../domain/cards/card-authorizations.ts";
import * as transactions from "../../domain/cards/card-transactions.ts";
import { cardByPath } from "../../domain/cards/card-view.ts";
import { endpoint } from "../../http/door/endpoint.ts";
import { CARD_AUTHORIZATION_REFUSALS } from "../core/refusal-lists.ts";

const ACCEPTED = { change: "acceptedSimulations", replies: [202, CardSimulation] } as const;

const STEP_REFUSALS = [
  "REFERENCE_NOT_FOUND",
  "TRANSACTION_NOT_FOUND",
  "CARD_TRANSACTION_STATE",
  "INVALID_AMOUNT",
  "AMOUNT_OUT_OF_RANGE",
] as const;

export const simulateCardAuthorization = endpoint("simulateCardAuthorization", {
  summary: "Sandbox: authorize a merchant's payment; a decline is a 200",
  body: AuthorizationInput,
  replies: [200, CardTransaction],
  later: ACCEPTED,
  refuses: CARD_AUTHORIZATION_REFUSALS,
  subject: cardByPath,
  handle: (input, { commit }) => commit(authorize, input),
});

export const simulateCardClearing = endpoint("simulateCardClearing", {
  summary: "Sandbox: clear an authorization in part, in full or for more",
  body: ClearingInput,
  replies: [200, CardTransaction],
  later: ACCEPTED,
  refuses: STEP_REFUSALS,
  subject: cardByPath,
  handle: (input, { commit }) => commit(transactions.clear, input),
});

export const simulateCardReturn = endpoint("simulateCardReturn", {
  summary: "Sandbox: return settled money from the merchant",
  body: ReturnInput,
  replies: [200, CardTransaction],
  later: ACCEPTED,
  refuses: STEP_REFUSALS,
  subject: cardByPath,
  handle: (input, { commit }) => commit(transactions.returnPayment, input),
});
