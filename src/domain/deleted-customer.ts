import type { CustomerRecord } from "./records.ts";
import type { FinerSentence } from "./refusal.ts";

/**
 * How a refusal tells of a customer that counts as unknown because it is deleted: reading it still
 * works. Nothing where there never was one, so that the table's sentence stands.
 */
export const deletedCustomer = (customer: CustomerRecord | undefined): FinerSentence | undefined =>
  customer?.isDeleted
    ? {
        says: `The customer ${customer.id} is deleted`,
        next: `Use another customer; GET /customers/${customer.id} still shows this one`,
      }
    : undefined;
