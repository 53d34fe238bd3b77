import { SendInput } from "../../contract/payments/sandbox.ts";
import { OutgoingTransaction } from "../../contract/payments/transactions.ts";
import { sendFunds } from "../../domain/payments/quote-funding.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const send = endpoint("sandboxSend", {
  summary: "Sandbox: send the money that a quote waits for",
  body: SendInput,
  replies: [200, OutgoingTransaction],
  refuses: [
    "QUOTE_NOT_FOUND",
    "INVALID_BANK_ACCOUNT",
    "ACCOUNT_NOT_ACTIVE",
    "CUSTOMER_DELETED_IN_PAYMENT",
    "INVALID_CURRENCY",
    "INVALID_AMOUNT",
    "AMOUNT_OUT_OF_RANGE",
  ],
  handle: ({ body }, { commit }) => commit(sendFunds, { body }),
});
