import { PageQuery, pageOf } from "../../contract/core/lists.ts";
import {
  Customer,
  CustomerInput,
  CustomerPatch,
  CustomersQuery,
} from "../../contract/customers/customers.ts";
import * as customers from "../../domain/customers/customers.ts";
import { signedRetry } from "../../domain/wallets/signed-retry.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const createCustomer = endpoint("createCustomer", {
  summary: "Create a customer and its internal accounts",
  body: CustomerInput,
  replies: [201, Customer],
  refuses: [
    "INVALID_UMA_ADDRESS",
    "UMA_ADDRESS_EXISTS",
    "PLATFORM_CUSTOMER_ID_EXISTS",
    "MISSING_MANDATORY_USER_INFO",
  ],
  later: { change: "endUserConsents", refuses: ["END_USER_TERMS_VERSION_NOT_FOUND"] },
  listsFieldsSince: "fieldErrors",
  handle: ({ body }, { commit }) => commit(customers.createCustomer, { body }),
});

export const listCustomers = endpoint("listCustomers", {
  summary: "List customers, newest first",
  query: { ...CustomersQuery, ...PageQuery },
  replies: [200, pageOf(Customer)],
  refuses: [],
  handle: (input, { read }) => read(customers.listCustomers, input),
});

export const getCustomer = endpoint("getCustomer", {
  summary: "Get one customer",
  replies: [200, Customer],
  refuses: ["USER_NOT_FOUND"],
  handle: (input, { read }) => read(customers.getCustomer, input),
});

export const patchCustomer = endpoint("patchCustomer", {
  summary: "Change a customer; omitted fields are unchanged",
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
  later: {
    change: "customerContacts",
    refuses: [
      "SMS_OTP_PHONE_NUMBER_ALREADY_EXISTS",
      "SMS_OTP_CREDENTIAL_SET_CHANGED",
      "END_USER_TERMS_VERSION_NOT_FOUND",
    ],
  },
  listsFieldsSince: "fieldErrors",
  isUnsigned: customers.isUnsignedPatch,
  subject: customers.presentCustomerByPath,
  handle: ({ params, body }, { commit, signed }) =>
    commit(signedRetry(customers.patchCustomer), { params, body, call: signed }),
});

export const deleteCustomer = endpoint("deleteCustomer", {
  summary: "Delete a customer, which stays readable",
  replies: [200, Customer],
  refuses: ["USER_NOT_FOUND", "CUSTOMER_DELETED"],
  handle: (input, { commit }) => commit(customers.deleteCustomer, input),
});
