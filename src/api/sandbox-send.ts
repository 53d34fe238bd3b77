import { SendInput } from "../contract/sandbox.ts";
import { OutgoingTransaction } from "../contract/transactions.ts";
import { sendFunds } from "../domain/quote-funding.ts";
import { endpoint } from "../http/endpoint.ts";

export const send = endpoint({
  operationId: "sandboxSend",
  summary: "Let the money of a just-in-time quote arrive",
  method: "POST",
  path: "/sandbox/send",
  permission: "TRANSACT",
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
