import * as z from "zod";
import { enumOf } from "../core/named-shape.ts";
import { addedValue, withValues } from "../core/revised-shape.ts";

/** KYC of customers and owners, and KYB of businesses (spec/customers.md#status-changes). */
export const CUSTOMER_STATUSES = ["UNVERIFIED", "PENDING", "APPROVED", "REJECTED"] as const;

/** The same with those that later revisions brought (spec/later-customers.md#on-hold). */
export const ANY_CUSTOMER_STATUSES = [...CUSTOMER_STATUSES, "HOLD"] as const;

export type CustomerStatus = (typeof ANY_CUSTOMER_STATUSES)[number];

/** A status as the revision has it. */
export const CustomerStatusName = z.lazy(() =>
  withValues(enumOf("CustomerStatus", CUSTOMER_STATUSES), { HOLD: addedValue("customerHolds") }),
);
