import { PageQuery, pageOf, SortOrder } from "../contract/lists.ts";
import { Transaction, TransactionsQuery } from "../contract/transactions.ts";
import * as transactions from "../domain/transactions.ts";
import { endpoint } from "../http/endpoint.ts";

export const listTransactions = endpoint({
  operationId: "listTransactions",
  summary: "List transactions",
  method: "GET",
  path: "/transactions",
  permission: "VIEW",
  query: { ...TransactionsQuery, ...PageQuery, sortOrder: SortOrder },
  replies: [200, pageOf(Transaction)],
  refuses: [],
  handle: (input, { read }) => read(transactions.listTransactions, input),
});

export const getTransaction = endpoint({
  operationId: "getTransaction",
  summary: "Get one transaction",
  method: "GET",
  path: "/transactions/{transactionId}",
  permission: "VIEW",
  replies: [200, Transaction],
  refuses: ["TRANSACTION_NOT_FOUND"],
  handle: (input, { read }) => read(transactions.getTransaction, input),
});
