import { UmaReceiveInput } from "../../contract/payments/sandbox.ts";
import { IncomingTransaction } from "../../contract/payments/transactions.ts";
import { receiveUmaPayment } from "../../domain/payments/uma-receipts.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const receiveUma = endpoint("sandboxReceiveUma", {
  summary: "Sandbox: receive a payment to a customer's UMA address",
  body: UmaReceiveInput,
  replies: [200, IncomingTransaction],
  refuses: [
    "INVALID_UMA_ADDRESS",
    "USER_NOT_FOUND",
    "UMA_NOT_FOUND",
    "ACCOUNT_NOT_ACTIVE",
    "INVALID_CURRENCY",
    "INVALID_AMOUNT",
    "AMOUNT_OUT_OF_RANGE",
    "WEBHOOK_ENDPOINT_NOT_SET",
  ],
  handle: ({ body }, { commit }) => commit(receiveUmaPayment, { body }),
});
