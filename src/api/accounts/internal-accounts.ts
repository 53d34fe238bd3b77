import {
  FundInput,
  InternalAccount,
  InternalAccountsQuery,
} from "../../contract/accounts/internal-accounts.ts";
import { listOf, PageQuery, pageOf } from "../../contract/core/lists.ts";
import * as accounts from "../../domain/accounts/internal-accounts.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const listCustomerAccounts = endpoint("listCustomerInternalAccounts", {
  summary: "List the internal accounts of customers, newest first",
  query: { ...InternalAccountsQuery, ...PageQuery },
  replies: [200, pageOf(InternalAccount)],
  refuses: [],
  handle: (input, { read }) => read(accounts.listCustomerAccounts, input),
});

const { customerId: _customers, ...PlatformAccountsQuery } = InternalAccountsQuery;

export const listPlatformAccounts = endpoint("listPlatformInternalAccounts", {
  summary: "List the platform's own internal accounts",
  query: PlatformAccountsQuery,
  replies: [200, listOf(InternalAccount)],
  refuses: [],
  handle: (input, { read }) => read(accounts.listPlatformAccounts, input),
});

export const fundInternalAccount = endpoint("fundInternalAccount", {
  summary: "Sandbox: add money to an internal account at once",
  body: FundInput,
  replies: [200, InternalAccount],
  refuses: [
    "REFERENCE_NOT_FOUND",
    "CUSTOMER_DELETED_IN_PAYMENT",
    "ACCOUNT_NOT_ACTIVE",
    "INVALID_AMOUNT",
    "AMOUNT_OUT_OF_RANGE",
  ],
  subject: accounts.accountByPath,
  handle: (input, { commit }) => commit(accounts.fundInternalAccount, input),
});
