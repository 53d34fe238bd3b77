/** KYC of people, customers and owners alike, and KYB of businesses (platform digest 6.1). */
export const CUSTOMER_STATUSES = ["UNVERIFIED", "PENDING", "APPROVED", "REJECTED"] as const;

export type CustomerStatus = (typeof CUSTOMER_STATUSES)[number];
