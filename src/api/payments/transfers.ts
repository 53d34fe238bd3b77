import { Transaction } from "../../contract/payments/transactions.ts";
import { TransferInput, TransferOutInput } from "../../contract/payments/transfers.ts";
import * as transfers from "../../domain/payments/transfers.ts";
import { endpoint } from "../../http/door/endpoint.ts";
import { LIMITED_SINCE, PAYER_REFUSALS_SINCE, TRANSFER_REFUSALS } from "../core/refusal-lists.ts";

export const transferIn = endpoint("transferIn", {
  summary: "Pull money from an external account into an internal one of the same currency",
  idempotent: true,
  body: TransferInput,
  replies: [201, Transaction],
  refuses: [...TRANSFER_REFUSALS, "OWNER_MISMATCH", "SOURCE_NOT_PULLABLE"],
  later: PAYER_REFUSALS_SINCE,
  handle: ({ body }, { commit }) => commit(transfers.transferIn, { body }),
});

export const transferOut = endpoint("transferOut", {
  summary: "Pay from an internal account to an external one of the same currency",
  idempotent: true,
  body: TransferOutInput,
  replies: [201, Transaction],
  refuses: [...TRANSFER_REFUSALS, "OWNER_MISMATCH", "USE_QUOTE", "INSUFFICIENT_BALANCE"],
  later: LIMITED_SINCE,
  handle: ({ body }, { commit }) => commit(transfers.transferOut, { body }),
});
