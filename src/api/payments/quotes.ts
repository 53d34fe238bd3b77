import { ExecuteQuoteInput, Quote, QuoteInput } from "../../contract/payments/quotes.ts";
import { createQuote as create } from "../../domain/payments/quote-creation.ts";
import * as execution from "../../domain/payments/quote-execution.ts";
import { getQuote as get } from "../../domain/payments/quotes.ts";
import { signedOnce, signedRetry } from "../../domain/wallets/signed-retry.ts";
import { endpoint } from "../../http/door/endpoint.ts";
import {
  EXECUTION_REFUSALS,
  EXECUTION_REFUSALS_SINCE,
  LIMITED_SINCE,
  QUOTE_REFUSALS,
} from "../core/refusal-lists.ts";

const AWAITS_AUTHORIZATION = "The payer is to authorize it first, which no payer here has to";

export const createQuote = endpoint("createQuote", {
  summary: "Lock the amounts of a payment for five minutes",
  idempotent: true,
  body: QuoteInput,
  replies: [201, Quote],
  refuses: [...QUOTE_REFUSALS, "OWNER_MISMATCH", "INSUFFICIENT_BALANCE"],
  later: { ...LIMITED_SINCE, unusedReply: [202, AWAITS_AUTHORIZATION, Quote] },
  handle: ({ body }, { commit }) => commit(create, { body }),
});

export const getQuote = endpoint("getQuote", {
  summary: "Get one quote",
  replies: [200, Quote],
  refuses: ["QUOTE_NOT_FOUND"],
  handle: (input, { read }) => read(get, input),
});

export const executeQuote = endpoint("executeQuote", {
  summary: "Take the money and start the payment",
  signing: "retry",
  idempotent: true,
  replies: [200, Quote],
  refuses: [...EXECUTION_REFUSALS, "INSUFFICIENT_BALANCE"],
  isUnsigned: execution.isUnsignedQuote,
  later: {
    change: "walletQuoteSignatures",
    body: ExecuteQuoteInput,
    signing: "standing",
    refuses: EXECUTION_REFUSALS_SINCE.refuses,
    handle: ({ params }, { commit, signed }) =>
      commit(signedOnce(execution.executeQuote), { params, call: signed }),
  },
  handle: ({ params }, { commit, signed }) =>
    commit(signedRetry(execution.executeQuote), { params, call: signed }),
});
