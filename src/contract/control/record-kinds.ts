/** Kinds of records that a person browses, in the order of a list of all. */
export const RECORD_KINDS = [
  "Customer",
  "InternalAccount",
  "ExternalAccount",
  "Quote",
  "Transaction",
  "Card",
  "CardTransaction",
  "Agent",
  "AgentAction",
] as const;

export type RecordKind = (typeof RECORD_KINDS)[number];
