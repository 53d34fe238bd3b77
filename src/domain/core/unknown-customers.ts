import { defined } from "../../contract/core/defined.ts";
import type { View } from "./draft.ts";
import { type RefusalWords, refuse } from "./refusal.ts";

/**
 * Words for the refusal of a deleted customer, which counts as unknown. A GET still shows such a
 * customer, so "no customer is …" would be wrong. `undefined` if the customer never existed.
 */
export const deletedWords = (view: View, customerId: string): RefusalWords | undefined =>
  view.get("Customer", customerId)?.isDeleted
    ? {
        says: `The customer ${customerId} is deleted`,
        next: `Use another customer; GET /customers/${customerId} still shows this one`,
      }
    : undefined;

/** Refuses an unknown or deleted customer with 404. */
export const refuseCustomer = (view: View, id: string, field?: string): never =>
  refuse(
    "USER_NOT_FOUND",
    { id, ...defined({ field }), resource: "Customer" },
    deletedWords(view, id),
  );

/** Refuses such a customer with 400, for an operation that declares no 404. */
export const refuseCustomerInBody = (
  view: View,
  { field, value }: { field: string; value: string },
): never => refuse("USER_NOT_FOUND_IN_BODY", { field, value }, deletedWords(view, value));
