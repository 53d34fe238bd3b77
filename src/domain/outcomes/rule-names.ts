import type { Revision } from "../../contract/core/revision-names.ts";
import { hasChange, type RevisionRow } from "../../contract/core/revisions.ts";
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

/** Tables that a change brought (spec/later-customers.md#tables-of-the-sandbox). */
const LATER_TABLES = {
  newPerson: "verificationRules",
  personVerification: "verificationRules",
  businessVerification: "verificationRules",
} as const satisfies Readonly<Record<string, RevisionRow>>;

/** Tables that a change replaced by others. */
const FORMER_TABLES: Readonly<Partial<Record<RuleTable, RevisionRow>>> = {
  verification: "verificationRules",
};

/** A table that the first revision reads. */
export type FirstRuleTable = PaymentOutcomeTable | (typeof OTHER_TABLES)[number];

/** A table of the sandbox: the first part of a rule's name (spec/sandbox.md#rule-header). */
export type RuleTable = FirstRuleTable | keyof typeof LATER_TABLES;

/** The tables of the first revision's sandbox. A row of any other one, like an agent's policy, is no such rule. */
export const RULE_TABLES: readonly FirstRuleTable[] = [
  ...(Object.keys(PAYMENT_OUTCOMES) as PaymentOutcomeTable[]),
  ...OTHER_TABLES,
];

/** Tells whether a revision reads a table. */
export const isTableIn = (revision: Revision, table: RuleTable): boolean => {
  const since = (LATER_TABLES as Partial<Record<RuleTable, RevisionRow>>)[table];
  const until = FORMER_TABLES[table];
  return (!since || hasChange(revision, since)) && !(until && hasChange(revision, until));
};

/** The name of a row: `quotedPayment.003`. */
export const ruleName = (table: RuleTable, row: string) => `${table}.${row}`;

/** Whether a row is one of the sandbox's tables. */
export const isSandboxRule = (rule: string) =>
  [...RULE_TABLES, ...Object.keys(LATER_TABLES)].some((table) => rule.startsWith(`${table}.`));
