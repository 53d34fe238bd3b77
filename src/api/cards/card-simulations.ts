import {
  AdviceInput,
  AuthorizationInput,
  BalanceInquiryInput,
  CardSimulation,
  TransactionRefInput,
} from "../../contract/cards/card-transactions.ts";
import * as simulations from "../../domain/cards/card-simulations.ts";
import { cardByPath } from "../../domain/cards/card-view.ts";
import { endpoint } from "../../http/door/endpoint.ts";
import { CARD_AUTHORIZATION_REFUSALS } from "../core/refusal-lists.ts";

export const simulateCardBalanceInquiry = endpoint("simulateCardBalanceInquiry", {
  summary: "Sandbox: ask for a balance, as an authorization of 0",
  body: BalanceInquiryInput,
  replies: [202, CardSimulation],
  refuses: ["REFERENCE_NOT_FOUND"],
  subject: cardByPath,
  handle: (input, { commit }) => commit(simulations.inquireBalance, input),
});

export const simulateCardCreditAuthorization = endpoint("simulateCardCreditAuthorization", {
  summary: "Sandbox: announce a credit of a merchant",
  body: AuthorizationInput,
  replies: [202, CardSimulation],
  refuses: CARD_AUTHORIZATION_REFUSALS,
  subject: cardByPath,
  handle: (input, { commit }) => commit(simulations.authorizeCredit, input),
});

export const simulateCardFinancialAuthorization = endpoint("simulateCardFinancialAuthorization", {
  summary: "Sandbox: authorize and clear a payment in one message",
  body: AuthorizationInput,
  replies: [202, CardSimulation],
  refuses: CARD_AUTHORIZATION_REFUSALS,
  subject: cardByPath,
  handle: (input, { commit }) => commit(simulations.authorizeAndClear, input),
});

export const simulateCardFinancialCreditAuthorization = endpoint(
  "simulateCardFinancialCreditAuthorization",
  {
    summary: "Sandbox: credit a merchant's payment in one message",
    body: AuthorizationInput,
    replies: [202, CardSimulation],
    refuses: CARD_AUTHORIZATION_REFUSALS,
    subject: cardByPath,
    handle: (input, { commit }) => commit(simulations.creditAtOnce, input),
  },
);

export const simulateCardCreditAuthorizationAdvice = endpoint(
  "simulateCardCreditAuthorizationAdvice",
  {
    summary: "Sandbox: change the open credit of a merchant, or announce one",
    body: AuthorizationInput,
    replies: [202, CardSimulation],
    refuses: CARD_AUTHORIZATION_REFUSALS,
    subject: cardByPath,
    handle: (input, { commit }) => commit(simulations.adviseCredit, input),
  },
);

export const simulateCardAuthorizationAdvice = endpoint("simulateCardAuthorizationAdvice", {
  summary: "Sandbox: change the total of an open authorization",
  body: AdviceInput,
  replies: [202, CardSimulation],
  refuses: [
    "REFERENCE_NOT_FOUND",
    "TRANSACTION_NOT_FOUND",
    "WRONG_STATUS",
    "INVALID_AMOUNT",
    "AMOUNT_OUT_OF_RANGE",
  ],
  subject: cardByPath,
  handle: (input, { commit }) => commit(simulations.adviseAuthorization, input),
});

export const simulateCardReturnReversal = endpoint("simulateCardReturnReversal", {
  summary: "Sandbox: take a return back",
  body: TransactionRefInput,
  replies: [202, CardSimulation],
  refuses: ["REFERENCE_NOT_FOUND", "TRANSACTION_NOT_FOUND", "WRONG_STATUS"],
  subject: cardByPath,
  handle: (input, { commit }) => commit(simulations.reverseReturn, input),
});
