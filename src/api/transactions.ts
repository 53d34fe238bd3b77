import { PageQuery, pageOf, SortOrder } from "../contract/lists.ts";
import { OutgoingTransaction, TransactionsQuery } from "../contract/transactions.ts";
import * as transactions from "../domain/transactions.ts";
import { endpoint } from "../http/endpoint.ts";

export const listTransactions = endpoint({
  operationId: "listTransactions",
  summary: "List transactions",
  method: "GET",
  path: "/transactions",
  permission: "VIEW",
  query: { ...TransactionsQuery, ...PageQuery, sortOrder: SortOrder },
  replies: [200, pageOf(OutgoingTransaction)],
  refuses: [],
  handle: (input, { read }) => read(transactions.listTransactions, input),
});

export const getTransaction = endpoint({
  operationId: "getTransaction",
  summary: "Get one transaction",
  method: "GET",
  path: "/transactions/{transactionId}",
  permission: "VIEW",
  replies: [200, OutgoingTransaction],
  refuses: ["TRANSACTION_NOT_FOUND"],
  handle: (input, { read }) => read(transactions.getTransaction, input),
});
