import { Customer, CustomerInput } from "../contract/customers.ts";
import { PageQuery, pageOf } from "../contract/lists.ts";
import * as customers from "../domain/customers.ts";
import { endpoint } from "../http/endpoint.ts";

export const createCustomer = endpoint({
  operationId: "createCustomer",
  summary: "Create a customer; its internal accounts come with it",
  method: "POST",
  path: "/customers",
  permission: "MANAGE",
  body: CustomerInput,
  replies: [201, Customer],
  refuses: [
    "INVALID_UMA_ADDRESS",
    "UMA_ADDRESS_EXISTS",
    "PLATFORM_CUSTOMER_ID_EXISTS",
    "NOT_IMPLEMENTED",
  ],
  handle: ({ body }, { commit }) => commit(customers.createCustomer, { body }),
});

export const listCustomers = endpoint({
  operationId: "listCustomers",
  summary: "List customers, newest first",
  method: "GET",
  path: "/customers",
  permission: "VIEW",
  query: PageQuery,
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
