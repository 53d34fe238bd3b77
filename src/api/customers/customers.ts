import { PageQuery, pageOf } from "../../contract/core/lists.ts";
import {
  Customer,
  CustomerInput,
  CustomerPatch,
  CustomersQuery,
} from "../../contract/customers/customers.ts";
import * as customers from "../../domain/customers/customers.ts";
import { signedRetry } from "../../domain/wallets/signed-retry.ts";
import { endpoint } from "../../http/endpoint.ts";

export const createCustomer = endpoint({
  operationId: "createCustomer",
  summary: "Create a customer and its internal accounts",
  method: "POST",
  path: "/customers",
  permission: "MANAGE",
  body: CustomerInput,
  replies: [201, Customer],
  refuses: [
    "INVALID_UMA_ADDRESS",
    "UMA_ADDRESS_EXISTS",
    "PLATFORM_CUSTOMER_ID_EXISTS",
    "MISSING_MANDATORY_USER_INFO",
  ],
  handle: ({ body }, { commit }) => commit(customers.createCustomer, { body }),
});

export const listCustomers = endpoint({
  operationId: "listCustomers",
  summary: "List customers, newest first",
  method: "GET",
  path: "/customers",
  permission: "VIEW",
  query: { ...CustomersQuery, ...PageQuery },
  replies: [200, pageOf(Customer)],
  refuses: [],
  handle: (input, { read }) => read(customers.listCustomers, input),
});

export const getCustomer = endpoint({
  operationId: "getCustomer",
  summary: "Get one customer",
  method: "GET",
  path: "/customers/{customerId}",
  permission: "VIEW",
  replies: [200, Customer],
  refuses: ["USER_NOT_FOUND"],
  handle: (input, { read }) => read(customers.getCustomer, input),
});

export const patchCustomer = endpoint({
  operationId: "patchCustomer",
  summary: "Change a customer; omitted fields are unchanged",
  method: "PATCH",
  path: "/customers/{customerId}",
  permission: "MANAGE",
  signing: "retry",
  body: CustomerPatch,
  replies: [200, Customer],
  refuses: [
    "USER_NOT_FOUND",
    "INVALID_UMA_ADDRESS",
    "UMA_ADDRESS_EXISTS",
    "MISSING_MANDATORY_USER_INFO",
    "EMAIL_OTP_EMAIL_ALREADY_EXISTS",
    "EMAIL_OTP_CREDENTIAL_SET_CHANGED",
  ],
  isUnsigned: customers.isUnsignedPatch,
  subject: customers.presentCustomerByPath,
  handle: ({ params, body }, { commit, signed }) =>
    commit(signedRetry(customers.patchCustomer), { params, body, call: signed }),
});

export const deleteCustomer = endpoint({
  operationId: "deleteCustomer",
  summary: "Delete a customer, which stays readable",
  method: "DELETE",
  path: "/customers/{customerId}",
  permission: "MANAGE",
  replies: [200, Customer],
  refuses: ["USER_NOT_FOUND", "CUSTOMER_DELETED"],
  handle: (input, { commit }) => commit(customers.deleteCustomer, input),
});
