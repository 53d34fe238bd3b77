import * as z from "zod";
import {
  CustomerExternalAccountInput,
  ExternalAccount,
  PlatformExternalAccountInput,
} from "../../contract/accounts/external-accounts.ts";
import { AnyId } from "../../contract/core/identifiers.ts";
import { PageQuery, pageOf } from "../../contract/core/lists.ts";
import * as accounts from "../../domain/accounts/external-accounts.ts";
import { endpoint } from "../../http/endpoint.ts";
import { EXTERNAL_ACCOUNT_REFUSALS } from "../core/refusal-lists.ts";

const currencyFilter = { currency: z.string().optional() };

export const createCustomerExternalAccount = endpoint({
  operationId: "createCustomerExternalAccount",
  summary: "Add an external account of a customer",
  method: "POST",
  path: "/customers/external-accounts",
  permission: "MANAGE",
  body: CustomerExternalAccountInput,
  replies: [201, ExternalAccount],
  refuses: EXTERNAL_ACCOUNT_REFUSALS,
  handle: ({ body }, { commit }) => commit(accounts.createCustomerExternalAccount, { body }),
});

export const listCustomerExternalAccounts = endpoint({
  operationId: "listCustomerExternalAccounts",
  summary: "List the external accounts of customers, newest first",
  method: "GET",
  path: "/customers/external-accounts",
  permission: "VIEW",
  query: { ...currencyFilter, customerId: AnyId.optional(), ...PageQuery },
  replies: [200, pageOf(ExternalAccount)],
  refuses: [],
  handle: (input, { read }) => read(accounts.listExternalAccounts("customer"), input),
});

export const getCustomerExternalAccount = endpoint({
  operationId: "getCustomerExternalAccount",
  summary: "Get one external account of a customer",
  method: "GET",
  path: "/customers/external-accounts/{externalAccountId}",
  permission: "VIEW",
  replies: [200, ExternalAccount],
  refuses: ["REFERENCE_NOT_FOUND"],
  handle: (input, { read }) => read(accounts.getExternalAccount("customer"), input),
});

export const createPlatformExternalAccount = endpoint({
  operationId: "createPlatformExternalAccount",
  summary: "Add an external account of the platform itself",
  method: "POST",
  path: "/platform/external-accounts",
  permission: "MANAGE",
  body: PlatformExternalAccountInput,
  replies: [201, ExternalAccount],
  refuses: EXTERNAL_ACCOUNT_REFUSALS,
  handle: ({ body }, { commit }) => commit(accounts.createPlatformExternalAccount, { body }),
});

export const listPlatformExternalAccounts = endpoint({
  operationId: "listPlatformExternalAccounts",
  summary: "List the platform's own external accounts, newest first",
  method: "GET",
  path: "/platform/external-accounts",
  permission: "VIEW",
  query: { ...currencyFilter, ...PageQuery },
  replies: [200, pageOf(ExternalAccount)],
  refuses: [],
  handle: (input, { read }) => read(accounts.listExternalAccounts("platform"), input),
});

export const getPlatformExternalAccount = endpoint({
  operationId: "getPlatformExternalAccount",
  summary: "Get one external account of the platform itself",
  method: "GET",
  path: "/platform/external-accounts/{externalAccountId}",
  permission: "VIEW",
  replies: [200, ExternalAccount],
  refuses: ["REFERENCE_NOT_FOUND"],
  handle: (input, { read }) => read(accounts.getExternalAccount("platform"), input),
});

export const deleteCustomerExternalAccount = endpoint({
  operationId: "deleteCustomerExternalAccount",
  summary: "Delete an external account of a customer",
  method: "DELETE",
  path: "/customers/external-accounts/{externalAccountId}",
  permission: "MANAGE",
  replies: [204, z.undefined()],
  refuses: ["REFERENCE_NOT_FOUND"],
  handle: (input, { commit }) => commit(accounts.deleteExternalAccount("customer"), input),
});

export const deletePlatformExternalAccount = endpoint({
  operationId: "deletePlatformExternalAccount",
  summary: "Delete an external account of the platform itself",
  method: "DELETE",
  path: "/platform/external-accounts/{externalAccountId}",
  permission: "MANAGE",
  replies: [204, z.undefined()],
  refuses: ["REFERENCE_NOT_FOUND"],
  handle: (input, { commit }) => commit(accounts.deleteExternalAccount("platform"), input),
});
