import { defined } from "../../contract/core/defined.ts";
import type { View } from "./draft.ts";
import { type RefusalWords, refuse } from "./refusal.ts";

/**
 * Words for a refusal of a customer that counts as unknown because it was deleted: a GET still shows
 * it, so that "no customer is …" would be untrue. Nothing for one that never was.
 */
export const deletedWords = (view: View, customerId: string): RefusalWords | undefined =>
  view.get("Customer", customerId)?.isDeleted
    ? {
        says: `The customer ${customerId} is deleted`,
        next: `Use another customer; GET /customers/${customerId} still shows this one`,
      }
    : undefined;

/** Refuses a customer that is not there, or not any more, with 404. */
export const refuseCustomer = (view: View, id: string, field?: string): never =>
  refuse(
    "USER_NOT_FOUND",
    { id, ...defined({ field }), resource: "Customer" },
    deletedWords(view, id),
  );

/** The same of a body whose operation declares no 404 for it: 400. */
export const refuseCustomerInBody = (
  view: View,
  { field, value }: { field: string; value: string },
): never => refuse("USER_NOT_FOUND_IN_BODY", { field, value }, deletedWords(view, value));
