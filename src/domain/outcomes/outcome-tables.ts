import { MAGIC_VALUES } from "../../contract/core/magic-values.ts";
import type { Revision } from "../../contract/core/revision-names.ts";
import { AGENT_APPROVAL_OUTCOMES } from "./agent-approval-outcomes.ts";
import { APPROVAL_ANSWERS } from "./approval-answers.ts";
import {
  CARD_AUTHORIZATION_OUTCOMES,
  CARD_ISSUE_OUTCOMES,
  FUNDING_SOURCE_OUTCOMES,
} from "./card-outcomes.ts";
import { DOCUMENT_OUTCOMES } from "./document-outcomes.ts";
import {
  BUSINESS_VERIFICATION_OUTCOMES,
  NEW_PERSON_OUTCOMES,
  PERSON_VERIFICATION_OUTCOMES,
} from "./later-verification-outcomes.ts";
import { UMA_LOOKUP_OUTCOMES } from "./lookup-outcomes.ts";
import { BENEFICIARY_VERIFICATION_OUTCOMES, PAYMENT_OUTCOMES } from "./outcomes.ts";
import { isTableIn, type RuleTable, ruleName } from "./rule-names.ts";
import { BENEFICIAL_OWNER_OUTCOMES, VERIFICATION_OUTCOMES } from "./verification-outcomes.ts";

const rowsOf = (table: object) => Object.keys(table);

/** The rows of every table of the sandbox, in the order in which they are listed. */
const TABLE_ROWS: Readonly<Record<RuleTable, readonly string[]>> = {
  quotedPayment: rowsOf(PAYMENT_OUTCOMES.quotedPayment),
  transferOut: rowsOf(PAYMENT_OUTCOMES.transferOut),
  transferIn: rowsOf(PAYMENT_OUTCOMES.transferIn),
  pull: rowsOf(PAYMENT_OUTCOMES.pull),
  funding: rowsOf(PAYMENT_OUTCOMES.funding),
  umaPayment: rowsOf(PAYMENT_OUTCOMES.umaPayment),
  umaSender: rowsOf(PAYMENT_OUTCOMES.umaSender),
  umaDeposit: rowsOf(PAYMENT_OUTCOMES.umaDeposit),
  approval: rowsOf(APPROVAL_ANSWERS),
  agentApproval: rowsOf(AGENT_APPROVAL_OUTCOMES),
  beneficialOwner: rowsOf(BENEFICIAL_OWNER_OUTCOMES),
  beneficiaryVerification: rowsOf(BENEFICIARY_VERIFICATION_OUTCOMES),
  cardAuthorization: rowsOf(CARD_AUTHORIZATION_OUTCOMES),
  cardIssue: rowsOf(CARD_ISSUE_OUTCOMES),
  document: rowsOf(DOCUMENT_OUTCOMES),
  fundingSource: rowsOf(FUNDING_SOURCE_OUTCOMES),
  umaLookup: rowsOf(UMA_LOOKUP_OUTCOMES),
  verification: rowsOf(VERIFICATION_OUTCOMES),
  newPerson: rowsOf(NEW_PERSON_OUTCOMES),
  personVerification: rowsOf(PERSON_VERIFICATION_OUTCOMES),
  businessVerification: rowsOf(BUSINESS_VERIFICATION_OUTCOMES),
  walletProof: [...Object.values(MAGIC_VALUES), "otherwise"],
};

/** A row with its table. */
export interface PlacedRow {
  table: RuleTable;
  row: string;
}

const PLACED_ROWS: ReadonlyMap<string, PlacedRow> = new Map(
  (Object.entries(TABLE_ROWS) as [RuleTable, readonly string[]][]).flatMap(([table, rows]) =>
    rows.map((row) => [ruleName(table, row), { table, row }]),
  ),
);

/** The names of all rows of a revision, as `x-sim-rule` has them. */
export const ruleNamesIn = (revision: Revision): readonly string[] =>
  [...PLACED_ROWS].flatMap(([name, { table }]) => (isTableIn(revision, table) ? [name] : []));

/** The names of all rows, also of those that only one revision reads. */
export const RULE_NAMES_OF_ANY_REVISION: readonly string[] = [...PLACED_ROWS.keys()];

/** The row of a name: `003` of `quotedPayment` for `quotedPayment.003`. */
export const placedRow = (rule: string): PlacedRow | undefined => PLACED_ROWS.get(rule);
