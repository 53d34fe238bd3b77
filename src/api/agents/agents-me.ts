import * as z from "zod";
import {
  CustomerExternalAccountInput,
  ExternalAccount,
} from "../../contract/accounts/external-accounts.ts";
import {
  InternalAccount,
  InternalAccountsQuery,
} from "../../contract/accounts/internal-accounts.ts";
import { AgentAction, AgentActionsQuery } from "../../contract/agents/agent-actions.ts";
import { Agent } from "../../contract/agents/agents.ts";
import { PageQuery, pageOf, SortOrder } from "../../contract/core/lists.ts";
import { Quote, QuoteInput } from "../../contract/payments/quotes.ts";
import { Transaction, TransactionsQuery } from "../../contract/payments/transactions.ts";
import { TransferInput, TransferOutInput } from "../../contract/payments/transfers.ts";
import { getOwnAction, listOwnActions } from "../../domain/agents/agent-actions.ts";
import * as externalAccounts from "../../domain/agents/agent-external-accounts.ts";
import * as quotes from "../../domain/agents/agent-quotes.ts";
import * as reads from "../../domain/agents/agent-reads.ts";
import { agentTransfer } from "../../domain/agents/agent-transfers.ts";
import * as listed from "../../domain/payments/listed-transactions.ts";
import { endpoint } from "../../http/door/endpoint.ts";
import {
  EXECUTION_REFUSALS,
  EXECUTION_REFUSALS_SINCE,
  EXTERNAL_ACCOUNT_REFUSALS,
  LIMITED_SINCE,
  PAYER_REFUSALS_SINCE,
  QUOTE_REFUSALS,
  TRANSFER_REFUSALS,
} from "../core/refusal-lists.ts";

const LIMIT_REFUSALS = [
  "ACCOUNT_NOT_ALLOWED",
  "PER_TRANSACTION_LIMIT_EXCEEDED",
  "DAILY_TRANSACTION_LIMIT_EXCEEDED",
  "DAILY_LIMIT_EXCEEDED",
  "MONTHLY_LIMIT_EXCEEDED",
] as const;

export const agentGetMe = endpoint("agentGetMe", {
  summary: "Get the calling agent with its policy and live usage",
  agentAccess: "any",
  replies: [200, Agent],
  refuses: [],
  handle: (_input, { read, agentId }) => read(reads.getOwnAgent, { agentId }),
});

const {
  customerId: _whose,
  platformCustomerId: _theirs,
  ...OwnTransactionsQuery
} = TransactionsQuery;

const listOwn = {
  payments: reads.listAgentTransactions(listed.listTransactions),
  all: reads.listAgentTransactions(listed.listAllTransactions),
};

const getOwn = {
  payment: reads.getAgentTransaction(listed.paymentAt),
  any: reads.getAgentTransaction(listed.anyTransactionAt),
};

export const agentListTransactions = endpoint("agentListTransactions", {
  summary: "List all transactions of the agent's customer",
  agentAccess: "VIEW_TRANSACTIONS",
  query: { ...OwnTransactionsQuery, ...PageQuery, sortOrder: SortOrder },
  replies: [200, pageOf(Transaction)],
  refuses: [],
  later: {
    change: "cardTransactionsListed",
    handle: ({ query }, { read, agentId }) => read(listOwn.all, { agentId, query }),
  },
  handle: ({ query }, { read, agentId }) => read(listOwn.payments, { agentId, query }),
});

export const agentGetTransaction = endpoint("agentGetTransaction", {
  summary: "Get one transaction of the agent's customer",
  agentAccess: "VIEW_TRANSACTIONS",
  replies: [200, Transaction],
  refuses: ["TRANSACTION_NOT_FOUND"],
  subject: getOwn.payment,
  later: {
    change: "cardTransactionsListed",
    subject: getOwn.any,
    handle: ({ params }, { read, agentId }) => read(getOwn.any, { agentId, params }),
  },
  handle: ({ params }, { read, agentId }) => read(getOwn.payment, { agentId, params }),
});

export const agentCreateQuote = endpoint("agentCreateQuote", {
  summary: "Create a quote for the agent's customer",
  agentAccess: "CREATE_QUOTES",
  idempotent: true,
  body: QuoteInput,
  replies: [201, Quote],
  refuses: [...LIMIT_REFUSALS, ...QUOTE_REFUSALS],
  later: LIMITED_SINCE,
  handle: ({ body }, { commit, agentId }) => commit(quotes.createAgentQuote, { agentId, body }),
});

export const agentGetQuote = endpoint("agentGetQuote", {
  summary: "Get one quote that the agent asked for",
  agentAccess: "any",
  replies: [200, Quote],
  refuses: ["QUOTE_NOT_FOUND"],
  handle: ({ params }, { read, agentId }) => read(quotes.getAgentQuote, { agentId, params }),
});

