/** KYC of customers and owners, and KYB of businesses (spec/customers.md#status-changes). */
export const CUSTOMER_STATUSES = ["UNVERIFIED", "PENDING", "APPROVED", "REJECTED"] as const;

export type CustomerStatus = (typeof CUSTOMER_STATUSES)[number];
