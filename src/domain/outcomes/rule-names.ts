import { PAYMENT_OUTCOMES, type PaymentOutcomeTable } from "./outcomes.ts";

/** Tables beside those of payments, by the names under which their rows are listed. */
const OTHER_TABLES = [
  "agentApproval",
  "approval",
  "beneficialOwner",
  "beneficiaryVerification",
  "cardAuthorization",
  "cardIssue",
  "document",
  "fundingSource",
  "umaLookup",
  "verification",
  "walletProof",
] as const;

/** A table of the sandbox: the first part of a rule's name (spec/sandbox.md#rule-header). */
export type RuleTable = PaymentOutcomeTable | (typeof OTHER_TABLES)[number];

/** The tables of the sandbox. A row of any other one, like an agent's policy, is no such rule. */
export const RULE_TABLES: readonly RuleTable[] = [
  ...(Object.keys(PAYMENT_OUTCOMES) as PaymentOutcomeTable[]),
  ...OTHER_TABLES,
];

/** The name of a row: `quotedPayment.003`. */
export const ruleName = (table: RuleTable, row: string) => `${table}.${row}`;

/** Whether a row is one of the sandbox's tables. */
export const isSandboxRule = (rule: string) =>
  RULE_TABLES.some((table) => rule.startsWith(`${table}.`));
