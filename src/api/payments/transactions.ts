import { PageQuery, pageOf, SortOrder } from "../../contract/core/lists.ts";
import {
  ApproveInput,
  CancelInput,
  ConfirmInput,
  IncomingTransaction,
  RejectInput,
  Transaction,
  TransactionsQuery,
} from "../../contract/payments/transactions.ts";
import * as approval from "../../domain/payments/incoming-approval.ts";
import * as listed from "../../domain/payments/listed-transactions.ts";
import * as ends from "../../domain/payments/transaction-ends.ts";
import * as transactions from "../../domain/payments/transactions.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const listTransactions = endpoint("listTransactions", {
  summary: "List transactions",
  query: { ...TransactionsQuery, ...PageQuery, sortOrder: SortOrder },
  replies: [200, pageOf(Transaction)],
  refuses: [],
  later: {
    change: "cardTransactionsListed",
    handle: (input, { read }) => read(listed.listAllTransactions, input),
  },
  handle: (input, { read }) => read(listed.listTransactions, input),
});

export const getTransaction = endpoint("getTransaction", {
  summary: "Get one transaction",
  replies: [200, Transaction],
  refuses: ["TRANSACTION_NOT_FOUND"],
  later: {
    change: "cardTransactionsListed",
    handle: (input, { read }) => read(listed.getTransaction(listed.anyTransactionAt), input),
  },
  handle: (input, { read }) => read(listed.getTransaction(listed.paymentAt), input),
});

export const approveTransaction = endpoint("approveTransaction", {
  summary: "Approve an incoming payment that waits for the platform's decision",
  body: ApproveInput,
  replies: [200, IncomingTransaction],
  refuses: [
    "TRANSACTION_NOT_FOUND",
    "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL",
    "MISSING_MANDATORY_USER_INFO",
  ],
  subject: transactions.transactionByPath,
  handle: (input, { commit }) => commit(approval.approvePayment, input),
});

export const rejectTransaction = endpoint("rejectTransaction", {
  summary: "Reject an incoming payment that waits for the platform's decision",
  body: RejectInput,
  replies: [200, IncomingTransaction],
  refuses: ["TRANSACTION_NOT_FOUND", "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL"],
  subject: transactions.transactionByPath,
  handle: (input, { commit }) => commit(approval.rejectPayment, input),
});

export const cancelTransaction = endpoint("cancelTransaction", {
  summary: "Cancel a bank transfer that has not settled",
  body: CancelInput,
  replies: [200, Transaction],
  refuses: ["TRANSACTION_NOT_FOUND", "NOT_A_BANK_TRANSFER", "TRANSACTION_NOT_CANCELLABLE"],
  subject: ends.eitherByPath,
  handle: (input, { commit }) => commit(ends.cancelTransaction, input),
});

export const confirmReceiptDelivery = endpoint("confirmReceiptDelivery", {
  summary: "Confirm that the receipt of a payment was delivered",
  body: ConfirmInput,
  replies: [200, Transaction],
  refuses: ["TRANSACTION_NOT_FOUND"],
  subject: ends.eitherByPath,
  handle: (input, { commit }) => commit(ends.confirmReceiptDelivery, input),
});
