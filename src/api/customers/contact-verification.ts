import * as z from "zod";
import { ContactVerificationConfirmRequest } from "../../contract/customers/contact-verification.ts";
import { Customer } from "../../contract/customers/customers.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { contactNotNeeded } from "../../domain/customers/unconcerned.ts";
import { endpoint } from "../../http/door/endpoint.ts";

const unconcerned = {
  refuses: ["USER_NOT_FOUND", "CONTACT_VERIFICATION_NOT_REQUIRED"],
  subject: contactNotNeeded,
  handle: () => refuse("CONTACT_VERIFICATION_NOT_REQUIRED"),
} as const;

const send = { replies: [204, z.undefined()], ...unconcerned } as const;

const confirm = {
  body: ContactVerificationConfirmRequest,
  replies: [200, Customer],
  ...unconcerned,
} as const;

export const sendCustomerEmailVerification = endpoint("sendCustomerEmailVerification", {
  summary: "Send a code to a customer's email address",
  ...send,
});

export const confirmCustomerEmailVerification = endpoint("confirmCustomerEmailVerification", {
  summary: "Confirm a customer's email address with a code",
  ...confirm,
});

export const sendCustomerPhoneVerification = endpoint("sendCustomerPhoneVerification", {
  summary: "Send a code to a customer's phone number",
  ...send,
});

export const confirmCustomerPhoneVerification = endpoint("confirmCustomerPhoneVerification", {
  summary: "Confirm a customer's phone number with a code",
  ...confirm,
});
