/** Lists whose rows can be searched and read page by page. */
export const ROW_LISTS = [
  "payments",
  "approvals",
  "deliveries",
  "requests",
  "timers",
  "mails",
  "postings",
  "customers",
  "cards",
  "purchases",
  "internalAccounts",
  "externalAccounts",
  "agents",
] as const;

export type RowListName = (typeof ROW_LISTS)[number];
