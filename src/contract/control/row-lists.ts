/** Lists of which the feed tells the first rows. */
export const FED_LISTS = [
  "payments",
  "approvals",
  "deliveries",
  "requests",
  "timers",
  "mails",
  "postings",
  "customers",
  "cards",
] as const;

export type FedListName = (typeof FED_LISTS)[number];

/** Lists whose rows can be searched and read page by page. */
export const ROW_LISTS = [
  ...FED_LISTS,
  "purchases",
  "internalAccounts",
  "externalAccounts",
  "agents",
] as const;

export type RowListName = (typeof ROW_LISTS)[number];
