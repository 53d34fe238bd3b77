import * as z from "zod";
import {
  CustomerExternalAccountInput,
  ExternalAccount,
  PlatformExternalAccountInput,
} from "../../contract/accounts/external-accounts.ts";
import { AnyId } from "../../contract/core/identifiers.ts";
import { PageQuery, pageOf } from "../../contract/core/lists.ts";
import * as accounts from "../../domain/accounts/external-accounts.ts";
import { endpoint } from "../../http/door/endpoint.ts";
import { EXTERNAL_ACCOUNT_REFUSALS } from "../core/refusal-lists.ts";

const currencyFilter = { currency: z.string().optional() };

export const createCustomerExternalAccount = endpoint("createCustomerExternalAccount", {
  summary: "Add an external account of a customer",
  body: CustomerExternalAccountInput,
  replies: [201, ExternalAccount],
  refuses: EXTERNAL_ACCOUNT_REFUSALS,
  handle: ({ body }, { commit }) => commit(accounts.createCustomerExternalAccount, { body }),
});

export const listCustomerExternalAccounts = endpoint("listCustomerExternalAccounts", {
  summary: "List the external accounts of customers, newest first",
  query: { ...currencyFilter, customerId: AnyId.optional(), ...PageQuery },
  replies: [200, pageOf(ExternalAccount)],
  refuses: [],
  handle: (input, { read }) => read(accounts.listExternalAccounts("customer"), input),
});

export const getCustomerExternalAccount = endpoint("getCustomerExternalAccount", {
  summary: "Get one external account of a customer",
  replies: [200, ExternalAccount],
  refuses: ["REFERENCE_NOT_FOUND"],
  handle: (input, { read }) => read(accounts.getExternalAccount("customer"), input),
});

export const createPlatformExternalAccount = endpoint("createPlatformExternalAccount", {
  summary: "Add an external account of the platform itself",
  body: PlatformExternalAccountInput,
  replies: [201, ExternalAccount],
  refuses: EXTERNAL_ACCOUNT_REFUSALS,
  handle: ({ body }, { commit }) => commit(accounts.createPlatformExternalAccount, { body }),
});

export const listPlatformExternalAccounts = endpoint("listPlatformExternalAccounts", {
  summary: "List the platform's own external accounts, newest first",
  query: { ...currencyFilter, ...PageQuery },
  replies: [200, pageOf(ExternalAccount)],
  refuses: [],
  handle: (input, { read }) => read(accounts.listExternalAccounts("platform"), input),
});

export const getPlatformExternalAccount = endpoint("getPlatformExternalAccount", {
  summary: "Get one external account of the platform itself",
  replies: [200, ExternalAccount],
  refuses: ["REFERENCE_NOT_FOUND"],
  handle: (input, { read }) => read(accounts.getExternalAccount("platform"), input),
});

export const deleteCustomerExternalAccount = endpoint("deleteCustomerExternalAccount", {
  summary: "Delete an external account of a customer",
  replies: [204, z.undefined()],
  refuses: ["REFERENCE_NOT_FOUND"],
  handle: (input, { commit }) => commit(accounts.deleteExternalAccount("customer"), input),
});

export const deletePlatformExternalAccount = endpoint("deletePlatformExternalAccount", {
  summary: "Delete an external account of the platform itself",
  replies: [204, z.undefined()],
  refuses: ["REFERENCE_NOT_FOUND"],
  handle: (input, { commit }) => commit(accounts.deleteExternalAccount("platform"), input),
});
