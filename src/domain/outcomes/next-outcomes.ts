import type { RefusalWord } from "../../contract/refusals.ts";
import { all, type Draft, find, type View } from "../core/draft.ts";
import { Refusal, type RefusalDetails, type RefusalWords, refusalByRule } from "../core/refusal.ts";
import type { NextOutcomeRecord } from "../records/outcome-records.ts";
import { type RuleTable, ruleName } from "./rule-names.ts";

/** A choice among the rows of a table. */
export interface RowChoice {
  table: RuleTable;
  /** The row that the identifier, or whatever the table reads, asks for. */
  row: string;
  /** Ids of the records that the choice is about: customer, accounts, agent, card. */
  about: readonly (string | undefined)[];
  /** Rows that this choice could take; all of the table when left out. */
  takes?: (row: string) => boolean;
}

/** A row that was chosen, and the record that set it, if one did. */
export interface ChosenRow {
  table: RuleTable;
  row: string;
  setBy?: string;
}

const isAbout = ({ for: subject }: NextOutcomeRecord, about: RowChoice["about"]) =>
  subject === undefined || about.includes(subject);

/**
 * The rows of several choices, in their order: for each the oldest row that was set for it, as long
 * as some is left, else the one that was asked for (spec/sandbox.md#next-outcome).
 */
export const chooseRows = (view: View, choices: readonly RowChoice[]): ChosenRow[] => {
  const usedTimes = new Map<string, number>();
  return choices.map(({ table, row, about, takes }): ChosenRow => {
    const set = find(view, "NextOutcome", ["byTable", table]).find(
      (candidate) =>
        candidate.times > (usedTimes.get(candidate.id) ?? 0) &&
        isAbout(candidate, about) &&
        (takes === undefined || takes(candidate.row)),
    );
    if (!set) return { table, row };
    usedTimes.set(set.id, (usedTimes.get(set.id) ?? 0) + 1);
    return { table, row: set.row, setBy: set.id };
  });
};

/** The row that a choice takes. Every table of the sandbox is read through this choice. */
export const chooseRow = (view: View, choice: RowChoice): ChosenRow =>
  chooseRows(view, [choice])[0] as ChosenRow;

/** Uses up a row that was set, once. */
export const useSetRow = (draft: Draft, id: string) => {
  const set = draft.get("NextOutcome", id);
  if (!set) return;
  const times = set.times - 1;
  if (times === 0) draft.del("NextOutcome", id);
  else draft.put("NextOutcome", { ...set, times });
};

/** Uses up what set a chosen row, and notes in the change that it was set. */
export const useRow = (draft: Draft, { table, row, setBy }: ChosenRow): string => {
  if (setBy !== undefined) {
    useSetRow(draft, setBy);
    draft.setByTester(ruleName(table, row));
  }
  return row;
};

/** Chooses a row and uses it up in the same change. */
export const takeRow = (draft: Draft, choice: RowChoice): string =>
  useRow(draft, chooseRow(draft, choice));

/**
 * Ends a rule with the refusal of a row. The rule's draft is dropped, so the caller's commit uses up
 * what set the row, `Refusal.setBy` (decisions/set-rows-are-chosen-once.md).
 */
export const refuseByRow = (
  { table, row, setBy }: ChosenRow,
  word: RefusalWord,
  { details, words }: { details: RefusalDetails; words?: string | RefusalWords },
): never => {
  const refusal = refusalByRule(ruleName(table, row), word, details, words);
  throw setBy === undefined ? refusal : Object.assign(refusal, { setBy });
};

/** Id of what set the row that refused, if it was set. */
export const setRowOf = (error: unknown): string | undefined =>
  error instanceof Refusal ? error.setBy : undefined;

/** Rows that are set, oldest first. */
export const nextOutcomes = (view: View): readonly NextOutcomeRecord[] => all(view, "NextOutcome");
