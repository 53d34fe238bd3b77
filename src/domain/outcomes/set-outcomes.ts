import { defined } from "../../contract/core/defined.ts";
import type { Draft, Rule } from "../core/draft.ts";
import type { NextOutcomeRecord } from "../records/outcome-records.ts";
import type { PlacedRow } from "./outcome-tables.ts";

interface NewOutcome {
  placed: PlacedRow;
  /** Whole id of the record that it is about. */
  subject: string | undefined;
  times: number;
}

/** POST /_sim/outcomes/next: sets a row for the next matching choices. */
export const setNextOutcome: Rule<NewOutcome, NextOutcomeRecord> = (
  draft,
  { placed, subject, times },
  moment,
) => {
  const record: NextOutcomeRecord = {
    id: moment.newId("NextOutcome"),
    ...placed,
    ...defined({ for: subject }),
    times,
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.put("NextOutcome", record);
  return record;
};

/**
 * Lifts rows that are set.
 * @returns how many
 */
export const liftOutcomes = (draft: Draft, ids: readonly string[]): { lifted: number } => {
  for (const id of ids) draft.del("NextOutcome", id);
  return { lifted: ids.length };
};
