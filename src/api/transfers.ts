import { Transaction } from "../contract/transactions.ts";
import { TransferInput } from "../contract/transfers.ts";
import * as transfers from "../domain/transfers.ts";
import { endpoint } from "../http/endpoint.ts";

const TRANSFER_REFUSALS = [
  "ACCOUNT_NOT_FOUND",
  "ACCOUNT_KIND_NOT_ALLOWED",
  "OWNER_MISMATCH",
  "ACCOUNT_NOT_ACTIVE",
  "CUSTOMER_DELETED_IN_PAYMENT",
  "USER_NOT_READY",
  "INVALID_CURRENCY",
  "INVALID_AMOUNT",
  "AMOUNT_OUT_OF_RANGE",
] as const;

export const transferIn = endpoint({
  operationId: "transferIn",
  summary: "Pull money from an external account into an internal one of the same currency",
  method: "POST",
  path: "/transfer-in",
  permission: "TRANSACT",
  idempotent: true,
  body: TransferInput,
  replies: [201, Transaction],
  refuses: [...TRANSFER_REFUSALS, "SOURCE_NOT_PULLABLE"],
  handle: ({ body }, { commit }) => commit(transfers.transferIn, { body }),
});

export const transferOut = endpoint({
  operationId: "transferOut",
  summary: "Pay from an internal account to an external one of the same currency",
  method: "POST",
  path: "/transfer-out",
  permission: "TRANSACT",
  idempotent: true,
  body: TransferInput,
  replies: [201, Transaction],
  refuses: [...TRANSFER_REFUSALS, "USE_QUOTE", "INSUFFICIENT_BALANCE"],
  handle: ({ body }, { commit }) => commit(transfers.transferOut, { body }),
});
