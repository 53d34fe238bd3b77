import { accountInScope } from "../accounts/external-accounts.ts";
import type { Reading } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { refuseCustomer } from "../core/unknown-customers.ts";
import { presentCustomerByPath } from "./customers.ts";

/**
 * Answers of operations that concern none of the customers: whatever a path names is found or 404,
 * then the operation is 409 (spec/later-customers.md#answers-to-others).
 */

/** Strong authentication of the customer that a query names. */
export const customerNeedsNoSca: Reading<{ customerId: string }, never> = (
  view,
  { customerId },
) => {
  const customer = view.get("Customer", customerId);
  if (!customer || customer.isDeleted) refuseCustomer(view, customerId, "customerId");
  return refuse("SCA_NOT_REQUIRED", { customerId });
};

/** Strong authentication about something that only a concerned customer has: it is never there. */
export const unknownOfSca =
  (resource: string) =>
  (id: string): Reading<{ customerId: string }, never> =>
  (view, { customerId }) => {
    const customer = view.get("Customer", customerId);
    if (!customer || customer.isDeleted) refuseCustomer(view, customerId, "customerId");
    return refuse("REFERENCE_NOT_FOUND", { id, resource });
  };

interface AccountByPath {
  params: { externalAccountId: string };
}

/** Trust in a customer's external account. */
export const accountNeedsNoSca: Reading<AccountByPath, never> = (view, { params }) => {
  const { id } = accountInScope(view, params.externalAccountId, "customer");
  return refuse("SCA_NOT_REQUIRED", { externalAccountId: id });
};

/** A challenge to prove that a wallet is the owner's. */
export const ownershipNotNeeded =
  (scope: "customer" | "platform"): Reading<AccountByPath, never> =>
  (view, { params }) => {
    const { id } = accountInScope(view, params.externalAccountId, scope);
    return refuse("OWNERSHIP_VERIFICATION_NOT_REQUIRED", { externalAccountId: id });
  };

/** The answer to such a challenge: none is ever open. */
export const noOwnershipChallenge =
  (scope: "customer" | "platform"): Reading<AccountByPath, never> =>
  (view, { params }) => {
    const { id } = accountInScope(view, params.externalAccountId, scope);
    return refuse("NO_OWNERSHIP_CHALLENGE", { externalAccountId: id });
  };

/** Verification of a customer's email address or phone number. */
export const contactNotNeeded: Reading<{ params: { customerId: string } }, never> = (
  view,
  input,
  moment,
) => {
  const { id } = presentCustomerByPath(view, input, moment);
  return refuse("CONTACT_VERIFICATION_NOT_REQUIRED", { customerId: id });
};