export const agentExecuteQuote = endpoint("agentExecuteQuote", {
  summary: "Execute a quote, or submit it for approval if the policy asks",
  agentAccess: "EXECUTE_QUOTES",
  signing: "standing",
  idempotent: true,
  replies: [200, AgentAction],
  refuses: [...LIMIT_REFUSALS, ...EXECUTION_REFUSALS, "ACTION_PENDING_APPROVAL"],
  later: EXECUTION_REFUSALS_SINCE,
  subject: quotes.agentQuoteByPath,
  handle: ({ params }, { commit, agentId, signed }) =>
    commit(quotes.executeAgentQuote, { agentId, params, call: signed }),
});

export const agentListActions = endpoint("agentListActions", {
  summary: "List the agent's own actions, newest first",
  agentAccess: "any",
  query: { ...AgentActionsQuery, ...PageQuery },
  replies: [200, pageOf(AgentAction)],
  refuses: [],
  handle: ({ query }, { read, agentId }) => read(listOwnActions, { agentId, query }),
});

export const agentGetAction = endpoint("agentGetAction", {
  summary: "Get one of the agent's own actions",
  agentAccess: "any",
  replies: [200, AgentAction],
  refuses: ["REFERENCE_NOT_FOUND"],
  handle: ({ params }, { read, agentId }) => read(getOwnAction, { agentId, params }),
});

export const agentTransferIn = endpoint("agentTransferIn", {
  summary: "Pull money into an internal account, or submit it for approval",
  agentAccess: "CREATE_TRANSFERS",
  idempotent: true,
  body: TransferInput,
  replies: [201, AgentAction],
  refuses: [...LIMIT_REFUSALS, ...TRANSFER_REFUSALS, "SOURCE_NOT_PULLABLE"],
  later: PAYER_REFUSALS_SINCE,
  handle: ({ body }, { commit, agentId }) =>
    commit(agentTransfer("TRANSFER_IN"), { agentId, body }),
});

export const agentTransferOut = endpoint("agentTransferOut", {
  summary: "Pay to an external account, or submit it for approval",
  agentAccess: "CREATE_TRANSFERS",
  idempotent: true,
  body: TransferOutInput,
  replies: [201, AgentAction],
  refuses: [...LIMIT_REFUSALS, ...TRANSFER_REFUSALS, "USE_QUOTE"],
  later: LIMITED_SINCE,
  handle: ({ body }, { commit, agentId }) =>
    commit(agentTransfer("TRANSFER_OUT"), { agentId, body }),
});

const { customerId: _owner, ...OwnAccountsQuery } = InternalAccountsQuery;

export const agentListInternalAccounts = endpoint("agentListInternalAccounts", {
  summary: "List the internal accounts that the policy allows, newest first",
  agentAccess: "VIEW_TRANSACTIONS",
  query: { ...OwnAccountsQuery, ...PageQuery },
  replies: [200, pageOf(InternalAccount)],
  refuses: [],
  handle: ({ query }, { read, agentId }) => read(reads.listAgentAccounts, { agentId, query }),
});

export const agentListExternalAccounts = endpoint("agentListExternalAccounts", {
  summary: "List the external accounts of the agent's customer, newest first",
  agentAccess: "MANAGE_EXTERNAL_ACCOUNTS",
  query: { currency: z.string().optional(), ...PageQuery },
  replies: [200, pageOf(ExternalAccount)],
  refuses: [],
  handle: ({ query }, { read, agentId }) =>
    read(externalAccounts.listAgentExternalAccounts, { agentId, query }),
});

export const agentCreateExternalAccount = endpoint("agentCreateExternalAccount", {
  summary: "Add an external account of the agent's customer",
  agentAccess: "MANAGE_EXTERNAL_ACCOUNTS",
  body: CustomerExternalAccountInput,
  replies: [201, ExternalAccount],
  refuses: EXTERNAL_ACCOUNT_REFUSALS,
  handle: ({ body }, { commit, agentId }) =>
    commit(externalAccounts.createAgentExternalAccount, { agentId, body }),
});

export const agentGetExternalAccount = endpoint("agentGetExternalAccount", {
  summary: "Get one external account of the agent's customer",
  agentAccess: "MANAGE_EXTERNAL_ACCOUNTS",
  replies: [200, ExternalAccount],
  refuses: ["REFERENCE_NOT_FOUND"],
  subject: externalAccounts.agentExternalAccountByPath,
  handle: ({ params }, { read, agentId }) =>
    read(externalAccounts.getAgentExternalAccount, { agentId, params }),
});

export const agentDeleteExternalAccount = endpoint("agentDeleteExternalAccount", {
  summary: "Delete an external account of the agent's customer",
  agentAccess: "MANAGE_EXTERNAL_ACCOUNTS",
  replies: [204, z.undefined()],
  refuses: ["REFERENCE_NOT_FOUND"],
  subject: externalAccounts.agentExternalAccountByPath,
  handle: ({ params }, { commit, agentId }) =>
    commit(externalAccounts.deleteAgentExternalAccount, { agentId, params }),
});
